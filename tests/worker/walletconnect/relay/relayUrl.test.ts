import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { socketUrl, userAgent } from '../../../../src/worker/walletconnect/relay/relayUrl.ts'
import { faultOf } from '../refusals.ts'
import { vectors } from '../vectors.ts'

describe('the socket URL', () => {
  test.each(vectors.relayUrl)('is $url', ({ input, url }) => {
    const { auth, relayUrl, projectId, packageName, bundleId } = input
    const native = { ...(packageName ? { packageName } : {}), ...(bundleId ? { bundleId } : {}) }
    const ua = userAgent({ os: 'linux-20.20.2', env: 'node' })
    expect(ua).toContain(input.sdkVersion)
    expect(socketUrl({ relayUrl, auth, projectId, ua, ...native })).toBe(url)
  })

  test.each([
    ['no WebSocket', 'https://relay.example'],
    ['no host', 'wss://'],
    ['a blank in it', 'wss://relay.example/a b'],
    ['a fragment', 'wss://relay.example#x'],
    ['a token of its own', 'wss://relay.example?auth=x'],
  ])('is refused with %s, and the token stays out of the sentence', (_why, relayUrl) => {
    const fault = faultOf(() => socketUrl({ relayUrl, auth: 'TOKEN', ua: 'a' }))
    expect(fault.code).toBe('bad_input')
    expect(fault.message).not.toContain('TOKEN')
  })

  test('reads back as what was put in, whatever that is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ minLength: 1 }), (ua, projectId) => {
        const { searchParams } = new URL(socketUrl({ relayUrl: 'wss://relay.example/?x=1', auth: 'A', projectId, ua }))
        expect(searchParams.get('ua')).toBe(ua)
        expect(searchParams.get('projectId')).toBe(projectId)
        expect([...searchParams.keys()]).toEqual(['x', 'auth', 'projectId', 'ua', 'useOnCloseEvent'])
      }),
    )
  })
})
