import { expect, test } from 'vitest'
import { readRevocation, readSessions } from '../../../../src/worker/services/blockchain/sessions.ts'
import { session } from './examples.ts'

const read = (change: object) => readSessions({ pcis: [{ ...session, ...change }] }, 'the sessions', undefined)

test('sessions: times are in milliseconds, unsafe links are left out', () => {
  const project = { ...session.project, url: 'javascript:alert(1)', iconUrl: 'http://x.example' }
  const { pcis } = read({ project, revokedAt: 1_795_000_000 })
  expect(pcis[0]).toMatchObject({
    revokedAt: 1_795_000_000_000,
    expiresAt: 1_800_000_000_000,
    project: { name: 'Garden', url: '', iconUrl: '' },
  })
})

test.each([
  [{ pci: '' }],
  [{ pci: '../x' }],
  [{ expiry: '1800000000' }],
  [{ expiry: -1 }],
  [{ createdAt: 1.5 }],
  [{ expiry: 2 ** 64 }],
  [{ project: { id: 'p', name: '\u200b' } }],
  [{ permissions: [{ type: '<b>' }] }],
  [{ policies: null }],
])('sessions: one with %j is dropped and counted', change => {
  expect(read(change)).toEqual({ pcis: [], dropped: 1 })
})

test.each([
  [{}, true],
  [{ success: true }, true],
  [{ success: false }, false],
])('sessions: the answer %j to a revocation says %s', (body, success) => {
  expect(readRevocation(body, 'the end', undefined)).toEqual({ success })
})

test('sessions: an unclear answer to a revocation is refused', () => {
  expect(() => readRevocation({ success: 'no' }, 'the end', undefined)).toThrow('the end, success: expected boolean')
})
