/**
 * How far a ledger is the announced one, the rows of some accounts up to there, and what left the treasury.
 *
 * 1. A ledger is announced by a checkpoint, or once the sale is over by a notice with the hash of one of its rows.
 * 2. The sale accepts nothing after it was over: the row of an announced hash is the last accepted one or comes after it. So only
 *    the hashes from there on are kept.
 */
import type { InputData } from '../core/context.ts'
import type { LedgerRow } from './ledger.ts'
import type { LedgerState } from './ledgerState.ts'

type AccountPart = NonNullable<InputData<'ledger.found'>['accounted']>[number]
type AccountRow = AccountPart['rows'][number]
/** `credits`: of all that was accepted from the account up to the row */
type Audited = { i: number; row: AccountRow; credits: bigint }

/** The end of an announced ledger. `time`: Unix seconds; `bonuses`: token base units by account */
type AuditEnd = { slot: number; time: number; bonuses: ReadonlyMap<string, bigint> }
/** A ledger that a notice announced. `end`: absent where no row has its hash */
type AnnouncedLedger = { hash: string; time: number; end?: AuditEnd & { i: number } }

/** A ledger under computation: plain values, so that it can be stored. */
export type Audit = {
  /** by account */
  rows: Map<string, Audited[]>
  tail: Pick<LedgerRow, 'i' | 'slot' | 'time' | 'h'>[]
  /** units that left the treasury, by asset */
  outflows: Map<string, bigint>
  /** the newest */
  announced?: AnnouncedLedger
}

export function emptyAudit(accounts: readonly string[]): Audit {
  return { rows: new Map(accounts.map(account => [account, []])), tail: [], outflows: new Map() }
}

/**
 * Takes the rows of the next transaction.
 *
 * @param state after it
 * @param isOver whether the sale is over at a chain time, Unix seconds: an announcement before that is none
 */
export function auditRows(
  audit: Audit,
  rows: readonly LedgerRow[],
  state: LedgerState,
  isOver: (seconds: number) => boolean,
): void {
  for (const { i, slot, time, h, ...row } of rows) {
    const { buyer, asset, status, units, accepted, tokens, order, sig: signature } = row
    if (buyer !== null && asset !== null && units !== null)
      audit.rows.get(buyer)?.push({
        i,
        credits: state.credits.get(buyer) ?? 0n,
        row: {
          signature,
          slot,
          paidAt: time * 1000,
          asset,
          units,
          accepted: accepted ?? '0',
          tokens: tokens ?? '0',
          status: status as AccountRow['status'],
        },
      })
    if (status === 'outflow' && asset !== null)
      audit.outflows.set(asset, (audit.outflows.get(asset) ?? 0n) + BigInt(units ?? 0))
    const hash = status === 'notice' ? /:ledger:(.*)$/.exec(order ?? '')?.[1] : undefined
    if (hash !== undefined && isOver(time)) {
      const last = audit.tail.find(one => one.h === hash)
      const bonuses = new Map([...audit.rows.keys()].map(account => [account, state.bonuses.get(account) ?? 0n]))
      audit.announced = { hash, time, ...(last && { end: { ...last, bonuses } }) }
    }
    if ((accepted ?? '0') !== '0') audit.tail = []
    audit.tail.push({ i, slot, time, h })
  }
}

/**
 * @param checkpoint the end of the checkpoint that was compared
 * @returns each account's part of the ledger up to the farthest announcement; none without one
 */
export function accountedParts({ rows, announced }: Audit, checkpoint: AuditEnd | undefined): AccountPart[] {
  const byNotice = announced?.end
  const isFarther = byNotice !== undefined && byNotice.slot >= (checkpoint?.slot ?? 0)
  const end = isFarther ? byNotice : checkpoint
  if (!end) return []
  return [...rows].map(([account, all]) => {
    const counted = all.filter(({ i, row }) => (isFarther ? i <= byNotice.i : row.slot <= end.slot))
    return {
      account,
      slot: end.slot,
      time: end.time * 1000,
      bonus: String(end.bonuses.get(account) ?? 0n),
      rows: counted.map(({ row }) => row),
      places: counted.map(({ i }) => String(i)),
      rates: counted.map((one, at) => String(rateOf(one, counted[at - 1]))),
    }
  })
}

/** @returns credits a unit, by the terms in force at a row; 0 where nothing was accepted */
function rateOf({ row, credits }: Audited, before: Audited | undefined): bigint {
  return row.accepted === '0' ? 0n : (credits - (before?.credits ?? 0n)) / BigInt(row.accepted)
}
