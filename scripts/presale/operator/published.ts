/**
 * The files beside the terms that the page reads: list of notices, sale checkpoint, a copy of every version of the terms, and of every
 * announced plan of payouts.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson } from '../../../src/runtime/json/canonicalJson.ts'
import type { Json } from '../../../src/runtime/json/readJson.ts'
import { encodeBase58 } from '../../../src/events/values/solana/base58.ts'
import type { Notice } from '../../../src/events/sale/payments/operatorMemos.ts'
import { mostListed, mostPlans, type NoticeList, noticeListText } from '../../../src/events/sale/notices/noticeList.ts'
import { canonicalTerms } from '../../../src/events/sale/terms/terms.ts'
import { hashText, trustedList } from '../../../src/worker/services/notices.ts'
import type { LedgerSale } from '../../../src/worker/ledger/ledgerSale.ts'
import { termsFileName } from '../../../src/worker/ledger/termsFileName.ts'
import { planFileName } from '../../../src/worker/services/planFile.ts'
import type { SigningKey } from '../verb.ts'
import { planPath } from '../payouts/plans.ts'
import { verify } from '../verify.ts'
import type { JournalLine } from '../state.ts'
import { writeWhole } from '../writeWhole.ts'
import type { SaleNotices } from './saleNotices.ts'
import { stateOf, type Work } from './work.ts'

/**
 * Writes `notices.json`, the newest announced `checkpoint.json` that the journal has, and the copies of the terms and of the announced
 * plans. Files that are right already stay as they are; without the authority's key no list is signed.
 *
 * @returns names of the written files
 * @throws Fault `bad_input` naming a file that cannot be written
 */
export async function publishFiles(work: Work, notices: SaleNotices): Promise<string[]> {
  const { out, sale, mode, directory } = work
  if (mode.kind !== 'send' || notices.board.seq === 0) return []
  const files = [...termsFiles(sale), ...checkpointFile(work.sending.journal.lines, notices)]
  const list = await listFile(work, notices)
  return [...writeStale(out, [...files, ...list]), ...publishPlans(out, directory, notices.board.plans)]
}

/**
 * Writes copies of the announced plans that the state directory has. A copy's sha256 is the announced hash.
 *
 * @param announced hashes of the plans on the chain
 * @returns names of the written files
 * @throws Fault `bad_input` naming a file that cannot be written
 */
export function publishPlans(out: string, directory: string, announced: readonly string[]): string[] {
  const files = announced.flatMap(hash => {
    const text = textIn(planPath(directory, hash))
    return text !== undefined && hashText(text) === hash ? [{ name: planFileName(hash), text }] : []
  })
  return writeStale(out, files)
}

function writeStale(out: string, files: readonly PublishedFile[]): string[] {
  const stale = files.filter(({ name, text }) => textIn(join(out, name)) !== text)
  for (const { name, text } of stale) writeWhole(join(out, name), text)
  return stale.map(({ name }) => name)
}

type PublishedFile = { name: string; text: string }

/** A copy's sha256 is the terms hash. */
function termsFiles({ versions }: LedgerSale): PublishedFile[] {
  return versions.map(({ terms, hash }) => ({ name: termsFileName(hash), text: canonicalTerms(terms) }))
}

/** The journal's text of the newest announced checkpoint; another machine may have announced it. */
function checkpointFile(lines: readonly JournalLine[], { board }: SaleNotices): PublishedFile[] {
  const newest = board.checkpoints.at(-1)
  const texts = lines.flatMap(line => (line.kind === 'checkpoint' ? String(line.text) : []))
  const text = texts.find(one => hashText(one) === newest)
  return text === undefined ? [] : [{ name: 'checkpoint.json', text }]
}

async function listFile({ authority, out, sale }: Work, notices: SaleNotices): Promise<PublishedFile[]> {
  if (!authority) return []
  const text = textIn(join(out, 'notices.json'))
  const signatures = inForce(notices)
  const { presale } = stateOf(sale)
  const known =
    text === undefined
      ? undefined
      : await trustedList(text, { authority: authority.address, presaleRef: presale }, verify)
  const plans = plansIn(notices)
  const isSame = known?.signatures.join() === signatures.join() && known.plans?.join() === plans?.join()
  if (isSame && known?.seq === notices.board.seq) return []
  const body = { presale, signatures, ...(plans && { plans }) }
  return [{ name: 'notices.json', text: signedList(authority, body, notices) }]
}

function signedList(
  authority: SigningKey,
  body: Pick<NoticeList, 'presale' | 'signatures' | 'plans'>,
  { board, seconds }: SaleNotices,
): string {
  const list = { format: 'mai-presale-notices/1', ...body, seq: board.seq, time: seconds } as const
  const sig = encodeBase58(authority.sign(utf8ToBytes(noticeListText(list))))
  return canonicalJson({ ...list, sig } satisfies NoticeList as unknown as Json)
}

/** Notices of plans in the list: each costs a visitor a call. */
const plansListed = 8

/** Verbs whose newest notices are in force, and how many of them; the rest of the list's places is for terms. */
const newestOf: readonly (readonly [readonly Notice['verb'][], number])[] = [
  [['checkpoint'], 2],
  [['pause', 'resume'], 1],
  [['close'], 1],
  [['ledger'], 1],
  [['result'], 1],
  [['plan'], plansListed],
]

/** @returns signatures of the notices in force, at most as many as a list may name */
function inForce({ counted }: SaleNotices): string[] {
  const newest = (verbs: readonly string[], count: number) =>
    counted.filter(({ notice }) => verbs.includes(notice.verb)).slice(-count)
  const others = newestOf.flatMap(([verbs, count]) => newest(verbs, count))
  const [first, ...later] = newest(['terms'], counted.length)
  // A page holds them one against the other, from the first on
  const terms = first ? [first, ...later.slice(others.length + 1 - mostListed)] : []
  return [...terms, ...others].map(({ signature }) => signature)
}

/** @returns hashes of all plans, once their notices are more than the list names; a page shows the deliveries of each */
function plansIn({ board }: SaleNotices): string[] | undefined {
  const plans = [...new Set(board.plans)]
  return plans.length > plansListed ? plans.slice(-mostPlans) : undefined
}

function textIn(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
