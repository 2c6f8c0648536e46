/**
 * Commands of a simulated device's pages, given as in the product: a page gives a command again under its ref when its core is
 * lost, and the next core takes it once.
 */
import { Fault } from '../../src/runtime/failure.ts'
import { type Core, coreCalls, type Wire } from '../../src/events/wire.ts'
import { joinedCalls } from '../../src/main/page/supervisor/supervisor.ts'
import { createPageCalls, type PageCalls } from '../../src/runtime/page/pageCalls.ts'
import type { Draft } from '../../src/runtime/core/draft.ts'
import { createCommandOnce } from '../../src/runtime/calls/commandOnce.ts'
import { unlogged } from '../../src/worker/host/calls/onceRules.ts'
import type { Tab } from './browser.ts'
import type { Dice } from './dice.ts'
import type { DiskJournal } from './runtime/disk.ts'
import type { Queue } from './runtime/queue.ts'

type Calls = PageCalls<Core, Wire['command']>

type Ports = {
  queue: Queue
  dice: Dice
  /** Submits a draft to the core. @param stored called once it is on disk @returns false when no core took it */
  take(draft: Draft, stored: () => void): boolean
  /** of the log on disk */
  lines(): readonly string[]
  /** the worker dies */
  die(): void
}

const lost = () => new Fault('core_lost', 'a call expected the core to answer, it has ended')

export function createPageCommands({ queue, dice, take, lines, die }: Ports) {
  const calls = new Map<Tab, Calls>()
  /** what the calls on this core end with when it does */
  let pending = new Set<(cause: Fault) => void>()
  let core: Core | undefined
  let durable = false

  function callsOf(tab: Tab): Calls {
    let its = calls.get(tab)
    if (!its) {
      its = createPageCalls<Core, Wire['command']>({
        table: coreCalls,
        names: joinedCalls,
        tab: tab.name,
        isDurable: () => durable,
        caughtUp: () => undefined,
        undelivered: () => undefined,
      })
      calls.set(tab, its)
    }
    return its
  }

  /** A call on this core; the page hears at once when the core ends. */
  function call<T>(run: () => Promise<T>): Promise<T> {
    const own = pending
    return new Promise<T>((resolve, reject) => {
      own.add(reject)
      queue.after(1, 'worker', () => void run().then(resolve, reject))
    })
  }

  return {
    /** A core begins, and pages may attach to it. */
    begin(journal: DiskJournal): void {
      durable = journal.storage === 'durable'
      const log = {
        // Read at once: the journal's own way loads code in real time
        async lines() {
          await journal.flush('relaxed')
          return [...lines()]
        },
      }
      const once = createCommandOnce(log, unlogged)
      const command: Core['command'] = (command, ref, tab, again = false) => {
        const unheard = command.type === 'request.send' ? 'request.unheard' : 'command.unheard'
        const give = (isAgain: boolean) =>
          once(
            { command, ref, again: isAgain },
            () =>
              new Promise<void>((resolve, reject) => {
                const stored = () => (dice.strikes(unheard) ? die() : resolve())
                if (!take({ type: command.type, data: command.data, ref, tab }, stored)) reject(lost())
              }),
          )
        // Its page is told late, and gives it again
        if (dice.strikes('command.repeats'))
          queue.after(dice.between('repeats', 0, 8000), 'worker', () => void give(true).catch(() => undefined))
        return call(() => give(again))
      }
      core = { command } as Core
    },
    /** The core has ended. */
    end(): void {
      core = undefined
      for (const its of calls.values()) its.left()
      const ended = pending
      pending = new Set()
      for (const reject of ended) reject(lost())
    },
    /** The next core has another log. */
    beginAnew(): void {
      for (const its of calls.values()) its.beginAnew()
    },
    attached(tab: Tab): void {
      if (core) callsOf(tab).attached(core)
    },
    command: (tab: Tab, command: { type: string; data: Record<string, unknown> }) =>
      callsOf(tab).command(command as never),
    /** @returns once the core has it on disk */
    give: (tab: Tab, command: { type: string; data: Record<string, unknown> }) =>
      callsOf(tab).give(command as never).taken,
  }
}
