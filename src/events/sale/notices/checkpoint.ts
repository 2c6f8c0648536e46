/**
 * The operator's signed statement of the sale at one slot.
 * @see reference "Presale", §8
 */
import { Fault } from '../../../runtime/failure.ts'
import { isSolanaAddress } from '../../values/solana/address.ts'
import { type BaseUnits, toBigint } from '../../values/amount.ts'
import { signature } from '../../values/solana/signature.ts'
import { canonicalJson } from '../../../runtime/json/canonicalJson.ts'
import { literal, object, record, type Schema, string, where, wholeNumber } from '../../../runtime/schema/schema.ts'
import { type Json, readJson } from '../../../runtime/json/readJson.ts'
import { publishedJson } from '../../../runtime/json/publishedJson.ts'
import { curveOf } from '../price.ts'
import type { Terms } from '../terms/termsShape.ts'

/** Amounts are decimal text: balances and refunds by asset symbol in base units, `raised` and `pos` in credits. */
export type Checkpoint = {
  format: 'mai-presale-checkpoint/1'
  /** base58 of the presale's reference key */
  presale: string
  termsHash: string
  slot: number
  /** Unix seconds: the file's own unit, everywhere else chain time is ms */
  time: number
  balances: Record<string, BaseUnits>
  raised: BaseUnits
  pos: BaseUnits
  /** token base units */
  tokens: BaseUnits
  orders: number
  buyers: number
  refundsOwed: Record<string, BaseUnits>
  ledgerHash: string
  /** base58 of the authority's 64-byte Ed25519 signature over `signedText` */
  sig: string
}

const uint = string({ grammar: /^(0|[1-9][0-9]{0,38})$/ })
/** sha256 of a published file, 64 hex digits */
export const publishedHash = string({ grammar: /^[0-9a-f]{64}$/ })
const whole = wholeNumber(0)
const amounts = record(uint, /^[A-Z0-9]{2,8}$/)

const shape: Schema<Checkpoint> = object({
  format: literal('mai-presale-checkpoint/1'),
  presale: where(string(), isSolanaAddress),
  termsHash: publishedHash,
  slot: whole,
  time: whole,
  balances: amounts,
  raised: uint,
  pos: uint,
  tokens: uint,
  orders: whole,
  buyers: whole,
  refundsOwed: amounts,
  ledgerHash: publishedHash,
  sig: signature,
})

/**
 * Reads a checkpoint file; the signature itself is verified by a driver.
 *
 * @returns the checkpoint and the text its signature is over
 * @throws Fault `bad_response` with facts `{ rule }`: a `JsonRule` or `SCHEMA`
 */
export function readCheckpoint(text: string): { checkpoint: Checkpoint; signedText: string } {
  const json = readJson(text, { name: 'a checkpoint', ...publishedJson })
  const misfit = shape.check(json)
  if (misfit) {
    const path = misfit.path.slice(0, 100)
    throw new Fault('bad_response', `a checkpoint expected its own shape, but not so at "${path}"`, {
      rule: 'SCHEMA',
      path,
    })
  }
  const checkpoint = json as Checkpoint
  return { checkpoint, signedText: checkpointText(checkpoint) }
}

/** @returns the text that the authority signs: a domain, a zero byte, and the canonical JSON without `sig` */
export function checkpointText(checkpoint: Omit<Checkpoint, 'sig'>): string {
  const { format, presale, termsHash, slot, time, balances, raised, pos, tokens } = checkpoint
  const { orders, buyers, refundsOwed, ledgerHash } = checkpoint
  const body: { [key: string]: Json } = { format, presale, termsHash, slot, time, balances, raised, pos, tokens }
  return `mai1/checkpoint\0${canonicalJson({ ...body, orders, buyers, refundsOwed, ledgerHash })}`
}

/**
 * Checks that a checkpoint can be about this sale.
 *
 * @throws Fault `bad_response` with facts `{ rule }` when it is another sale's, of unpublished terms, or impossible
 */
export function checkCheckpoint(
  checkpoint: Checkpoint,
  sale: { terms: Terms; presale: string; publishedTerms: readonly string[] },
): void {
  const refuse = (rule: string, sentence: string): never => {
    throw new Fault('bad_response', `a checkpoint ${sentence}`, { rule })
  }
  const { terms, presale, publishedTerms } = sale
  if (checkpoint.presale !== presale) refuse('PRESALE', `expected presale ${presale}, got ${checkpoint.presale}`)
  if (!publishedTerms.includes(checkpoint.termsHash)) {
    refuse('TERMS', `expected terms that were published, got ${checkpoint.termsHash}`)
  }
  const listed = new Set(terms.assets.map(asset => asset.symbol))
  const strange = [...Object.keys(checkpoint.balances), ...Object.keys(checkpoint.refundsOwed)].find(
    one => !listed.has(one),
  )
  if (strange !== undefined) refuse('ASSET', `expected assets of the terms, got ${strange}`)
  const curve = curveOf(terms)
  if (toBigint(checkpoint.pos) > curve.hardCap || toBigint(checkpoint.raised) > toBigint(checkpoint.pos)) {
    refuse('POSITION', `expected raised ≤ pos ≤ ${curve.hardCap}, got ${checkpoint.raised} and ${checkpoint.pos}`)
  }
  if (toBigint(checkpoint.tokens) > curve.tokens) {
    refuse('TOKENS', `expected ${curve.tokens} tokens at most, got ${checkpoint.tokens}`)
  }
}
