/**
 * A sale's finalised history, read from a node in canonical order: by slot, then by place in the block.
 *
 * 1. Signature lists are never trusted for the order inside a slot: the place comes from the transactions, or from the block.
 * 2. A bounded number of transactions is held at a time; the reader's pace is the consumer's.
 * 3. A payment counts by the signatures over its bytes: a node can withhold one, but neither alter nor invent it.
 * 4. Strangers can attach anything to the sale's addresses. A transaction of a newer version is passed over: if it moved money, the
 *    balances say so. One that is listed under the notices' reference alone and cannot be read has no notice.
 *
 * @see reference "Presale", §7
 */
import { emptyBoard, pinNotice } from '../../events/sale/notices/notices.ts'
import { Fault } from '../../runtime/failure.ts'
import { absentable, anything, array, looseObject, wholeNumber } from '../../runtime/schema/schema.ts'
import { clockSysvar } from '../chains/solana/programs.ts'
import { readClock, readTokenAccount } from '../rpc/accountData.ts'
import { accounts, blockTime, genesisHash, readAnswer } from '../rpc/answers.ts'
import { blockPlaces } from '../rpc/blockPlaces.ts'
import { isNewerKind } from '../rpc/errors.ts'
import { readNotice } from '../services/notices.ts'
import { isSignedBy, type Verify } from '../services/signatures.ts'
import type { SaleAccounts } from './ledgerSale.ts'
import { type LedgerTransaction, type ReadLedgerTransaction, readLedgerTransaction } from './ledgerTransaction.ts'
import { signature } from '../../events/values/solana/signature.ts'

/** Calls one node. @returns the result, its integers exact */
export type CallNode = (method: string, params: readonly unknown[]) => Promise<unknown>

/** Signatures of the sale up to a slot, oldest first, and the balances at that slot. */
export type SaleScan = {
  slot: number
  /** chain time at `slot`, Unix seconds */
  seconds: number
  /** of the watched accounts, by asset */
  balances: Map<string, bigint>
  lines: ScannedLine[]
}

/** `time`: Unix seconds. `isWatched`: it names a watched account; `isMarked`: it names the notices' reference. */
type ScannedLine = { signature: string; slot: number; time?: number; isWatched: boolean; isMarked: boolean }

const whole = wholeNumber(0)
const signatureList = array(looseObject({ signature, slot: whole, err: anything(), blockTime: absentable(blockTime) }))

const pageSize = 1000

/**
 * Lists every finalised transaction of the watched accounts and the notices.
 *
 * @param onListed receives the number of signatures so far
 * @param since the slot up to which all are known, and are not listed again
 * @throws Fault `wrong_cluster` when the node serves another chain; `rpc_lying` when its lists contradict themselves
 */
export async function scanSale(
  call: CallNode,
  sale: SaleAccounts,
  onListed: (count: number) => void = () => undefined,
  since = -1,
): Promise<SaleScan> {
  const { cluster } = sale.first.terms
  const chain = readAnswer(genesisHash, await call('getGenesisHash', []), 'getGenesisHash')
  if (chain !== cluster.genesisHash)
    throw new Fault('wrong_cluster', `the node expected chain ${cluster.genesisHash} (${cluster.name}), got ${chain}`)
  const { slot, seconds, balances } = await balancesNow(call, sale)
  const found = new Map<string, ScannedLine>()
  for (const address of new Set([...sale.watched.map(one => one.address), sale.noticeRef])) {
    const mark = address === sale.noticeRef ? { isMarked: true } : { isWatched: true }
    for await (const { failed: _, ...line } of listedUnder(call, address, slot)) {
      if (line.slot <= since) break
      const known = found.get(line.signature) ?? { ...line, isWatched: false, isMarked: false }
      if (known.slot !== line.slot)
        throw new Fault('rpc_lying', `${line.signature} expected slot ${known.slot}, got ${line.slot} in another list`)
      found.set(line.signature, { ...known, ...mark })
      onListed(found.size)
    }
  }
  const lines = [...found.values()].sort((a, b) => a.slot - b.slot)
  return { slot, seconds, balances, lines }
}

