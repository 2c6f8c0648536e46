/**
 * The page's calls on the core, whichever worker has it.
 *
 * 1. A call waits until the page has joined a core, `waitMs` at most; calls go out in the order in which they came.
 * 2. A read that is lost with its core goes to the next one.
 * 3. A command that is lost with its core goes to the next one under the same ref, marked as given again: a core finds in the
 *    log what an earlier one took. So it needs a durable log, and the same one.
 * 4. Every other call fails with its core: an answer, a page fact and the page's lifecycle have senders that repeat them, and
 *    erasing is never repeated, for the next core has another log.
 *
 * One function, because a call's way depends on the core, the log and the joining that the page is at.
 */
import type { Command } from '../../../events/command.ts'
import { Fault } from '../../../runtime/failure.ts'
import { type Core, coreCall, type CoreName, coreNames, type LinkReceived } from '../../../events/wire.ts'

/** The part of `Core` that a page calls when it has joined. */
export type JoinedCore = Pick<Core, Exclude<CoreName, 'attach'> | 'readChain'>
type Name = keyof JoinedCore

/** A command on its way: `taken` is rejected when it is not known whether a core took it. */
export type Given = { ref: string; taken: Promise<void> }

export type PageCalls = {
  core: JoinedCore
  /** Resolves when the page has joined a core. @throws Fault `core_lost` after `waitMs` */
  joined(): Promise<void>
  give(command: Command | LinkReceived): Given
  command(command: Command): void
  /** The page has attached to this core: what waits goes there. */
  attached(core: Core): void
  /** The page has no core: calls wait. */
  left(): void
  /** The next core has another log: what the last one may have taken is not given to it. */
  beginAnew(): void
}

type Ports = {
  tab: string
  /** Whether the log of the core that the page knows outlives that core. */
  isDurable(): boolean
  /** A command is acknowledged that an earlier core took: its facts are in the model that the page attached to. */
  caughtUp(): void
  /** A command for a person failed. */
  undelivered(command: Command, ref: string): void
}

type Call = {
  /** place in the order of calls */
  nth: number
  name: Name | 'joined'
  args: readonly unknown[]
  /** the log that had it last */
  log?: number
  /** the time to wait for a core is over */
  isLate?: true
  settle(value: unknown): void
  fail(cause: unknown): void
}

/** How long a call waits for a core before it is given up, ms. */
const waitMs = 20_000

export function createPageCalls({ tab, isDurable, caughtUp, undelivered }: Ports): PageCalls {
  /** those on their way are not among them */
  const waiting = new Set<Call>()
  let core: Core | undefined
  let turn = 0
  let log = 0
  let refs = 0
  let made = 0

  function send(call: Call, to: Core): void {
    const sentIn = turn
    waiting.delete(call)
    if (call.log !== undefined && !mayRepeat(call)) return call.fail(unlogged(call.name))
    const args = call.name === 'command' && call.log !== undefined ? [...call.args, true] : call.args
    call.log = log
    const run =
      call.name === 'joined' ? async () => undefined : (to[call.name] as (...args: unknown[]) => Promise<unknown>)
    run(...args).then(call.settle, (cause: unknown) => {
      if (call.isLate || !isLost(cause) || !mayRepeat(call)) return call.fail(cause)
      waiting.add(call)
      // The page may have joined the next core already
      if (core && sentIn !== turn) send(call, core)
    })
  }

  function mayRepeat({ name, log: sentTo }: Call): boolean {
    const { again } = name === 'joined' ? { again: undefined } : coreCall(name)
    return again === 'read' || (again === 'command' && sentTo === log && isDurable())
  }

  function make(name: Call['name'], args: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        call.isLate = true
        if (waiting.has(call))
          call.fail(new Fault('core_lost', `${name} expected a core within ${waitMs / 1000} s, none came`))
      }, waitMs)
      const end = () => {
        clearTimeout(timer)
        waiting.delete(call)
      }
      made += 1
      const call: Call = {
        nth: made,
        name,
        args,
        settle(value) {
          end()
          resolve(value)
        },
        fail(cause) {
          end()
          reject(cause as Error)
        },
      }
      waiting.add(call)
      if (core) send(call, core)
    })
  }

  function give(command: Command | LinkReceived): Given {
    refs += 1
    const ref = `${tab}.c${refs}`
    const taken = make('command', [command, ref, tab]).then(isKnown => {
      // After those who wait for it have heard that it was taken
      if (isKnown === true) setTimeout(caughtUp)
    })
    return { ref, taken }
  }

  return {
    core: Object.fromEntries(
      [...coreNames, 'readChain' as const].map(name => [name, (...args: unknown[]) => make(name as Name, args)]),
    ) as JoinedCore,
    joined: async () => void (await make('joined', [])),
    give,
    command(command) {
      const { ref, taken } = give(command)
      taken.catch(() => undelivered(command, ref))
    },
    attached(next) {
      core = next
      turn += 1
      for (const call of [...waiting].sort((one, other) => one.nth - other.nth)) send(call, next)
    },
    left() {
      core = undefined
    },
    beginAnew() {
      log += 1
      for (const call of waiting) if (call.log !== undefined && !mayRepeat(call)) call.fail(unlogged(call.name))
    },
  }
}

function unlogged(name: string): Fault {
  return new Fault('core_lost', `${name} expected the log of the core that was lost, the next core has none of it`)
}

function isLost(cause: unknown): boolean {
  return cause instanceof Fault && cause.code === 'core_lost'
}
