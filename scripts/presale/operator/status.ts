import { noticeArgument } from '../../../src/events/sale/payments/operatorMemos.ts'
import { safeJson, takeWords } from '../../../src/main/replay/verb.ts'
import { totalsOf } from '../../../src/worker/ledger/ledger.ts'
import type { LedgerSale } from '../../../src/worker/ledger/ledgerSale.ts'
import { type ExplainedOutflow, explainOutflows, outflowsIn, rentMade } from '../books/outflows.ts'
import { type PayoutProgress, payoutProgress, refundSums, type RefundSums } from '../books/payoutProgress.ts'
import { outflowsJson, outflowsText, payoutJson, payoutsText, refundsJson, refundsText } from '../books/payoutText.ts'
import { readSale } from '../books/readSale.ts'
import type { TracedRow } from '../books/trace.ts'
import {
  uncountedAccounts,
  uncountedJson,
  uncountedText,
  uncountedTokens,
  type UncountedTokens,
} from '../books/uncounted.ts'
import { knownPlans } from '../payouts/plans.ts'
import { stillOpen } from '../payouts/stillOpen.ts'
import type { ReadSale } from '../readLedger.ts'
import { nodesIn, saleIn, slotIn } from '../saleFiles.ts'
import type { Signed } from '../send.ts'
import { readState } from '../state.ts'
import { dateText, totalsJson, totalsText } from '../totalsText.ts'
import { type PresaleVerb, saleOptions, slotOption, stateOption } from '../verb.ts'
import { newestCheckpoint } from './checkpoint.ts'
import { noticeLines, readSaleNotices, type SaleNotices, type SignedNotice } from './saleNotices.ts'
import { stateDirectory } from '../stateDirectory.ts'
import { stateOf } from './work.ts'

/** `npm run presale -- status` */
export const status: PresaleVerb = {
  takes: '--terms FILE --rpc URL [--state DIR]',
  summary: 'tells the sale’s state on the chain, and the journal’s unfinished business',
  about: `Reads notices and ledger up to the newest final slot: state, terms in force, totals, refunds paid and still owed, every notice, the
newest checkpoint; how far each announced plan is paid, transfers out that no plan explains, and tokens of the treasury that the
ledger does not count. Of the state directory it tells transactions that were signed and have no end yet. It sends nothing and
needs no key. With --slot the ledger ends there, and with it the transfers out of the treasury; notices and
payments of tokens are those of now.`,
  examples: [
    '--terms published/terms.json --rpc https://api.devnet.solana.com',
    '--terms published/terms.json --rpc URL --json',
  ],
  options: { ...saleOptions, state: stateOption, slot: slotOption },
  readsLedger: true,
  async run(asked, io) {
    takeWords(asked, [])
    const sale = saleIn(asked)
    const { node, second } = nodesIn(asked, io)
    const directory = stateDirectory(asked, sale, io)
    const lines = readState(directory, stateOf(sale))
    const open = stillOpen(lines)
    const until = slotIn(asked)
    const rows: TracedRow[] = []
    const onRows = (found: readonly TracedRow[]) => void rows.push(...found.filter(({ out }) => out))
    const read = await readSale(node, sale, { io, second, directory, until, onRows })
    const notices = await readSaleNotices(node, sale, read.slot)
    const slot = newestCheckpoint(lines, notices)?.slot
    const checkpoint = { hash: notices.board.checkpoints.at(-1), slot }
    const plans = knownPlans(directory, notices.board.plans, sale)
    const left = outflowsIn(rows, sale)
    const treasury = explainOutflows(sale, plans, left, await rentMade(node, sale, left))
    const paidUntil = until === undefined ? read.slot : notices.slot
    const paid = await payoutProgress(node, sale, { plans, outflows: treasury }, { io, lines, slot: paidUntil })
    const outflows = [...treasury, ...paid.tokenOutflows]
    const refunds = refundSums(totalsOf(sale, read.state, read.seconds).refundsOwed, paid.progress)
    const uncounted = await uncountedTokens(node, sale, read.slot)
    const standing = { notices, checkpoint, open, refunds, payouts: paid.progress, outflows, uncounted }
    if (asked.flags.has('json')) io.out.write(`${safeJson(statusJson(sale, read, standing))}\n`)
    else io.out.write(statusText(sale, read, standing))
    return 0
  },
}

