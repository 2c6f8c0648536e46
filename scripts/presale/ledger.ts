import { Fault } from '../../src/runtime/failure.ts'
import { canonicalJson } from '../../src/runtime/json/canonicalJson.ts'
import type { Json } from '../../src/runtime/json/readJson.ts'
import { checkCheckpoint, type Checkpoint, readCheckpoint } from '../../src/events/sale/notices/checkpoint.ts'
import { decodeBase58 } from '../../src/events/values/solana/base58.ts'
import { safeJson, takeWords, type VerbArguments } from '../../src/main/replay/verb.ts'
import { presaleRef } from '../../src/worker/chains/solana/references.ts'
import type { PartLedger } from '../../src/worker/ledger/computeLedger.ts'
import { totalsOf } from '../../src/worker/ledger/ledger.ts'
import type { LedgerSale } from '../../src/worker/ledger/ledgerSale.ts'
import { noticeHash } from '../../src/worker/services/notices.ts'
import { isSignedBy } from '../../src/worker/services/signatures.ts'
import { type AnnouncedPlan, type ExplainedOutflow, explainOutflows, outflowsIn, rentMade } from './books/outflows.ts'
import { outflowsJson, outflowsText, unknownPlansText } from './books/payoutText.ts'
import { listSince, readingPlace, storedUntil } from './books/readSale.ts'
import { secondDiffers } from './books/secondNode.ts'
import { keepStored, type StoredLedger } from './books/storedLedger.ts'
import type { TracedRow } from './books/trace.ts'
import {
  uncountedAccounts,
  uncountedJson,
  uncountedText,
  uncountedTokens,
  type UncountedTokens,
} from './books/uncounted.ts'
import { openLedgerFile } from './ledgerFile.ts'
import { knownPlans, planAt } from './payouts/plans.ts'
import { listSale, readLedger, type ReadSale } from './readLedger.ts'
import { verify } from './verify.ts'
import { nodesIn, saleIn, slotIn, textOf } from './saleFiles.ts'
import { totalsJson, totalsText } from './totalsText.ts'
import { type PresaleIo, type PresaleVerb, saleOptions, stateOption } from './verb.ts'

/** `npm run presale -- ledger` */
export const ledger: PresaleVerb = {
  takes: '--terms FILE --rpc URL',
  summary: 'judges every payment on the chain and writes the ledger, one JSON row a line',
  about: `Reads the sale's whole history up to the newest final slot, judges each payment by the terms, and writes the ledger to the
standard output or a file; totals go to the other one of standard output and standard error. Nothing is written unless the
balances prove that no transaction is missing or invented. Anyone who runs this gets the same bytes.

The state directory holds what was judged so far: the next run checks the stored rows by their hashes, and asks the node for newer
transactions alone. --whole reads everything again, as --rpc2 does of the second node. Each transfer out of the treasury is
held against the announced plans; one that is no payment of theirs is told as an unexplained outflow. Tokens that the treasury holds
beside the sale's accounts, such as unlisted ones or wrapped SOL, and SOL that the sale does not take, are told and not counted.

A row's "index" counts the sale's transactions in its slot, from 0; "h" is sha256 over the hash before it and the canonical row
without "h"; the first row follows the hash of version 1 of the terms.`,
  examples: [
    '--terms published/terms.json --rpc https://api.mainnet-beta.solana.com --out ledger.jsonl',
    '--terms published/terms.json --rpc http://127.0.0.1:8899 --whole | tail -1',
    '--terms published/terms-1.json --terms published/terms-2.json --rpc URL --rpc2 URL --checkpoint checkpoint.json --json --out ledger.jsonl',
  ],
  options: {
    ...saleOptions,
    state: stateOption,
    whole: { about: 'reads the whole history again, and replaces the stored ledger' },
    plan: { value: 'FILE', many: true, about: 'an announced plan that is not in the state directory' },
    rpc2: { value: 'URL', about: 'a second node: its signatures and its ledger must be the same' },
    slot: { value: 'N', about: 'the last slot with rows, a final one; the proof goes on to the newest' },
    checkpoint: { value: 'FILE', about: 'a signed checkpoint, compared with the ledger at its slot' },
    out: { value: 'FILE', about: 'writes the rows to a file' },
  },
  readsLedger: true,
  async run(asked, io) {
    takeWords(asked, [])
    const sale = saleIn(asked)
    const given = asked.values.checkpoint?.[0]
    const checkpoint = given === undefined ? undefined : readCheckpoint(textOf(given)).checkpoint
    const plans = (asked.values.plan ?? []).map(path => planAt(path, sale))
    const { node: first, second } = nodesIn(asked, io)
    const directory = readingPlace(asked, sale, io)
    const wanted = checkpoint?.slot ?? slotIn(asked)
    const there = asked.flags.has('whole') ? undefined : storedUntil(directory, sale)
    const stored = there && there.part.slot <= (wanted ?? there.part.slot) ? there : undefined
    const storedSlot = there?.part.slot ?? -1
    const before = stored && { slot: stored.part.slot, transactions: stored.transactions }
    // A second node's signatures are compared with all of the first one's
    const scan = second ? await listSale(first, sale, io) : await listSince(first, sale, io, stored)
    const scan2 = second && (await listSale(second, sale, io))
    const until = wanted ?? Math.min(scan.slot, scan2?.slot ?? scan.slot)
    const file = openLedgerFile(asked.values.out?.[0], io)
    try {
      const rows: TracedRow[] = []
      const onRows = (found: readonly TracedRow[]) => {
        file.add(found.map(({ row }) => row))
        for (const one of found) rows.push(one)
      }
      let part: Omit<StoredLedger, 'rows'> | undefined
      const onPart = (now: PartLedger, transactions: number) => void (part = { part: now, transactions })
      const read = await readLedger(first, sale, scan, { io, until, stored, onRows, onPart })
      const differences = [
        ...(second && scan2 ? await secondDiffers(second, sale, { scan, read }, scan2, io) : []),
        ...(checkpoint ? await checkpointDiffers(checkpoint, sale, read) : []),
      ]
      await file.finish()
      if (part && part.part.slot >= storedSlot && directory !== undefined && differences.length === 0)
        keepStored(directory, sale, { ...part, rows: rows.slice(0, part.part.state.rows) })
      const known = knownPlans(directory, read.state.board.plans, sale, plans)
      const left = outflowsIn(rows, sale)
      const outflows = explainOutflows(sale, known, left, await rentMade(first, sale, left))
      const uncounted = await uncountedTokens(first, sale, read.slot)
      const compared = [...(second ? [second.host] : []), ...(given === undefined ? [] : [given])]
      const calls = first.calls()
      const damaged = known.filter(({ isDamaged }) => isDamaged)
      tell(sale, read, { compared, differences, outflows, damaged, uncounted, stored: before, calls }, asked, io)
      return differences.length > 0 ? 1 : 0
    } finally {
      file.drop()
    }
  },
}

