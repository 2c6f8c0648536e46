/** A port that comlink serves: the named calls pass, and no walk along properties. */
import { MessageChannel } from 'node:worker_threads'
import { expose } from 'comlink'
import { afterEach, expect, test } from 'vitest'
import { onlyNamed, passNamedCalls } from '../../../src/runtime/calls/namedCalls.ts'

const ports: MessagePort[] = []
afterEach(() => {
  for (const port of ports.splice(0)) port.close()
})

function serve(guarded = true, taking: string[] = []) {
  const { port1, port2 } = new MessageChannel() as unknown as { port1: MessagePort; port2: MessagePort }
  ports.push(port1, port2)
  const served = {
    ping: async () => 7,
    secret: async () => 'secret',
    take: async (held: { dispatch(): Promise<number> }) => held.dispatch(),
  }
  if (guarded) passNamedCalls(port1, ['ping', 'take'], { taking })
  expose(guarded ? onlyNamed(served, ['ping', 'take']) : served, port1)
  const ask = (message: object, moved: MessagePort[] = []) =>
    new Promise<Record<string, unknown>>(resolve => {
      port2.onmessage = ({ data }: MessageEvent<Record<string, unknown>>) => resolve(data)
      port2.postMessage({ id: 'x', argumentList: [], ...message }, moved)
    })
  return { ask, served, port2 }
}

test('named calls: a named call is answered', async () => {
  const { ask } = serve()
  expect(await ask({ type: 'APPLY', path: ['ping'] })).toMatchObject({ type: 'RAW', value: 7 })
})

test.each([
  [{ type: 'APPLY', path: ['constructor', 'constructor'], argumentList: [{ type: 'RAW', value: 'return 1' }] }],
  [{ type: 'GET', path: ['constructor', 'name'] }],
  [{ type: 'GET', path: ['ping'] }],
  [{ type: 'GET', path: [] }],
  [{ type: 'SET', path: ['__proto__', 'polluted'], value: { type: 'RAW', value: 1 } }],
  [{ type: 'SET', path: ['ping'], value: { type: 'RAW', value: 1 } }],
  [{ type: 'CONSTRUCT', path: ['ping'] }],
  [{ type: 'ENDPOINT' }],
  [{ type: 'RELEASE' }],
  [{ type: 'APPLY', path: ['secret'] }],
  [{ type: 'APPLY', path: ['toString'] }],
  [{ type: 'APPLY', path: ['__proto__'] }],
  [{ type: 'APPLY', path: ['ping', 'call'] }],
  [{ type: 'APPLY', path: [['ping']] }],
  [{ type: 'APPLY', path: { length: 1, 0: 'ping' } }],
  [{ type: 'APPLY' }],
  [{ type: 'APPLY', path: ['ping'], argumentList: [{ type: 'HANDLER', name: 'throw', value: {} }] }],
  [{ type: 'APPLY', path: ['ping'], argumentList: [{ type: 'HANDLER', name: 'proxy', value: {} }] }],
  [{ type: 'APPLY', path: ['take'], argumentList: [{ type: 'HANDLER', name: 'proxy', value: {} }] }],
  [{ type: 'APPLY', path: ['take'], argumentList: [{ type: 'HANDLER', name: 'proxy' }] }],
  [{ type: 'APPLY', path: ['ping'], argumentList: [null] }],
  [{ type: 'APPLY', path: ['ping'], argumentList: { map: 1 } }],
])('named calls: %j is refused', async message => {
  const { ask, served } = serve(true, ['take'])
  expect(await ask(message)).toMatchObject({ name: 'throw', value: { isError: true } })
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  expect(await served.ping()).toBe(7)
  // The port goes on serving
  expect(await ask({ type: 'APPLY', path: ['ping'] })).toMatchObject({ value: 7 })
})

test('named calls: a port of functions reaches the calls that take one, and no others', async () => {
  for (const taking of [['take'], []]) {
    const { ask } = serve(true, taking)
    const { port1, port2 } = new MessageChannel() as unknown as { port1: MessagePort; port2: MessagePort }
    ports.push(port1, port2)
    expose({ dispatch: () => 9 }, port1)
    const argumentList = [{ type: 'HANDLER', name: 'proxy', value: port2 }]
    const answer = await ask({ type: 'APPLY', path: ['take'], argumentList }, [port2])
    expect(answer).toMatchObject(taking.length > 0 ? { type: 'RAW', value: 9 } : { name: 'throw' })
  }
})

test('named calls: a port without the guard would have let a walk pass', async () => {
  const { ask } = serve(false)
  expect(await ask({ type: 'GET', path: ['constructor', 'name'] })).toMatchObject({ value: 'Object' })
})
