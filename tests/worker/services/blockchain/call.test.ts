import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../../../src/runtime/failure.ts'
import {
  answerWithoutNetwork,
  type ApiCall,
  readBody,
  requestOf,
} from '../../../../src/worker/services/blockchain/call.ts'
import { calls } from '../../../../src/worker/services/blockchain/calls.ts'
import { changedText } from '../../../fuzz/changedText.ts'
import { changedJson } from '../../../fuzz/hostileJson.ts'
import { randomOf } from '../../../fuzz/random.ts'
import { evmAddress, examples, host, mainnet, solanaAddress } from './examples.ts'

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

describe('a call on a network that the API does not serve', () => {
  test.each([
    ['identity', calls.identity, { name: '', avatar: '' }],
    ['history', calls.history, { data: [], dropped: 0 }],
    ['price', calls.price, { fungibles: [], dropped: 0 }],
    ['tokens', calls.tokens, { tokens: [], dropped: 0 }],
    ['quotes', calls.quotes, { quotes: [] }],
    ['allowance', calls.allowance, { allowance: '0' }],
    ['lookupName', calls.lookupName, { name: '', addresses: {}, attributes: [] }],
    ['reverseLookup', calls.reverseLookup, { names: [], dropped: 0 }],
    ['suggestions', calls.suggestions, { suggestions: [], dropped: 0 }],
    ['registerName', calls.registerName, { success: false }],
    ['onrampUrl', calls.onrampUrl, { url: '' }],
    ['onrampOptions', calls.onrampOptions, { paymentCurrencies: [], purchaseCurrencies: [], dropped: 0 }],
    ['onrampQuote', calls.onrampQuote, null],
    ['sessions', calls.sessions, { pcis: [], dropped: 0 }],
    ['revokeSession', calls.revokeSession, { success: false }],
  ] as [string, ApiCall<never, unknown>, unknown][])('has its default answer: %s', (_name, call, answer) => {
    expect(answerWithoutNetwork(call)).toEqual({ answer })
  })

  test('has a toast beside no balances', () => {
    expect(answerWithoutNetwork(calls.balance)).toEqual({
      answer: { balances: [], dropped: 0 },
      toast: 'Token Balance Unavailable',
    })
  })

  test.each([
    ['gasPrice', calls.gasPrice, 'Network not supported for Gas Price'],
    ['buildTransaction', calls.buildTransaction, 'Network not supported for Swaps'],
    ['buildApprove', calls.buildApprove, 'Network not supported for Swaps'],
  ] as [string, ApiCall<never, unknown>, string][])('is refused: %s', (_name, call, message) => {
    expect(() => answerWithoutNetwork(call)).toThrow(expect.objectContaining({ code: 'unsupported', message }))
  })

  test('is made where it asks for the networks themselves', () => {
    expect(answerWithoutNetwork(calls.supportedChains)).toBeUndefined()
  })
})

describe('a cached answer', () => {
  test.each([
    ['identity', calls.identity.cache, 300_000, true],
    ['history', calls.history.cache, 15_000, undefined],
    ['balance', calls.balance.cache, 30_000, true],
    ['price', calls.price.cache, 15_000, undefined],
    ['reverseLookup', calls.reverseLookup.cache, 300_000, undefined],
    ['supportedChains', calls.supportedChains.cache, Infinity, undefined],
  ])('lasts as long as the reference says: %s', (_name, cache, ms, failures) => {
    expect([cache?.ms, cache?.failures]).toEqual([ms, failures])
  })

  test('of the served chains is asked for again when it is empty', () => {
    const isVoid = calls.supportedChains.cache?.isVoid
    expect([[], [mainnet]].map(http => isVoid?.({ http, ws: [], dropped: 0 }))).toEqual([true, false])
  })

  test('of a history belongs to one page of one account on one chain', () => {
    const key = calls.history.cache?.key ?? (() => '')
    const asks = [
      { address: 'a' },
      { address: 'a', cursor: '2' },
      { address: 'a', chainId: 'c' },
      { address: 'a', chainId: 'c', cursor: '2' },
      { address: 'b', chainId: 'c', cursor: '2' },
    ]
    expect(new Set(asks.map(key)).size).toBe(asks.length)
  })

  test('of prices belongs to a set of tokens', () => {
    const key = calls.price.cache?.key
    expect(key?.({ addresses: ['b', 'a', 'b'] })).toBe(key?.({ addresses: ['a', 'b'] }))
    expect(key?.({ addresses: ['a'] })).not.toBe(key?.({ addresses: ['a', 'b'] }))
  })

  test('of balances belongs to an account on a chain, CAIP-10', () => {
    expect(calls.balance.cache?.key({ chainId: mainnet, address: solanaAddress })).toBe(`${mainnet}:${solanaAddress}`)
    expect(calls.identity.cache?.key({ address: evmAddress, sender: 's' })).toBe(evmAddress)
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
    expect(refusal('history', `"${'x'.repeat(4_194_304)}"`)).toBe(
      'bad_response: the history expected at most 4194304 characters, got 4194306',
    )
    expect(refusal('history', '['.repeat(99))).toBe(
      'bad_response: the history expected at most 12 levels of nesting, got 13',
    )
  })

  test.each([
    ['supportedChains', 'http', 2000],
    ['history', 'data', 1000],
    ['balance', 'balances', 5000],
    ['price', 'fungibles', 1000],
    ['tokens', 'tokens', 10_000],
    ['quotes', 'quotes', 100],
    ['suggestions', 'suggestions', 100],
    ['onrampOptions', 'paymentCurrencies', 500],
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
    const wayOf = fc.tuple(fc.integer(), fc.integer({ min: 0, max: 3 }))
    fc.assert(
      fc.property(wayOf, ([seed, way]) => {
        const random = randomOf(String(seed))
        const text = way === 0 ? changedText(random, body, other) : changedJson(random, body)
        try {
          read(text)
          taken += 1
        } catch (cause) {
          if (!(cause instanceof Fault)) throw cause
          expect(cause.code).toBe('bad_response')
          expect(cause.message).toContain(calls[name].what)
        }
      }),
      { numRuns: 2000 },
    )
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
