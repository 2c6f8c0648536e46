/** Seeds as tests: a failing seed names the violated invariant and the command to repeat it. */
import { describe, expect, test } from 'vitest'
import { everyCase } from '../everyCase.ts'
import { addReached, missing, nothingReached, unstruck } from './coverage.ts'
import { simulate } from './simulate.ts'
import { otherVisit, visits } from '../replay/recordedVisits.ts'

/** Worlds in one test: on a busy machine one takes some seconds. */
const atOnce = 10
/**
 * The first hundred of the thousand run in Chromium and in Node (`seeds.browser.test.ts`), the others here; in `npm test`
 * eight of them, a third of the recorded visits, and those that reach what is left.
 */
const rare = [130, 131, 155, 189, 359, 368, 378, 398, 466, 699, 903, 995, 1446, 1476, 1529, 1531, 2170, 2922, 2950]
const numbers = Array.from({ length: everyCase ? 900 : 8 }, (_, at) => 100 + at)
const recorded = visits().filter((_, at) => everyCase || at % 3 === 0)
const seeds = [...new Set([...numbers, ...rare, ...recorded.map(({ seed }) => seed)])]
const reached = nothingReached()

describe(`${seeds.length} worlds`, () => {
  const groups = seeds.filter((_, at) => at % atOnce === 0).map((_, at) => seeds.slice(at * atOnce, (at + 1) * atOnce))
  test.each(groups)('from seed %i on hold in every step and come to rest', async (...group) => {
    const wrong: string[] = []
    for (const seed of group) {
      const outcome = await simulate(seed)
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
