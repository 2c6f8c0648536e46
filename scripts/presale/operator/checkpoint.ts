/** The authority's signed statement of the sale at the newest final slot. */
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson } from '../../../src/runtime/json/canonicalJson.ts'
import type { Json } from '../../../src/runtime/json/readJson.ts'
import { type Checkpoint, checkpointText, readCheckpoint } from '../../../src/events/sale/notices/checkpoint.ts'
import { encodeBase58 } from '../../../src/events/values/solana/base58.ts'
import { refused } from '../../../src/main/replay/verb.ts'
import { totalsOf } from '../../../src/worker/ledger/ledger.ts'
import { hashText } from '../../../src/worker/services/notices.ts'
import { listSince, storedUntil } from '../books/readSale.ts'
import { agreeOnLedger, listUpTo } from '../books/secondNode.ts'
import { type OnTraced, readLedger, type ReadSale } from '../readLedger.ts'
import type { JournalLine } from '../state.ts'
import { otherState, type PresaleExit, type PresaleVerb } from '../verb.ts'
import { announce, type Announced, noticesNow, tellNotice, tellUnchanged } from './announce.ts'
import type { SaleNotices } from './saleNotices.ts'
import { stateOf, type Work, withWork, workOptions } from './work.ts'

/** `npm run presale -- checkpoint` */
export const checkpoint: PresaleVerb = {
  takes: '--terms FILE --rpc URL --keypair FILE|-',
  summary: 'signs the ledger’s totals for the page, and announces their hash',
  about: `Computes the ledger as "ledger" does, signs its totals and the treasury's balances, announces the hash in a notice, and writes
checkpoint.json when the notice is final: no visitor ever sees a checkpoint that is not announced. Nothing is announced when the
newest checkpoint already says the same.`,
  examples: ['--terms published/terms.json --rpc https://api.devnet.solana.com --keypair authority.json'],
  options: workOptions,
  readsLedger: true,
  run: (asked, io) => withWork(asked, io, announceNew),
}

async function announceNew(work: Work): Promise<PresaleExit> {
  const notices = await noticesNow(work)
  const announced = await announceCheckpoint(work, notices)
  if (!announced) return tellUnchanged(work, notices, 'the newest checkpoint says the same: nothing was announced')
  return tellNotice(work, announced, 'the checkpoint is announced')
}

/**
 * Announces a checkpoint of the newest final slot.
 *
 * @returns undefined when the newest one says the same
 * @throws Fault `bad_input` without a key, `elsewhere` without terms on the chain; as `computeLedger` and `announce`
 */
export async function announceCheckpoint(work: Work, notices: SaleNotices): Promise<Announced | undefined> {
  const { authority, mode, sending } = work
  const read = await ledgerNow(work)
  const said = statementOf(work, read)
  const newest = newestCheckpoint(sending.journal.lines, notices)
  if (newest && newest.slot > slotOfTerms(notices) && sameBut(newest, said)) return undefined
  if (!authority && mode.kind !== 'dry')
    throw refused(`expected --keypair with the authority’s key: a checkpoint is a text that it signs, got none`)
  const sig = authority ? encodeBase58(authority.sign(utf8ToBytes(checkpointText(said)))) : ''
  const text = canonicalJson({ ...said, sig } as unknown as Json)
  if (mode.kind !== 'dry') sending.journal.add({ kind: 'checkpoint', text })
  return announce(work, notices, { verb: 'checkpoint', hash: hashText(text) })
}

/**
 * Computes the ledger, including every transaction that this command has seen.
 *
 * @param onRows as in `readLedger`
 * @throws Fault as `scanSale` and `computeLedger`; `unreachable` from a node that stays behind;
 *   `rpc_lying` when the second node has another ledger
 */
export async function ledgerNow(
  { sale, node, second, io, seen, directory }: Pick<Work, 'sale' | 'node' | 'second' | 'io' | 'seen' | 'directory'>,
  onRows?: OnTraced,
): Promise<ReadSale> {
  const stored = storedUntil(directory, sale)
  const scan = await listUpTo(node, seen, io, () => listSince(node, sale, io, stored))
  const read = await readLedger(node, sale, scan, { io, stored, onRows })
  if (second) await agreeOnLedger(second, sale, { scan, read, since: stored?.part.slot }, io)
  return read
}

function statementOf({ sale }: Work, read: ReadSale): Omit<Checkpoint, 'sig'> {
  const { state, slot, seconds, balances } = read
  if (state.inForce === undefined)
    throw otherState('a checkpoint expected published terms, got none: run "publish" first')
  const { raised, pos, tokens, orders, buyers, refundsOwed, ledgerHash } = totalsOf(sale, state, seconds)
  const amounts = (of: Iterable<readonly [string, bigint]>) =>
    Object.fromEntries([...of].map(([asset, units]) => [asset, units.toString()]))
  return {
    format: 'mai-presale-checkpoint/1',
    presale: stateOf(sale).presale,
    termsHash: state.inForce,
    slot,
    time: seconds,
    balances: amounts(balances),
    raised: raised.toString(),
    pos: pos.toString(),
    tokens: tokens.toString(),
    orders,
    buyers,
    refundsOwed: amounts(Object.entries(refundsOwed)),
    ledgerHash,
  }
}

/** @returns the newest announced checkpoint, undefined when there is none or this journal lacks its text */
export function newestCheckpoint(lines: readonly JournalLine[], { board }: SaleNotices): Checkpoint | undefined {
  const texts = lines.flatMap(line => (line.kind === 'checkpoint' ? String(line.text) : []))
  const text = texts.find(one => hashText(one) === board.checkpoints.at(-1))
  return text === undefined ? undefined : readCheckpoint(text).checkpoint
}

/** Its own notice adds a row: the ledger's hash always differs, as slot and time do. */
function sameBut({ sig: _, ...newest }: Checkpoint, said: Omit<Checkpoint, 'sig'>): boolean {
  const timeless = (one: Omit<Checkpoint, 'sig'>) =>
    canonicalJson({ ...one, slot: 0, time: 0, ledgerHash: '' } as unknown as Json)
  return timeless(newest) === timeless(said)
}

function slotOfTerms({ counted }: SaleNotices): number {
  return counted.filter(({ notice }) => notice.verb === 'terms').at(-1)?.slot ?? 0
}
