/** Subscriptions to a node: their requests, and what the node tells. Pure; a driver has the socket. */
import { isRecord, recordOf } from '../../runtime/json/isRecord.ts'
import { readJson } from '../../runtime/json/readJson.ts'
import type { NodeSubscription } from '../../events/effect.ts'
import { requestText } from './batch.ts'

/** Largest frame, in characters: an account that pays has no data. */
const maxLength = 100_000

/**
 * `made`: the answer to the request of this id, without a `subscription` when the node refuses it; `news` of a subscription,
 * with the finalised slot if it is about slots.
 */
export type NodeFrame =
  | { kind: 'made'; id: number; subscription?: number }
  | { kind: 'news'; subscription: number; finalSlot?: number }

/** @returns a subscription's name, equal only for equal ones */
export function subscriptionKey(one: NodeSubscription): string {
  return JSON.stringify(one)
}

/** @param one absent: every slot */
export function subscribeText(id: number, one?: Exclude<NodeSubscription, { kind: 'slot' }>): string {
  if (!one) return requestText([{ id, method: 'slotSubscribe', params: [] }])
  if (one.kind === 'account') {
    const options = { encoding: 'base64', commitment: 'confirmed' }
    return requestText([{ id, method: 'accountSubscribe', params: [one.account, options] }])
  }
  return requestText([{ id, method: 'signatureSubscribe', params: [one.signature, { commitment: one.level }] }])
}

export function unsubscribeText(id: number, { kind }: NodeSubscription, subscription: number): string {
  return requestText([{ id, method: `${kind}Unsubscribe`, params: [subscription] }])
}

/**
 * @returns undefined for a frame that is about no subscription
 * @throws Fault `bad_response` when it is not JSON, or too large
 */
export function readNodeFrame(text: string): NodeFrame | undefined {
  const frame = readJson(text, { name: 'a frame of a node', maxLength })
  if (!isRecord(frame)) return undefined
  const { id, result, params } = frame
  if (isNumber(id)) return { kind: 'made', id, ...(isNumber(result) && { subscription: result }) }
  const { subscription, result: told } = recordOf(params)
  if (!isNumber(subscription)) return undefined
  const { root } = recordOf(told)
  return { kind: 'news', subscription, ...(isNumber(root) && { finalSlot: root }) }
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value)
}
