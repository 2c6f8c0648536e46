import { expect, test } from 'vitest'
import { wcMethods } from '../../../../src/worker/walletconnect/session/methods.ts'

test('no two kinds of message share a tag', () => {
  const tags = Object.values(wcMethods).flatMap(row => [
    row.request.tag,
    row.response.tag,
    ...('rejection' in row ? [row.rejection.tag, row.autoRejection.tag] : []),
  ])
  expect(new Set(tags).size).toBe(tags.length)
})