/**
 * Lists the finalised transactions of the notices alone.
 *
 * @param slot the newest slot listed, which the node must have
 * @throws Fault `rpc_lying` when its list contradicts itself
 */
export async function scanNotices(call: CallNode, sale: SaleAccounts, slot: number): Promise<Pick<SaleScan, 'lines'>> {
  const lines: ScannedLine[] = []
  for await (const line of listedUnder(call, sale.noticeRef, slot))
    lines.push({ ...line, isWatched: false, isMarked: true })
  return { lines: lines.sort((a, b) => a.slot - b.slot) }
}

async function balancesNow(call: CallNode, sale: SaleAccounts): Promise<Omit<SaleScan, 'lines'>> {
  const addresses = [clockSysvar, ...sale.watched.map(({ address }) => address)]
  const params = [addresses, { encoding: 'base64', commitment: 'finalized' }]
  const { context, value } = readAnswer(accounts, await call('getMultipleAccounts', params), 'getMultipleAccounts')
  const [clock, ...watched] = value
  const balances = sale.watched.map(({ asset, address }, at): [string, bigint] => {
    const account = watched[at]
    if (address === sale.first.terms.treasury) return [asset, BigInt(account?.lamports ?? 0)]
    return [asset, readTokenAccount(account, `the treasury's account of ${asset}`)?.amount ?? 0n]
  })
  return { slot: context.slot, seconds: readClock(clock) / 1000, balances: new Map(balances) }
}

/** A line of a signature list. `failed`: it landed and changed nothing but its fee. `time`: Unix seconds. */
type ListedLine = { signature: string; slot: number; failed: boolean; time?: number }

/**
 * Lists the finalised transactions that name an address, newest first, from the page of the newest to the last.
 *
 * @param slot the last one that counts; the node has to have seen it
 * @throws Fault `rpc_lying` when a page contradicts the one before it
 */
export async function* listedUnder(call: CallNode, address: string, slot: number): AsyncGenerator<ListedLine> {
  const seen = new Set<string>()
  let [before, newest]: [string | undefined, number] = [undefined, Number.POSITIVE_INFINITY]
  for (;;) {
    const config = { limit: pageSize, commitment: 'finalized', minContextSlot: slot, ...(before && { before }) }
    const answer = await call('getSignaturesForAddress', [address, config])
    const page = readAnswer(signatureList, answer, 'getSignaturesForAddress')
    const known = seen.size
    for (const line of page) {
      if (line.slot > newest)
        throw new Fault('rpc_lying', `signatures of ${address} expected slot ${newest} or older, got ${line.slot}`)
      newest = line.slot
      // A node may deliver a line twice
      if (seen.has(line.signature)) continue
      seen.add(line.signature)
      const { signature: id, blockTime: time, err } = line
      const failed = (err ?? null) !== null
      if (line.slot <= slot) yield { signature: id, slot: line.slot, failed, ...(typeof time === 'number' && { time }) }
    }
    if (page.length === pageSize && seen.size === known)
      throw new Fault('rpc_lying', `signatures of ${address} expected older ones on the next page, got the same again`)
    before = page.at(-1)?.signature
    if (page.length < pageSize) return
  }
}

/**
 * Reads the listed transactions in canonical order.
 *
 * @param options `ahead`: most transactions requested before the consumer took them, default 16
 * @throws Fault `bad_response` when the node lists a transaction that it does not have; `rpc_lying` when it contradicts itself
 */
