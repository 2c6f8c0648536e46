/** The socket to a node, at the local chain and at hostile servers; with a core, an order's payment is seen earlier. */
import { PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { BrowserSocket } from '../../../browserSocket.ts'
import type { NodeSubscription } from '../../../../src/events/effect.ts'
import { encodeBase58 } from '../../../../src/events/values/solana/base58.ts'
import { messageBytes, withSignature } from '../../../../src/worker/chains/solana/wire.ts'
import type { InputOf } from '../../../../src/worker/drivers/drive.ts'
import { ofTreasury } from '../../../../src/worker/deciders/order/nodeSocket.ts'
import { createNodeSocket } from '../../../../src/worker/drivers/solana/nodeSocket.ts'
import { createSolanaDriver } from '../../../../src/worker/drivers/solana/solana.ts'
import { createHttp } from '../../../../src/worker/host/aloneTransport.ts'
import { memoryBytes } from '../../../../src/worker/drivers/bytes.ts'
import { toBase64 } from '../../../../src/worker/walletconnect/crypto/encoding.ts'
import { type Keypair, seededKeypair } from '../../../stack/solana/keys.ts'
import { transfer } from '../../../stack/solana/programs.ts'
import { type SolanaStack, startSolana } from '../../../stack/solana/server.ts'
import { connected, placed, signedOf, theOrder, throughGate } from '../../story.ts'

type News = InputOf<'node.heard'>

let stack: SolanaStack
let buyers = 0
const servers: WebSocketServer[] = []
const closing: (() => void)[] = []

beforeAll(async () => {
  stack = await startSolana({ seed: 'node socket', clock: 'manual' })
})
afterAll(() => stack.close())
beforeEach(() => {
  vi.stubGlobal('WebSocket', BrowserSocket)
  stack.control({ faults: {} })
})
afterEach(() => {
  for (const close of closing.splice(0)) close()
  for (const server of servers.splice(0)) {
    for (const socket of server.clients) socket.terminate()
    server.close()
  }
  vi.unstubAllGlobals()
})

const node = { now: 0 }

/** A driver at these endpoints. */
function listener(urls: readonly string[] = [stack.url], socketUrl?: string) {
  const news: News[] = []
  const drive = createNodeSocket({
    urls,
    socketUrl,
    now: () => node.now,
    emit: ({ type, data }) => {
      expect(type).toBe('node.heard')
      news.push(data as News)
    },
  })
  const listen = (to: NodeSubscription[], socket = 1, endpoint = 0) =>
    drive({ id: 'e1.1.1', data: { socket, endpoint, to } }, () => undefined)
  closing.push(() => void listen([]))
  return { news, listen, told: () => news.map(one => one.news) }
}

function buyerWith(sol: string): Keypair {
  buyers += 1
  const buyer = seededKeypair('node socket tests', `buyer ${buyers}`)
  stack.give(buyer.address, { sol })
  stack.chain.advance(2)
  return buyer
}

/** A signed payment, not sent yet. */
function payment(buyer: Keypair): { signature: string; send(): Promise<void> } {
  const pays = new Transaction({
    feePayer: new PublicKey(buyer.address),
    blockhash: stack.chain.blocks.tip().blockhash,
    lastValidBlockHeight: 1,
  })
  const key = new PublicKey(buyer.address)
  pays.add(SystemProgram.transfer({ fromPubkey: key, toPubkey: key, lamports: 1 }))
  const unsigned = Uint8Array.from(pays.serialize({ requireAllSignatures: false, verifySignatures: false }))
  const signature = buyer.sign(messageBytes(unsigned))
  const bytes = withSignature(unsigned, buyer.address, signature)
  return {
    signature: encodeBase58(signature),
    async send() {
      const params = [toBase64(bytes), { encoding: 'base64', skipPreflight: true }]
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sendTransaction', params })
      expect(await (await fetch(stack.url, { method: 'POST', body })).json()).toHaveProperty('result')
    },
  }
}

const signatureAt = (signature: string, level: 'processed' | 'confirmed' | 'finalized'): NodeSubscription => ({
  orderId: 'order-1',
  kind: 'signature',
  signature,
  level,
})
const expiry = (after: number): NodeSubscription => ({ orderId: 'order-1', kind: 'slot', after })
const never = expiry(Number.MAX_SAFE_INTEGER)
/** Subscriptions made at the local chain so far. */
const made = async (method: string) =>
  ((await (await fetch(`${stack.url}/state`)).json()) as { calls: Record<string, number> }).calls[method] ?? 0
const open = async () => ((await (await fetch(`${stack.url}/state`)).json()) as { sockets: number }).sockets

/** A server that treats each frame, and each connection. */
async function hostile(
  hears: (frame: { id: number; method: string }, socket: WebSocket) => void,
): Promise<{ url: string; server: WebSocketServer }> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  servers.push(server)
  server.on('connection', socket => socket.on('message', data => hears(JSON.parse(String(data)), socket)))
  await new Promise<void>(resolve => server.once('listening', () => resolve()))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/path?key=secret`, server }
}
const answer = (socket: WebSocket, id: number, result: unknown) =>
  socket.send(JSON.stringify({ jsonrpc: '2.0', id, result }))
const notify = (socket: WebSocket, subscription: number, result: unknown) =>
  socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'someNotification', params: { subscription, result } }))

describe('news of the local chain', () => {
  test('of a signature come once for each level', async () => {
    const { signature, send } = payment(buyerWith('1'))
    const { listen, told } = listener()
    await listen([signatureAt(signature, 'processed'), signatureAt(signature, 'confirmed'), never])
    await expect.poll(() => made('signatureSubscribe')).toBe(2)
    await send()
    await expect.poll(told).toEqual(['opened', 'order'])
    stack.chain.advance(2)
    await expect.poll(told).toEqual(['opened', 'order', 'alive', 'order'])
    node.now += 5000
    stack.chain.advance(3)
    await expect.poll(told).toEqual(['opened', 'order', 'alive', 'order', 'alive'])
  })

  test('of an account come once it has changed', async () => {
    const buyer = buyerWith('1')
    const { listen, told } = listener()
    const before = await made('accountSubscribe')
    await listen([{ orderId: 'order-1', kind: 'account', account: buyer.address }])
    await expect.poll(() => made('accountSubscribe')).toBe(before + 1)
    stack.give(buyer.address, { sol: '1' })
    stack.chain.advance(3)
    await expect.poll(told).toContain('order')
  })

  test('of slots come every 5 s, and once when the bytes may have expired', async () => {
    node.now = 0
    const { listen, told } = listener()
    const { slot } = stack.chain.blocks.seen('finalized')
    const before = await made('slotSubscribe')
    await listen([expiry(slot + 3)])
    await expect.poll(() => made('slotSubscribe')).toBe(before + 1)
    stack.chain.advance(3)
    await expect.poll(told).toEqual(['opened', 'alive'])
    stack.chain.advance(3)
    await expect.poll(told).toEqual(['opened', 'alive', 'order'])
    node.now = 5000
    stack.chain.advance(1)
    await expect.poll(told).toEqual(['opened', 'alive', 'order', 'alive'])
  })

  test('are asked for over one socket, whatever is added and taken away, which ends with the last', async () => {
    const first = payment(buyerWith('1')).signature
    const second = payment(buyerWith('1')).signature
    const { listen } = listener()
    const before = await made('signatureSubscribe')
    const unmade = await made('signatureUnsubscribe')
    await listen([signatureAt(first, 'processed')])
    await expect.poll(() => made('signatureSubscribe')).toBe(before + 1)
    await listen([signatureAt(first, 'processed'), signatureAt(second, 'processed')])
    await expect.poll(() => made('signatureSubscribe')).toBe(before + 2)
    await listen([signatureAt(second, 'processed')])
    await expect.poll(() => made('signatureUnsubscribe')).toBe(unmade + 1)
    expect(await open()).toBe(1)
    await listen([])
    await expect.poll(open).toBe(0)
  })
})

describe('a socket that fails', () => {
  test('says that it closed when the node cuts it, and nothing after that', async () => {
    const { listen, told } = listener()
    await listen([never])
    await expect.poll(told).toEqual(['opened'])
    stack.control({ sockets: 'drop' })
    await expect.poll(told).toEqual(['opened', 'closed'])
    stack.chain.advance(5)
    expect(await open()).toBe(0)
    expect(told()).toEqual(['opened', 'closed'])
  })

  test('tells nothing while it is half-open, and another takes its place', async () => {
    stack.control({ faults: { slotSubscribe: { kind: 'silent', times: 1 } } })
    const { listen, told, news } = listener()
    const before = await made('slotSubscribe')
    await listen([never])
    await expect.poll(() => made('slotSubscribe')).toBe(before + 1)
    stack.chain.advance(5)
    expect(told()).toEqual(['opened'])
    await listen([never], 2)
    await expect.poll(() => made('slotSubscribe')).toBe(before + 2)
    stack.chain.advance(1)
    await expect.poll(told).toEqual(['opened', 'opened', 'alive'])
    expect(news.at(-1)).toEqual({ socket: 2, news: 'alive' })
  })

  test('says that it closed, and not that it opened, where a node serves none', async () => {
    stack.control({ faults: { upgrade: { kind: 'status', status: 404 } } })
    const { listen, told } = listener()
    await listen([never])
    await expect.poll(told).toEqual(['closed'])
  })

  test('says that it is refused where a node knows no subscriptions, or the address is none', async () => {
    const { url } = await hostile(({ id }, socket) =>
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })),
    )
    const { listen, told } = listener([url, 'nonsense'])
    await listen([never])
    await expect.poll(told).toEqual(['opened', 'refused'])
    await listen([never], 2, 1)
    expect(told()).toEqual(['opened', 'refused', 'refused'])
  })

  test('ends at a frame that cannot be read', async () => {
    for (const frame of ['<html>', '{"id":1', `{"id":"${'x'.repeat(200_000)}"}`, '{"__proto__":{"id":1}}']) {
      const { url } = await hostile((_frame, socket) => socket.send(frame))
      const { listen, told } = listener([url])
      await listen([never])
      await expect.poll(told).toEqual(['opened', 'closed'])
    }
  })

  test('ignores frames about nothing that was asked for', async () => {
    const { url } = await hostile(({ id }, socket) => {
      for (const frame of ['null', '[]', '7', '{"params":[]}', '{"id":99,"result":1}', '{"id":1.5}', '{"method":"x"}'])
        socket.send(frame)
      notify(socket, 4, {})
      answer(socket, id, 7)
      notify(socket, 8, { root: 1 })
      notify(socket, 7, 'no slot')
    })
    const { listen, told } = listener([url])
    await listen([never])
    await expect.poll(told).toEqual(['opened', 'alive'])
  })

  test('reports a signature once, however often the node tells of it', async () => {
    node.now = 0
    let asked = 0
    const { url, server } = await hostile(({ id, method }, socket) => {
      answer(socket, id, id)
      if (method !== 'signatureSubscribe') return
      asked = id
      notify(socket, id, {})
    })
    const { listen, told } = listener([url])
    await listen([signatureAt('sig', 'processed'), never])
    await expect.poll(told).toEqual(['opened', 'order'])
    node.now = 10_000
    for (const socket of server.clients) {
      notify(socket, asked, {})
      notify(socket, 1, { root: 1 })
    }
    await expect.poll(told).toEqual(['opened', 'order', 'alive'])
  })

  test('reports little of a flood, and quotes no address', async () => {
    node.now = 0
    const { url } = await hostile(({ id, method }, socket) => {
      answer(socket, id, id)
      for (let at = 0; at < 500; at += 1) notify(socket, id, { root: Number.MAX_SAFE_INTEGER })
      if (method === 'accountSubscribe') socket.close()
    })
    const { listen, news, told } = listener([url])
    await listen([
      signatureAt('sig', 'processed'),
      expiry(1),
      { orderId: 'order-2', kind: 'account', account: 'buyer' },
    ])
    await expect.poll(told).toContain('closed')
    expect(told()).toEqual(['opened', 'alive', 'order', 'order', 'order', 'closed'])
    expect(JSON.stringify(news)).not.toMatch(/secret|path|127/)
  })

  test('of a core that has ended closes', async () => {
    const drive = createNodeSocket({
      urls: [stack.url],
      now: () => 0,
      emit() {
        throw new Error('no core')
      },
    })
    const before = await made('slotSubscribe')
    await drive({ id: 'e1.1.1', data: { socket: 1, endpoint: 0, to: [never] } }, () => undefined)
    await expect.poll(open).toBe(0)
    expect(await made('slotSubscribe')).toBe(before)
  })
})

describe('news of the treasury', () => {
  const ofSale = (): NodeSubscription => ({
    orderId: ofTreasury,
    kind: 'account',
    account: stack.info.treasury,
    everyMs: 6000,
  })
  const pay = (lamports: bigint) => {
    const buyer = buyerWith('1')
    stack.chain.run([transfer(buyer.address, stack.info.treasury, lamports)], [buyer])
    stack.chain.advance(2)
  }

  test('come at most every few seconds, over the socket that is named, and without slots', async () => {
    const [slots, before] = [await made('slotSubscribe'), await made('accountSubscribe')]
    const { listen, news } = listener(['http://127.0.0.1:1'], stack.wsUrl)
    await listen([ofSale()])
    await expect.poll(() => made('accountSubscribe')).toBe(before + 1)
    pay(1_000_000n)
    await expect.poll(() => news.length).toBe(2)
    for (let count = 0; count < 3; count += 1) pay(2_000_000n)
    node.now += 6000
    pay(3_000_000n)
    await expect.poll(() => news.length).toBe(3)
    expect(news.map(({ news: kind, orderId }) => [kind, orderId])).toEqual([
      ['opened', undefined],
      ['order', ofTreasury],
      ['order', ofTreasury],
    ])
    expect(await made('slotSubscribe')).toBe(slots)
  })

  test('bring slots along while an order is on its way, over the same socket', async () => {
    const before = await made('slotSubscribe')
    const { listen } = listener([stack.url], stack.wsUrl)
    await listen([ofSale()])
    await listen([ofSale(), never])
    await expect.poll(() => made('slotSubscribe')).toBe(before + 1)
    await listen([ofSale()])
    expect(await open()).toBe(1)
  })
})

describe('an order at the local chain', () => {
  /**
   * A sent order whose transaction lands after its first reading; the core's time stands still, and every effect is carried
   * out by the real drivers.
   */
  async function landed(nodeSockets: number) {
    const world = connected(['signTransaction'], nodeSockets > 0 ? { nodeSockets } : {})
    const { signature, send } = payment(buyerWith('1'))
    placed(world)
    world.answer('wallet.signTransaction', 'wallet.signed', { ...signedOf(world), signature })
    throughGate(world)
    const drivers = createSolanaDriver({
      rpcUrls: [stack.url],
      termsUrl: `${stack.url}/terms.json`,
      http: createHttp(),
      bytes: memoryBytes(),
      now: () => world.at,
      emit: ({ data }) => void world.input('node.heard', data as News),
    })
    closing.push(() => void drivers['node.listen']?.({ id: '', data: { to: [] } }, () => undefined))
    /** Looks at the chain until no reading is due now. @returns the readings */
    const read = async () => {
      for (let count = 0; ; count += 1) {
        world.pass(0)
        const watch = world.last('chain.watch')
        if (watch.answered) return count
        await drivers['chain.watch']?.({ id: watch.id, data: watch.data }, input =>
          world.answer('chain.watch', 'chain.status', input.data as InputOf<'chain.status'>),
        )
      }
    }
    const before = await made('signatureSubscribe')
    const listened = world.ordered('node.listen').at(-1)
    if (listened) {
      await drivers['node.listen']?.(listened, () => undefined)
      await expect.poll(() => made('signatureSubscribe')).toBe(before + 3)
    }
    await read()
    expect(theOrder(world).phase).toBe('sending')
    const heard = world.inputs.length
    await send()
    return { world, read, heard: () => world.inputs.slice(heard).filter(({ data }) => data.news === 'order').length }
  }

  test('is seen by a reading that would come later without a socket', async () => {
    const { world, read, heard } = await landed(1)
    await expect.poll(heard).toBe(1)
    expect(await read()).toBe(1)
    expect(theOrder(world).phase).toBe('seen')
  })

  test('is seen by the next reading without one', async () => {
    const { world, read } = await landed(0)
    expect(await read()).toBe(0)
    expect(theOrder(world).phase).toBe('sending')
    world.pass(1000)
    expect(await read()).toBe(1)
    expect(theOrder(world).phase).toBe('seen')
  })
})
