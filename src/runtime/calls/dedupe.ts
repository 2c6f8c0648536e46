import type { Journal } from '../journal/journal.ts'
import { type InputRecord, lineKind } from '../log/record.ts'

/** Number of newest lines that are searched: a page gives a call up after seconds, in which a log grows by less. */
const newest = 5000

/** A command by its ref, or an answer by its effect; `isAnswer` tells it from the core's own failure of an effect it gave up. */
type Asked = { ref: string } | { to: string; isAnswer(input: InputRecord): boolean }

/**
 * @returns a function that reads the newest lines of the log. A reading commits and verifies the log, so calls that come during
 *   one share the next
 */
export function createNewestLines(journal: Pick<Journal, 'lines'>): () => Promise<string[]> {
  let under: Promise<unknown> = Promise.resolve()
  let next: Promise<string[]> | undefined
  return () => {
    if (next) return next
    const mine = under.then(async () => {
      next = undefined
      return (await journal.lines()).slice(-newest)
    })
    next = mine
    // Waiting must not keep the lines
    under = mine.then(nothing, nothing)
    return mine
  }
}

const nothing = () => undefined

/** @returns whether an earlier core has taken a repeated command or answer, whose acknowledgement was lost */
export function isTaken(lines: readonly string[], asked: Asked): boolean {
  const found = 'ref' in asked ? `"ref":${JSON.stringify(asked.ref)}` : `"to":${JSON.stringify(asked.to)}`
  return lines.some(line => lineKind(line) === 'i' && line.includes(found) && isIt(line, asked))
}

function isIt(line: string, asked: Asked): boolean {
  const input = JSON.parse(line) as InputRecord
  return 'ref' in asked ? input.ref === asked.ref : input.to === asked.to && asked.isAnswer(input)
}
