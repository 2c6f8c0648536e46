import type { EffectData } from '../../../../events/effect.ts'
import { passingCodes } from '../../../../events/passingCodes.ts'
import { Fault } from '../../../../runtime/failure.ts'
import type { Checkpoint } from '../../../../events/sale/notices/checkpoint.ts'
import type { NoticeBoard } from '../../../../events/sale/notices/notices.ts'
import { readTerms, type Terms } from '../../../../events/sale/terms/terms.ts'
import { frozenChanges } from '../../../../events/sale/saleChanges.ts'
import type { TermsVersion } from '../../../ledger/ledgerSale.ts'
import { programs } from '../../../chains/solana/programs.ts'
import { noticeRef as noticeRefOf, presaleRef as presaleRefOf } from '../../../chains/solana/references.ts'
import { program, readAnswer } from '../../../rpc/answers.ts'
import { noticeHash, hashText, type PlacedNotice, trustedCheckpoint } from '../../../services/notices.ts'
import type { Verify } from '../../../services/signatures.ts'
import { answered, drive } from '../../drive.ts'
import type { Drive } from '../../../../runtime/host/driver.ts'
import type { Http } from '../../http.ts'
import type { Rpc } from '../rpc.ts'
import { readVersion } from './termsVersion.ts'
import { createNoticeReader, type NoticeReading } from './notices.ts'

/** Temporary failures of the network or the page: nothing may be concluded from them. */
const isPassing = ({ code }: Fault) => passingCodes.has(code) || code === 'reload_needed'

/** The sale that the build or the host configured. */
export type OwnSale = { authority: string; id: string; guard?: true }

/**
 * Reads the operator's files: terms, notices, and the checkpoint beside the terms. All must be of `sale`, which is configured
 * elsewhere than on the server of these files; without it nothing is read. One function, because both effects share the last terms
 * and checkpoint.
 *
 * @param ports `termsUrl` is absolute; `checkpoint.json` and `notices.json` are beside it
 */
