import { join } from 'node:path'
import type { Terms } from '../../../src/events/sale/terms/terms.ts'
import { safeJson, takeWords } from '../../../src/main/replay/verb.ts'
import { presaleRef } from '../../../src/worker/chains/solana/references.ts'
import type { LedgerSale } from '../../../src/worker/ledger/ledgerSale.ts'
import { readingPlace } from '../books/readSale.ts'
import { nodesIn, saleIn, slotIn } from '../saleFiles.ts'
import { assetText, tokenText } from '../totalsText.ts'
import { type PresaleVerb, saleOptions, stateOption } from '../verb.ts'
import { makeFolder, writeWhole } from '../writeWhole.ts'
import { type Books, readBooks } from './claims.ts'
import { merkleTree } from './merkle.ts'
import { approvalsIn, type Due, refundsDue } from './payees.ts'

/** `npm run presale -- export` */
export const exportVerb: PresaleVerb = {
  takes: '--terms FILE --rpc URL --out DIR',
  summary: 'writes who gets tokens and who gets money back, as CSV and JSON, with a Merkle root',
  about: `Computes the ledger as "ledger" does and writes into a folder: allocations.csv and .json with every owner's tokens, orders and
referral bonus, the Merkle root over them and a proof of each; refunds.csv and .json with every payment that is owed back, its
payee, reason and signature. After a failed sale every accepted amount is a refund, and no one has tokens.

A leaf is sha256(0x00, owner, 32 bytes, tokens, u64 little endian), a node sha256(0x01, lesser child, greater child); the last one of
an odd level goes up unchanged. A refund's state is due; below_minimum: the payee's sum is below the terms' minimum; unpayable:
the payee's account cannot receive it now, for example an empty wallet that would hold less than 890,880 lamports; needs_approval:
the payer is not known for sure, and a person names the payee by --approve; paying_account: the payee's account is the one that
pays. Amounts are base units. Refunds that were paid are in
here, too: "plan" leaves them out.`,
  examples: [
    '--terms published/terms.json --rpc https://api.mainnet-beta.solana.com --out books',
    '--terms published/terms.json --rpc URL --out books --approve SIGNATURE=PAYEE --json',
  ],
  options: {
    ...saleOptions,
    state: stateOption,
    out: { value: 'DIR', about: 'the folder to write into; default: the working directory' },
    slot: { value: 'N', about: 'the last slot that counts; default: the newest final one' },
    approve: { value: 'SIGNATURE=PAYEE', many: true, about: 'the payee of a payment without a known payer' },
  },
  readsLedger: true,
  async run(asked, io) {
    takeWords(asked, [])
    const sale = saleIn(asked)
    const approvals = approvalsIn(asked.values.approve ?? [])
    const { node, second } = nodesIn(asked, io)
    const directory = readingPlace(asked, sale, io)
    const books = await readBooks(node, sale, { io, second, until: slotIn(asked), directory })
    const due = await refundsDue(node, sale.first.terms, books.refunds, approvals)
    const files = [...allocationFiles(sale, books), ...refundFiles(sale, books, due)]
    const folder = asked.values.out?.[0] ?? io.directory ?? '.'
    makeFolder('the folder of --out', folder)
    for (const { name, text } of files) writeWhole(join(folder, name), text)
    const summary = summaryOf(books, due)
    const names = files.map(({ name }) => join(folder, name))
    io.out.write(
      asked.flags.has('json')
        ? `${safeJson({ ...headOf(sale, books), files: names, ...summary })}\n`
        : summaryText(sale.first.terms, books, due, names),
    )
    return 0
  },
}

type ExportFile = { name: string; text: string }

function headOf(sale: LedgerSale, { read, ledgerHash, outcome }: Books): Record<string, string | number> {
  const { terms, hash } = sale.first
  const presale = presaleRef(terms.authority, terms.id)
  return { presale, termsHash: hash, slot: read.slot, rows: read.state.rows, ledgerHash, outcome }
}

