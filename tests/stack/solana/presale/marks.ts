import { base58, sha256 } from '../bytes.ts'
import { addressBytes } from '../keys.ts'

/** Order and notice texts of a sale, and the 32-byte marks under which the chain's index finds them. */
export type Marks = {
  presale: string
  notice: string
  buyer(buyer: string): string
  /** @param orderId 16 hex digits */
  order(buyer: string, orderId: string): string
}

export function marksOf(authority: string, saleId: string): Marks {
  const presale = sha256('mai1/presale\0', addressBytes(authority), saleId)
  return {
    presale: base58(presale),
    notice: base58(sha256('mai1/notice\0', presale)),
    buyer: buyer => base58(sha256('mai1/buyer\0', presale, addressBytes(buyer))),
    order: (buyer, orderId) =>
      base58(sha256('mai1/order\0', presale, addressBytes(buyer), Uint8Array.from(Buffer.from(orderId, 'hex')))),
  }
}

export type OrderMemo = {
  /** first 16 hex digits of the accepted terms' hash */
  terms: string
  id: string
  asset: string
  units: bigint
  quoted: bigint
  min: bigint
  referrer?: string
}

export function orderMemo(order: OrderMemo): string {
  const { terms, id, asset, units, quoted, min, referrer } = order
  return `mai1:${terms}:${id}:${asset}:${units}:${quoted}:${min}${referrer ? `:${referrer}` : ''}`
}

const ORDER =
  /^mai1:([0-9a-f]{16}):([0-9a-f]{16}):([A-Z0-9]{2,8}):(0|[1-9][0-9]{0,19}):(0|[1-9][0-9]{0,19}):(0|[1-9][0-9]{0,19})(?::([1-9A-HJ-NP-Za-km-z]{32,44}))?$/

/** Reads an order memo, or undefined when the text is none. */
export function readOrderMemo(text: string): OrderMemo | undefined {
  if (text.length > 155) return undefined
  const found = ORDER.exec(text)
  if (!found) return undefined
  const [, terms = '', id = '', asset = '', units = '', quoted = '', min = '', referrer] = found
  const order = { terms, id, asset, units: BigInt(units), quoted: BigInt(quoted), min: BigInt(min) }
  return referrer === undefined ? order : { ...order, referrer }
}

export type Notice = { seq: number; verb: string; arg: string }

export const noticeMemo = (notice: Notice): string => `mai1n:${notice.seq}:${notice.verb}:${notice.arg}`

/** Reads a notice memo, or undefined. */
export function readNoticeMemo(text: string): Notice | undefined {
  const [mark, seq = '', verb = '', arg = '', ...more] = text.split(':')
  const known = { pause: /^-$/, resume: /^-$/, close: /^-$/, result: /^(success|failed)$/ }[verb] ?? /^[0-9a-f]{64}$/
  const verbs = ['terms', 'pause', 'resume', 'close', 'checkpoint', 'ledger', 'result', 'plan']
  if (mark !== 'mai1n' || more.length > 0 || !/^[1-9][0-9]{0,8}$/.test(seq)) return undefined
  return verbs.includes(verb) && known.test(arg) ? { seq: Number(seq), verb, arg } : undefined
}
