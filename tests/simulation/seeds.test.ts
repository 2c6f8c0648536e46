/** Seeds as tests: a failing seed names the violated invariant and the command to repeat it. */
import { describe, expect, test } from 'vitest'
import { everyCase } from '../everyCase.ts'
import { addReached, missing, nothingReached, unstruck } from './coverage.ts'
import { simulateSeed } from './simulate.ts'
import { otherVisit } from '../replay/recordedVisits.ts'

const atOnce = 50
/** The first hundred of the thousand run in Chromium and in Node (`seeds.browser.test.ts`), the others here. */
const first = 100
const seeds = Array.from({ length: everyCase ? 900 : 150 }, (_, at) => first + at)
/** With these the few of `npm test` reach all that the many reach: one more is chosen by trying each. */
const rare = everyCase ? [] : [297, 305, 368, 449]
const reached = nothingReached()

describe(`worlds with ${seeds.length} seeds from ${first}, and ${rare.length} rare ones`, () => {
  const groups = seeds
    .filter((_, at) => at % atOnce === 0)
    .map(from => seeds.slice(from - first, from - first + atOnce))
  test.each([...groups, rare])('from %i on hold in every step and come to rest', async (...group) => {
    const wrong: string[] = []
    for (const seed of group) {
      const outcome = await simulateSeed(seed)
      addReached(reached, outcome.reached)
      if (outcome.wrong !== undefined) wrong.push(`${outcome.wrong} — npm run simulate -- --seed ${seed}`)
      const other = otherVisit(outcome)
      if (other !== undefined) wrong.push(`${other} — npm run record -- --rerun writes it anew`)
    }
    expect(wrong).toEqual([])
  })

  test('reach every input and every fact there is', () => {
    expect(missing(reached)).toEqual([])
  })

  test('are struck by every fault there is', () => {
    expect(unstruck(reached)).toEqual([])
  })
})
