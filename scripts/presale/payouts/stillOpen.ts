import { type Signed, unfinished } from '../send.ts'
import type { JournalLine } from '../state.ts'

/**
 * Signed payments do not expire: each is on a durable nonce, which the payment of its batch uses up.
 *
 * @returns signed transactions of a journal that may still land, oldest first
 */
export function stillOpen(lines: readonly JournalLine[]): Signed[] {
  const batchOf = ({ plan, batch }: JournalLine) => `${String(plan)} ${String(batch)}`
  const paid = new Set(lines.filter(({ kind }) => kind === 'paid').map(batchOf))
  const used = new Set(lines.flatMap(line => (line.kind === 'reserve' && paid.has(batchOf(line)) ? [line.nonce] : [])))
  return unfinished(lines).filter(({ life }) => !('nonceValue' in life) || !used.has(life.nonceValue))
}