/** `checkpoint`: its slot is known where this journal has it. `open`: signed transactions without an end. */
type Standing = {
  notices: SaleNotices
  checkpoint: { hash: string | undefined; slot: number | undefined }
  open: Signed[]
  refunds: RefundSums
  payouts: readonly PayoutProgress[]
  outflows: readonly ExplainedOutflow[]
  uncounted: UncountedTokens
}

function statusJson(
  sale: LedgerSale,
  read: ReadSale,
  { notices, checkpoint, open, refunds, payouts, outflows, uncounted }: Standing,
): Record<string, unknown> {
  const { board, counted, ignored } = notices
  const plain = ({ notice, signature, slot }: SignedNotice) => {
    return { seq: notice.seq, verb: notice.verb, argument: noticeArgument(notice), signature, slot }
  }
  return {
    ...totalsJson(sale, read),
    state: stateText(sale, read, notices),
    terms: board.terms ?? null,
    result: board.result ?? null,
    notices: counted.map(plain),
    outOfTurn: ignored.map(plain),
    checkpoint: { hash: checkpoint.hash ?? null, slot: checkpoint.slot ?? null },
    refunds: refundsJson(refunds),
    payouts: payouts.map(payoutJson),
    outflows: outflowsJson(outflows),
    uncounted: uncountedJson(uncounted),
    unfinished: open.map(({ about, signature }) => ({ about, signature })),
  }
}

function statusText(
  sale: LedgerSale,
  read: ReadSale,
  { notices, checkpoint, open, refunds, payouts, outflows, uncounted }: Standing,
): string {
  const { board, counted, ignored } = notices
  const { terms } = sale.first
  const version = sale.versions.find(({ hash }) => hash === board.terms)?.terms.version
  const at = checkpoint.slot === undefined ? '' : ` at slot ${checkpoint.slot}`
  const rows = [
    ['state', stateText(sale, read, notices)],
    ['chain time', dateText(read.seconds)],
    ['terms', board.terms === undefined ? 'none announced' : `version ${version ?? '?'}, ${board.terms}`],
    ['checkpoint', checkpoint.hash === undefined ? 'none' : `${checkpoint.hash}${at}`],
    ['unfinished', open.length === 0 ? 'none' : `${open.length}: run the command again that sent it`],
  ] as const
  return [
    `Sale ${terms.id} on ${terms.cluster.name}`,
    ...rows.map(([name, text]) => `  ${name.padEnd(12)}  ${text}`),
    ...open.map(({ about, signature }) => `    ${about}: ${signature}`),
    `  notices       ${counted.length} counted, ${ignored.length} out of turn`,
    ...noticeLines(counted),
    '',
    [
      totalsText(sale, read, uncountedAccounts(uncounted)),
      refundsText(terms, refunds),
      outflowsText(terms, outflows),
      uncountedText(sale, uncounted, read.state.strays),
      payoutsText(terms, payouts),
    ].join(''),
  ].join('\n')
}

function stateText(sale: LedgerSale, { state, seconds }: ReadSale, { board }: SaleNotices): string {
  const { outcome } = totalsOf(sale, state, seconds)
  const { start, end } = (sale.versions.find(({ hash }) => hash === state.inForce) ?? sale.first).terms
  if (board.terms === undefined) return 'not published'
  if (board.result !== undefined) return `over, announced: ${board.result}`
  if (outcome !== 'open') return `over: ${outcome}, not announced yet`
  if (board.paused) return 'paused'
  return seconds < start ? `published, opens ${dateText(start)}` : `live until ${dateText(end)}`
}
