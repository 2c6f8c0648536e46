import bs58 from 'bs58'
import { describe, expect, test } from 'vitest'
import { merkleTree } from '../../../../scripts/presale/payouts/merkle.ts'
import { leafOf, rootFrom, sha } from './claimant.ts'

const leaves = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    owner: bs58.encode(sha(Buffer.from(`owner ${at}`))),
    tokens: BigInt(at) * 1_000_000_007n + 1n,
  }))

describe('a Merkle tree of allocations', () => {
  test.each([1, 2, 3, 4, 5, 7, 8, 33])('of %i leaves is reached from each by its proof', count => {
    const list = leaves(count)
    const { root, proofs } = merkleTree(list)
    expect(list.map(({ owner, tokens }, at) => rootFrom(leafOf(owner, tokens), proofs[at] ?? []))).toEqual(
      list.map(() => root),
    )
  })

  test('is not reached by another amount, another owner, or a proof of another leaf', () => {
    const list = leaves(9)
    const { root, proofs } = merkleTree(list)
    const [first, second] = list as [(typeof list)[0], (typeof list)[0]]
    const [proof = [], other = []] = proofs
    expect(rootFrom(leafOf(first.owner, first.tokens + 1n), proof)).not.toBe(root)
    expect(rootFrom(leafOf(second.owner, first.tokens), proof)).not.toBe(root)
    expect(rootFrom(leafOf(first.owner, first.tokens), other)).not.toBe(root)
  })

  test('has the root that its format gives by hand', () => {
    const [a, b, c] = leaves(3).map(({ owner, tokens }) => leafOf(owner, tokens)) as [Buffer, Buffer, Buffer]
    const ab = sha(Buffer.of(1), ...[a, b].sort(Buffer.compare))
    const abc = sha(Buffer.of(1), ...[ab, c].sort(Buffer.compare))
    expect(merkleTree(leaves(3)).root).toBe(abc.toString('hex'))
    expect(merkleTree([])).toEqual({ root: '0'.repeat(64), proofs: [] })
  })

  test('of tokens beyond 64 bits is refused', () => {
    const much = leaves(1).map(({ owner }) => ({ owner, tokens: 2n ** 64n }))
    expect(() => merkleTree(much)).toThrow('expected less than 2^64 base units')
  })
})
