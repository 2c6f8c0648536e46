/**
 * Reads the authority's notices.
 *
 * 1. The signed list beside the terms names the transactions with notices; exactly these are fetched, once each.
 * 2. The reference key is a hint, because anyone can write to it: one page and a few transactions per reading.
 * 3. A notice counts by the authority's signature over the transaction, wherever it was found.
 * 4. Of notices in one slot the block tells the order: a list of signatures does not.
 * 5. Plans that the list names by their hashes are announced by the authority's signature over the list.
 */
import { Fault } from '../../../../runtime/failure.ts'
import { parseNotice } from '../../../../events/sale/payments/operatorMemos.ts'
import type { NoticeList } from '../../../../events/sale/notices/noticeList.ts'
import type { NoticeBoard } from '../../../../events/sale/notices/notices.ts'
import { boardOf, type PlacedBoard, type PlacedNotice, readNotice, trustedList } from '../../../services/notices.ts'
import type { SignatureLine } from '../../../rpc/answers.ts'
import type { Verify } from '../../../services/signatures.ts'
import type { Http } from '../../http.ts'
import type { Rpc } from '../rpc.ts'
import { blockPlaces } from '../../../rpc/blockPlaces.ts'
import { isNewerKind } from '../../../rpc/errors.ts'
import { newestSignatures, recordedTransaction } from '../history.ts'

/** The sale whose notices are read. */
type NoticeSource = { presaleRef: string; noticeRef: string; authority: string }

export type NoticeReading = {
  /** the finalised notices */
  board: PlacedBoard
  /** the board once the confirmed notices are final */
  coming: NoticeBoard
  /** notices that announce checkpoints, final or not */
  checkpoints: readonly PlacedNotice[]
  /** absent when all was read; otherwise a newer notice may exist; `asOf` (Unix seconds) is the signed list's time, if known */
  partial?: { asOf?: number }
}

/** Most transactions fetched per reading because the reference lists them. */
export const hintReads = 8
/** Signatures requested of the reference: few beside a list, a whole page without one. */
const linesBesideList = 100
const linesAlone = 1000
/** Most cached verdicts. */
const mostVerdicts = 5000

/** A final verdict on a transaction: its notice, or none. */
type Verdict = PlacedNotice | 'none'
type Memory = { list?: NoticeList; final: Map<string, Verdict>; wholeTo?: string }

/**
 * Holds, per sale, the newest signed list and the final verdicts, so that a transaction is fetched once. One function,
 * because all its parts share that memory.
 *
 * @param ports `listUrl` returns the absolute URL of the signed list
 */
