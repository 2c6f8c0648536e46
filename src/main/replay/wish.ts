/**
 * Wishes: facts that a recording's inputs should cause, or should not cause. A bug's recording repeats the bug byte for byte,
 * so strict re-execution passes with the bug; its wish fails until the bug is fixed.
 */
import { recordOf } from '../../runtime/json/isRecord.ts'
import { factDefinitions } from '../../events/schema/definitions.ts'
import { Fault } from '../../runtime/failure.ts'
import type { Recorded } from '../../runtime/recording/recording.ts'
import { printable } from '../../runtime/replay/describe.ts'
import { deciders } from '../../worker/deciders/index.ts'
import { inputsOf, rerun } from '../../runtime/replay/rerun.ts'
import { startOf } from '../../worker/replay/startOf.ts'
import { closestWord } from './nearest.ts'
import { asRecorded } from './said.ts'

/** A fact of this type is caused by input `n`; without `n`, by any input. */
type Cause = { n?: number; type: string }
/** `expect`: causes that must occur; `not`: causes that must not. */
export type Wish = { expect: Cause[]; not: Cause[] }

/** `missed` has one sentence for each wish that does not hold. */
export type WishVerdict = { ok: boolean; wishes: number; missed: string[] }

/**
 * @param said texts as given to `to-test`, such as `19: order.rejected`
 * @throws Fault `bad_input` with the expected and the actual text
 */
export function readWish(said: { expect?: readonly string[]; not?: readonly string[] }): Wish {
  return {
    expect: (said.expect ?? []).map(text => causeIn('--expect', text, /^(\d{1,9}): ?(\S+)$/, '19: order.rejected')),
    not: (said.not ?? []).map(text =>
      causeIn('--not', text, /^(?:(\d{1,9}): ?)?([^\s:]+)$/, 'order.unknown or 19: order.unknown'),
    ),
  }
}

function causeIn(option: string, text: string, form: RegExp, example: string): Cause {
  const [, n, type] = form.exec(text) ?? []
  if (type === undefined) throw new Fault('bad_input', `${option} expected ${example}, got ${shown(text)}`)
  if (!Object.hasOwn(factDefinitions, type)) {
    const near = closestWord(type, Object.keys(factDefinitions))
    const hint = near === undefined ? '' : `: did you mean ${near}?`
    throw new Fault('bad_input', `${option} expected the type of a fact, got ${shown(type)}${hint}`)
  }
  return n === undefined ? { type } : { n: Number(n), type }
}

/** @throws Fault `bad_input` for a wish about an input that the recording does not have */
export function refuseOutside({ expect, not }: Wish, records: readonly Recorded[]): void {
  const numbers = inputsOf(records).map(({ n }) => n)
  const outside = [...expect, ...not].find(({ n }) => n !== undefined && !numbers.includes(n))
  if (!outside) return
  const between = `${numbers[0] ?? 0} to ${numbers.at(-1) ?? 0}`
  throw new Fault('bad_input', `a wish expected the number of an input, ${between}, got ${outside.n}`)
}

/** @returns the text of a wish's file */
export function wishTextOf(wish: Wish): string {
  const said = ({ n, type }: Cause) => (n === undefined ? type : `${n}: ${type}`)
  return `${JSON.stringify({ expect: wish.expect.map(said), not: wish.not.map(said) }, undefined, 2)}\n`
}

/** Reads a wish's file. @throws Fault `bad_input` for any other text than `wishTextOf` writes */
export function readWishText(text: string): Wish {
  let said: unknown
  try {
    said = JSON.parse(text)
  } catch {
    said = undefined
  }
  const { expect, not } = recordOf(said)
  if (!isTexts(expect) || !isTexts(not))
    throw new Fault('bad_input', `a wish expected {"expect": […], "not": […]} with texts, got ${shown(text)}`)
  return readWish({ expect, not })
}

/** Re-executes all recorded inputs, past any difference, and checks the facts they cause. */
export function judgeWish(records: readonly Recorded[], wish: Wish): WishVerdict {
  refuseOutside(wish, records)
  const { groups } = rerun(startOf(records, deciders), asRecorded(records))
  const at = (wanted: number | undefined) => groups.filter(({ input }) => wanted === undefined || input.n === wanted)
  const missed: string[] = []
  for (const { n, type } of wish.expect) {
    const found = at(n)
    const caused = found.flatMap(({ facts }) => facts.map(fact => fact.type))
    if (caused.includes(type)) continue
    const got = caused.length === 0 ? 'no fact' : caused.join(', ')
    missed.push(`input ${n}, ${printable(found[0]?.input.type ?? '')}: expected the fact ${type}, got ${got}`)
  }
  for (const { n, type } of wish.not) {
    const found = at(n).find(({ facts }) => facts.some(fact => fact.type === type))
    if (!found) continue
    missed.push(`input ${found.input.n}, ${printable(found.input.type)}: expected no fact ${type}, got one`)
  }
  return { ok: missed.length === 0, wishes: wish.expect.length + wish.not.length, missed }
}

/** @returns a line with the count, then one for each wish that does not hold */
export function wishLines({ wishes, missed }: WishVerdict): string {
  const held = wishes - missed.length
  const lines = missed.map(sentence => `  ${sentence}\n`).join('')
  return `as wished: ${held} of ${wishes} ${held === 1 || wishes === 1 ? 'holds' : 'hold'}\n${lines}`
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(one => typeof one === 'string')
}

function shown(text: string): string {
  return text === '' ? 'nothing' : printable(text).slice(0, 60)
}
