import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../../../src/runtime/failure.ts'
import { answerBytes, readBody, requestOf } from '../../../../src/worker/services/blockchain/call.ts'
import { calls } from '../../../../src/worker/services/blockchain/calls.ts'
import { changedText } from '../../../fuzz/changedText.ts'
import { changedJson } from '../../../fuzz/hostileJson.ts'
import { randomOf } from '../../../fuzz/random.ts'
import { examples, host, mainnet } from './examples.ts'

describe('a request', () => {
  const names = ['alice.reown.id', 'a/b?c#d%', '..', '.', '', 'é😀', '\ud800', 'solana:x', ' ']

  test('keeps a segment of its path whole, whatever it contains, or is refused', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...names)), name => {
        let url: URL
        try {
          url = new URL(requestOf(calls.lookupName, { name }, host).url)
        } catch (cause) {
          expect(cause).toBeInstanceOf(Fault)
          const isWhole = name !== '' && !/^\.{1,2}$/.test(name) && Buffer.from(name).toString() === name
          expect(isWhole).toBe(false)
          return
        }
        const segments = url.pathname.split('/')
        expect(segments.slice(0, -1)).toEqual(['', 'base', 'v1', 'profile', 'account'])
        expect(decodeURIComponent(segments.at(-1) ?? '')).toBe(name)
        expect(url.hash).toBe('')
        expect(url.searchParams.get('apiVersion')).toBe('2')
      }),
    )
  })

  test.each(['..', '.', '', '\ud800'])('with %j in its path is refused as bad input', name => {
    expect(() => requestOf(calls.lookupName, { name }, host)).toThrow(expect.objectContaining({ code: 'bad_input' }))
  })

  test('escapes a slash, a query and a chain id', () => {
    expect(requestOf(calls.sessions, { account: `${mainnet}:a/b?c` }, host).url).toContain(
      '/base/v1/sessions/solana%3A5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp%3Aa%2Fb%3Fc?projectId=',
    )
  })

  test('leaves out absent and empty values', () => {
    const { url } = requestOf(calls.history, { address: 'a', cursor: '', chainId: '' }, { ...host, clientId: '' })
    expect(new URL(url).search).toBe(`?projectId=${host.projectId}&st=appkit&sv=html-solana-1.7.19`)
    const page = { destinationWallets: [], defaultNetwork: '', partnerUserId: 'user' }
    expect(JSON.parse(requestOf(calls.onrampUrl, page, host).body ?? '')).toEqual({
      destinationWallets: [],
      partnerUserId: 'user',
      defaultExperience: 'buy',
    })
  })

  test('states an unknown SDK version, and no client before one is known', () => {
    const { apiUrl, projectId } = host
    const { url } = requestOf(calls.supportedChains, {}, { apiUrl, projectId })
    expect(new URL(url).search).toBe(`?projectId=${projectId}&st=appkit&sv=unknown`)
  })

  test('carries nothing of the query and fragment of the configured address', () => {
    const { url } = requestOf(calls.price, { addresses: [] }, { apiUrl: 'https://x.example?a=1#b', projectId: 'p' })
    expect(url).toBe('https://x.example/v1/fungible/price')
  })
})

/** @returns the code and sentence of a body's refusal; undefined when it is read */
function refusal(name: keyof typeof examples, body: string): string | undefined {
  try {
    examples[name].read(body)
  } catch (cause) {
    if (cause instanceof Fault) return `${cause.code}: ${cause.message}`
    throw cause
  }
  return undefined
}

const all = Object.keys(examples) as (keyof typeof examples)[]
const withBody = all.filter(name => name !== 'revokeSession')

