import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plainEnvelope } from '../../../../src/worker/walletconnect/crypto/envelope.ts'
import { isUniversal } from '../../../../src/events/values/universalLink.ts'
import { linkUrl, readLinkUrl } from '../../../../src/worker/walletconnect/link/linkMode.ts'
import { endsWell, faultOf } from '../refusals.ts'
import { vectors } from '../vectors.ts'

const universal = 'https://dapp.example/app'
const topic = 'ab'.repeat(32)

test.each(vectors.envelopes.type2)('a message in plain travels in the recorded link: $linkModeUrl', vector => {
  const [address = '', query = ''] = vector.linkModeUrl.split('?')
  const of = new URLSearchParams(query).get('topic') ?? ''
  expect(linkUrl(address, of, plainEnvelope(vector.message))).toBe(vector.linkModeUrl)
  expect(readLinkUrl(vector.linkModeUrl, address)).toEqual({ topic: of, envelope: vector.encodedBase64url })
})

describe('a link', () => {
  test('gives back what was put in it', () => {
    const hex = fc.stringMatching(/^[0-9a-f]{64}$/)
    fc.assert(
      fc.property(hex, fc.stringMatching(/^[\w-]{1,200}$/), (of, envelope) => {
        expect(readLinkUrl(linkUrl(universal, of, envelope), universal)).toEqual({ topic: of, envelope })
      }),
    )
  })

  test('may have more in its query and behind it', () => {
    expect(readLinkUrl(`${universal}?utm=1&topic=${topic}&wc_ev=AA#x`, universal)).toEqual({ topic, envelope: 'AA' })
  })

  test.each([
    ['https://dapp.example', 'https://dapp.example/'],
    ['https://dapp.example/', 'https://dapp.example'],
    ['https://dapp.example/app', 'https://dapp.example/app/'],
  ])('to %s is one as the browser shows it: %s', (own, shown) => {
    expect(readLinkUrl(`${shown}?wc_ev=AA&topic=${topic}`, own)).toEqual({ topic, envelope: 'AA' })
  })

  test.each([
    ['', 'own address'],
    ['https://dapp.example/?wc_ev=AA', 'own address'],
    ['https://dapp.example/app//?wc_ev=AA', 'own address'],
    ['https://evil.example/app?wc_ev=AA', 'own address'],
    [`${universal}/more?wc_ev=AA&topic=${topic}`, 'own address'],
    [`${universal}?wc_ev=AA&topic=${topic}?x`, 'own address'],
    [`${universal}?wc_ev=AA`, 'topic to be'],
    [`${universal}?wc_ev=AA&topic=${topic.toUpperCase()}`, 'topic to be'],
    [`${universal}?topic=${topic}`, 'wc_ev to be'],
    [`${universal}?wc_ev=A+A&topic=${topic}`, 'wc_ev to be'],
    [`${universal}?wc_ev=AA&wc_ev=AB&topic=${topic}`, 'wc_ev once'],
    [`${universal}?wc_ev=AA&topic=${topic}&topic=${topic}`, 'topic once'],
    [`${universal}?wc_ev=${'A'.repeat(1_048_577)}`, 'at most 1048576 characters'],
  ])('that is none is refused in words: %#', (url, words) => {
    const fault = faultOf(() => readLinkUrl(url, universal))
    expect([fault.code, fault.message]).toEqual(['bad_input', expect.stringContaining(words)])
    expect(fault.message).not.toContain('evil')
  })

  test('of whatever text ends in a fault or is read', () => {
    fc.assert(fc.property(fc.string(), text => void endsWell(() => readLinkUrl(text, universal))))
    fc.assert(fc.property(fc.webUrl({ withQueryParameters: true }), url => void endsWell(() => readLinkUrl(url, url))))
  })
})

test.each([
  ['https://wallet.example', true],
  ['https://wallet.example/app/x', true],
  ['http://127.0.0.1:5173/app', true],
  ['http://wallet.example', false],
  ['https://wallet.example?x=1', false],
  ['https://user@wallet.example', false],
  ['javascript:alert(1)', false],
  ['wallet://app', false],
  ['', false],
])('%s as a universal link: %s', (text, is) => {
  expect(isUniversal(text)).toBe(is)
})
