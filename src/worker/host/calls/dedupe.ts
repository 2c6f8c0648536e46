import type { Failure } from '../../../runtime/failure.ts'
import { type InputRecord, lineKind } from '../../../runtime/log/record.ts'
import type { PageAnswer } from '../../../events/wire.ts'
import type { Journal } from '../../../runtime/journal/journal.ts'

/** Lines looked at, newest last: a page gives a call up after seconds, and a log grows by less than this in that time. */
const newest = 5000

type Asked = { ref: string } | { to: string; answer: PageAnswer }

/**
 * Whether a core before this one has taken a command or an answer that was given again, because its page heard nothing.
 *
 * @param asked the command's `ref`, or the effect and what it is answered with
 */
export async function wasTaken(journal: Pick<Journal, 'lines'>, asked: Asked): Promise<boolean> {
  const found = 'ref' in asked ? `"ref":${JSON.stringify(asked.ref)}` : `"to":${JSON.stringify(asked.to)}`
  const lines = (await journal.lines()).slice(-newest)
  return lines.some(line => lineKind(line) === 'i' && line.includes(found) && isIt(line, asked))
}

function isIt(line: string, asked: Asked): boolean {
  const input = JSON.parse(line) as InputRecord
  if ('ref' in asked) return input.ref === asked.ref
  if (input.to !== asked.to || !input.type.startsWith('wallet.')) return false
  if (input.type !== 'wallet.failed') return true
  // What the core itself was told of an effect that it gave up is no answer of the page
  const { answer } = asked
  return answer.type === 'wallet.failed' && (input.data.failure as Failure).message === answer.failure.message
}