test.each([
  [
    'an amount',
    () => requestOf(calls.quotes, { amount: '1.5', userAddress: 'a', from: 'a', to: 'b', gasPrice: '1' }, host),
  ],
  [
    'a gas price',
    () => requestOf(calls.quotes, { amount: '1', userAddress: 'a', from: 'a', to: 'b', gasPrice: '-1' }, host),
  ],
  [
    'a preset',
    () => requestOf(calls.onrampUrl, { destinationWallets: [], partnerUserId: 'u', presetFiatAmount: '01' }, host),
  ],
  [
    'a preset beyond a double',
    () =>
      requestOf(
        calls.onrampUrl,
        { destinationWallets: [], partnerUserId: 'u', presetFiatAmount: '9'.repeat(16) },
        host,
      ),
  ],
])('requests: %s that is not whole is refused as bad input', (_name, make) => {
  expect(make).toThrow(expect.objectContaining({ code: 'bad_input' }))
})

describe('the body of an answer', () => {
  test.each(all)('is refused when it is HTML, cut off, polluting or of another type: %s', name => {
    const { body } = examples[name]
    const { what } = calls[name]
    expect(refusal(name, '<!doctype html><p>Bad gateway')).toBe(`bad_response: ${what} expected JSON, got HTML`)
    expect(refusal(name, body.slice(0, -1))).toBe(`bad_response: ${what} expected JSON, got text that does not parse`)
    const polluting = body.replace(/[{]/, '{"__proto__":{"a":1},')
    expect(refusal(name, body === '{}' ? '{"__proto__":1}' : polluting)).toBe(
      `bad_response: ${what} expected no key __proto__, got one`,
    )
    for (const other of ['7', '"text"', 'null', 'true'])
      expect(refusal(name, other)).toMatch(new RegExp(`^bad_response: ${what}, result: expected .+, got .+`))
  })

  test.each(withBody)('is refused when it is empty: %s', name => {
    expect(refusal(name, ' \n')).toBe(`bad_response: ${calls[name].what} expected JSON, got an empty body`)
  })

  test('may be empty when a session has ended', () => {
    expect(examples.revokeSession.read('')).toEqual({ success: true })
  })

  test('is refused when it is too long or too deep', () => {
    expect(refusal('history', `"${'x'.repeat(answerBytes)}"`)).toBe(
      'bad_response: the history expected at most 250000 characters, got 250002',
    )
    expect(refusal('history', '['.repeat(99))).toBe(
      'bad_response: the history expected at most 12 levels of nesting, got 13',
    )
  })

  test.each([
    ['supportedChains', 'http', 500],
    ['history', 'data', 200],
    ['balance', 'balances', 5000],
    ['price', 'fungibles', 100],
    ['tokens', 'tokens', 2000],
    ['quotes', 'quotes', 20],
    ['suggestions', 'suggestions', 20],
    ['onrampOptions', 'paymentCurrencies', 100],
    ['sessions', 'pcis', 255],
  ] as const)('is refused when its list is oversized: %s', (name, list, most) => {
    const body = JSON.parse(examples[name].body) as Record<string, unknown[]>
    body[list] = Array.from({ length: most + 1 }, () => 0)
    expect(refusal(name, JSON.stringify(body))).toBe(
      `bad_response: ${calls[name].what}, ${list}: expected <=${most}, got ${most + 1}`,
    )
  })

  test.each(all)('mutated two thousand times is read or refused with a Fault: %s', name => {
    const { body, read } = examples[name]
    const other = examples.history.body
    let taken = 0
    for (let at = 0; at < 2000; at += 1) {
      const random = randomOf(`${name} ${at}`)
      const text = at % 4 === 0 ? changedText(random, body, other) : changedJson(random, body)
      try {
        read(text)
        taken += 1
      } catch (cause) {
        // The answers are many, and `expect` takes longer than reading one
        const isNamed =
          cause instanceof Fault && cause.code === 'bad_response' && cause.message.includes(calls[name].what)
        if (!isNamed) throw new Error(`the ${at}th change is not refused by name`, { cause })
      }
    }
    expect(taken).toBeGreaterThan(100)
    expect(taken).toBeLessThan(2000)
  })
})

test('bodies: a long integer in an answer keeps its digits', () => {
  expect(
    readBody(calls.allowance, '{"allowance":18446744073709551616}', { tokenAddress: '', userAddress: '' }),
  ).toEqual({
    allowance: '18446744073709551616',
  })
})