export function createTermsDriver(ports: { termsUrl: string; sale?: OwnSale; http: Http; rpc: Rpc; verify: Verify }): {
  'chain.readTerms': Drive
  'chain.readNotices': Drive
} {
  const { termsUrl, sale: own, http, rpc, verify } = ports
  const beside = (name: string) => new URL(name, termsUrl).href
  let known: { terms: Terms; termsHash: string } | undefined
  let checked: Checkpoint | undefined
  const versions = new Map<string, TermsVersion>()
  const readNotices = createNoticeReader({ listUrl: () => beside('notices.json'), http, rpc, verify })

  const fetchTerms = async (): Promise<{ terms: Terms; termsHash: string }> => {
    if (!own) throw new Fault('unsupported', 'reading the terms expected a sale to be set, this page has none')
    const text = await http.text({ url: termsUrl, what: 'the presale terms' })
    if (/^\s*</.test(text)) throw new Fault('bad_response', 'the presale terms expected JSON, got HTML')
    const { terms, canonical } = readTerms(text)
    checkOwn(own, terms)
    known = { terms, termsHash: hashText(canonical) }
    return known
  }

  /** @returns whether the chain has the program of assertions; not while the node does not say so: orders do without */
  const hasAssertions = async (): Promise<boolean> => {
    try {
      const dataSlice = { offset: 0, length: 0 }
      const answer = await rpc.call('getAccountInfo', [programs.assertion, { encoding: 'base64', dataSlice }])
      return readAnswer(program, answer, 'getAccountInfo').value?.executable === true
    } catch (cause) {
      if (cause instanceof Fault) return false
      throw cause
    }
  }

  const fetchCheckpoint = async (
    { board, coming, checkpoints: notices }: NoticeReading,
    sale: EffectData['chain.readNotices'],
  ): Promise<Checkpoint | undefined> => {
    const { terms, termsHash } = known?.termsHash === sale.termsHash ? known : await fetchTerms()
    if (termsHash !== sale.termsHash) return undefined
    const text = await http.text({ url: beside('checkpoint.json'), what: 'the checkpoint' })
    const { authority, presaleRef } = sale
    const trusted = ({ checkpoints, published }: NoticeBoard) =>
      trustedCheckpoint(text, { checkpoints, authority, presaleRef, terms, published }, verify)
    // The file is published before its notice is final, and may be a copy from before the newest notice
    const read = (await trusted(board)) ?? (await trusted(coming))
    // Figures of a moment after their notice are invented
    const wasThen = ({ slot, time = Infinity, notice }: PlacedNotice) =>
      notice.verb === 'checkpoint' && read && notice.hash === noticeHash(read) && read.slot <= slot && read.time <= time
    return notices.some(wasThen) ? read : undefined
  }

  /**
   * Holds every announced version against the one that stood before it, as the books do.
   *
   * @returns the path of a frozen condition in which announced terms differ from those in force before them; `first`, or `earlier`
   *   terms, where these cannot be had
   */
  const frozenIn = async (
    { board }: NoticeReading,
    sale: EffectData['chain.readNotices'],
  ): Promise<string | undefined> => {
    const { terms: announced, first, published } = board
    if (announced === undefined || announced !== sale.termsHash) return undefined
    if (first === undefined) return 'first'
    if (published.every(hash => hash === first)) return undefined
    const newest = known?.termsHash === announced ? known : await fetchTerms()
    if (newest.termsHash !== announced) return undefined
    versions.set(announced, { terms: newest.terms, hash: announced })
    let [standing, ...later] = await Promise.all(published.map(versionOf))
    if (!standing) return 'first'
    let frozen: string | undefined
    for (const next of later) {
      if (!next) return 'earlier'
      frozen = standing.hash === next.hash ? undefined : frozenChanges(standing.terms, next.terms)[0]?.path
      if (frozen === undefined) standing = next
    }
    return frozen
  }

  /** @returns announced terms, from their copy unless they are known; undefined where that is not there, or another text */
  const versionOf = async (hash: string): Promise<TermsVersion | undefined> => {
    try {
      const read = versions.get(hash) ?? (await readVersion({ http, termsUrl }, hash))
      versions.set(hash, read)
      return read
    } catch (cause) {
      if (cause instanceof Fault && cause.code === 'terms_invalid') return undefined
      throw cause
    }
  }

  /** The newest valid checkpoint. Its content is final, so it stays valid when its file is unavailable. */
  const readCheckpoint = async (
    reading: NoticeReading,
    sale: EffectData['chain.readNotices'],
  ): Promise<Checkpoint | undefined> => {
    const last = checked?.presale === sale.presaleRef ? checked : undefined
    const newest = reading.board.checkpoints.at(-1)
    if (newest === undefined || (last && noticeHash(last) === newest)) return last
    try {
      const read = await fetchCheckpoint(reading, sale)
      if (!read || (last && last.slot > read.slot)) return last
      checked = read
      return read
    } catch (cause) {
      if (cause instanceof Fault && !isPassing(cause)) return last
      throw cause
    }
  }

  return {
    'chain.readTerms': drive(async () => {
      const { terms, termsHash } = await fetchTerms()
      const presaleRef = presaleRefOf(terms.authority, terms.id)
      const data = { terms, termsHash, presaleRef, noticeRef: noticeRefOf(presaleRef), noticesEvery: 3, pollMs: 28_000 }
      const guard = own?.guard === true && (await hasAssertions())
      return answered({ type: 'chain.terms', data: { ...data, ...(guard && { guard }) } })
    }),
    'chain.readNotices': drive<EffectData['chain.readNotices']>(async sale => {
      checkAuthority(own, sale.authority)
      const reading = await readNotices(sale)
      const [checkpoint, frozen] = await Promise.all([readCheckpoint(reading, sale), frozenIn(reading, sale)])
      const { board, partial } = reading
      return answered({
        type: 'chain.notices',
        data: {
          termsHash: board.terms ?? '',
          paused: board.paused,
          closed: board.closed,
          ...(checkpoint && figuresOf(checkpoint)),
          ...(board.result && { result: board.result }),
          changes: board.changes,
          seq: board.seq,
          ...(partial && { partial: true }),
          ...(partial?.asOf && { asOf: partial.asOf * 1000 }),
          ...(board.unlisted && { unlisted: board.unlisted }),
          ...(board.plans[0] && { plans: board.plans }),
          held: sale.termsHash,
          ...(frozen !== undefined && { frozen }),
        },
      })
    }),
  }
}

function figuresOf(checkpoint: Checkpoint) {
  const { slot, time, balances, raised, pos, tokens, orders, buyers, refundsOwed } = checkpoint
  return {
    checkpoint: { slot, time: time * 1000, balances, raised, pos, tokens },
    counts: { orders, buyers, refundsOwed },
  }
}

/** @throws Fault `terms_invalid` with facts `{ rule }` when the file is of another sale */
function checkOwn(own: OwnSale, { authority, id }: Terms): void {
  checkAuthority(own, authority)
  if (id === own.id) return
  const sentence = `the presale terms expected the sale ${own.id}, which this page is for, got ${id}`
  throw new Fault('terms_invalid', sentence, { rule: 'SALE_ID' })
}

function checkAuthority(own: OwnSale | undefined, authority: string): void {
  if (authority === own?.authority) return
  const sentence = `the presale terms expected the authority ${own?.authority ?? 'of a sale'}, which this page is for, got ${authority}`
  throw new Fault('terms_invalid', sentence, { rule: 'SALE_AUTHORITY' })
}
