/** Seeds as tests: a failing seed names the violated invariant and the command to repeat it. */
import { describe, expect, test } from 'vitest'
import { everyCase } from '../everyCase.ts'
import { addReached, missing, nothingReached, unstruck } from './coverage.ts'
import { simulateSeed } from './simulate.ts'
import { otherVisit } from '../replay/recordedVisits.ts'

const atOnce = 50
/** The first hundred of the thousand run in Chromium and in Node (`seeds.browser.test.ts`), the others here. */
const from = 100
const count = everyCase ? 900 : 350
const reached = nothingReached()

describe(`worlds with the seeds ${from} to ${from + count - 1}`, () => {
  const starts = Array.from({ length: count / atOnce }, (_, at) => from + at * atOnce)
  test.each(starts)('fifty from %i hold in every step and come to rest', async start => {
    const wrong: string[] = []
    for (let seed = start; seed < start + atOnce; seed++) {
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
