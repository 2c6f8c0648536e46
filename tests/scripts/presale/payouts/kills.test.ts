/** A payout that dies at every call and at every line of its journal, and is run again. */
import { describe, expect, test } from 'vitest'
import { payPlan } from '../../../../scripts/presale/payouts/payPlan.ts'
import type { Plan } from '../../../../src/worker/services/planFile.ts'
import type { Journal } from '../../../../scripts/presale/state.ts'
import { everyCase } from '../../../everyCase.ts'
import { callOf, keyOf, memoryJournal, openWorld, payingOf } from './world.ts'

const world = openWorld('killed payouts')
const key = keyOf(world.accounts.reserve)
const lanes = 2

class Killed extends Error {}

/**
 * A process that dies right after the nth of its calls and journal lines, -1 before the first: its last answer is lost. A death
 * before a step leaves the same behind as one after the step before it.
 */
function dying(last: number, journal: Journal) {
  let [steps, isDead] = [0, last < 0]
  const live = () => {
    if (isDead) throw new Killed()
  }
  const step = <T>(run: () => T): T => {
    live()
    const result = run()
    isDead = steps === last
    steps += 1
    live()
    return result
  }
  const serve = callOf(world.chain)
  return {
    call: ((url, init) => step(() => serve(url, init))) as typeof fetch,
    journal: { lines: journal.lines, add: (line: Journal['lines'][number]) => step(() => journal.add(line)) },
    async wait() {
      live()
      world.pass()
    },
  }
}

const plans = {
  SOL: (name: string) => world.solPlan(name, { count: 40, lanes }),
  tokens: (name: string) => world.tokenPlan(name, { count: 24, lanes }),
}

/** The recipients that hold another amount than the plan's; none when each is paid once. */
function wrong(plan: Plan): string[] {
  const rows = plan.batches.flatMap(batch => batch.rows)
  return rows.flatMap(({ to, units }) => (world.held(to) === BigInt(units) ? [] : [`${to}: ${world.held(to)}`]))
}

/** Time moves on in small steps, so that one payer sees a transaction of the other before it is final. */
const wait = async () => world.chain.advance(12)
const pay = (plan: Plan, journal: Journal) => payPlan(payingOf(world, { plan, journal, wait }), key, { lanes })

/** Runs a plan again after its death, with the journal that is left. */
const again = {
  kept: (plan: Plan, journal: Journal) => pay(plan, journal),
  deleted: (plan: Plan) => pay(plan, memoryJournal()),
  copied: (plan: Plan, journal: Journal) =>
    Promise.all([pay(plan, memoryJournal(journal.lines)), pay(plan, memoryJournal(journal.lines))]),
}
type Fate = keyof typeof again

/** @returns whether the payout had that many steps */
async function killAndPay(name: keyof typeof plans, fate: Fate, last: number): Promise<boolean> {
  const plan = plans[name](`${name} ${fate} ${last}`)
  const journal = memoryJournal()
  const died = await payPlan(payingOf(world, { plan, ...dying(last, journal) }), key, { lanes }).then(
    () => false,
    () => true,
  )
  // Confirmed, and not final yet
  world.chain.advance(2)
  await again[fate](plan, journal)
  expect({ last, wrong: wrong(plan) }).toEqual({ last, wrong: [] })
  return died
}

const long: [keyof typeof plans, Fate, number][] = [
  ['tokens', 'deleted', 7],
  ['tokens', 'copied', 7],
]

describe('a payout that is killed', () => {
  test.each<[keyof typeof plans, Fate, number]>([
    ['SOL', 'kept', everyCase ? 1 : 8],
    ['SOL', 'deleted', everyCase ? 1 : 11],
    ['SOL', 'copied', everyCase ? 1 : 9],
    ['tokens', 'kept', everyCase ? 7 : 17],
    ...(everyCase ? long : []),
  ])('of %s, with its journal %s, pays each once, wherever it ended, in steps of %i', async (name, fate, stride) => {
    let last = -1
    while (await killAndPay(name, fate, last)) last += stride
    expect(last).toBeGreaterThan(60)
  })
})
