/**
 * The operator's signed list of the notices in force, published beside the terms: a visitor fetches exactly these transactions
 * instead of searching under a reference that anybody can write to.
 * @see reference "Presale", §6 and §8
 */
import * as v from 'valibot'
import { Fault } from '../../../runtime/failure.ts'
import { isSolanaAddress } from '../../values/address.ts'
import { decodeBase58 } from '../../values/base58.ts'
import { canonicalJson } from '../../../runtime/json/canonicalJson.ts'
import { publishedJson, readJson } from '../../../runtime/json/readJson.ts'

/** Most notices in a list: each costs a visitor one call. */
export const mostListed = 20

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
  /** base58 of the authority's 64-byte Ed25519 signature over `signedText` */
  sig: string
}

const signature = v.pipe(
  v.string(),
  v.check(text => decodeBase58(text)?.length === 64),
)

const shape: v.GenericSchema<unknown, NoticeList> = v.strictObject({
  format: v.literal('mai-presale-notices/1'),
  presale: v.pipe(
    v.string(),
    v.check(text => isSolanaAddress(text)),
  ),
  seq: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000)),
  time: v.pipe(v.number(), v.integer(), v.minValue(1_500_000_000), v.maxValue(4_102_444_800)),
  signatures: v.pipe(
    v.array(signature),
    v.minLength(1),
    v.maxLength(mostListed),
    v.check(all => new Set(all).size === all.length),
  ),
  sig: signature,
})

/**
 * Reads a list of notices; the signature itself is verified by a driver.
 *
 * @returns the list and the text its signature is over
 * @throws Fault `bad_response` with facts `{ rule }`: a `JsonRule` or `SCHEMA` (with `path`)
 */
export function readNoticeList(text: string): { list: NoticeList; signedText: string } {
  const json = readJson(text, { name: 'a list of notices', ...publishedJson })
  const read = v.safeParse(shape, json, { abortEarly: true })
  if (!read.success) {
    const path = (v.getDotPath(read.issues[0]) ?? '').slice(0, 100)
    throw new Fault('bad_response', `a list of notices expected its own shape, but not so at "${path}"`, {
      rule: 'SCHEMA',
      path,
    })
  }
  return { list: read.output, signedText: noticeListText(read.output) }
}

/** @returns the text that the authority signs: a domain, a zero byte, and the canonical JSON without `sig` */
export function noticeListText({ format, presale, seq, time, signatures }: Omit<NoticeList, 'sig'>): string {
  return `mai1/notices\0${canonicalJson({ format, presale, seq, time, signatures })}`
}
