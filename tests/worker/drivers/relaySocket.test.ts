/** The relay's driver over a socket that the test controls. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createCurves } from '../../../src/worker/drivers/walletconnect/curves.ts'
import { Fault } from '../../../src/runtime/failure.ts'
import type { Answer } from '../../../src/runtime/host/driver.ts'
import { memoryKeys } from '../../../src/worker/drivers/walletconnect/keys.ts'
import { memoryBytes } from '../../../src/worker/drivers/bytes.ts'
import { openRecord } from '../../../src/worker/journal/openLog.ts'
import { createRelayDriver } from '../../../src/worker/drivers/walletconnect/relay.ts'
import { createVault, type Vault } from '../../../src/worker/drivers/walletconnect/vault.ts'
import { soon } from '../../soon.ts'

type Socket = {
  onopen(): void
  onclose(event: { code: number; reason: string }): void
  onmessage(event: { data: string }): void
}
const sockets: Socket[] = []

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.stubGlobal(
    'WebSocket',
    class {
      constructor() {
        sockets.push(this as unknown as Socket)
      }
      close() {}
    },
  )
})
afterEach(() => {
  sockets.length = 0
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A driver with an effect to open a socket, on a device that went offline meanwhile. */
async function opening(changes: Partial<Vault> = {}, take: (input: Answer) => void = () => undefined) {
  const said: Answer[] = []
  const bytes = memoryBytes()
  const { agree, signer } = createCurves()
  const driver = createRelayDriver({
    vault: { ...createVault({ keys: memoryKeys(), bytes, agree }), ...changes },
    bytes,
    verify: async () => true,
    signer,
    now: () => 1_799_000_000_000,
    emit: input => {
      take(input)
      said.push(input)
    },
    relayUrls: ['wss://relay.one'],
    online: () => false,
    askedByPage: () => undefined,
  })
  const run = (type: 'relay.open' | 'relay.close', data: Record<string, unknown>) =>
    driver[type]({ id: 'e1.1.0', type, data } as never, input => void said.push(input))
  await run('relay.open', { url: 'wss://relay.one', projectId: 'p' })
  const [socket] = sockets
  if (!socket) throw new Error('the driver expected to make a socket, it made none')
  return { socket, run, types: () => said.map(({ type }) => type), said }
}
const settle = () => vi.advanceTimersByTimeAsync(0)

test('relay socket: an open one is not given up at the end of the opening time', async () => {
  const { socket, types } = await opening()
  socket.onopen()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(types()).toEqual(['relay.opened'])
})

test('relay socket: one that does not open in fifteen seconds is given up', async () => {
  const { types } = await opening()
  await vi.advanceTimersByTimeAsync(14_999)
  expect(types()).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(types()).toEqual(['relay.closed'])
})

test('relay socket: the reason of a close is dropped when the core ordered the close meanwhile', async () => {
  const { socket, run, types } = await opening()
  socket.onopen()
  socket.onclose({ code: 1006, reason: '' })
  await run('relay.close', {})
  await settle()
  expect(types()).toEqual(['relay.opened'])
})

test.each([
  ['storage_down', 'relay.garbage'],
  ['bad_response', 'relay.message'],
] as const)(
  'relay socket: a message whose key gives %s becomes %s: only unreadable ones are acknowledged',
  async (code, type) => {
    const { socket, said } = await opening({
      openEnvelope: async () => {
        throw new Fault(code, 'it does not open')
      },
    })
    socket.onopen()
    const data = { topic: 'ab'.repeat(32), message: 'AA==', publishedAt: 1, tag: 1 }
    const params = { id: 'cd'.repeat(32), data }
    socket.onmessage({ data: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'irn_subscription', params }) })
    await soon(() => expect(said).toHaveLength(2))
    expect(said[1]?.type).toBe(type)
    expect(said[1]?.data.pushId).toBe(type === 'relay.message' ? '7' : undefined)
  },
)

describe('a life in memory, which cannot read the keys of the device', () => {
  const topic = 'ab'.repeat(32)
  const one = (publishedAt: number) => ({ topic, message: 'AA==', publishedAt, tag: 1112 })
  const opened = async () => {
    vi.spyOn(console, 'warn').mockReturnValueOnce()
    const ports = { failed: () => undefined, taken: () => undefined, shrunk: () => undefined }
    const { keys } = await openRecord(undefined, ports)
    const vault = createVault({ keys, bytes: memoryBytes(), agree: createCurves().agree })
    const { socket, said } = await opening(vault)
    socket.onopen()
    return { socket, said }
  }

  test('acknowledges no message of an earlier session: the next life may open it', async () => {
    const { socket, said } = await opened()
    const params = { id: 'cd'.repeat(32), data: one(1) }
    socket.onmessage({ data: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'irn_subscription', params }) })
    await soon(() => expect(said).toHaveLength(2))
    expect(said[1]).toEqual({ type: 'relay.garbage', data: { message: expect.stringContaining('keys') } })
  })

  test('asks for no page after one with such a message, as that would acknowledge it', async () => {
    const { socket, said } = await opened()
    const result = { messages: [one(1), one(2)], hasMore: true }
    socket.onmessage({ data: JSON.stringify({ id: '5', jsonrpc: '2.0', result }) })
    await soon(() => expect(said).toHaveLength(3))
    expect(said[1]).toEqual({ type: 'relay.fetched', data: { callId: '5', count: 2, hasMore: false } })
  })
})

describe('a message refused by the core', () => {
  const ping = (id: number) => JSON.stringify({ id, jsonrpc: '2.0', method: 'wc_sessionPing', params: {} })
  const one = (id: number) => ({ topic: 'ab'.repeat(32), message: Buffer.from(ping(id)).toString('base64'), tag: 1 })
  const refusing = () =>
    opening(
      { openEnvelope: async (_topic, message) => Buffer.from(message, 'base64').toString() },
      ({ type, data }) => {
        const { kind, id } = (data.payload ?? {}) as { kind?: string; id?: string }
        if (type === 'relay.message' && kind !== 'unopened' && id === '8')
          throw new Fault('bad_input', 'relay.message: a part expected less, got more')
      },
    )

  test('reaches it as unreadable, with its ids for acknowledgement and waits', async () => {
    const { socket, said } = await refusing()
    socket.onopen()
    const params = { id: 'cd'.repeat(32), data: { ...one(8), publishedAt: 1 } }
    socket.onmessage({ data: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'irn_subscription', params }) })
    await soon(() => expect(said).toHaveLength(2))
    const error = { code: 0, message: 'relay.message: a part expected less, got more' }
    expect(said[1]).toMatchObject({
      type: 'relay.message',
      data: { pushId: '7', topic: 'ab'.repeat(32), payload: { kind: 'unopened', id: '8', error } },
    })
  })

  test('delays none of the messages fetched with it', async () => {
    const { socket, said } = await refusing()
    socket.onopen()
    const messages = [7, 8, 9].map(id => ({ ...one(id), publishedAt: id }))
    socket.onmessage({ data: JSON.stringify({ id: '5', jsonrpc: '2.0', result: { messages, hasMore: false } }) })
    await soon(() => expect(said.at(-1)?.type).toBe('relay.fetched'))
    expect(said.slice(1).map(({ type, data }) => [type, (data.payload as { id?: string } | undefined)?.id])).toEqual([
      ['relay.message', '7'],
      ['relay.message', '8'],
      ['relay.message', '9'],
      ['relay.fetched', undefined],
    ])
  })
})