function allocationFiles(sale: LedgerSale, books: Books): ExportFile[] {
  const { root, proofs } = merkleTree(books.allocations)
  const { symbol, mint, decimals } = sale.first.terms.token
  const list = books.allocations.map(({ owner, tokens, orders, bonus }) => {
    return { owner, tokens: tokens.toString(), orders, bonus: bonus.toString() }
  })
  const total = books.allocations.reduce((sum, { tokens }) => sum + tokens, 0n).toString()
  const json = {
    format: 'mai-presale-allocations/1',
    ...headOf(sale, books),
    token: { symbol, mint, decimals },
    total,
    merkleRoot: root,
    allocations: list.map((one, at) => ({ ...one, proof: proofs[at] })),
  }
  const lines = list.map(({ owner, tokens, orders, bonus }) => [owner, tokens, orders, bonus])
  return [
    { name: 'allocations.json', text: `${safeJson(json, 1)}\n` },
    { name: 'allocations.csv', text: csv(['owner', 'tokens', 'orders', 'bonus'], lines) },
  ]
}

/** One line for each claim, with the state of its payee's sum. */
function refundFiles(sale: LedgerSale, books: Books, due: readonly Due[]): ExportFile[] {
  const byClaim = new Map(due.flatMap(one => one.of.map(claim => [claim, one] as const)))
  const list = books.refunds.map(({ of, asset, units, reason, signature }) => {
    const { owner = null, to = null, why = 'due' } = byClaim.get(of) ?? {}
    return { payee: owner, asset, units: units.toString(), reason, signature, claim: of, account: to, state: why }
  })
  const columns = ['payee', 'asset', 'units', 'reason', 'signature', 'claim', 'account', 'state'] as const
  const lines = (some: typeof list) =>
    csv(
      columns,
      some.map(one => columns.map(column => one[column] ?? '')),
    )
  const [paid, apart] = [list.filter(({ state }) => state === 'due'), list.filter(({ state }) => state !== 'due')]
  const json = { format: 'mai-presale-refunds/1', ...headOf(sale, books), refunds: paid, apart }
  return [
    { name: 'refunds.json', text: `${safeJson(json, 1)}\n` },
    { name: 'refunds.csv', text: lines(paid) },
    { name: 'refunds-apart.csv', text: lines(apart) },
  ]
}

/** No value here needs quotes: keys, digits and words. */
function csv(columns: readonly string[], lines: readonly (readonly (string | number)[])[]): string {
  return [columns, ...lines].map(line => `${line.join(',')}\n`).join('')
}

function summaryOf({ allocations }: Books, due: readonly Due[]): Record<string, unknown> {
  const tokens = allocations.reduce((sum, one) => sum + one.tokens, 0n)
  const totals = [...sumsBy(due)].map(([key, units]) => {
    const [asset = '', state = ''] = key.split(' ')
    return { asset, state, units: units.toString() }
  })
  return { owners: allocations.length, tokens: tokens.toString(), refunds: totals }
}

function sumsBy(due: readonly Due[]): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { asset, units, why = 'due' } of due) {
    const key = `${asset} ${why}`
    sums.set(key, (sums.get(key) ?? 0n) + units)
  }
  return sums
}

function summaryText(terms: Terms, books: Books, due: readonly Due[], names: readonly string[]): string {
  const tokens = books.allocations.reduce((sum, one) => sum + one.tokens, 0n)
  const refunds = [...sumsBy(due)].map(([key, units]) => {
    const [asset = '', state = ''] = key.split(' ')
    return `  ${state.padEnd(14)}  ${assetText(terms, asset, units)}\n`
  })
  return [
    `Claims on ${terms.id} up to slot ${books.read.slot}, ledger ${books.ledgerHash}\n`,
    `  ${'outcome'.padEnd(14)}  ${books.outcome}\n`,
    `  ${'tokens'.padEnd(14)}  ${tokenText(terms, tokens)} of ${books.allocations.length} owners\n`,
    ...refunds,
    ...names.map(name => `  wrote ${name}\n`),
  ].join('')
}
