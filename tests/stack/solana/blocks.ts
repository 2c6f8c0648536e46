import { base58, sha256 } from './bytes.ts'

export type Commitment = 'processed' | 'confirmed' | 'finalized'

/** One produced slot. `height` counts blocks and is never equal to the slot, so that mixing them up shows. */
export type Block = {
  slot: number
  height: number
  parent: number
  blockhash: string
  /** Unix seconds */
  time: number
  /** in execution order */
  signatures: string[]
}

/** Slots a commitment lies behind the newest one. */
export const LAG: Record<Commitment, number> = { processed: 0, confirmed: 1, finalized: 32 }

/** A blockhash is valid while the block height exceeds its own by at most this. */
export const BLOCKHASH_LIFE = 150

const KEPT_EMPTY_BLOCKS = 2_000

/** Chain of blocks, newest last. Empty blocks older than 2000 are dropped; those with transactions are retained, and their parents. */
export type Blocks = {
  tip(): Block
  at(slot: number): Block | undefined
  /** newest block visible at this commitment; `lag`: slots a stale node is behind */
  seen(commitment: Commitment, lag?: number): Block
  byHash(blockhash: string): Block | undefined
  /** makes the next block; slots in between are skipped */
  push(slot: number, time: number): Block
  /** takes the newest blocks off the line, oldest first; a slot that is made again gets another blockhash */
  drop(count: number): Block[]
  newest(count: number): Block[]
  all(): readonly Block[]
}

/** @param kept blocks of an earlier run, oldest first; without them the line starts at `first` */
export function createBlocks(
  seed: string,
  first: { slot: number; height: number; time: number },
  kept?: Block[],
): Blocks {
  const hashOf = (slot: number) => base58(sha256('local solana blockhash\0', seed, '\0', String(slot)))
  let line: Block[] = kept ?? [{ ...first, parent: first.slot - 1, blockhash: hashOf(first.slot), signatures: [] }]
  const dropped = new Map<number, string>()
  const bySlot = new Map(line.map(block => [block.slot, block]))
  const byHash = new Map(line.map(block => [block.blockhash, block]))
  const tip = () => line[line.length - 1] as Block

  const forget = (blocks: Block[]) => {
    for (const block of blocks) {
      bySlot.delete(block.slot)
      byHash.delete(block.blockhash)
    }
  }
  const prune = () => {
    const cut = line.length - KEPT_EMPTY_BLOCKS
    const isBusy = (block: Block | undefined) => block !== undefined && block.signatures.length > 0
    const keep = (block: Block, place: number) =>
      place === 0 || place >= cut || isBusy(block) || isBusy(line[place + 1])
    forget(line.filter((block, place) => !keep(block, place)))
    line = line.filter(keep)
  }
  return {
    tip,
    at: slot => bySlot.get(slot),
    seen(commitment, lag = 0) {
      const limit = tip().slot - LAG[commitment] - lag
      for (let place = line.length - 1; place > 0; place--) {
        const block = line[place] as Block
        if (block.slot <= limit) return block
      }
      return line[0] as Block
    },
    byHash: blockhash => byHash.get(blockhash),
    push(slot, time) {
      const parent = tip()
      const before = dropped.get(slot)
      const block = {
        slot,
        height: parent.height + 1,
        parent: parent.slot,
        blockhash: before === undefined ? hashOf(slot) : base58(sha256('local solana fork\0', before)),
        time,
        signatures: [],
      }
      line.push(block)
      bySlot.set(slot, block)
      byHash.set(block.blockhash, block)
      if (line.length % KEPT_EMPTY_BLOCKS === 0) prune()
      return block
    },
    drop(count) {
      const gone = line.splice(-count)
      forget(gone)
      for (const block of gone) dropped.set(block.slot, block.blockhash)
      return gone
    },
    newest: count => line.slice(-count).reverse(),
    all: () => line,
  }
}
