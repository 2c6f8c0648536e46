import { creditDecimals, formatAmount } from '../../src/events/values/amount.ts'
import type { Terms } from '../../src/events/sale/terms/terms.ts'
import { curveOf } from '../../src/events/sale/price.ts'
import { counts } from '../../src/runtime/replay/verdict.ts'
import { type LedgerTotals, totalsOf } from '../../src/worker/ledger/ledger.ts'
import type { LedgerSale } from '../../src/worker/ledger/ledgerSale.ts'
import type { ReadSale } from './readLedger.ts'

/** @returns credits as dollars: `262,840.00 USD` */
function dollars(credits: bigint): string {
  return `${formatAmount(credits.toString(), creditDecimals, { maxDecimals: 2, minDecimals: 2 })} USD`
}

/** @returns Unix seconds as `2027-01-02 12:00:00 UTC` */
export function dateText(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** @returns base units of the token with its symbol */
export function tokenText({ token }: Pick<Terms, 'token'>, units: bigint): string {
  return `${formatAmount(units.toString(), token.decimals)} ${token.symbol}`
}

/** @returns base units of an asset with its symbol */
export function assetText({ assets }: Pick<Terms, 'assets'>, symbol: string, units: bigint): string {
  const decimals = assets.find(asset => asset.symbol === symbol)?.decimals ?? 0
  return `${formatAmount(units.toString(), decimals)} ${symbol}`
}

/** Totals of a ledger for programs: amounts as decimal text. */
export function totalsJson(sale: LedgerSale, read: ReadSale): Record<string, unknown> {
  const totals = totalsOf(sale, read.state, read.seconds)
  const { raised, pos, tokens, bonuses, refundsOwed, ...rest } = totals
  const { ignored, strays, rows } = read.state
  return {
    presale: sale.first.terms.id,
    slot: read.slot,
    time: read.seconds,
    transactions: read.transactions,
    rows,
    ...rest,
    raised: raised.toString(),
    pos: pos.toString(),
    tokens: tokens.toString(),
    bonuses: bonuses.toString(),
    refundsOwed: Object.fromEntries(Object.entries(refundsOwed).map(([asset, units]) => [asset, units.toString()])),
    ignoredNotices: ignored,
    otherTokens: strays.map(stray => ({ ...stray, units: stray.units.toString() })),
  }
}

/** Totals of a ledger for people, in lines. `told`: accounts whose unlisted tokens have a line elsewhere. */
export function totalsText(sale: LedgerSale, read: ReadSale, told: ReadonlySet<string> = new Set()): string {
  const { terms } = sale.first
  const totals = totalsOf(sale, read.state, read.seconds)
  const owed = Object.entries(totals.refundsOwed).map(([asset, units]) => assetText(terms, asset, units))
  const statuses = Object.entries(totals.statuses).map(([status, count]) => `${count} ${status}`)
  const rows = [
    ['outcome', outcomeText(terms, totals)],
    [
      'raised',
      `${dollars(totals.raised)} of ${dollars(curveOf(terms).hardCap)}, soft cap ${dollars(BigInt(terms.softCap))}`,
    ],
    ['position', dollars(totals.pos)],
    ['sold', tokenText(terms, totals.tokens)],
    ['bonuses', tokenText(terms, totals.bonuses)],
    ['orders', `${totals.orders} by ${counts(totals.buyers, 'buyer')}`],
    ['to give back', owed.length > 0 ? `${owed.join(', ')} in all, paid or not` : 'nothing'],
    ['rows', `${read.state.rows}: ${statuses.join(', ')}`],
    ['ledger hash', totals.ledgerHash],
  ] as const
  const { ignored, strays } = read.state
  const notes = [
    ...ignored.map(({ seq, verb, signature, why }) => {
      if (why === 'malformed')
        return `the authority signed what is no notice under the notices’ reference: ${signature}`
      const reason = why === 'out_of_turn' ? 'its number is out of turn' : 'it changes frozen terms'
      return `notice ${seq} (${verb}) was ignored, ${reason}: ${signature}`
    }),
    ...strays
      .filter(({ account }) => !told.has(account))
      .map(({ mint, units, signature }) => `${units} base units of unlisted token ${mint} came: ${signature}`),
  ]
  const title = `Ledger of ${terms.id} up to slot ${read.slot}, complete: ${counts(read.transactions, 'transaction')}`
  return [
    title,
    ...rows.map(([name, text]) => `  ${name.padEnd(12)}  ${text}`),
    ...notes.map(note => `  ! ${note}`),
    '',
  ].join('\n')
}

function outcomeText(terms: Terms, { outcome, raised }: LedgerTotals): string {
  if (outcome === 'open') return raised >= BigInt(terms.softCap) ? 'open, soft cap reached' : 'open'
  return outcome === 'success' ? 'success' : 'failed: every accepted amount is owed back'
}
