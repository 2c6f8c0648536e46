/** The work of every reader grows at most linearly with the length of its text. */
import { describe, expect, test } from 'vitest'
import { everyCase } from '../everyCase.ts'
import { stepsOf, takeSteps } from '../steps.ts'
import { parseRelayFrame } from '../../src/worker/walletconnect/relay/jsonrpc.ts'
import { inputOf, tried } from './campaign.ts'
import { randomOf } from './random.ts'
import { readers } from './readers.ts'

/** Limit of steps: a constant, plus some per character. */
const mostSteps = ({ length }: string) => 200_000 + 50 * length

/** @returns the text with one piece repeated until it is long */
function stretched(text: string, seed: string): string {
  const random = randomOf(seed)
  const from = random.below(text.length)
  const piece = text.slice(from, from + 1 + random.below(30))
  return `${text.slice(0, from)}${piece.repeat(Math.ceil(20_000 / Math.max(1, piece.length)))}${text.slice(from)}`
}

describe('steps of a reader', () => {
  test.each(
    readers.map(reader => ({
      reader,
      name: reader.name,
      count: everyCase ? (reader.name === 'stories' ? 10 : 40) : 4,
    })),
  )('grow no faster than the text: $name', { timeout: 120_000 }, async ({ reader, count }) => {
    for (let at = 0; at < count; at++) {
      const made = inputOf(reader, 'steps', at)
      // A repeated middle would break a list of steps
      const input = reader.pieces ? made : at % 2 ? stretched(made, `${reader.name} ${at}`) : made
      takeSteps()
      await tried(reader, input)
      const steps = takeSteps()
      expect(steps <= mostSteps(input) || { at, steps, length: input.length }).toBe(true)
    }
  })

  const room = 4_190_000
  const frame = (result: string) => `{"id":1,"jsonrpc":"2.0","result":${result}}`
  const named = (at: number) => `"\\u0041${at.toString(36).padStart(155, 'x')}":{}`
  const read = (text: string) => {
    try {
      parseRelayFrame(text)
    } catch {
      // Refusals take steps, too
    }
  }

  test.each([
    ['one text', frame(`"${'x'.repeat(room)}"`)],
    ['one escaped text', frame(`"${'\\u0041'.repeat(room / 6)}"`)],
    ['as many values as may be', frame(`[${'{},'.repeat(24_000)}"\\u0041${'x'.repeat(room - 200_000)}"]`)],
    ['as many names as may be', frame(`{${Array.from({ length: 24_000 }, (_, at) => named(at)).join(',')}}`)],
    ['more values than may be', frame(`[${'0,'.repeat(room / 2)}0]`)],
    ['nothing but blanks', `${' '.repeat(room)}${frame('true')}`],
    ['nothing but backslashes', frame(`"${'\\\\'.repeat(room / 2)}"`)],
  ])('are few for the largest frame of a relay: %s', (_what, text) => {
    expect(stepsOf(() => read(text))).toBeLessThan(mostSteps(text))
  })

  test('are counted: quadratic work exceeds the budget', () => {
    const squared = (text: string) => {
      for (let times = text.length ** 2; times > 0; times--) read(frame('true'))
    }
    const [short, long] = ['x'.repeat(10), 'x'.repeat(300)]
    expect(stepsOf(() => squared(short))).toBeLessThan(mostSteps(short))
    expect(stepsOf(() => squared(long))).toBeGreaterThan(mostSteps(long))
  })
})
