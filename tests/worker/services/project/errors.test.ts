import { expect, test } from 'vitest'
import { configError, serverTextError, titleOf } from '../../../../src/worker/services/project/errors.ts'

test.each([
  ['Unauthorized: origin not allowed', 'APKT002', 'Invalid App Configuration'],
  ['JWT validation error: JWT Token is not yet valid', 'APKT006', 'Session Expired'],
  ['Unauthorized: invalid key\n', 'APKT007', 'Invalid Project ID'],
])('server texts: %j is %s', (text, code, title) => {
  const error = serverTextError(text)
  expect([error?.code, error && titleOf(error)]).toEqual([code, title])
})

test('server texts: a session that is not yet valid asks for a look at the clock', () => {
  expect(serverTextError('JWT validation error: JWT Token is not yet valid')?.detail).toMatch(/date and time/)
})

test.each(['', 'Forbidden', 'unauthorized', 'constructor'])('server texts: %j names no error', text => {
  expect(serverTextError(text)).toBeUndefined()
})

test.each([
  ['', 200, '', 'APKT008', undefined],
  ['p', 403, 'Forbidden', 'APKT002', undefined],
  ['p', 403, 'Unauthorized: invalid key', 'APKT007', undefined],
  ['p', 401, '', 'APKT007', undefined],
  ['p', 400, 'projectId must be 32 characters long', 'APKT007', undefined],
  ['p', 429, '', 'APKT010', undefined],
  ['p', 500, '', 'APKT009', 'HTTP status code: 500'],
  ['p', 503, '', 'APKT009', 'HTTP status code: 503'],
  ['p', 404, '', undefined, undefined],
  ['p', 0, '', undefined, undefined],
])('config: project %j with status %i and text %j is %s', (projectId, status, text, code, detail) => {
  const error = configError(projectId, status, text)
  expect([error?.code, error?.detail]).toEqual([code, detail])
})

test.each([
  ['APKT008', 'Project ID Missing'],
  ['APKT009', 'Server Error'],
  ['APKT010', 'Rate Limited'],
] as const)('errors: %s is titled %s', (code, title) => {
  expect(titleOf({ code })).toBe(title)
})
