import { expect, test } from 'vitest'
import { readIdentity } from '../../../../src/worker/services/blockchain/identity.ts'

const read = (body: object) => readIdentity(body, 'the identity', {})

test('an account without name and picture has null for both', () => {
  expect(read({ name: null, avatar: null, resolvedAt: null })).toEqual({ name: '', avatar: '' })
})

test.each([{ count: 1 }, { name: 'a.eth' }, { avatar: null }])('an identity of another shape is refused: %j', body => {
  expect(() => read(body)).toThrow(/^the identity, (?:name|avatar): expected /)
})
