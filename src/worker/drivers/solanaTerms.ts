import type { EffectData } from '../../events/effect.ts'
import { Fault } from '../../events/failure.ts'
import type { Checkpoint } from '../../events/values/checkpoint.ts'
import type { NoticeBoard } from '../../events/values/notices.ts'
import { readTerms, type Terms } from '../../events/values/terms.ts'
import { noticeRef as noticeRefOf, presaleRef as presaleRefOf } from '../chains/solana/references.ts'
import { boardOf, hashText, type PlacedNotice, readNotice, trustedCheckpoint } from '../services/notices.ts'
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
  let checked: { hash: string; checkpoint: Checkpoint } | undefined
  const boards = new Map<string, { seen: Set<string>; placed: PlacedNotice[] }>()

  const fetchTerms = async (): Promise<{ terms: Terms; termsHash: string }> => {
    const text = await http.text({ url: termsUrl, what: 'the presale terms' })
    if (/^\s*</.test(text)) throw new Fault('bad_response', 'the presale terms expected JSON, got HTML')
    const { terms, canonical } = readTerms(text)
    known = { terms, termsHash: hashText(canonical) }
    return known
  }

  const readBoard = async (from: { noticeRef: string; authority: string }): Promise<NoticeBoard> => {
    const { noticeRef, authority } = from
    const key = `${noticeRef} ${authority}`
    const board = boards.get(key) ?? { seen: new Set<string>(), placed: [] }
    const lines = await signaturesOf(rpc, noticeRef, {
      commitment: 'finalized',
      first: 50,
      stop: line => board.seen.has(line.signature),
    })
    // The list's memo is a preview that spares most strangers' transactions a look; what counts is read from the bytes.
    const candidates = lines.filter(({ err, memo }) => (err ?? null) === null && (memo ?? 'mai1n:').includes('mai1n:'))
    const fresh = await Promise.all(
      candidates.map(async ({ signature }) => {
        const landed = await transactionOf(rpc, signature, 'finalized')
        if (!landed)
          throw new Fault('bad_response', 'a notice that is listed as final expected to be readable, got none')
        const notice = landed.err === null ? await readNotice(landed.bytes, from, verify) : undefined
        return notice ? [{ slot: landed.slot, notice }] : []
      }),
    )
    // Only once all are read: the next reading stops at the first line it knows.
    for (const line of lines) board.seen.add(line.signature)
    board.placed.push(...fresh.flat())
    boards.set(key, board)
    return boardOf(board.placed)
  }

  const readCheckpoint = async (
    board: NoticeBoard,
    sale: EffectData['chain.readNotices'],
  ): Promise<Checkpoint | undefined> => {
    const hash = board.checkpoint
    if (hash === undefined) return undefined
    if (checked?.hash === hash) return checked.checkpoint
    try {
      const { terms, termsHash } = known?.termsHash === sale.termsHash ? known : await fetchTerms()
      if (termsHash !== sale.termsHash) return undefined
      const text = await http.text({ url: new URL('checkpoint.json', termsUrl).href, what: 'the checkpoint' })
      const { authority, presaleRef } = sale
      const expected = { hash, authority, presaleRef, terms, published: board.published }
      const checkpoint = await trustedCheckpoint(text, expected, verify)
      if (checkpoint) checked = { hash, checkpoint }
      return checkpoint
    } catch (cause) {
      if (cause instanceof Fault && !passing.has(cause.code)) return undefined
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
        },
      })
    }),
  }
}

function markOf({ slot, time, balances, raised, pos, tokens }: Checkpoint) {
  return { slot, time: time * 1000, balances, raised, pos, tokens }
}
