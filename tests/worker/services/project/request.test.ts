import { expect, test } from 'vitest'
import { projectUrl, readAnalyticsSwitch } from '../../../../src/worker/services/project/request.ts'

const host = { configUrl: 'https://api.example.org/base/?a=1#b', projectId: 'p 1', sdkVersion: 'html-solana-1.7.19' }

test.each([
  ['features', 'appkit/v1/config'],
  ['origins', 'projects/v1/origins'],
  ['analytics', 'getAnalyticsConfig'],
] as const)('project service: the request of %s', (asked, path) => {
  expect(projectUrl(asked, host)).toBe(
    `https://api.example.org/base/${path}?projectId=p+1&st=appkit&sv=html-solana-1.7.19`,
  )
})

test('project service: an unknown SDK version is stated as in the reference, a missing project left out', () => {
  const { configUrl } = host
  expect(projectUrl('analytics', { configUrl, projectId: '' })).toBe(
    'https://api.example.org/base/getAnalyticsConfig?st=appkit&sv=html-wagmi-4.2.2',
  )
})

test.each([true, false])('analytics switch: %j is read', isAnalyticsEnabled => {
  expect(readAnalyticsSwitch({ isAnalyticsEnabled, more: 1 })).toBe(isAnalyticsEnabled)
})

test.each([null, [], {}, { isAnalyticsEnabled: 'true' }, { isAnalyticsEnabled: 1 }])(
  'analytics switch: %j is refused',
  body => {
    expect(() => readAnalyticsSwitch(body)).toThrow(expect.objectContaining({ code: 'bad_response' }))
  },
)
