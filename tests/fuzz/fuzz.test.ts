/** Thousands of hostile frames, payloads and envelopes, and of other kinds; `npm run fuzz` runs a million. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyCase } from '../everyCase.ts'
import { Fault } from '../../src/runtime/failure.ts'
import { runReader, shares, tried } from './campaign.ts'
import { watchForEndless } from './endless.ts'
import { randomOf } from './random.ts'
import { type Reader, refused, taken, wrong } from './reader.ts'
import { counted, readers } from './readers.ts'
import { serviceAnswers } from './readers/serviceAnswers.ts'

/** Frames, payloads and envelopes of the relay with every case. */
const all = 50_000
/** Of services and nodes, and pictures: the readers of 200,000 cases in `npm run fuzz`. */
const isOfAnswers = (reader: Reader) => !counted.includes(reader) && reader.share >= 200

describe('hostile texts', () => {
  const guard = watchForEndless(readers.map(({ name }) => name))
  const { stackTraceLimit } = Error
  // Most cases end in a Fault without use for its trace: a case that fails is told by its number
  beforeAll(() => void (Error.stackTraceLimit = 0))
  afterAll(async () => {
    Error.stackTraceLimit = stackTraceLimit
    await guard.end()
  })
  // Each reader gets a part of its share here, those beside the relay's less, and the whole of it from `npm run fuzz`
  const [ofRelay, ofAnswers, ofOthers] = everyCase ? [1, 2, 2] : [8, 5, 10]
  const partOf = (reader: Reader) => (counted.includes(reader) ? ofRelay : isOfAnswers(reader) ? ofAnswers : ofOthers)
  const cases = [...shares(readers, all, counted)].map(([reader, share]) => ({
    reader,
    count: Math.ceil(share / partOf(reader)),
    name: reader.name,
  }))

  test('are as many frames, payloads and envelopes as they should be', () => {
    const counts = cases.filter(({ name }) => ['frames', 'payloads', 'envelopes'].includes(name))
    expect(counts).toHaveLength(3)
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(all / ofRelay)
  })

  test('are at least 2,000 for each answer of a service, for those of nodes, and for pictures', () => {
    const answers = cases.filter(({ reader }) => isOfAnswers(reader))
    const names = answers.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['nodeAnswers', 'nodeFrames', 'pictures']))
    expect(names).toHaveLength(serviceAnswers.length + 3)
    expect(Math.min(...answers.map(({ count }) => count))).toBeGreaterThanOrEqual(2000)
  })

  test.each(cases)(
    '$count for $name: none crashes, hangs or is accepted against the grammar',
    { timeout: 600_000 },
    async ({ reader, count }) => {
      const heard = (at: number) => guard.heard(reader.name, at)
      const { failing, taken, cases } = await runReader(reader, { seed: 'the tests', cases: count, heard })
      const again = failing && `npm run fuzz -- --seed "the tests" --reader ${failing.reader} --case ${failing.at}`
      expect(failing && { ...failing, again }).toBeUndefined()
      // Both outcomes must occur, or the texts are unsuitable
      expect(taken).toBeGreaterThan(cases / 50)
      expect(cases - taken).toBeGreaterThan(cases / 50)
    },
  )
})

describe('the fuzzer', () => {
  const digits: Reader = {
    name: 'digits',
    share: 1,
    make: random => Array.from({ length: 12 }, () => random.pick(['a', 'b', 'c', '7'])).join(''),
    judge: input => (input.includes('7') ? wrong(true, 'a seven was taken: always') : taken),
  }

  test('finds a fault, minimises it, and finds it again by its number', async () => {
    const { failing } = await runReader(digits, { seed: 's', cases: 1000 })
    expect(failing).toMatchObject({ reader: 'digits', input: '7', wrong: 'a seven was taken: always' })
    const again = await runReader(digits, { seed: 's', cases: 1, from: failing?.at ?? 0 })
    expect(again.failing).toEqual(failing)
  })

  test('treats a throw that is no Fault, and a Fault without a sentence, as failures', async () => {
    const throwing = (thrown: Error): Reader => ({
      ...digits,
      judge: (_input, read) => {
        read(() => {
          throw thrown
        })
        return refused
      },
    })
    expect((await tried(throwing(new TypeError('boom')), 'x')).wrong).toMatch(/^the reader crashed: TypeError: boom/)
    expect((await tried(throwing(new Fault('bad_input', 'bad')), 'x')).wrong).toContain('without a sentence')
    expect(
      (await tried(throwing(new Fault('bad_input', 'a text expected digits, got none')), 'x')).wrong,
    ).toBeUndefined()
  })

  test('makes the same cases from the same seed, and others from another', () => {
    const three = (seed: string) => readers.map(reader => [0, 1, 2].map(at => reader.make(randomOf(`${seed} ${at}`))))
    expect(three('a')).toEqual(three('a'))
    expect(three('a')).not.toEqual(three('b'))
  })
})
