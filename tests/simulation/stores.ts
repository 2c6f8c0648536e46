/** The device's disk: a log for each chain, under the product's journal or written at once, and the stores beside it. */
import { emptyCoreModel } from '../../src/events/emptyModel.ts'
import { decode } from '../../src/events/log/decode.ts'
import { logFormat } from '../../src/events/log/logFormat.ts'
import { createCore, type CoreMachine } from '../../src/worker/core/core.ts'
import type { Decider } from '../../src/worker/core/context.ts'
import { genesisHash as theGenesis } from '../worker/story.ts'
import type { Dice } from './dice.ts'
import { emptyLog, type Log } from './runtime/disk.ts'
import type { Queue } from './runtime/queue.ts'
import { createRealLog, type RealLog } from './runtime/realDisk.ts'
import { emptyVault } from './relay.ts'

type Ports = {
  queue: Queue
  dice: Dice
  /** every step is on disk at once */
  immediate: boolean
  wrong(what: string): void
  /** the journal loads code, in real time */
  loads(): void
}

export function createStores({ queue, dice, immediate, wrong, loads }: Ports) {
  const logs = new Map<string, Log>()
  const realLogs = new Map<string, RealLog>()
  let genesisHash = theGenesis
  let hasMoved = false

  function realLog(): RealLog {
    let known = realLogs.get(genesisHash)
    if (!known)
      realLogs.set(genesisHash, (known = createRealLog({ queue, dice, format: logFormat, decode, wrong, loads })))
    return known
  }

  function log(): Log {
    if (!immediate) return realLog().log
    let known = logs.get(genesisHash)
    if (!known) logs.set(genesisHash, (known = emptyLog()))
    return known
  }

  return {
    logs,
    realLog,
    log,
    vault: emptyVault(),
    /** refs of the kept transactions' bytes */
    bytes: new Set<string>(),
    /** The chain of the current log. */
    chain: () => genesisHash,
    moveTo(chain: string): void {
      hasMoved ||= chain !== genesisHash
      genesisHash = chain
    },
    /** The device has a log of another chain, too. */
    hasMoved: () => hasMoved,
    losePower: () => realLog().database.losePower(),
  }
}
export type Stores = ReturnType<typeof createStores>

/** @returns a core whose model is the fold of a log */
export function folded({ facts }: Log, deciders: readonly Decider[]): CoreMachine {
  const core = createCore(deciders, emptyCoreModel())
  for (const fact of facts) core.recall(fact)
  return core
}
