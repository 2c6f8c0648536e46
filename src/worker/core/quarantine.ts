/**
 * Inputs that are not to be taken: one that ended two lives in the middle of its step, or made the core throw. What others need to
 * go on without it takes its place: whoever waits for an answer hears that none will come.
 */
import { shortHash } from '../../events/log/shortHash.ts'
import type { Draft } from './draft.ts'
import type { EffectCause } from './transient.ts'

type Said = Pick<Draft, 'type' | 'data'>

/** @returns what stands for an input wherever it comes from again; two presses are two inputs, so a press has its own ref */
export function keyOf({ type, data, to, tab, ref }: Draft): string {
  const said = type === 'relay.message' ? [data.topic, data.hash] : [data, heldBy(type, to), tab, ref]
  return `${type} ${shortHash(JSON.stringify(said))}`
}

/**
 * A page hands the same answer over again under the same id; a driver is asked anew and answers under another. A timer that
 * is set again is another one: else a single bad moment would stop for ever what it drives.
 */
function heldBy(type: string, to: string | undefined): string | undefined {
  return type.startsWith('wallet.') || type === 'timer.fired' ? to : undefined
}

/**
 * @returns what stands for an input in the next life, where it may come again as another one: a driver is asked anew and
 *   reads something newer, a timer is set anew. Only an answer that its page keeps, a press given again and a relay's message
 *   come as they were
 */
export function suspectOf(draft: Draft): string {
  const { type, data, ref } = draft
  if (type === 'timer.fired') return `${type} ${String(data.timerId)}`
  return ref !== undefined || type === 'relay.message' || type.startsWith('wallet.') ? keyOf(draft) : type
}

/** @returns the input that takes its place */
export function quarantineDraft({ type, data, to, tab, ref }: Draft): Draft {
  type Named = { pushId?: string; topic?: string; payload?: { id?: string }; timerId?: string }
  const { pushId, topic, payload, timerId } = data as Named
  const instead: Draft = { type: 'core.setAside', data: { input: type } }
  if (type === 'relay.message')
    instead.data = { input: type, pushId, topic, ...(payload?.id === undefined ? {} : { payloadId: payload.id }) }
  if (timerId !== undefined) instead.data = { input: type, timerId }
  if (to !== undefined) instead.to = to
  if (tab !== undefined) instead.tab = tab
  if (ref !== undefined) instead.ref = ref
  return instead
}

/**
 * @param type of the input that is set aside
 * @param to the effect it answers
 * @returns what those who wait for that answer are told instead; undefined when nobody does
 */
export function insteadOf(type: string, to: string | undefined, cause: EffectCause | undefined): Said | undefined {
  const message = 'the answer made the core fail, so it was set aside'
  // The wallet did answer: whatever it signed may be sent, so nothing but the chain can say how that ends
  if (type.startsWith('wallet.') && to !== undefined)
    return { type: 'wallet.failed', data: { failure: { code: 'wallet_gone', message } } }
  if (cause) return { type: 'effect.failed', data: { failure: { code: 'bad_response', message } } }
  return undefined
}
