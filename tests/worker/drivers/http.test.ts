import { afterEach, describe, expect, test } from 'vitest'
import { Fault } from '../../../src/runtime/failure.ts'
import { retryAfterMs } from '../../../src/worker/drivers/http.ts'
import { createHttp } from '../../../src/worker/host/aloneTransport.ts'
import { type SmallServer, serve } from './harness.ts'

let server: SmallServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
  waits = []
})

let waits: number[] = []
const wait = async (ms: number) => void waits.push(ms)
const ports = { wait, random: (below: number) => below - 1, maxBytes: 1000 }
const http = createHttp(ports)
/** A short deadline, for servers that never answer. */
const hasty = createHttp({ ...ports, timeoutMs: 100 })
const faultOf = async (promise: Promise<unknown>): Promise<Fault> => {
  const cause = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (cause instanceof Fault) return cause
  throw new Error(`expected a Fault, got ${String(cause)}`)
}
const ask = (path = '/') => http.json({ url: `${server?.url}${path}`, what: 'the test service' })

describe('a request over HTTP', () => {
  test('reads JSON', async () => {
    server = await serve((_, response) => response.end('{"a":1}'))
    expect(await ask()).toEqual({ a: 1 })
  })

  test('posts JSON when it has a body', async () => {
    server = await serve((request, response) => {
      response.end(
        JSON.stringify({ method: request.method, type: request.headers['content-type'], text: request.text }),
      )
    })
    expect(await http.json({ url: server.url, what: 'the test service', body: '{"x":2}' })).toEqual({
      method: 'POST',
      type: 'application/json',
      text: '{"x":2}',
    })
  })

  test.each([[403], [408], [413], [429], [500], [502], [503], [504]])(
    'is repeated three times after %i, and then succeeds',
    async status => {
      server = await serve((_, response, count) => {
        response.statusCode = count <= 3 ? status : 200
        response.end('[]')
      })
      expect(await ask()).toEqual([])
      expect(server.requests).toHaveLength(4)
    },
  )

  test.each([
    [400, 'bad_response', 1],
    [401, 'unauthorized', 1],
    [404, 'bad_response', 1],
    [403, 'unauthorized', 4],
    [429, 'rate_limited', 4],
    [503, 'unreachable', 4],
  ])('that keeps failing with %i is %s after %i tries', async (status, code, tries) => {
    server = await serve((_, response) => {
      response.statusCode = status
      response.end('no')
    })
    expect((await faultOf(ask())).code).toBe(code)
    expect(server.requests).toHaveLength(tries)
  })

  test('waits longer before each try, or as long as the server says', async () => {
    server = await serve((_, response, count) => {
      response.statusCode = count <= 3 ? 503 : 200
      if (count === 3) response.setHeader('retry-after', '2')
      response.end('[]')
    })
    await ask()
    expect(waits).toEqual([150, 300, 2000])
  })

  test('with a Retry-After of an hour fails at once with it', async () => {
    server = await serve((_, response) => {
      response.statusCode = 429
      response.setHeader('retry-after', '3600')
      response.end()
    })
    expect(await faultOf(ask())).toMatchObject({ code: 'rate_limited', facts: { retryAfterMs: 3_600_000 } })
    expect(server.requests).toHaveLength(1)
  })

  test('with a web page as its answer is a bad response', async () => {
    server = await serve((_, response) => response.end('\n<!doctype html><p>Sign in'))
    const { code, message } = await faultOf(ask())
    expect(code).toBe('bad_response')
    expect(message).toMatch(/^the test service at 127\.0\.0\.1:\d+ expected JSON, got HTML$/)
  })

  test.each([[''], ['{"a":'], ['ok']])('with the answer %j is a bad response', async body => {
    server = await serve((_, response) => response.end(body))
    expect((await faultOf(ask())).code).toBe('bad_response')
  })

  test('without an answer ends at its deadline', async () => {
    server = await serve(() => {})
    const once = hasty.json({ url: server.url, what: 'the test service', retries: 0 })
    expect(await faultOf(once)).toMatchObject({ code: 'timeout', facts: { timeoutMs: 100 } })
  })

  test('with an answer that stops in the middle ends at its deadline', async () => {
    server = await serve((_, response) => {
      response.write('{"a":')
    })
    const once = hasty.json({ url: server.url, what: 'the test service', retries: 0 })
    expect((await faultOf(once)).code).toBe('timeout')
  })

  test('with too long an answer is cut off and not repeated', async () => {
    server = await serve((_, response) => response.end(JSON.stringify('x'.repeat(2000))))
    const fault = await faultOf(ask())
    expect(fault.code).toBe('bad_response')
    expect(fault.message).toContain('expected 1000 bytes at most')
    expect(server.requests).toHaveLength(1)
  })

  test('to a closed port is unreachable, and its sentence holds no key', async () => {
    const place = 'http://name:secretword@127.0.0.1:9/v2/apikey123?token=apikey123'
    const { code, message } = await faultOf(http.json({ url: place, what: 'the test service' }))
    expect(code).toBe('unreachable')
    expect(message).toContain('127.0.0.1:9')
    expect(message).not.toMatch(/secretword|apikey123/)
  })

  test('to an invalid address is unreachable', async () => {
    expect((await faultOf(http.json({ url: 'nowhere', what: 'the test service' }))).code).toBe('unreachable')
  })
})

describe('Retry-After', () => {
  const now = Date.UTC(2026, 10, 21, 9, 0, 0)

  test('is seconds or a date', () => {
    expect(retryAfterMs('3', now)).toBe(3_000)
    expect(retryAfterMs(' 0 ', now)).toBe(0)
    expect(retryAfterMs('Sat, 21 Nov 2026 09:00:05 GMT', now)).toBe(5_000)
    expect(retryAfterMs('Sat, 21 Nov 2026 08:00:00 GMT', now)).toBe(0)
  })

  test.each([[null], [''], ['-1'], ['1.5'], ['soon'], ['1e9'], ['99999999999']])('%j is ignored', value => {
    expect(retryAfterMs(value, now)).toBeUndefined()
  })
})
