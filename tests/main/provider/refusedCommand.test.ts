import { describe, expect, test } from 'vitest'
import { emptyCoreModel } from '../../../src/events/emptyModel.ts'
import { Fault } from '../../../src/runtime/failure.ts'
import type { Session } from '../../../src/events/subjects/session/session.ts'
import { createConnecting } from '../../../src/main/provider/connecting.ts'
import { createAsking } from '../../../src/main/provider/requests/asking.ts'

const model = emptyCoreModel()
const rejecting = (cause: unknown) => () => ({ ref: 't.c1', taken: Promise.reject(cause) })
const asked = (cause: unknown) =>
  createAsking({ model: () => model, give: rejecting(cause), readKept: async () => undefined }).ask(
    { sessionTopic: 's' } as Session,
    'eip155:1',
    { method: 'eth_sign', params: [] },
  )
const connected = (cause: unknown) =>
  createConnecting({
    model: () => model,
    give: rejecting(cause),
    pairingUri: async () => undefined,
    show: () => undefined,
  }).connect({})

describe('a command that the core refuses for its form', () => {
  const misfit = (type: string) => new Fault('bad_input', 'data expected text, got 7', { type })

  test('tells a request’s caller that nothing was asked, and why', async () => {
    await expect(asked(misfit('request.send'))).rejects.toMatchObject({
      code: -32_602,
      message: 'request params expected JSON, data expected text, got 7',
    })
  })

  test('tells the caller of connect() which option is wrong', async () => {
    await expect(connected(misfit('connection.connectWalletConnect'))).rejects.toMatchObject({
      code: -32_602,
      message: 'connect() data expected text, got 7',
    })
  })
})

describe.each([
  ['a core that is gone', (message: string) => new Fault('core_lost', message)],
  ['an error without a code', (message: string) => new Error(message)],
])('a command rejected by %s', (_name, rejection) => {
  test('may have reached the wallet, whatever the error’s words', async () => {
    const cause = rejection('request.send: data expected text, got 7')
    await expect(asked(cause)).rejects.toMatchObject({ code: 4900 })
  })

  test('leaves connect() without a client, whatever the error’s words', async () => {
    const cause = rejection('connection.connectWalletConnect: data expected text, got 7')
    await expect(connected(cause)).rejects.toMatchObject({ code: 1, message: 'Sign Client not initialized' })
  })
})
