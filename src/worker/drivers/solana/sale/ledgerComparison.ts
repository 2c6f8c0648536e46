/** The operator's figures beside those that were recomputed from the chain. */
import type { EffectData } from '../../../../events/effect.ts'
import { type Books, differingFigures, type ShownBooks } from '../../../../events/subjects/sale/ledger.ts'
import { type Checkpoint, readCheckpoint } from '../../../../events/sale/notices/checkpoint.ts'
import { type Failure, Fault, toFailure } from '../../../../runtime/failure.ts'
import { presaleRef } from '../../../chains/solana/references.ts'
import type { Audit } from '../../../ledger/audit.ts'
import type { LedgerMark } from '../../../ledger/computeLedger.ts'
import type { LedgerState } from '../../../ledger/ledgerState.ts'
import type { LedgerSale } from '../../../ledger/ledgerSale.ts'
import { trustedCheckpoint } from '../../../services/notices.ts'
import type { Verify } from '../../../services/signatures.ts'
import type { Http } from '../../http.ts'

type Shown = EffectData['ledger.compute']['shown']

/** @returns the text of the newest checkpoint, or why it cannot be had */
export async function checkpointBeside({
  http,
  termsUrl,
}: {
  http: Http
  termsUrl: string
}): Promise<string | Failure> {
  try {
    return await http.text({ url: new URL('checkpoint.json', termsUrl).href, what: 'the checkpoint' })
  } catch (cause) {
    if (cause instanceof Fault) return toFailure(cause)
    throw cause
  }
}

/** @returns the slot of a checkpoint's text; undefined when it is none */
export function slotIn(file: string | Failure): number | undefined {
  try {
    return typeof file === 'string' ? readCheckpoint(file).checkpoint.slot : undefined
  } catch (cause) {
    if (cause instanceof Fault) return undefined
    throw cause
  }
}

/** @returns the checkpoint of the file, when the authority announced and signed it and it is the one on show, if any is */
export async function comparedCheckpoint(
  file: string | Failure,
  { sale, state, shown, verify }: { sale: LedgerSale; state: LedgerState; shown: Shown; verify: Verify },
): Promise<Checkpoint | undefined> {
  if (typeof file !== 'string') return undefined
  const { terms } = sale.first
  const { authority, id } = terms
  const expected = {
    checkpoints: state.board.checkpoints,
    authority,
    presaleRef: presaleRef(authority, id),
    terms,
    published: [...state.announced],
  }
  const trusted = await trustedCheckpoint(file, expected, verify)
  return trusted && (!shown || isOnShow(trusted, shown)) ? trusted : undefined
}

function isOnShow(checkpoint: Checkpoint, { time: _, ...shown }: ShownBooks): boolean {
  const published = publishedBooks(checkpoint)
  return differingFigures(published, { ...published, ...shown }).length === 0
}

type Compared = {
  file: string | Failure
  shown: Shown
  /** of the file, by `comparedCheckpoint` */
  checkpoint: Checkpoint | undefined
  /** our own figures at the checkpoint's slot, once the chain has come there */
  marked: LedgerMark | undefined
  /** the newest slot that was read */
  slot: number
  /** how many checkpoints the authority announced */
  announced: number
}

/** @returns both figures, or why there is no comparison; nothing where none were ever announced */
export function comparison({ file, shown, checkpoint, marked, slot, announced }: Compared) {
  if (checkpoint && marked)
    return {
      published: publishedBooks(checkpoint),
      publishedTime: checkpoint.time * 1000,
      recomputed: booksOf(checkpoint.slot, marked),
    }
  if (shown && marked) {
    const { time, ...figures } = shown
    const recomputed = booksOf(shown.slot, marked)
    return { published: { ...recomputed, ...figures }, publishedTime: time, recomputed }
  }
  if (checkpoint || shown) return { uncompared: behind(checkpoint?.slot ?? shown?.slot ?? 0, slot) }
  return announced === 0 ? {} : { uncompared: typeof file === 'string' ? unannounced : file }
}

function behind(expected: number, got: number): Failure {
  const message = `the figures expected a node that has their slot ${expected}, got one at slot ${got}`
  return { code: 'unreachable', message, facts: { rule: 'BEHIND' } }
}

const unannounced: Failure = {
  code: 'bad_response',
  message: 'the checkpoint expected a file that the authority announced and signed, got another',
}

/** @returns the comparison with an announced ledger whose hash no row has; it comes before that with a checkpoint */
export function otherLedger({ announced }: Audit, books: Books) {
  if (!announced || announced.end) return {}
  return {
    published: { ...books, hash: announced.hash },
    publishedTime: announced.time * 1000,
    recomputed: books,
  }
}

/** @returns the books at the end of a slot */
export function booksOf(slot: number, { totals, balances }: Omit<LedgerMark, 'bonuses'>): Books {
  const { raised, pos, tokens, orders, buyers, refundsOwed, ledgerHash } = totals
  return {
    slot,
    raised: raised.toString(),
    pos: pos.toString(),
    tokens: tokens.toString(),
    orders,
    buyers,
    refundsOwed: amounts(Object.entries(refundsOwed)),
    balances: amounts([...balances]),
    hash: ledgerHash,
  }
}

/** @returns amounts as decimal text by asset */
export function amounts(units: [string, bigint][]): Record<string, string> {
  return Object.fromEntries(units.map(([asset, amount]) => [asset, amount.toString()]))
}

function publishedBooks(checkpoint: Checkpoint): Books {
  const { slot, raised, pos, tokens, orders, buyers, refundsOwed, balances, ledgerHash: hash } = checkpoint
  return { slot, raised, pos, tokens, orders, buyers, refundsOwed, balances, hash }
}
