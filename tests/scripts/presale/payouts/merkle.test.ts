/** Root and proofs of allocations, checked by a second reading of the format: this file shares no code with the tree. */
import { createHash } from 'node:crypto'
import bs58 from 'bs58'
import { describe, expect, test } from 'vitest'
import { merkleTree } from '../../../../scripts/presale/payouts/merkle.ts'

const sha = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()

function leafOf(owner: string, tokens: bigint): Buffer {
  const amount = Buffer.alloc(8)
  amount.writeBigUInt64LE(tokens)
  return sha(Buffer.of(0), bs58.decode(owner), amount)
}

/** A claimant's check: from the leaf up, the lesser of two first. */
function rootFrom(leaf: Buffer, proof: readonly string[]): string {
  const above = (hash: Buffer, sibling: string) => {
    const pair = [hash, Buffer.from(sibling, 'hex')].sort(Buffer.compare)
    return sha(Buffer.of(1), ...pair)
  }
  return proof.reduce(above, leaf).toString('hex')
}

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
    const [{ owner = '' } = {}] = leaves(1)
    expect(() => merkleTree([{ owner, tokens: 2n ** 64n }])).toThrow('expected less than 2^64 base units')
  })
})