/**
 * `compared`: names of the sources beside the first node. `damaged`: plans whose file is. `stored`: the part that was not read again. `calls`: to the first node.
 */
type Told = {
  compared: string[]
  differences: string[]
  outflows: readonly ExplainedOutflow[]
  damaged: readonly AnnouncedPlan[]
  uncounted: UncountedTokens
  stored: { slot: number; transactions: number } | undefined
  calls: number
}

function tell(sale: LedgerSale, read: ReadSale, told: Told, asked: VerbArguments, io: PresaleIo): void {
  const { compared, differences, outflows, damaged, uncounted, stored, calls } = told
  const side = asked.values.out ? io.out : io.err
  if (asked.flags.has('json')) {
    const saved = stored ? { slot: stored.slot, callsSaved: stored.transactions } : null
    const books = { outflows: outflowsJson(outflows), uncounted: uncountedJson(uncounted) }
    const more = { ...books, compared, differences, calls, stored: saved }
    side.write(`${safeJson({ ...totalsJson(sale, read), ...more })}\n`)
    return
  }
  const equal = compared.length > 0 && differences.length === 0 ? `  equal to      ${compared.join(', ')}\n` : ''
  const saved = stored ? `; ${stored.transactions} saved by the ledger stored up to slot ${stored.slot}` : ''
  const parts = [
    totalsText(sale, read, uncountedAccounts(uncounted)),
    outflowsText(sale.first.terms, outflows),
    unknownPlansText(damaged),
    uncountedText(sale, uncounted, read.state.strays),
    `  calls         ${calls}${saved}\n`,
    equal,
  ]
  side.write(parts.join('') + differences.map(one => `  ! ${one}\n`).join(''))
}

/** @returns a sentence for each number of a checkpoint that the ledger does not have */
async function checkpointDiffers(checkpoint: Checkpoint, sale: LedgerSale, read: ReadSale): Promise<string[]> {
  const { terms } = sale.first
  const presale = presaleRef(terms.authority, terms.id)
  checkCheckpoint(checkpoint, { terms, presale, publishedTerms: [...read.state.announced] })
  const { signedText } = readCheckpoint(canonicalJson(checkpoint as unknown as Json))
  const signature = decodeBase58(checkpoint.sig)
  const isSigned = await isSignedBy(terms.authority, new TextEncoder().encode(signedText), signature, verify)
  if (!isSigned) throw new Fault('bad_response', 'a checkpoint expected the signature of the sale’s authority')
  const { raised, pos, tokens, orders, buyers, refundsOwed, ledgerHash } = totalsOf(sale, read.state, read.seconds)
  const amounts = (record: Readonly<Record<string, unknown>>) =>
    Object.entries(record)
      .filter(([, units]) => String(units) !== '0')
      .map(([asset, units]) => `${units} ${asset}`)
      .sort()
      .join(', ')
  const pairs: [string, unknown, unknown][] = [
    ['raised', checkpoint.raised, raised],
    ['pos', checkpoint.pos, pos],
    ['tokens', checkpoint.tokens, tokens],
    ['orders', checkpoint.orders, orders],
    ['buyers', checkpoint.buyers, buyers],
    ['ledgerHash', checkpoint.ledgerHash, ledgerHash],
    ['refundsOwed', amounts(checkpoint.refundsOwed), amounts(refundsOwed)],
    ['balances', amounts(checkpoint.balances), amounts(Object.fromEntries(read.balances))],
  ]
  return pairs
    .filter(([, said, found]) => String(said) !== String(found))
    .map(([name, said, found]) => `checkpoint ${noticeHash(checkpoint)} says ${name} ${said}, the ledger has ${found}`)
}
