/** Seeds beyond the thousand that once broke an invariant. */
import { expect, test } from 'vitest'
import { simulate } from './simulate.ts'

test.each([
  [2414, 'the world’s person looked once, while the core was on another chain’s log'],
  [2344, 'a life in memory acknowledged the end of a session, which the next life never heard'],
  [2650, 'the world forgot steps that went well before the chain changed'],
  [2788, 'the world took a payment for asked that the core refuses as soon as it is built'],
  [2800, 'an input was set aside after a step that failed, and the log missed a number'],
])('seed %i holds, in which %s', async seed => {
  expect((await simulate(seed)).wrong).toBeUndefined()
})
