import { afterEach, describe, expect, test } from 'vitest'
import type { PulseEvent } from '../../../src/events/analytics/sanitize.ts'
import type { Answer } from '../../../src/runtime/host/driver.ts'
import { createPulseDriver } from '../../../src/worker/drivers/pulse.ts'
import { type SmallServer, serve } from './harness.ts'

let server: SmallServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const openedAt = (at: number): PulseEvent => ({
  type: 'track',
  eventId: '0f0b2b1e-3c4d-4e5f-8a9b-0c1d2e3f4a5b',
  at,
  event: 'MODAL_OPEN',
  properties: { connected: false },
})

/** Sends to a server, or with this `fetch`; returns the only answer. */
async function send(pulseUrl: string, events: PulseEvent[], fetch?: typeof globalThis.fetch): Promise<Answer> {
  const answers: Answer[] = []
  const host = { pulseUrl, projectId: 'p', pageUrl: 'https://shop.example/' }
  const drivers = createPulseDriver({ ...host, ...(fetch && { fetch }) })
  await drivers['pulse.send']({ id: 'e1.1.1', data: { events } }, input => answers.push(input))
  expect(answers).toHaveLength(1)
  return answers[0] as Answer
}

describe('pulse.send', () => {
  test('posts each event once, in order, as text that needs no preflight', async () => {
    const kinds: (string | undefined)[] = []
    server = await serve((request, response) => {
      kinds.push(`${request.method} ${request.headers['content-type']}`)
      response.statusCode = 202
      response.end()
    })
    expect(await send(server.url, [openedAt(1), openedAt(2)])).toEqual({ type: 'pulse.sent', data: { count: 2 } })
    expect(
      server.requests.map(({ body }) => (JSON.parse(body) as PulseEvent & { timestamp: number }).timestamp),
    ).toEqual([1, 2])
    expect(server.requests[0]?.path).toBe('/e?projectId=p&st=appkit&sv=html-wagmi-4.2.2')
    expect(kinds).toEqual(Array(2).fill('POST text/plain;charset=UTF-8'))
  })

  test('ends at the first failure and tells how many were sent', async () => {
    server = await serve((_, response, count) => {
      response.statusCode = count === 2 ? 503 : 202
      response.end()
    })
    const answer = await send(server.url, [openedAt(1), openedAt(2), openedAt(3)])
    expect(answer).toMatchObject({
      type: 'effect.failed',
      data: { failure: { code: 'unreachable', facts: { status: 503, sent: 1 } } },
    })
    expect(server.requests).toHaveLength(2)
  })

  test.each([
    [403, 'unauthorized'],
    [401, 'unauthorized'],
    [400, 'bad_response'],
    [429, 'rate_limited'],
  ])('fails after HTTP %i as %s, and is not tried again', async (status, code) => {
    server = await serve((_, response) => {
      response.statusCode = status
      response.end()
    })
    expect(await send(server.url, [openedAt(1)])).toMatchObject({
      type: 'effect.failed',
      data: { failure: { code, facts: { status, sent: 0 } } },
    })
    expect(server.requests).toHaveLength(1)
  })

  test('fails as unreachable without a connection', async () => {
    const lost = () => Promise.reject(new TypeError('Failed to fetch'))
    expect(await send('http://127.0.0.1:9', [openedAt(1)], lost)).toMatchObject({
      type: 'effect.failed',
      data: { failure: { code: 'unreachable', facts: { sent: 0 } } },
    })
  })
})
