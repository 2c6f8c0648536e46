/** The device's disk: a log for each chain, on a disk of the simulation's own or under the product's journal, and the stores beside it. */
import { emptyCoreModel } from '../../src/events/emptyModel.ts'
import { decode } from '../../src/events/log/decode.ts'
import { logFormat } from '../../src/events/log/logFormat.ts'
import { createCore, type CoreMachine } from '../../src/worker/core/core.ts'
import type { Decider } from '../../src/worker/core/context.ts'
import { genesisHash as theGenesis } from '../worker/story.ts'
import type { Dice } from './dice.ts'
import { emptyLog, type Log, losePower } from './runtime/disk.ts'
import type { Queue } from './runtime/queue.ts'
import { createRealLog, type RealLog } from './runtime/realDisk.ts'
import { emptyVault } from './relay.ts'

type Ports = {
  queue: Queue
  dice: Dice
  real: boolean
  wrong(what: string): void
  /** the journal loads code, in real time */
  loads(): void
}

export function createStores({ queue, dice, real, wrong, loads }: Ports) {
  const logs = new Map<string, Log>()
  const realLogs = new Map<string, RealLog>()
  let genesisHash = theGenesis

  function realLog(): RealLog {
    let known = realLogs.get(genesisHash)
    if (!known)
      realLogs.set(genesisHash, (known = createRealLog({ queue, dice, format: logFormat, decode, wrong, loads })))
    return known
  }

  function log(): Log {
    if (real) return realLog().log
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
    moveTo: (chain: string) => void (genesisHash = chain),
    losePower(): void {
      if (real) realLog().database.losePower()
      else losePower(log(), dice)
    },
  }
}
export type Stores = ReturnType<typeof createStores>

/** @returns a core whose model is the fold of a log */
export function folded({ facts }: Log, deciders: readonly Decider[]): CoreMachine {
  const core = createCore(deciders, emptyCoreModel())
  for (const fact of facts) core.recall(fact)
  return core
}
