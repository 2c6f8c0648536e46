/**
 * Each command is carried out once, however often its page gives it.
 *
 * 1. This core knows a command by its ref. One that is given again is looked up in the log, where a core before this one has
 *    left it, if it took it: what it set in motion waited for that commit.
 * 2. One that is not in the log is new, but for a request that is published before its commit: a wallet may have been asked.
 * 3. Commands keep their order: one that comes while another is looked up waits for it.
 */
import type { Command } from '../../../events/command.ts'
import { Fault } from '../../../runtime/failure.ts'
import type { LinkReceived } from '../../../events/wire.ts'
import type { Journal } from '../../../runtime/journal/journal.ts'
import { safeToRetry } from '../../walletconnect/session/safeToRetry.ts'
import { wasTaken } from './dedupe.ts'
import { createOnce } from './once.ts'

/** A command as its page gives it. */
type Given = { command: Command | LinkReceived; ref: string; again: boolean }

/** @returns the function that takes a command, or waits until the same one is kept and returns true */
export function createCommandOnce(
  journal: Pick<Journal, 'lines'>,
): (given: Given, take: () => Promise<void>) => Promise<boolean> {
  const once = createOnce()
  let looking: Promise<unknown> = Promise.resolve()
  let lookups = 0

  async function isLogged({ command, ref }: Given): Promise<boolean> {
    if (await wasTaken(journal, { ref })) return true
    if (command.type === 'request.send' && safeToRetry.has(command.data.method))
      throw new Fault('unknown', 'a request expected to be in the log, its core was lost and may have published it')
    return false
  }

  async function inTurn(given: Given, take: () => Promise<void>): Promise<boolean> {
    const mine = looking.then(() => given.again && isLogged(given))
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
