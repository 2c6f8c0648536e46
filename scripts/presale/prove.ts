import { isSolanaAddress } from '../../src/events/values/solana/address.ts'
import { decodeBase58 } from '../../src/events/values/solana/base58.ts'
import type { Terms } from '../../src/events/sale/terms/terms.ts'
import { tranchesOf } from '../../src/events/sale/vesting.ts'
import { counts } from '../../src/runtime/replay/verdict.ts'
import { refused, safeJson, takeWords } from '../../src/main/replay/verb.ts'
import { type LedgerRow, totalsOf } from '../../src/worker/ledger/ledger.ts'
import { explainOutflows, outflowsIn, rentMade } from './books/outflows.ts'
import { outflowJson, outflowText, unknownPlansText } from './books/payoutText.ts'
import { readingPlace, readSale } from './books/readSale.ts'
import type { TracedRow } from './books/trace.ts'
import { noticesNow } from './operator/announce.ts'
import { knownPlans, planAt, unknownPlans } from './payouts/plans.ts'
import { type ProvedPayment, provedPayments } from './payouts/proved.ts'
import { nodesIn, saleIn, slotIn } from './saleFiles.ts'
import { assetText, dateText, tokenText } from './totalsText.ts'
import { type PresaleVerb, saleOptions, slotOption, stateOption } from './verb.ts'

/** `npm run presale -- prove` */
export const prove: PresaleVerb = {
  takes: 'WALLET|SIGNATURE --terms FILE --rpc URL',
  summary: 'reports the payments of one wallet or transaction: judgement, refund, allocation',
  about: `Computes the ledger as "ledger" does and reports the rows of one buyer, or of one transaction: the judgement of each payment,
what is owed back and why, the tokens, the referral bonus and the calendar by which they become free. It finds the payments of the
plans in the state directory, and of those that --plan names, to the wallet on the chain, or those that refund the transaction, and
holds each against its plan. Of a transfer out of the treasury it tells which announced plan's payment it is, or that it is
unexplained. While the file of an announced plan is missing or damaged, a payment may have been paid back by it: such plans are named,
in "unknownPlans" of the JSON. With --slot the ledger ends there; plans and their payments are those of now.`,
  examples: [
    '2xiXgcbXRt31ToWT6KSudLTgjCPMeem8DFY64xM88C3f --terms published/terms.json --rpc https://api.mainnet-beta.solana.com',
    'WALLET --terms published/terms.json --rpc URL --plan plans/HASH.json --json',
  ],
  options: {
    ...saleOptions,
    state: stateOption,
    slot: slotOption,
    plan: { value: 'FILE', many: true, about: 'a plan of payments that is not in the state directory' },
  },
  readsLedger: true,
  async run(asked, io) {
    const [name] = takeWords(asked, ['a wallet or a signature'])
    const said = name.slice(0, 90)
    const isSignature = decodeBase58(name)?.length === 64
    if (!isSignature && !isSolanaAddress(name)) throw refused(`expected a wallet or a signature in base58, got ${said}`)
    const sale = saleIn(asked)
    const { node, second } = nodesIn(asked, io)
    const given = (asked.values.plan ?? []).map(path => planAt(path, sale))
    const directory = readingPlace(asked, sale, io)
    const until = slotIn(asked)
    const own: TracedRow[] = []
    const signatures = new Map<number, string>()
    const left: TracedRow[] = []
    const read = await readSale(node, sale, {
      io,
      second,
      directory,
      until,
      onRows(found) {
        for (const one of found) {
          if (one.row.units !== null) signatures.set(one.row.i, one.row.sig)
          if ((isSignature ? one.row.sig : one.row.buyer) === name) own.push(one)
          if (isSignature && one.out) left.push(one)
        }
      },
    })
    const rows = own.map(({ row }) => row)
    const { terms } = sale.first
    // A payment that came before makes the second one of its batch unexplained
    const now = until === undefined ? undefined : await noticesNow({ node, second, sale, seen: read.slot })
    const { board, slot } = now ?? { board: read.state.board, slot: read.slot }
    const known = knownPlans(directory, board.plans, sale, given)
    const all = outflowsIn(left, sale)
    const rent = await rentMade(node, sale, all)
    const outflows = explainOutflows(sale, known, all, rent).filter(({ signature }) => signature === name)
    const { outcome, ledgerHash } = totalsOf(sale, read.state, read.seconds)
    const bonus = isSignature ? 0n : (read.state.bonuses.get(name) ?? 0n)
    const bought = rows.reduce((sum, { tokens }) => sum + BigInt(tokens ?? 0), 0n)
    const allocation = outcome === 'failed' ? 0n : bought + bonus
    const tranches = allocation === 0n ? [] : tranchesOf(terms, allocation)
    const claims = new Set(rows.flatMap(({ i }) => [`${i}:refund`, `${i}:accepted`]))
    const of = isSignature ? { claims } : { wallet: name }
    const announced = known.flatMap(({ hash, plan }) => (plan ? [{ hash, plan }] : []))
    const plans = [...announced, ...given.filter(({ hash }) => !known.some(one => one.hash === hash))]
    const payments = await provedPayments(node, sale, plans, { of, slot, signatures })
    const unknown = unknownPlans(known)
    if (asked.flags.has('json')) {
      const calendar = tranches.map(({ at, tokens }) => ({ at, tokens: tokens.toString() }))
      const totals = { tokens: bought.toString(), bonus: bonus.toString(), tranches: calendar }
      const paid = {
        ...(plans.length > 0 && { payments }),
        ...(outflows.length > 0 && { outflows: outflows.map(outflowJson) }),
      }
      const unknownHashes = unknown.map(({ hash }) => hash)
      io.out.write(
        `${safeJson({ slot: read.slot, outcome, ledgerHash, rows, ...totals, ...paid, unknownPlans: unknownHashes })}\n`,
      )
    } else {
      const unless = unknown.length === 0 ? '' : ', unless a plan unknown here paid it'
      const isPayee = rows.length === 0 && (bonus > 0n || payments.length > 0)
      const lines = [
        `${name}: ${isPayee ? 'no payment of its own in' : `${counts(rows.length, 'row')} of`} the ledger up to slot ${read.slot}, ${ledgerHash}`,
        ...rows.map(row => rowText(terms, row, outcome === 'failed', unless)),
        ...(bonus > 0n ? [`  referral bonus ${tokenText(terms, bonus)}`] : []),
        ...(bought + bonus > 0n && outcome === 'failed'
          ? [`  the sale failed: no tokens, every payment is owed back${unless}`]
          : []),
        ...tranches.map(({ at, tokens }) => `  free from ${dateText(at)}: ${tokenText(terms, tokens)}`),
        ...payments.flatMap(payment => [paymentText(terms, payment, unless), ...givenBackText(payment)]),
        ...outflows.map(outflow => `  ${outflowText(terms, outflow)}`),
      ]
      io.out.write(`${lines.join('\n')}\n${unknownPlansText(unknown, '; or name it by --plan')}`)
    }
    return rows.length > 0 || bonus > 0n || payments.length > 0 ? 0 : 1
  },
}

