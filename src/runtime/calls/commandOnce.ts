/**
 * Each command is carried out once, however often its page gives it.
 *
 * 1. This core knows a command by its ref. One that is given again is looked up in the log, where a core before this one has
 *    left it, if it took it: what it set in motion waited for that commit.
 * 2. One that is not in the log is new, unless the product acts on it before its commit: then it may be half done.
 * 3. Commands keep their order: one that comes while another is looked up waits for it.
 */
import type { Fault } from '../failure.ts'
import type { Journal } from '../journal/journal.ts'
import { createNewestLines, isTaken } from './dedupe.ts'
import { createOnce } from './once.ts'

/** A command as its page gives it. */
type Given<Command> = { command: Command; ref: string; again: boolean }

/**
 * @param unlogged gives the fault of a command that was acted on before its commit, and may not be repeated without a trace
 * @returns the function that takes a command, or waits until the same one is kept and returns true
 */
export function createCommandOnce<Command>(
  journal: Pick<Journal, 'lines'>,
  unlogged: (command: Command) => Fault | undefined,
): (given: Given<Command>, take: () => Promise<void>) => Promise<boolean> {
  const once = createOnce()
  const newestLines = createNewestLines(journal)
  let looking: Promise<unknown> = Promise.resolve()
  let lookups = 0

  async function isLogged({ command, ref }: Given<Command>, lines: Promise<string[]>): Promise<boolean> {
    if (isTaken(await lines, { ref })) return true
    const fault = unlogged(command)
    if (fault) throw fault
    return false
  }

  async function inTurn(given: Given<Command>, take: () => Promise<void>): Promise<boolean> {
    const lines = given.again ? newestLines() : undefined
    // The command before it may fail first
    lines?.catch(() => undefined)
    const mine = looking.then(() => lines !== undefined && isLogged(given, lines))
    lookups += 1
    looking = mine
      .catch(() => undefined)
      .then(() => {
        lookups -= 1
      })
    const isKnown = await mine
    if (!isKnown) await take()
    return isKnown
  }

  return (given, take) =>
    once(given.ref, async () => {
      if (given.again || lookups > 0) return inTurn(given, take)
      await take()
      return false
    })
}
