import type { InputRecord } from '../events/record.ts'
import type { Journal } from './journal.ts'

/** Lines looked at, newest last: a page gives a call up after seconds, and a log grows by less than this in that time. */
const newest = 5000

/**
 * Whether a core before this one has taken a command or an answer that was given again, because its page heard nothing.
 *
 * @param asked the command's `ref`, or the effect that is answered
 */
export async function wasTaken(
  journal: Pick<Journal, 'lines'>,
  asked: { ref: string } | { to: string },
): Promise<boolean> {
  const found = 'ref' in asked ? `"ref":${JSON.stringify(asked.ref)}` : `"to":${JSON.stringify(asked.to)}`
  const lines = (await journal.lines()).slice(-newest)
  return lines.some(line => line.startsWith('{"k":"i"') && line.includes(found) && isIt(line, asked))
}

function isIt(line: string, asked: { ref: string } | { to: string }): boolean {
  const input = JSON.parse(line) as InputRecord
  if ('ref' in asked) return input.ref === asked.ref
  // What the core itself was told of an effect that it gave up is no answer of the page
  return input.to === asked.to && input.type.startsWith('wallet.') && input.type !== 'wallet.failed'
}
