import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldCoreFact } from '../../src/events/coreFolds.ts'
import { emptyCoreModel } from '../../src/events/emptyModel.ts'
import { everyCase } from '../everyCase.ts'
import { openOrder } from '../../src/events/subjects/order/order.ts'
import type { Kill } from '../simulation/calm.ts'
import { type Outcome, visit, type Way } from '../simulation/visit.ts'

const ways: Way[] = [
  'installed sign',
  'installed signAndSend',
  'WalletConnect sign',
  'WalletConnect bareSignature',
  'WalletConnect signAndSend',
]
const hows: Kill['how'][] = ['done', 'stored', 'unstored']

/** Ways whose visits die at every step: a wallet in the browser, and with every case one over the relay. Others die at a spread. */
const swept: ReadonlySet<Way> = new Set(everyCase ? ['installed sign', 'WalletConnect sign'] : ['installed sign'])
const apart = everyCase ? 5 : 30

const calmVisits = new Map(ways.map(way => [way, visit(way)]))
const sweptTypes = new Set([...swept].flatMap(way => calmVisits.get(way)?.inputs.map(({ type }) => type) ?? []))

/** @returns every step of a visit, or a spread of them, with the last and each whose input the visits swept whole lack */
function stepsOf(way: Way, { inputs, steps }: Outcome): number[] {
  const all = Array.from({ length: steps }, (_, at) => at + 1)
  if (swept.has(way)) return all
  return all.filter((step, at) => at % apart === 0 || step === steps || !sweptTypes.has(inputs[at]?.type ?? ''))
}

/** @returns all steps, or a third of them, the others in the next two turns */
function inTurn(steps: readonly number[], turn: number): readonly number[] {
  return everyCase ? steps : steps.filter(step => (step + turn) % 3 === 0)
}

/** @returns how many visits with several deaths are tried */
function deaths(way: Way): number {
  if (!everyCase) return 10
  return swept.has(way) ? 60 : 20
}

/** Broken rules at the end of a visit, as sentences. */
function wrongs({ prompts, payments, order, facts, model, minutes }: Outcome, kill: Kill, way: Way): string[] {
  const found: string[] = []
  if (payments === 1 && minutes > 1) found.push(`it took ${minutes} minutes`)
  if (prompts > 1) found.push(`${prompts} prompts`)
  if (payments > 1) found.push(`${payments} payments`)
  const isPaid = order?.phase === 'finalised'
  if (isPaid !== (payments === 1)) found.push(`${payments} payments, but the order is ${order?.phase}`)
  if (payments === 0 && !mayEndUnpaid(kill, way, prompts)) found.push(`unpaid, the order is ${order?.phase}`)
  if (facts.some((fact, index) => fact.seq !== index + 1)) found.push('facts are missing')
  const folded = emptyCoreModel()
  for (const fact of facts) foldCoreFact(folded, fact)
  if (JSON.stringify(folded) !== JSON.stringify(model)) found.push('the model is not the fold of what is on disk')
  return found
}

/** Ways to end unpaid: never by a worker's death alone; a page that goes may lose its wallet's answer or the press. */
function mayEndUnpaid({ cause }: Kill, way: Way, prompts: number): boolean {
  if (prompts === 0) return cause === 'start' || way === 'installed signAndSend'
  return cause === 'start' && way === 'installed sign'
}

describe.each(ways)('a purchase with %s', way => {
  const calm = calmVisits.get(way) ?? visit(way)
  const steps = stepsOf(way, calm)
  /** Steps after a first death, which adds a boot. */
  const later = steps.map(step => step + 1)

  test('is one prompt and one payment without a death', () => {
    expect(calm).toMatchObject({ prompts: 1, payments: 1, order: { phase: 'finalised' } })
    expect(calm.minutes).toBeLessThan(1)
  })

  test.each(hows)('is one prompt and one payment when the worker dies at any step and the step was %s', how => {
    const found: string[] = []
    for (const step of inTurn(steps, hows.indexOf(how))) {
      const kill: Kill = { step, how, cause: 'lost' }
      const outcome = visit(way, kill)
      for (const wrong of wrongs(outcome, kill, way)) found.push(`${step} ${outcome.inputs[step - 1]?.type}: ${wrong}`)
    }
    expect(found).toEqual([])
  })

  test('is one prompt and one payment when the worker is killed at any step and the page blames the step', () => {
    const found: string[] = []
    // The crash guard writes ahead only after a death, so only then it knows the deadly step
    const first: Kill = { step: 1, how: 'stored', cause: 'lost' }
    for (const step of later) {
      const kill: Kill = { step, how: 'inStep', cause: 'lost' }
      const outcome = visit(way, first, kill)
      const at = `${step} ${outcome.inputs[step - 1]?.type}`
      for (const wrong of wrongs(outcome, kill, way)) found.push(`${at}: ${wrong}`)
      if (outcome.inputs.some(({ type }) => type === 'core.setAside')) found.push(`${at} was set aside`)
    }
    expect(found).toEqual([])
  })

  test('is at most one prompt and one payment, and ends, when any input is deadly', () => {
    const found: string[] = []
    const first: Kill = { step: 1, how: 'stored', cause: 'lost' }
    for (const step of later) {
      const outcome = visit(way, first, { step, how: 'deadly', cause: 'lost' })
      const { prompts, payments, order, lives, inputs } = outcome
      const at = `${step} ${inputs[step - 1]?.type}`
      if (prompts > 1 || payments > 1) found.push(`${at}: ${prompts} prompts, ${payments} payments`)
      const isPaid = order?.phase === 'finalised' || order?.phase === 'accounted'
      if (isPaid !== (payments === 1)) found.push(`${at}: ${payments} payments, but the order is ${order?.phase}`)
      // Without a chain or a relay no purchase begins; each purchase that began ends with a result
      if (order && openOrder({ order: { [order.orderId]: order } })) found.push(`${at}: it stays ${order.phase}`)
      // The first life, and one for each death: the first kill, and twice by this input
      if (lives > 4) found.push(`${at}: ${lives} lives`)
    }
    expect(found).toEqual([])
  })

  test('is at most one prompt and one payment for any number of deaths', () => {
    const kill = fc.record({
      step: fc.integer({ min: 1, max: calm.steps * 2 }),
      how: fc.constantFrom(...hows),
      cause: fc.constant('lost' as const),
    })
    fc.assert(
      fc.property(fc.array(kill, { minLength: 2, maxLength: 6 }), kills => {
        const { prompts, payments, order } = visit(way, ...kills)
        expect(prompts).toBeLessThanOrEqual(1)
        expect([order?.phase, payments]).toEqual(prompts === 1 ? ['finalised', 1] : ['expired', 0])
      }),
      { numRuns: deaths(way), seed: 7 },
    )
  })

  test.each(hows)('is at most one payment when the page is reloaded at any step and the step was %s', how => {
    const found: string[] = []
    for (const step of inTurn(steps, hows.indexOf(how))) {
      const kill: Kill = { step, how, cause: 'start' }
      const outcome = visit(way, kill)
      for (const wrong of wrongs(outcome, kill, way)) found.push(`${step} ${outcome.inputs[step - 1]?.type}: ${wrong}`)
    }
    expect(found).toEqual([])
  })
})
