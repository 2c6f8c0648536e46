/** Plans the moment of a kill. */
import type { OrderPhase } from '../../src/events/subjects/order/orderState.ts'
import type { Chance } from './chance.ts'

/** Kills `delayMs` after the `nth` moment of its kind; 0 is before any other code runs. */
export type Plan = { nth: number; delayMs: number } /** A call into the core was sent, or came back. */ & (
  | { at: 'call' | 'back'; name: string }
  /** An effect of this type reached the page. */
  | { at: 'performed'; name: string }
  /** The page saw an order enter this phase. */
  | { at: 'phase'; name: OrderPhase }
)

/** Calls of a page while its core begins. */
export const beginnings: readonly string[] = ['begin', 'standing', 'attach']
const phases: OrderPhase[] = ['accepted', 'awaitingSignature', 'signed', 'sending', 'confirmed', 'finalised']
/** Limits of earlier calls by kind. */
const most = { command: 25, pageFacts: 15, answer: 1, recording: 1 }

/** Mostly in the middle of a visit; one in six while the core begins, one in six at a phase of an order. */
export function planOf(chance: Chance): Plan {
  const kind = chance.below(24)
  // A commit takes a few ms, a step of the chain tens of ms, a timer of the journal 250
  const delayMs = chance.oneOf([0, chance.below(6), chance.below(40), chance.below(200)])
  if (kind < 3) return { at: 'call', name: chance.oneOf(beginnings), nth: 1, delayMs: chance.below(60) }
  if (kind < 4) return { at: 'back', name: chance.oneOf(beginnings), nth: 1, delayMs: chance.below(3) }
  if (kind < 7) return { at: 'phase', name: chance.oneOf(phases), nth: 1, delayMs }
  if (kind < 8) return { at: 'performed', name: 'wallet.signTransaction', nth: 1, delayMs: chance.below(4) }
  const name = chance.oneOf(['command', 'command', 'command', 'pageFacts', 'pageFacts', 'answer', 'recording'] as const)
  return { at: kind < 12 ? 'back' : 'call', name, nth: 1 + chance.below(most[name]), delayMs }
}

/** @returns the plan in words */
export function told({ at, name, nth, delayMs }: Plan): string {
  const moments = {
    call: `call ${nth} of ${name} was sent`,
    back: `call ${nth} of ${name} came back`,
    performed: `${name} reached the page`,
    phase: `an order was ${name}`,
  }
  return `${delayMs} ms after ${moments[at]}`
}
