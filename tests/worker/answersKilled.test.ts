import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asks, type Outcome } from '../simulation/asks.ts'
import type { Kill } from '../simulation/calm.ts'
import { everyCase } from '../everyCase.ts'

const hows: Kill['how'][] = ['done', 'stored', 'unstored']
const causes: Kill['cause'][] = ['lost', 'start']

const said = ({ asked }: Outcome) => asked.map(({ kind, answers }) => `${kind}: ${answers.join(' and ')}`)

describe('a wallet that settles, updates, extends, pings, emits and leaves', () => {
  const calm = asks('well')
  const once = [
    'settle: 0',
    'pairingPing: 0',
    'update: 0',
    'update: 1003',
    'extend: 0',
    'ping: 0',
    'event: ',
    'delete: ',
  ]

  test('gets one answer to each request, and none to events and its end', () => {
    expect(said(calm)).toEqual(once)
    expect([calm.model.session, calm.model.mail.owed, calm.model.outbox]).toEqual([{}, {}, {}])
  })

  test.each(hows.flatMap(how => causes.map(cause => [how, cause] as const)))(
    'gets the same answers when the worker dies at any step and the step was %s (%s)',
    (how, cause) => {
      const found: string[] = []
      for (let step = 1; step <= calm.steps; step++) {
        const outcome = asks('well', { step, how, cause })
        const lines = said(outcome)
        const differing = lines.length === once.length ? lines.filter((line, at) => line !== once[at]) : lines
        for (const line of differing) found.push(`${step} ${outcome.inputs[step - 1]?.type}: ${line}`)
        if (Object.keys(outcome.model.mail.owed).length > 0) found.push(`${step}: an answer is owed for ever`)
      }
      expect(found).toEqual([])
    },
  )

  test('gets the same answers for any number of deaths', () => {
    const kill = fc.record({
      step: fc.integer({ min: 1, max: calm.steps * 2 }),
      how: fc.constantFrom(...hows),
      cause: fc.constantFrom(...causes),
    })
    fc.assert(
      fc.property(fc.array(kill, { minLength: 2, maxLength: 8 }), kills => {
        expect(said(asks('well', ...kills))).toEqual(once)
      }),
      { numRuns: everyCase ? 150 : 20, seed: 9 },
    )
  })
})

describe('a wallet with a refused settlement', () => {
  const calm = asks('badly')

  test('gets the reason, once', () => {
    expect([said(calm), calm.deletes]).toEqual([['settle: 1005', 'pairingPing: 0'], 0])
    expect([calm.model.mail.owed, calm.model.parting]).toEqual([{}, {}])
  })

  test.each(hows.flatMap(how => causes.map(cause => [how, cause] as const)))(
    'gets the reason once, and no other end, when the worker dies at any step and the step was %s (%s)',
    (how, cause) => {
      const found: string[] = []
      for (let step = 1; step <= calm.steps; step++) {
        const outcome = asks('badly', { step, how, cause })
        const { model, deletes, asked } = outcome
        const answers = asked.flatMap(one => (one.kind === 'settle' ? one.answers : []))
        const rest = Object.keys({ ...model.mail.owed, ...model.parting, ...model.outbox }).length
        if (answers.join() !== '1005' || deletes > 0 || rest > 0)
          found.push(
            `${step} ${outcome.inputs[step - 1]?.type}: ${answers.join(' and ')}, ${deletes} deletes, ${rest} left`,
          )
      }
      expect(found).toEqual([])
    },
  )
})
