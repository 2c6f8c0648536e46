import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../../../src/runtime/failure.ts'
import { originProblem, readOrigins } from '../../../../src/worker/services/project/origins.ts'
import { changedJson } from '../../../fuzz/hostileJson.ts'
import { randomOf } from '../../../fuzz/random.ts'

const allows = (origin: string, ...allowedOrigins: string[]) =>
  originProblem([origin], { allowedOrigins }) === undefined

describe('an origin', () => {
  test.each([
    'http://localhost:5173',
    'https://localhost:1',
    'http://127.0.0.1:3000',
    'https://127.0.0.1:3000',
    'https://sale.pages.dev',
    'https://a.b.vercel.app',
    'https://x.ngrok-free.app',
    'https://secure-mobile.walletconnect.com',
    'https://secure-mobile.walletconnect.org',
  ])('is always allowed: %s', origin => {
    expect(allows(origin)).toBe(true)
  })

  test.each([
    'http://localhost',
    'http://localhost.evil.example:80',
    'http://sale.pages.dev',
    'https://pages.dev',
    'https://evilpages.dev',
    'https://sale.pages.dev.evil.example',
    'https://sale.pages.dev:8443',
    'https://x.vercel.app.evil.example',
    'https://secure-mobile.walletconnect.com.evil.example',
    'https://evil.example',
    'null',
    '',
  ])('is not allowed without the service’s word: %j', origin => {
    expect(allows(origin)).toBe(false)
  })

  test.each([
    ['https://shop.example', 'https://shop.example'],
    ['https://shop.example', 'https://shop.example/path?x#y'],
    ['https://shop.example', 'https://SHOP.example:443'],
    ['capacitor://shop', 'capacitor://shop'],
    ['https://a.shop.example', 'https://*.shop.example'],
    ['https://a-9.preview.shop.example', 'https://a-*.preview.*.example'],
    ['https://shop.example', 'https://shop*.example'],
    ['https://aba', 'https://a*ba'],
  ])('%s is allowed by %s', (origin, pattern) => {
    expect(allows(origin, pattern)).toBe(true)
  })

  test.each([
    ['https://shop.example', 'http://shop.example'],
    ['https://shop.example', 'shop.example'],
    ['https://shop.example', 'https://*.shop.example'],
    ['https://a.shop.example.evil.example', 'https://*.shop.example'],
    ['https://ashop.example', 'https://*.shop.example'],
    ['https://aXshopYexample', 'https://*.shop.example'],
    ['https://aba', 'https://ab*ba'],
    ['https://shop.example:8443', 'https://shop.example'],
  ])('%s is not allowed by %s', (origin, pattern) => {
    expect(allows(origin, pattern)).toBe(false)
  })

  test('is allowed when that of a page around it is', () => {
    const allowedOrigins = ['https://shop.example']
    expect(originProblem(['https://frame.example', 'https://shop.example'], { allowedOrigins })).toBeUndefined()
  })

  test('is matched as an anchored expression would, where a star is any text', () => {
    const piece = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 6 })
    const pattern = fc.array(piece, { minLength: 2, maxLength: 4 }).map(pieces => pieces.join('*'))
    fc.assert(
      fc.property(piece, pattern, (origin, one) => {
        const expression = new RegExp(`^${one.replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
        expect(allows(origin, one)).toBe(expression.test(origin))
      }),
      { numRuns: 2000 },
    )
  })
})

test.each([
  [429, { code: 'APKT010' }],
  [500, { code: 'APKT009', detail: 'HTTP status code: 500' }],
  [599, { code: 'APKT009', detail: 'HTTP status code: 599' }],
  [403, { code: 'APKT002' }],
  [0, { code: 'APKT002' }],
])('origins: a failure with status %i is %j', (status, problem) => {
  expect(originProblem(['https://shop.example'], { status })).toEqual(problem)
})

test('origins: another failure leaves those that are always allowed', () => {
  expect(originProblem(['http://localhost:5173'], { status: 403 })).toBeUndefined()
})

test('origins: malformed ones of an answer are dropped and counted', () => {
  const body = { allowedOrigins: ['https://shop.example', 7, '', null, 'a b', 'x'.repeat(501)] }
  expect(readOrigins(body)).toEqual({ allowedOrigins: ['https://shop.example'], dropped: 5 })
})

test('origins: mutated answers are read or refused with a Fault', () => {
  const text = JSON.stringify({ allowedOrigins: ['https://shop.example', 'https://*.shop.example'] })
  fc.assert(
    fc.property(fc.integer(), seed => {
      try {
        const { allowedOrigins } = readOrigins(JSON.parse(changedJson(randomOf(String(seed)), text)))
        originProblem(['https://shop.example'], { allowedOrigins })
      } catch (cause) {
        expect(cause).toBeInstanceOf(Fault)
      }
    }),
    { numRuns: 2000 },
  )
})
