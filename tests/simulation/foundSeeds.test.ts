/** Seeds beyond the thousand that once broke an invariant. */
import { expect, test } from 'vitest'
import { simulateSeed } from './simulate.ts'

test.each([[2344, 'a life in memory acknowledged the end of a session, which the next life never heard']])(
  'seed %i holds: %s',
  async seed => {
    expect((await simulateSeed(seed)).wrong).toBeUndefined()
  },
)