export async function* saleHistory(
  call: CallNode,
  sale: SaleAccounts,
  { lines }: Pick<SaleScan, 'lines'>,
  { verify, ahead = 16 }: { verify: Verify; ahead?: number },
): AsyncGenerator<LedgerTransaction> {
  const waiting: Promise<LedgerTransaction | undefined>[] = []
  let asked = 0
  const next = async (): Promise<LedgerTransaction | undefined> => {
    for (; asked < lines.length && waiting.length < ahead; asked += 1) {
      const reading = readListed(call, sale, lines[asked] as ScannedLine, verify)
      // Its failure is thrown when its turn comes
      reading.catch(() => undefined)
      waiting.push(reading)
    }
    return waiting.shift()
  }
  for (let at = 0; at < lines.length; ) {
    const slot = lines[at]?.slot
    const together: LedgerTransaction[] = []
    for (; at < lines.length && lines[at]?.slot === slot; at += 1) {
      const transaction = await next()
      if (transaction) together.push(transaction)
    }
    yield* await inBlockOrder(call, together)
  }
}

/**
 * @returns hashes of every version of the terms that the notices among the listed transactions announce, in their order
 * @throws Fault as `saleHistory`
 */
export async function announcedTerms(
  call: CallNode,
  sale: SaleAccounts,
  { lines }: Pick<SaleScan, 'lines'>,
  options: { verify: Verify; ahead?: number },
): Promise<string[]> {
  let board = emptyBoard()
  const marked = { lines: lines.filter(({ isMarked }) => isMarked) }
  for await (const { notice } of saleHistory(call, sale, marked, options)) if (notice) board = pinNotice(board, notice)
  return board.published
}

async function readListed(
  call: CallNode,
  sale: SaleAccounts,
  line: ScannedLine,
  verify: Verify,
): Promise<LedgerTransaction | undefined> {
  const config = { encoding: 'base64', commitment: 'finalized', maxSupportedTransactionVersion: 0 }
  const answer = await call('getTransaction', [line.signature, config]).catch((cause: unknown) => {
    if (isNewerKind(cause)) return undefined
    throw cause
  })
  if (answer === undefined) return undefined
  if (answer === null)
    throw new Fault('bad_response', `getTransaction expected ${line.signature}, which the node lists, got nothing`)
  const read = transactionIn(answer, sale, line)
  if (!read) return undefined
  const { transaction, bytes, message, signatures } = read
  if (transaction.slot !== line.slot)
    throw new Fault('rpc_lying', `${line.signature} expected slot ${line.slot} as listed, got ${transaction.slot}`)
  if (line.isWatched) {
    const checks = transaction.signers.map((signer, at) => isSignedBy(signer, message, signatures[at], verify))
    if ((await Promise.all(checks)).includes(false))
      throw new Fault('rpc_lying', `${line.signature} expected the signatures of its signers, got another message`)
  }
  const { authority } = sale.first.terms
  const notice =
    line.isMarked && !transaction.failed
      ? await readNotice(bytes, { authority, noticeRef: sale.noticeRef }, verify)
      : undefined
  const time = transaction.time ?? line.time ?? (await timeOf(call, line.slot))
  const said = notice === 'malformed' ? { isMalformed: true as const } : notice && { notice }
  return { ...transaction, ...(time !== undefined && { time }), ...said }
}

function transactionIn(answer: unknown, sale: SaleAccounts, line: ScannedLine): ReadLedgerTransaction | undefined {
  try {
    return readLedgerTransaction(answer, line.signature, sale)
  } catch (cause) {
    if (cause instanceof Fault && cause.code === 'bad_response' && !line.isWatched) return undefined
    throw cause
  }
}

async function timeOf(call: CallNode, slot: number): Promise<number | undefined> {
  return readAnswer(blockTime, await call('getBlockTime', [slot]), 'getBlockTime') ?? undefined
}

/** One slot's transactions by their place in the block; without places from the nodes the block's own list gives them. */
async function inBlockOrder(call: CallNode, together: readonly LedgerTransaction[]): Promise<LedgerTransaction[]> {
  const [first] = together
  if (!first || together.length === 1) return [...together]
  const isTold = new Set(together.flatMap(({ index }) => index ?? [])).size === together.length
  const placeOf = isTold ? undefined : await blockPlaces(call, first.slot)
  const places = together.map(one => ({ one, place: placeOf ? placeOf(one.signature) : (one.index ?? 0) }))
  return places.sort((a, b) => a.place - b.place).map(({ one }) => one)
}
