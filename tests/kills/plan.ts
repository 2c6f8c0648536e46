/** When a life ends: in the middle of what. */
import type { OrderPhase } from '../../src/events/subjects/order.ts'
import type { Chance } from './chance.ts'

/** The life ends `delayMs` after its `nth` call of that name was sent; 0 is before anybody can have heard it. */
type AtCall = { at: 'call'; name: string; nth: number; delayMs: number }
/** The life ends `delayMs` after the page first saw an order in this phase. */
type AtPhase = { at: 'phase'; name: OrderPhase; delayMs: number }
export type Plan = AtCall | AtPhase

/** Calls of a page into its core while it begins. */
export const beginnings: readonly string[] = ['begin', 'lead', 'attach']
const phases: OrderPhase[] = ['accepted', 'awaitingSignature', 'signed', 'sending', 'confirmed', 'finalised']
/** How many calls of a kind a life may make first. */
const most = { command: 25, pageFacts: 15, answer: 1, recording: 1 }

/** Most often in the middle of a visit, one time in six while the core begins, one in eight at a step of an order. */
export function planOf(chance: Chance): Plan {
  const kind = chance.below(24)
  if (kind < 4) return { at: 'call', name: chance.oneOf(beginnings), nth: 1, delayMs: chance.below(60) }
  // A commit takes a few ms, a step of the chain some tens, a timer of the journal 250
  const delayMs = chance.oneOf([0, chance.below(6), chance.below(40), chance.below(200)])
  if (kind < 7) return { at: 'phase', name: chance.oneOf(phases), delayMs }
  const name = chance.oneOf(['command', 'command', 'command', 'pageFacts', 'pageFacts', 'answer', 'recording'] as const)
  return { at: 'call', name, nth: 1 + chance.below(most[name]), delayMs }
}

/** @returns the plan in words */
export function told(plan: Plan): string {
  const moment = plan.at === 'call' ? `call ${plan.nth} of ${plan.name}` : `an order was ${plan.name}`
  return `${plan.delayMs} ms after ${moment}`
}
