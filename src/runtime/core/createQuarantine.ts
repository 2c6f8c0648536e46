/**
 * Quarantine: inputs that the core does not take, because one ended two lives in the middle of its step, or made the core throw.
 * A substitute takes its place: a caller that waits for the answer gets a failure.
 */
import { leftOut } from '../failure.ts'
import { shortHash } from '../log/shortHash.ts'
import type { Draft } from './draft.ts'

type Said = Pick<Draft, 'type' | 'data'>

/** A product's own inputs that are delivered again after a death. All are optional. */
type Redelivery = {
  /** @returns the members that identify an input which its sender delivers again; undefined for any other input */
  identityOf?(draft: Draft): readonly unknown[] | undefined
  /** @returns whether a page keeps such an answer, and hands it over again under the same id */
  isKept?(type: string): boolean
  /** @returns data of `core.setAside` by which others are told of the input's loss */
  asideData?(draft: Draft): Record<string, unknown>
  /** @returns the answer in place of one that cannot be taken; undefined when a failure of the effect will do */
  answerInstead?(type: string, to: string | undefined): Said | undefined
}

export type QuarantineRules = {
  /** @returns the identity of an input, the same at each redelivery. Two presses are two inputs: each has its own ref */
  keyOf(this: void, draft: Draft): string
  /**
   * @returns the identity by which the next life suspects an input. A driver that is asked anew reads something newer, so its
   *   input is suspected by type; a timer, which is set anew, by its id. An answer that its page keeps, a repeated press and a
   *   redelivered input come unchanged, so they have that of `keyOf`
   */
  suspectOf(this: void, draft: Draft): string
  /** @returns the input that takes its place */
  quarantineDraft(this: void, draft: Draft): Draft
  /**
   * @param type of the input that is set aside
   * @param to the effect it answers
   * @param isQuarantined the same answer is set aside again; else only this step failed
   * @returns the answer for callers that wait for the lost one; undefined when none waits
   */
  insteadOf(
    this: void,
    type: string,
    to: string | undefined,
    cause: object | undefined,
    isQuarantined: boolean,
  ): Said | undefined
}

/** @returns the quarantine of a product */
export function createQuarantine({
  identityOf = () => undefined,
  isKept = () => false,
  asideData = () => ({}),
  answerInstead = () => undefined,
}: Redelivery = {}): QuarantineRules {
  /**
   * A page hands the same answer over again under the same id; a driver is asked anew and answers under another. A timer that
   * is set again is another one: else a single bad moment would stop for ever what it drives.
   */
  function heldBy(type: string, to: string | undefined): string | undefined {
    return isKept(type) || type === 'timer.fired' ? to : undefined
  }

  function keyOf(draft: Draft): string {
    const { type, data, to, tab, ref } = draft
    const said = identityOf(draft) ?? [data, heldBy(type, to), tab, ref]
    return `${type} ${shortHash(JSON.stringify(said))}`
  }

  return {
    keyOf,
    suspectOf(draft) {
      const { type, data, ref } = draft
      if (type === 'timer.fired') return `${type} ${String(data.timerId)}`
      return ref !== undefined || identityOf(draft) || isKept(type) ? keyOf(draft) : type
    },
    quarantineDraft(draft) {
      const { type, data, to, tab, ref } = draft
      const instead: Draft = { type: 'core.setAside', data: { input: type, ...asideData(draft) } }
      const { timerId } = data as { timerId?: string }
      if (timerId !== undefined) instead.data = { input: type, timerId }
      if (to !== undefined) instead.to = to
      if (tab !== undefined) instead.tab = tab
      if (ref !== undefined) instead.ref = ref
      return instead
    },
    insteadOf(type, to, cause, isQuarantined) {
      const instead = answerInstead(type, to)
      if (instead || !cause) return instead
      const failure = { code: 'bad_response', message: setAsideMessage, ...(isQuarantined && { facts: leftOut }) }
      return { type: 'effect.failed', data: { failure } }
    },
  }
}

/** The failure of an effect whose answer cannot be taken. */
export const setAsideMessage = 'the answer made the core fail, so it was set aside'
