/**
 * The operator's signed list of the notices in force, published beside the terms: a visitor fetches exactly these transactions
 * instead of searching under a reference that anybody can write to.
 * @see reference "Presale", §6 and §8
 */
import { Fault } from '../../../runtime/failure.ts'
import { isSolanaAddress } from '../../values/solana/address.ts'
import { signature } from '../../values/solana/signature.ts'
import { publishedHash } from './checkpoint.ts'
import { canonicalJson } from '../../../runtime/json/canonicalJson.ts'
import {
  absentable,
  array,
  literal,
  object,
  type Schema,
  string,
  where,
  wholeNumber,
} from '../../../runtime/schema/schema.ts'
import { type Json, readJson } from '../../../runtime/json/readJson.ts'
import { publishedJson } from '../../../runtime/json/publishedJson.ts'

/** Most notices in a list: each costs a visitor one call. */
export const mostListed = 20
/** Most plans in a list: 121 tranches with three corrections each, and refunds; some 34 kB. */
export const mostPlans = 500

export type NoticeList = {
  format: 'mai-presale-notices/1'
  /** base58 of the presale's reference key */
  presale: string
  /** number of the newest notice that the list takes into account; a later list never has a smaller one */
  seq: number
  /** Unix seconds: when the list was signed */
  time: number
  /** signatures of the transactions that carry the notices still in force, base58 */
  signatures: string[]
  /**
   * hashes of the announced plans, the oldest first, 64 hex digits; absent while `signatures` name the notices of all of them. It keeps
   * old plans known without a call for each.
   */
  plans?: string[]
  /** base58 of the authority's 64-byte Ed25519 signature over `signedText` */
  sig: string
}

const shape: Schema<NoticeList> = object({
  format: literal('mai-presale-notices/1'),
  presale: where(string(), isSolanaAddress),
  seq: wholeNumber(1, 1_000_000),
  time: wholeNumber(1_500_000_000, 4_102_444_800),
  signatures: where(array(signature, 1, mostListed), all => new Set(all).size === all.length),
  plans: absentable(array(publishedHash, 1, mostPlans)),
  sig: signature,
}) as Schema<NoticeList>

/**
 * Reads a list of notices; the signature itself is verified by a driver.
 *
 * @returns the list and the text its signature is over
 * @throws Fault `bad_response` with facts `{ rule }`: a `JsonRule` or `SCHEMA` (with `path`)
 */
export function readNoticeList(text: string): { list: NoticeList; signedText: string } {
  const json = readJson(text, { name: 'a list of notices', ...publishedJson })
  const misfit = shape.check(json)
  if (misfit) {
    const path = misfit.path.slice(0, 100)
    throw new Fault('bad_response', `a list of notices expected its own shape, but not so at "${path}"`, {
      rule: 'SCHEMA',
      path,
    })
  }
  const list = json as NoticeList
  return { list, signedText: noticeListText(list) }
}

/** @returns the text that the authority signs: a domain, a zero byte, and the canonical JSON without `sig` */
export function noticeListText({ sig: _, ...body }: Omit<NoticeList, 'sig'> & { sig?: string }): string {
  return `mai1/notices\0${canonicalJson(body as Json)}`
}