export function createNoticeReader(ports: {
  listUrl: () => string
  http: Http
  rpc: Rpc
  verify: Verify
}): (sale: NoticeSource) => Promise<NoticeReading> {
  const { listUrl, http, rpc, verify } = ports
  const memories = new Map<string, Memory>()

  /** @returns undefined when it cannot be fetched: the reference remains */
  const listText = async (): Promise<string | undefined> => {
    try {
      return await http.text({ url: listUrl(), what: 'the list of notices', retries: 1 })
    } catch (cause) {
      if (cause instanceof Fault) return undefined
      throw cause
    }
  }

  /** Ignores a list older than the known one: a rollback of the host, or a cached copy. */
  const readList = async (sale: NoticeSource, memory: Memory): Promise<void> => {
    const text = await listText()
    const list = text === undefined ? undefined : await trustedList(text, sale, verify)
    if (list && (!memory.list || isNewer(list, memory.list))) memory.list = list
  }

  const judge = async (
    signature: string,
    commitment: 'confirmed' | 'finalized',
    sale: NoticeSource,
  ): Promise<Verdict | undefined> => {
    const landed = await recordedTransaction(rpc, signature, commitment).catch((cause: unknown) => {
      if (isNewerKind(cause)) return 'none' as const
      throw cause
    })
    if (!landed || landed === 'none') return landed
    const notice = landed.err === null ? await readNotice(landed.bytes, sale, verify) : undefined
    if (!notice || notice === 'malformed') return 'none'
    return { slot: landed.slot, ...(landed.time !== undefined && { time: landed.time }), notice }
  }

  /** @returns a listed notice; undefined when the node does not have it, or returns something else */
  const readListed = async (signature: string, sale: NoticeSource, { final }: Memory): Promise<Verdict | undefined> => {
    const known = final.get(signature) ?? (await judge(signature, 'finalized', sale))
    if (isPlaced(known)) final.set(signature, known)
    const found = known ?? (await judge(signature, 'confirmed', sale))
    return isPlaced(found) ? found : undefined
  }

  const readReference = (sale: NoticeSource, { list }: Memory) =>
    newestSignatures(rpc, sale.noticeRef, list ? linesBesideList : linesAlone)

  const readHint = async (
    sale: NoticeSource,
    memory: Memory,
    { lines, isFull }: Awaited<ReturnType<typeof readReference>>,
  ) => {
    const { list, final, wholeTo } = memory
    const listed = new Set(list?.signatures)
    // Lines are newest first, and a list covers every notice up to its newest: older lines are skipped
    const known = lines.findIndex(line => line.signature === wholeTo || listed.has(line.signature))
    const newer = known < 0 ? lines : lines.slice(0, known)
    const worth = newer.filter(line => !final.has(line.signature) && mayBeNotice(line, list?.seq ?? 0)).reverse()
    const now = worth.slice(0, hintReads)
    const read = await Promise.all(now.map(line => judge(line.signature, 'confirmed', sale)))
    const confirmed: PlacedNotice[] = []
    for (const [at, line] of now.entries()) {
      const verdict = read[at]
      if (!verdict) continue
      if (verdict === 'none' || line.confirmationStatus === 'finalized') remember(final, line.signature, verdict)
      else confirmed.push(verdict)
    }
    const isWhole = worth.length <= hintReads && read.every(Boolean) && (!isFull || known >= 0)
    const newestFinal = lines.find(line => line.confirmationStatus === 'finalized')
    if (isWhole && newestFinal) memory.wholeTo = newestFinal.signature
    return { confirmed, isWhole }
  }

  return async sale => {
    const key = `${sale.noticeRef} ${sale.authority}`
    const memory = memories.get(key) ?? { final: new Map<string, Verdict>() }
    memories.set(key, memory)
    // The reference is read in one request with the sale's accounts; beside a list, fewer lines do
    const lines = memory.list && readReference(sale, memory)
    const [reference] = await Promise.all([lines, readList(sale, memory)])
    const { list, final } = memory
    const signatures = list?.signatures ?? []
    const listed = await Promise.all(signatures.map(signature => readListed(signature, sale, memory)))
    const { confirmed, isWhole } = await readHint(sale, memory, reference ?? (await readReference(sale, memory)))
    const isMissing = listed.includes(undefined)
    const found = [...final.values()].filter(isPlaced)
    const seq = list?.seq ?? 0
    const settled = signatures.map(signature => final.get(signature)).filter(isPlaced)
    const coming = listed.filter(isPlaced)
    // A listed notice that is not final yet does not count, and no notice after it
    const early = coming.filter(one => !settled.includes(one)).map(({ notice }) => notice.seq - 1)
    const listedTo = Math.min(seq, ...early)
    await placeTogether(
      [...final].flatMap(([id, one]) => (isPlaced(one) && one.notice.seq > listedTo ? { id, one } : [])),
      rpc,
    )
    const board = boardOf(found, { placed: settled, seq: listedTo })
    return {
      checkpoints: [...found, ...coming, ...confirmed].filter(({ notice }) => notice.verb === 'checkpoint'),
      board: { ...board, plans: [...new Set((list?.plans ?? []).concat(board.plans))] },
      coming: boardOf([...found, ...confirmed], { placed: coming, seq }),
      ...(isWhole && !isMissing ? {} : { partial: list && !isMissing ? { asOf: list.time } : {} }),
    }
  }
}

/** Gives final notices that share a slot their places in the block. */
async function placeTogether(all: readonly { id: string; one: PlacedNotice }[], rpc: Rpc): Promise<void> {
  for (const { one } of all) {
    const together = all.filter(other => other.one.slot === one.slot)
    if (together.length === 1 || one.place !== undefined) continue
    const placeOf = await blockPlaces((...asked) => rpc.call(...asked), one.slot)
    for (const other of together) other.one.place = placeOf(other.id)
  }
}

function isPlaced(verdict: Verdict | undefined): verdict is PlacedNotice {
  return verdict !== undefined && verdict !== 'none'
}

function isNewer(list: NoticeList, than: NoticeList): boolean {
  return list.seq > than.seq || (list.seq === than.seq && list.time >= than.time)
}

/** Filters by the memo preview, which excludes most strangers' transactions; the notice itself is read from the bytes. */
function mayBeNotice({ err, memo }: SignatureLine, listedTo: number): boolean {
  if (err != null) return false
  if (memo == null) return true
  const at = memo.indexOf('mai1n:')
  const notice = at < 0 ? undefined : parseNotice(memo.slice(at))
  // A preview may join several memos: then the bytes decide
  return at >= 0 && (notice === undefined || notice.seq > listedTo)
}

function remember(final: Map<string, Verdict>, signature: string, verdict: Verdict): void {
  final.set(signature, verdict)
  if (final.size <= mostVerdicts) return
  const oldest = [...final].find(([, known]) => known === 'none')
  if (oldest) final.delete(oldest[0])
}