function paymentText(
  terms: Terms,
  { kind, batch, asset, units, account, signature, slot, leftOut }: ProvedPayment,
  unless: string,
): string {
  const amount = kind === 'tokens' ? tokenText(terms, BigInt(units)) : assetText(terms, asset, BigInt(units))
  const name = kind === 'tokens' ? 'payout of' : 'refund of'
  if (leftOut) {
    const { by, paid } = leftOut
    const then = paid ? `plan ${paid.plan} paid it, ${paid.signature}` : 'a later plan pays it'
    return `  ${name} ${amount} to ${account}: left out by ${by}; ${then}`
  }
  if (signature === null) return `  ${name} ${amount} to ${account}: planned in batch ${batch}, not paid yet${unless}`
  return `  ${name} ${amount} to ${account}: paid in slot ${slot}, ${signature}`
}

function givenBackText({ givesBack = [] }: ProvedPayment): string[] {
  return givesBack.map(signature => `    gives back the payment ${signature}`)
}

/** @param unless why it may not be owed back any more */
function rowText(terms: Terms, row: LedgerRow, isFailed: boolean, unless: string): string {
  const { asset, units, accepted, refund, tokens, status, sig, slot, time } = row
  const place = `  ${dateText(time)}, slot ${slot}, ${sig}\n    ${status}`
  if (asset === null || units === null) return `${place} ${row.order ?? ''}`
  const owed = isFailed && accepted !== null ? BigInt(units) : BigInt(refund ?? 0)
  return [
    `${place}: ${assetText(terms, asset, BigInt(units))} paid`,
    ...(accepted === null || accepted === '0' ? [] : [`${assetText(terms, asset, BigInt(accepted))} accepted`]),
    ...(owed > 0n ? [`${assetText(terms, asset, owed)} owed back${unless}`] : []),
    ...(tokens === null || tokens === '0' ? [] : [tokenText(terms, BigInt(tokens))]),
  ].join(', ')
}
