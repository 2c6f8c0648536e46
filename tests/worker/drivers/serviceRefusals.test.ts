/** Refusals of the Blockchain API and of the project configuration: the status decides, the body tells why. */
import { expect, test } from 'vitest'
import type { ServiceAsk } from '../../../src/events/subjects/service/service.ts'
import type { Answer } from '../../../src/runtime/host/driver.ts'
import { createBlockchainDriver } from '../../../src/worker/drivers/blockchain.ts'
import { createProjectDriver } from '../../../src/worker/drivers/project.ts'
import { createHttp } from '../../../src/worker/host/aloneTransport.ts'

const url = 'https://services.example'
const projectId = '0'.repeat(32)
const revoke: ServiceAsk = {
  call: 'revokeSession',
  account: `eip155:1:0x${'1'.repeat(40)}`,
  pci: 'p',
  signature: '0x1',
}
const register: ServiceAsk = {
  call: 'registerName',
  coinType: 60,
  address: `0x${'1'.repeat(40)}`,
  message: '{}',
  signature: '0x1',
}
const envelope = (field: string, description: string) =>
  JSON.stringify({ status: 'FAILED', reasons: [{ field, description }] })

const httpOf = (status: number, body: BodyInit) =>
  createHttp({ fetch: async () => new Response(body, { status }), wait: async () => {} })

async function called(ask: ServiceAsk, status: number, body: BodyInit): Promise<Answer | undefined> {
  let answer: Answer | undefined
  const drivers = createBlockchainDriver({ apiUrl: url, projectId, http: httpOf(status, body) })
  await drivers['service.call']({ id: 'e1', data: { ask } }, input => void (answer = input))
  return answer
}

test.each<[string, number, string, string]>([
  ['an empty object', 400, '{}', 'bad_input'],
  ['an object that says success', 400, '{"success":true}', 'bad_input'],
  ['nothing', 400, '', 'bad_input'],
  ['HTML', 400, '<html>Bad request</html>', 'bad_input'],
  ['nothing', 422, '', 'bad_input'],
  ['an empty object', 404, '{}', 'bad_response'],
  ['an empty object', 401, '{}', 'unauthorized'],
])('services: %s with HTTP %i is no answer', async (_name, status, body, code) => {
  const failure = { code, message: `the end of a smart session: HTTP status code: ${status}`, facts: { status } }
  expect(await called(revoke, status, body)).toEqual({ type: 'effect.failed', data: { failure } })
})

test.each<[string, ServiceAsk, number, string, string]>([
  ['an envelope', revoke, 400, envelope('pci', 'The session is unknown'), 'The session is unknown'],
  ['plain text', revoke, 400, 'Missing field pci\n', 'Missing field pci'],
  ['a service behind it', revoke, 400, '{"code":"x","message":"Not enough liquidity"}', 'Not enough liquidity'],
  ['an envelope', register, 401, envelope('signature', 'The signature is wrong'), 'The signature is wrong'],
  ['an envelope', register, 404, envelope('name', 'The name is unknown'), 'The name is unknown'],
  ['plain text', register, 500, 'Internal server error', 'Internal server error'],
])('services: the words of %s in a refused %o reach the caller', async (_name, ask, status, body, reason) => {
  expect(await called(ask, status, body)).toMatchObject({
    type: 'service.refused',
    data: { failure: { message: expect.stringMatching(`HTTP status code: ${status}$`) as string }, reasons: [reason] },
  })
})

test('services: the envelope of a refusal is no answer with HTTP 200 either', async () => {
  expect(await called(revoke, 200, envelope('pci', 'The session is unknown'))).toMatchObject({
    type: 'service.refused',
    data: { failure: { code: 'bad_response' }, reasons: ['The session is unknown'] },
  })
})

test('services: of a refusal 8 kB are read', async () => {
  let read = 0
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      read += 1024
      controller.enqueue(new Uint8Array(1024).fill(97))
    },
  })
  expect(await called(revoke, 400, endless)).toMatchObject({ type: 'effect.failed' })
  expect(read).toBeLessThan(16_384)
})

const features = JSON.stringify({ features: [{ id: 'activity', isEnabled: false, config: [] }] })

async function configured(type: 'project.read' | 'project.readOrigins', status: number, body: string) {
  let answer: Answer | undefined
  const drivers = createProjectDriver({
    configUrl: url,
    projectId,
    http: httpOf(status, body),
    origin: 'https://a.example',
  })
  await drivers[type]({ id: 'e1', data: {} }, input => void (answer = input))
  return answer
}

test.each<[number, string, string | undefined]>([
  [403, features, 'APKT002'],
  [403, '{"error":"Forbidden"}', 'APKT002'],
  [403, '', 'APKT002'],
  [403, '<html>Forbidden</html>', 'APKT002'],
  [403, 'Forbidden', 'APKT002'],
  [403, 'Unauthorized: invalid key', 'APKT007'],
  [401, features, 'APKT007'],
  [401, 'Unauthorized: origin not allowed', 'APKT002'],
  [404, features, undefined],
  [500, features, 'APKT009'],
])('the project configuration: HTTP %i with %j is none', async (status, body, code) => {
  const answer = (await configured('project.read', status, body)) as {
    type: string
    data: { problem?: { code: string } }
  }
  expect(answer).toMatchObject({
    type: 'project.failed',
    data: { failure: { message: `the project configuration: HTTP status code: ${status}` } },
  })
  expect(answer.data.problem?.code).toBe(code)
})

test.each<[number, string, string | undefined]>([
  [200, '{"allowedOrigins":["https://a.example"]}', undefined],
  [403, '{"allowedOrigins":["https://a.example"]}', 'APKT002'],
  [403, '', 'APKT002'],
  [403, 'Unauthorized: invalid key', 'APKT007'],
])('the allowed origins: HTTP %i with %j', async (status, body, code) => {
  const answer = (await configured('project.readOrigins', status, body)) as { data: { problem?: { code: string } } }
  expect(answer.data.problem?.code).toBe(code)
})
