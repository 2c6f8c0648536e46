/**
 * Histories of lanes in the journal: a later run reads a lane on from there, not from its creation.
 *
 * A reservation names the nonce up to which its lane was read, the nodes whose lists proved it, and the payments that no earlier
 * reservation of the lane names. Each node has to prove a history itself: that of another one does not count for it.
 */
import type { Journal, JournalLine } from '../state.ts'
import type { LaneHistory, LanePayment } from './laneHistory.ts'

/** A lane of a plan: the plan's hash, and the lane's number. */
type LaneName = { plan: string; lane: number }

/** `payments`: those that no reservation before it has. */
type HistoryLine = { nonce: string; hosts: readonly string[]; payments: readonly LanePayment[] }

/** @returns the newest history of a lane that this node proved in an earlier attempt; undefined without any */
export function provedHistory({ lines }: Journal, lane: LaneName, host: string): LaneHistory | undefined {
  const all = historiesOf(lines, lane)
  const newest = all.filter(({ hosts }) => hosts.includes(host)).at(-1)
  // Payments that another node alone has seen are looked at, too
  return newest && { head: newest.nonce, payments: all.flatMap(({ payments }) => payments) }
}

/** @returns what a reservation says of its lane's history, which these nodes proved */
export function historyLine({ lines }: Journal, lane: LaneName, history: LaneHistory, hosts: string[]): HistoryLine {
  const known = new Set(historiesOf(lines, lane).flatMap(({ payments }) => payments.map(one => one.signature)))
  return { nonce: history.head, hosts, payments: history.payments.filter(one => !known.has(one.signature)) }
}

/** Reservations of versions before have no history. */
function historiesOf(lines: readonly JournalLine[], { plan, lane }: LaneName): HistoryLine[] {
  const own = lines.filter(one => one.kind === 'reserve' && one.plan === plan && one.lane === lane && one.hosts)
  return own as unknown as HistoryLine[]
}
