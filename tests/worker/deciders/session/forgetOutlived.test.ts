/** Long answers are stored by their content: equal ones share their bytes. */
import { expect, test } from 'vitest'
import type { RequestView } from '../../../../src/events/subjects/session/request.ts'
import { forgetOutlived } from '../../../../src/worker/deciders/session/forgetOutlived.ts'

const count = 1000

/** Ended requests, oldest first; the answers of the oldest and the newest have the same bytes. */
const requests = Object.fromEntries(
  Array.from({ length: count }, (_, at) => {
    const resultRef = at === 0 || at === count - 1 ? 'same' : at === 1 ? 'other' : undefined
    return [`${1000 + at}x`, { phase: 'ended', end: { how: 'answered', ...(resultRef && { resultRef }) } }]
  }),
) as unknown as RequestView

test('answer bytes: a forgotten answer’s stay while another request has the same answer', () => {
  const forgotten: unknown[] = []
  const ctx = {
    model: { request: requests },
    effect: (_: string, { refs }: { refs: string[] }) => forgotten.push(...refs),
  }
  forgetOutlived(ctx as never)
  expect(forgotten).toEqual(['other'])
})
