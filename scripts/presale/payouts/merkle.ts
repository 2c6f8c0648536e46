/**
 * A Merkle tree over allocations: leaf sha256(0x00 ‖ owner, 32 bytes ‖ tokens, u64 little endian), node sha256(0x01 ‖ lesser ‖
 * greater) of its children's bytes. The last one of an odd level goes up unchanged.
 *
 * @see reference "Presale", §11
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js'
import { refused } from '../../../src/main/replay/verb.ts'
import { decodeBase58 } from '../../../src/events/values/solana/base58.ts'

/** `root`: 32 bytes as hex, of 0 for an empty list. `proofs`: for each leaf its siblings from below, hex. */
type Tree = { root: string; proofs: string[][] }

/** @throws Fault `bad_input` when an owner is no key, or tokens do not fit 64 bits */
export function merkleTree(leaves: readonly { owner: string; tokens: bigint }[]): Tree {
  const proofs: string[][] = leaves.map(() => [])
  let level = leaves.map(({ owner, tokens }, at) => ({ hash: leafHash(owner, tokens), below: [at] }))
  while (level.length > 1) {
    const above: typeof level = []
    for (let at = 0; at < level.length; at += 2) {
      const [left, right] = level.slice(at, at + 2)
      if (!left) continue
      if (right) {
        for (const leaf of left.below) proofs[leaf]?.push(bytesToHex(right.hash))
        for (const leaf of right.below) proofs[leaf]?.push(bytesToHex(left.hash))
        above.push({ hash: nodeHash(left.hash, right.hash), below: [...left.below, ...right.below] })
      } else above.push(left)
    }
    level = above
  }
  return { root: bytesToHex(level[0]?.hash ?? new Uint8Array(32)), proofs }
}

function leafHash(owner: string, tokens: bigint): Uint8Array {
  const key = decodeBase58(owner)
  if (key?.length !== 32) throw refused(`an allocation expected an owner in base58, got ${owner.slice(0, 50)}`)
  if (tokens < 0n || tokens >= 2n ** 64n)
    throw refused(`the allocation of ${owner} expected less than 2^64 base units, got ${tokens}`)
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, tokens, true)
  return sha256(concatBytes(Uint8Array.of(0), key, bytes))
}

function nodeHash(a: Uint8Array, b: Uint8Array): Uint8Array {
  const [lesser, greater] = compareBytes(a, b) <= 0 ? [a, b] : [b, a]
  return sha256(concatBytes(Uint8Array.of(1), lesser, greater))
}

/** @returns below, at or above 0, as bytes of the same length are ordered */
function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (const [at, byte] of a.entries()) {
    const other = b[at] ?? 0
    if (byte !== other) return byte - other
  }
  return 0
}

/** @returns the list ordered by its owners' bytes; equal owners keep their order */
export function byOwner<T extends { owner: string }>(list: readonly T[]): T[] {
  const keyed = list.map(one => ({ one, key: decodeBase58(one.owner) ?? new Uint8Array(32) }))
  return keyed.sort((a, b) => compareBytes(a.key, b.key)).map(({ one }) => one)
}
