import { printable } from '../../../src/runtime/replay/describe.ts'

/** The first difference of a replay. `at`: the line of the recording, from 1. */
export type Difference = { at: number; expected: string; got: string }

/** Characters that are always shown, those before the first difference, and all from there on. */
const [begin, before, length] = [60, 30, 200]

/** @returns a difference of two texts, which are shortened to where they differ; `name` precedes both */
export function differenceAt(at: number, expected: string, got: string, name = ''): Difference {
  const from = Math.max(0, differsAt(expected, got) - before)
  const shown = (text: string) => {
    const whole =
      from <= begin ? text.slice(0, from + length) : `${text.slice(0, begin)} … ${text.slice(from, from + length)}`
    const end = text.length > from + length ? '…' : ''
    return `${name}${printable(whole.replaceAll('\n', '\\n'))}${end}`
  }
  return { at, expected: shown(expected), got: shown(got) }
}

/** @returns the place of the first character that differs */
export function differsAt(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  return at
}
