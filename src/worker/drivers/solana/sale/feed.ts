/**
 * The sale's newest payments, as a node lists them under the sale's reference: one call, and no transaction is read.
 *
 * 1. They are unverified: anyone can write under the reference, and the ledger alone judges payments.
 * 2. A list that contradicts the method is refused as a whole: more lines than were asked for, one twice, out of order, from the
 *    future.
 * 3. A line counts by the preview of its one memo, when that is an order of this sale that it could take.
 */
import type { EffectData } from '../../../../events/effect.ts'
import { curveOf } from '../../../../events/sale/price.ts'
import { parseOrderMemo } from '../../../../events/sale/payments/memo.ts'
import type { Terms } from '../../../../events/sale/terms/terms.ts'
import type { Drive } from '../../../../runtime/host/driver.ts'
import { Fault } from '../../../../runtime/failure.ts'
import { readAnswer, type SignatureLine, signatures } from '../../../rpc/answers.ts'
import { answered, drive, type InputOf } from '../../drive.ts'
import type { Rpc } from '../rpc.ts'

type Line = InputOf<'chain.feed'>['lines'][number]

const feedLines = 20
/** Block times are rounded, and the page's chain time is of its last reading, s. */
const aheadSeconds = 600

export function createFeedDriver({ rpc }: { rpc: Rpc }): { 'chain.readFeed': Drive } {
  return {
    'chain.readFeed': drive<EffectData['chain.readFeed']>(async ({ presaleRef, terms, now }) => {
      const method = 'getSignaturesForAddress'
      const answer = await rpc.call(method, [presaleRef, { limit: feedLines, commitment: 'confirmed' }])
      const listed = readAnswer(signatures, answer, method)
      checkList(listed, now === undefined ? undefined : now / 1000 + aheadSeconds)
      const lines = listed.flatMap(line => orderIn(line, terms))
      return answered({ type: 'chain.feed', data: { lines, other: listed.length - lines.length } })
    }),
  }
}

/** @param latest a time that no block has reached, Unix seconds. @throws Fault `rpc_lying` */
function checkList(listed: readonly SignatureLine[], latest = Infinity): void {
  const lie = (expected: string, got: string) => {
    throw new Fault('rpc_lying', `getSignaturesForAddress expected ${expected}, got ${got}`)
  }
  if (listed.length > feedLines) lie(`at most ${feedLines} lines`, String(listed.length))
  if (new Set(listed.map(({ signature }) => signature)).size < listed.length) lie('each transaction once', 'one twice')
  for (const [at, { slot, blockTime }] of listed.entries()) {
    const before = listed[at - 1]?.slot ?? slot
    if (slot > before) lie('the newest first', `slot ${slot} after ${before}`)
    if ((blockTime ?? 0) > latest) lie(`blocks until ${Math.floor(latest)}`, `one of ${blockTime}`)
  }
}

function orderIn({ signature, slot, err, memo, blockTime }: SignatureLine, terms: Terms): Line[] {
  const [, length, text = ''] = /^\[(\d{1,4})\] (mai1:[^;]*)$/.exec(memo ?? '') ?? []
  const order = Number(length) === text.length ? parseOrderMemo(text) : undefined
  const asset = terms.assets.find(({ symbol }) => symbol === order?.asset)
  if ((err ?? null) !== null || !order || !asset) return []
  const credits = BigInt(order.units) * BigInt(asset.creditsPerUnit)
  const { hardCap, tokens } = curveOf(terms)
  if (credits === 0n || credits > hardCap || BigInt(order.quoted) > tokens) return []
  const time = blockTime == null ? {} : { paidAt: blockTime * 1000 }
  return [{ signature, slot, ...time, asset: asset.symbol, units: order.units, quoted: order.quoted }]
}
