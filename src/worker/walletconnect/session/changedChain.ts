/**
 * The chain after a `chainChanged` event. Wallets send it as a number, decimal or hex text, a bare reference or CAIP-2;
 * where the event's own chain differs, the data wins, as in the official provider.
 *
 * @param data of the event
 * @param chainId of the event, CAIP-2: the namespace of a bare reference
 * @returns CAIP-2, or undefined when neither names a chain
 */
import { recordOf } from '../../../runtime/json/isRecord.ts'
export function changedChain(data: unknown, chainId: string): string | undefined {
  const envelope = caip2(chainId)
  const reported = referenceIn(data)
  if (reported === undefined) return envelope
  if (reported.includes(':')) return caip2(reported) ?? envelope
  return envelope === undefined
    ? undefined
    : (caip2(`${envelope.slice(0, envelope.indexOf(':'))}:${reported}`) ?? envelope)
}

function referenceIn(data: unknown): string | undefined {
  if (typeof data === 'number') return Number.isSafeInteger(data) && data >= 0 ? String(data) : undefined
  if (typeof data === 'string')
    return /^0x[0-9a-f]{1,13}$/i.test(data) ? String(Number.parseInt(data, 16)) : data.slice(0, 100)
  // Some wallets nest it under a name
  const { chainId } = recordOf(data)
  return typeof chainId === 'string' || typeof chainId === 'number' ? referenceIn(chainId) : undefined
}

function caip2(text: string): string | undefined {
  return /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,64}$/.test(text) ? text : undefined
}
