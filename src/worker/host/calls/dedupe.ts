import type { Failure } from '../../../runtime/failure.ts'
import { type InputRecord, lineKind } from '../../../runtime/log/record.ts'
import type { PageAnswer } from '../../../events/wire.ts'
import type { Journal } from '../../../runtime/journal/journal.ts'

/** Number of newest lines that are searched: a page gives a call up after seconds, in which a log grows by less. */
const newest = 5000

type Asked = { ref: string } | { to: string; answer: PageAnswer }

/**
 * @returns whether an earlier core has taken a repeated command or answer, whose acknowledgement was lost
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
  // The core's own failure of an effect that it gave up is no answer of the page
  const { answer } = asked
  return answer.type === 'wallet.failed' && (input.data.failure as Failure).message === answer.failure.message
}
