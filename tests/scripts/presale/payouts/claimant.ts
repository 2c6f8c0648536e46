/** A claimant's check of an allocation's proof, written from the format alone: it shares no code with the tree. */
import { createHash } from 'node:crypto'
import bs58 from 'bs58'

export const sha = (...parts: Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest()

export function leafOf(owner: string, tokens: bigint): Buffer {
  const amount = Buffer.alloc(8)
  amount.writeBigUInt64LE(tokens)
  return sha(Buffer.of(0), bs58.decode(owner), amount)
}

/** From the leaf up, the lesser of two first. */
export function rootFrom(leaf: Buffer, proof: readonly string[]): string {
  const above = (hash: Buffer, sibling: string) => {
    const pair = [hash, Buffer.from(sibling, 'hex')].sort(Buffer.compare)
    return sha(Buffer.of(1), ...pair)
  }
  return proof.reduce(above, leaf).toString('hex')
}
