import { describe, expect, test } from 'vitest'
import { requestLink } from '../../../../src/worker/walletconnect/link/deepLink.ts'
import { faultOf } from '../refusals.ts'
import { vectors } from '../vectors.ts'

describe('links', () => {
  test.each(vectors.deepLinks)('$link leads to $url', ({ link, requestId, sessionTopic, url }) => {
    expect(requestLink(link, requestId, sessionTopic)).toBe(url)
  })

  test('in clear leads only to this very device', () => {
    for (const host of ['localhost', '127.0.0.1:5173', '[::1]'])
      expect(requestLink(`http://${host}/wallet`, 1, 'topic')).toBe(
        `http://${host}/wallet/wc?requestId=1&sessionTopic=topic`,
      )
  })

  test.each([
    '',
    'wallet',
    'javascript:alert(1)//',
    'JavaScript:x',
    'java\nscript:x',
    ' javascript:x',
    'https://wallet.example/\napp',
    'wallet://a b',
    'data:text/html,x',
    'http://wallet.example/app',
    'http://localhost.example/app',
    'HTTP://127.0.0.1.example',
    'http://localhost:80@wallet.example/',
  ])('a wallet link "%s" is refused', link => {
    expect(faultOf(() => requestLink(link, 1, 'topic')).code).toBe('bad_input')
  })
})
