import { Fault } from '../../../runtime/failure.ts'

/**
 * Two id spaces, never mixed. Ids contain the sender's clock, so ids of one sender can be ordered.
 * Randomness is a parameter: the core draws it from its own generator, so that a re-execution draws the same.
 */

/**
 * @param nowMs ms since the Unix epoch
 * @param draw 0 … 999
 * @returns id of a wc payload: ms × 1000 + draw, 16 digits, below 2^53
 * @throws Fault `bad_input`
 */
export function wcId(nowMs: number, draw: number): number {
  check(nowMs, draw, 1_000)
  return nowMs * 1_000 + draw
}

/**
 * @param nowMs ms since the Unix epoch
 * @param draw 0 … 999999
 * @returns id of a relay request: decimal text of ms × 1000000 + draw, 19 digits; above 2^53, so never a number
 * @throws Fault `bad_input`
 */
export function relayId(nowMs: number, draw: number): string {
  check(nowMs, draw, 1_000_000)
  return `${nowMs}${String(draw).padStart(6, '0')}`
}

/**
 * Whether an update or event is older than the last one handled. Equal times pass, and so do ids that are not numbers:
 * they cannot be ordered, and a wallet is not refused for that.
 *
 * @param id of the incoming payload, as `parsePayload` gives it
 * @param lastId of the last one handled on this topic (for events: with this name)
 */
export function isStale(id: string, lastId: string): boolean {
  const digits = /^\d{1,40}$/
  if (!digits.test(id) || !digits.test(lastId)) return false
  return BigInt(id) / 1_000n < BigInt(lastId) / 1_000n
}

/** @returns an id literal without its quotes */
export function digitsOf(literal: string): string {
  return literal.replaceAll('"', '')
}

/** 2^53 / 1000, rounded down: the last ms a wc id can hold, in the year 2255. */
const lastMs = 9_007_199_254_739

function check(nowMs: number, draw: number, draws: number): void {
  if (!Number.isInteger(nowMs) || nowMs < 0 || nowMs > lastMs) {
    throw new Fault('bad_input', `time of an id expected whole ms since 1970 below ${lastMs}, got ${nowMs}`)
  }
  if (!Number.isInteger(draw) || draw < 0 || draw >= draws) {
    throw new Fault('bad_input', `draw of an id expected 0 to ${draws - 1}, got ${draw}`)
  }
}
