/**
 * The page's calls on the core, whichever worker has it.
 *
 * 1. A call waits up to `waitMs` for a core that the page has joined. Waiting calls go out in their order.
 * 2. A read that is lost with its core goes to the next one.
 * 3. A command that is lost with its core goes to the next one under the same ref, marked as repeated: the core finds in the
 *    log whether an earlier one accepted it. So the log has to be durable, and the same.
 * 4. Every other call fails with its core. Answers, page facts and lifecycle changes have senders that repeat them; erasing is
 *    never repeated, as the next core has another log.
 *
 * One function, because the core, the log and the turn of the attachment decide about every call.
 */
import { Fault } from '../failure.ts'
import type { AnyCore, CallTable } from '../wire.ts'

/** A sent command. `taken` resolves when a core accepted it, and rejects when that is unknown. */
type Given = { ref: string; taken: Promise<void> }

export type PageCalls<Core, Command> = {
  /** The core's calls; each waits for a core as the rules above say. */
  core: Core
  /** Resolves when the page has joined a core. @throws Fault `core_lost` after `waitMs` */
  joined(): Promise<void>
  /** Sends a command. */
  give(command: Command): Given
  /** Sends a command of the person; `undelivered` is called when no core accepted it. */
  command(command: Command): void
  /** The page attached to this core: waiting calls go there. */
  attached(core: AnyCore): void
  /** The page has no core: calls wait. */
  left(): void
  /** The next core has another log: calls that the last one may have accepted fail. */
  beginAnew(): void
}

type Ports<Command> = {
  tab: string
  table: CallTable
  /** the calls of an attached page */
  names: readonly string[]
  /** Whether the log outlives its core. */
  isDurable(): boolean
  /** A repeated command is acknowledged; its facts are in the model already, and no batch brings them. */
  caughtUp(): void
  /** A command given by `command` was not accepted. */
  undelivered(command: Command, ref: string): void
}

type Functions = { [name: string]: ((...args: any[]) => Promise<unknown>) | undefined }

type Call = {
  /** place in the order of calls */
  nth: number
  /** `joined` calls nothing */
  name: string
  args: readonly unknown[]
  /** number of the log it was sent to last */
  log?: number
  /** `waitMs` have passed */
  isLate?: true
  settle(value: unknown): void
  fail(cause: unknown): void
}

/** How long a call waits for a core before it is given up, ms. */
const waitMs = 20_000

export function createPageCalls<Core, Command>(ports: Ports<Command>): PageCalls<Core, Command> {
  const { tab, table, names, isDurable, caughtUp, undelivered } = ports
  /** calls without a core; those in flight are not among them */
  const waiting = new Set<Call>()
  let core: AnyCore | undefined
  let turn = 0
  let log = 0
  let refs = 0
  let made = 0

  function send(call: Call, to: AnyCore): void {
    const sentIn = turn
    waiting.delete(call)
    if (call.log !== undefined && !mayRepeat(call)) return call.fail(unlogged(call.name))
    const args = call.name === 'command' && call.log !== undefined ? [...call.args, true] : call.args
    call.log = log
    const run = call.name === 'joined' ? async () => undefined : (to as AnyCore & Functions)[call.name]
    run?.(...args).then(call.settle, (cause: unknown) => {
      if (call.isLate || !isLost(cause) || !mayRepeat(call)) return call.fail(cause)
      waiting.add(call)
      // The page may have joined the next core already
      if (core && sentIn !== turn) send(call, core)
    })
  }

  function mayRepeat({ name, log: sentTo }: Call): boolean {
    const again = table[name]?.again
    return again === 'read' || (again === 'command' && sentTo === log && isDurable())
  }

  function make(name: string, args: readonly unknown[]): Promise<unknown> {
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

  function give(command: Command): Given {
    refs += 1
    const ref = `${tab}.c${refs}`
    const taken = make('command', [command, ref, tab]).then(isKnown => {
      // The handlers of `taken` run first
      if (isKnown === true) setTimeout(caughtUp)
    })
    return { ref, taken }
  }

  return {
    core: Object.fromEntries(names.map(name => [name, (...args: unknown[]) => make(name, args)])) as Core,
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
  return new Fault('core_lost', `${name} expected the same log in the next core, got another`)
}

function isLost(cause: unknown): boolean {
  return cause instanceof Fault && cause.code === 'core_lost'
}
