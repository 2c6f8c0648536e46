import type { EffectData } from '../../events/effect.ts'
import { Fault } from '../../events/failure.ts'
import type { Checkpoint } from '../../events/values/checkpoint.ts'
import type { NoticeBoard } from '../../events/values/notices.ts'
import { readTerms, type Terms } from '../../events/values/terms.ts'
import { noticeRef as noticeRefOf, presaleRef as presaleRefOf } from '../chains/solana/references.ts'
import type { SignatureLine } from '../rpc/answers.ts'
import { boardOf, hashOf, hashText, type PlacedNotice, readNotice, trustedCheckpoint } from '../services/notices.ts'
import type { Verify } from '../services/signatures.ts'
import { answered, type Drive, drive } from './drive.ts'
import type { Http } from './http.ts'
import type { Rpc } from './rpc.ts'
import { signaturesOf, transactionOf } from './solanaHistory.ts'

/** What is true of the network or of this page at the moment, not of the file: worth another try, so nothing may be concluded from it. */
const passing: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'unreachable',
  'offline',
  'timeout',
  'rate_limited',
  'reload_needed',
])

/** Whose notices, and where they are found. */
type NoticeBy = { noticeRef: string; authority: string }

/** Notices that can no longer change, and the signatures of all transactions that were looked at for them. */
type FinalNotices = { seen: Set<string>; placed: PlacedNotice[] }

/**
 * Reads what the operator publishes: the terms file, the notices on the chain, and the checkpoint beside the terms.
 * Notices that are final are read once and kept in memory.
 *
 * @param ports `termsUrl` absolute; the checkpoint is `checkpoint.json` next to it
 */
export function createTermsDriver(ports: { termsUrl: string; http: Http; rpc: Rpc; verify: Verify }): {
  'chain.readTerms': Drive
  'chain.readNotices': Drive
} {
  const { termsUrl, http, rpc, verify } = ports
  let known: { terms: Terms; termsHash: string } | undefined
  let checked: Checkpoint | undefined
  const boards = new Map<string, FinalNotices>()

  const fetchTerms = async (): Promise<{ terms: Terms; termsHash: string }> => {
    const text = await http.text({ url: termsUrl, what: 'the presale terms' })
    if (/^\s*</.test(text)) throw new Fault('bad_response', 'the presale terms expected JSON, got HTML')
    const { terms, canonical } = readTerms(text)
    known = { terms, termsHash: hashText(canonical) }
    return known
  }

  /** Notices that were not seen as final before. */
  const readFresh = async (
    { noticeRef, authority }: NoticeBy,
    commitment: 'confirmed' | 'finalized',
    seen: ReadonlySet<string>,
  ): Promise<{ lines: SignatureLine[]; placed: PlacedNotice[] }> => {
    const lines = await signaturesOf(rpc, noticeRef, { commitment, first: 50, stop: line => seen.has(line.signature) })
    // The list's memo is a preview that spares most strangers' transactions a look; what counts is read from the bytes.
    const candidates = lines.filter(({ err, memo }) => (err ?? null) === null && (memo ?? 'mai1n:').includes('mai1n:'))
    const placed = await Promise.all(
      candidates.map(async ({ signature }) => {
        const landed = await transactionOf(rpc, signature, commitment)
        if (!landed)
          throw new Fault('bad_response', `a notice that is listed as ${commitment} expected to be readable, got none`)
        const notice =
          landed.err === null ? await readNotice(landed.bytes, { noticeRef, authority }, verify) : undefined
        return notice ? [{ slot: landed.slot, notice }] : []
      }),
    )
    return { lines, placed: placed.flat() }
  }

  const finalOf = ({ noticeRef, authority }: NoticeBy): FinalNotices => {
    const key = `${noticeRef} ${authority}`
    const final = boards.get(key) ?? { seen: new Set<string>(), placed: [] }
    boards.set(key, final)
    return final
  }

  const readBoard = async (by: NoticeBy): Promise<ReturnType<typeof boardOf>> => {
    const final = finalOf(by)
    const { lines, placed } = await readFresh(by, 'finalized', final.seen)
    // Only once all are read: the next reading stops at the first line it knows.
    for (const line of lines) final.seen.add(line.signature)
    final.placed.push(...placed)
    return boardOf(final.placed)
  }

  /** The board as it is to be when what is confirmed is final. */
  const readComingBoard = async (by: NoticeBy): Promise<NoticeBoard> => {
    const final = finalOf(by)
    const { placed } = await readFresh(by, 'confirmed', final.seen)
    return boardOf([...final.placed, ...placed])
  }

  const fetchCheckpoint = async (
    board: NoticeBoard,
    sale: EffectData['chain.readNotices'],
  ): Promise<Checkpoint | undefined> => {
    const { terms, termsHash } = known?.termsHash === sale.termsHash ? known : await fetchTerms()
    if (termsHash !== sale.termsHash) return undefined
    const text = await http.text({ url: new URL('checkpoint.json', termsUrl).href, what: 'the checkpoint' })
    const { authority, presaleRef } = sale
    const trusted = ({ checkpoints, published }: NoticeBoard) =>
      trustedCheckpoint(text, { checkpoints, authority, presaleRef, terms, published }, verify)
    // The file is there before its notice is final, and may be a copy from before the newest notice
    return (await trusted(board)) ?? (await trusted(await readComingBoard(sale)))
  }

  /** The newest checkpoint that holds: what it says of the chain is final, and it stays true when its file cannot be had. */
  const readCheckpoint = async (
    board: NoticeBoard,
    sale: EffectData['chain.readNotices'],
  ): Promise<Checkpoint | undefined> => {
    const last = checked?.presale === sale.presaleRef ? checked : undefined
    const newest = board.checkpoints.at(-1)
    if (newest === undefined || (last && hashOf(last) === newest)) return last
    try {
      const read = await fetchCheckpoint(board, sale)
      if (!read || (last && last.slot > read.slot)) return last
      checked = read
      return read
    } catch (cause) {
      if (cause instanceof Fault && !passing.has(cause.code)) return last
      throw cause
    }
  }

  return {
    'chain.readTerms': drive(async () => {
      const { terms, termsHash } = await fetchTerms()
      const presaleRef = presaleRefOf(terms.authority, terms.id)
      const data = { terms, termsHash, presaleRef, noticeRef: noticeRefOf(presaleRef) }
      return answered({ type: 'chain.terms', data })
    }),
    'chain.readNotices': drive<EffectData['chain.readNotices']>(async sale => {
      const board = await readBoard(sale)
      const checkpoint = await readCheckpoint(board, sale)
      return answered({
        type: 'chain.notices',
        data: {
          termsHash: board.terms ?? '',
          paused: board.paused,
          closed: board.closed,
          ...(checkpoint === undefined ? {} : { checkpoint: markOf(checkpoint) }),
          ...(board.result === undefined ? {} : { result: board.result }),
          changes: board.changes,
        },
      })
    }),
  }
}

function markOf({ slot, time, balances, raised, pos, tokens }: Checkpoint) {
  return { slot, time: time * 1000, balances, raised, pos, tokens }
}
