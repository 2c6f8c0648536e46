/** The provider over the whole worker side, against the official wallet kit and a real relay. */
import { join } from 'node:path'
import bs58 from 'bs58'
import { ed25519 } from '@noble/curves/ed25519.js'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { UnclaimedAnswer } from '../../src/main/provider/requests/unclaimedAnswers.ts'
import { seededKeypair } from '../stack/solana/keys.ts'
import { type Stack, startStack } from '../stack/start.ts'
import { ethereumMethods, personalSigner } from '../stack/wallet/ethereum.ts'
import { type KitPolicy, type KitWallet, startKitWallet } from '../stack/wallet/kit.ts'
import {
  connect,
  createDevice,
  type Device,
  type SmallNode,
  startHost as startHostOn,
  startNode,
} from './providerHost.ts'

const chain = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const eip155 = {
  chains: ['eip155:1', 'eip155:137'],
  methods: ethereumMethods,
  events: ['chainChanged', 'accountsChanged'],
}
const solana = { chains: [chain], methods: ['solana_signMessage', 'solana_signTransaction'], events: [] }
const hello = '0x68656c6c6f'

let stack: Stack
let node: SmallNode
const wallets: KitWallet[] = []

beforeAll(async () => {
  stack = await startStack({ clock: 'manual', seed: 'provider', cacheDir: join(process.cwd(), 'node_modules/.cache') })
  node = await startNode(({ method }) =>
    method === 'eth_blockNumber' ? '"result":"0x10"' : '"error":{"code":-32601,"message":"no such"}',
  )
}, 20_000)
afterEach(async () => {
  for (const wallet of wallets.splice(0)) await wallet.close()
})
afterAll(async () => {
  node?.server.close()
  await stack?.close()
})

async function startWallet(seed: string, policy: Partial<KitPolicy> = {}): Promise<KitWallet> {
  const wallet = await startKitWallet({
    relayUrl: stack.addresses.VITE_RELAY_URL,
    projectId: stack.addresses.VITE_PROJECT_ID,
    secretKey: seededKeypair(seed, 'holder').secretKey,
    ethereumKey: seededKeypair(seed, 'ethereum').secretKey.slice(0, 32),
    rpcUrl: stack.solana.url,
    policy,
  })
  wallets.push(wallet)
  return wallet
}

const startHost = (more: { now?: () => number; device?: Device } = {}) =>
  startHostOn(stack, { ...more, options: { rpcMap: { 'eip155:1': `${node.url}/secret-key` } } })

describe('against the official wallet kit', () => {
  test('a message is signed by personal_sign and a transaction sent, an unknown method is read over http', async () => {
    const wallet = await startWallet('one')
    const { page, provider } = await startHost()
    await connect(provider, wallet, { eip155 })
    expect(await provider.enable()).toEqual([wallet.ethereum])
    const signature = await provider.request<string>({ method: 'personal_sign', params: [hello, wallet.ethereum] })
    expect(personalSigner(hello, signature)).toBe(wallet.ethereum)
    const transaction = { from: wallet.ethereum, to: `0x${'00'.repeat(20)}`, value: '0x1', data: '0xabcd' }
    const hash = await provider.request({ method: 'eth_sendTransaction', params: [transaction] }, 'eip155:137')
    expect(hash).toMatch(/^0x[0-9a-f]{64}$/)
    const [first, second] = [await wallet.next('request'), await wallet.next('request')]
    expect(first).toMatchObject({ method: 'personal_sign', params: [hello, wallet.ethereum], chainId: 'eip155:1' })
    expect(second).toMatchObject({ method: 'eth_sendTransaction', params: [transaction], chainId: 'eip155:137' })

    expect(await provider.request({ method: 'eth_blockNumber' })).toBe('0x10')
    await expect(provider.request({ method: 'eth_nonsense' })).rejects.toMatchObject({
      code: -32_601,
      name: 'MethodNotFoundRpcError',
      message: 'no such',
    })
    expect(node.asked.map(({ method }) => method)).toEqual(['eth_blockNumber', 'eth_nonsense'])
    expect(await page.core.recording([])).not.toMatch(/secret-key/)
  }, 20_000)

  test('a Solana message is signed; a signature by another account is refused', async () => {
    const wallet = await startWallet('two')
    const { provider } = await startHost()
    await connect(provider, wallet, { solana })
    const text = new TextEncoder().encode('hello')
    const params = { message: bs58.encode(text), pubkey: wallet.address }
    const { signature } = await provider.request<{ signature: string }>({ method: 'solana_signMessage', params })
    expect(ed25519.verify(bs58.decode(signature), text, bs58.decode(wallet.address))).toBe(true)
    wallet.policy.request = 'other'
    await expect(provider.request({ method: 'solana_signMessage', params })).rejects.toMatchObject({
      code: 4100,
      message: 'the wallet signed with another account than was asked for',
    })
  }, 20_000)

  test('a refusal keeps its code, and an error without a message gets one', async () => {
    const wallet = await startWallet('three', { request: 'decline', declineCode: 4001 })
    const { provider } = await startHost()
    await connect(provider, wallet, { eip155 })
    const sign = { method: 'personal_sign', params: [hello, wallet.ethereum] }
    await expect(provider.request(sign)).rejects.toMatchObject({
      name: 'UserRejectedRequestError',
      code: 4001,
      message: 'User rejected the request.',
    })
    wallet.policy.request = 'empty'
    await expect(provider.request(sign)).rejects.toMatchObject({
      code: -32_000,
      message: 'the wallet refused the request without saying why',
    })
  }, 20_000)

  test('an answer after the deadline is late, and its result is stored', async () => {
    let ahead = 0
    const wallet = await startWallet('four', { request: 'silent' })
    const { page, provider } = await startHost({ now: () => Date.now() + ahead })
    await connect(provider, wallet, { eip155 })
    const late = new Promise<UnclaimedAnswer>(resolve => provider.once('late_answer', resolve))
    const asked = provider.request({ method: 'personal_sign', params: [hello, wallet.ethereum] }, 'eip155:1', 300)
    const expired = expect(asked).rejects.toMatchObject({ code: 6, message: 'Request expired. Please try again.' })
    await wallet.next('request')
    ahead = 301_000
    await page.core.lifecycle({ resumed: true }, page.tab)
    await expired
    wallet.policy.request = 'approve'
    await wallet.answerOpen()
    const { result } = (await late) as { result: string }
    expect(personalSigner(hello, result)).toBe(wallet.ethereum)
    expect(await provider.answers()).toMatchObject([{ late: true, method: 'personal_sign', result }])
  }, 20_000)

  test('two wallets each get their own requests, and one session ends without the other', async () => {
    const [first, second] = [await startWallet('five'), await startWallet('six')]
    const { provider } = await startHost()
    await connect(provider, first, { eip155 })
    const topic = await connect(provider, second, { solana })
    const signature = await provider.request<string>(
      { method: 'personal_sign', params: [hello, first.ethereum] },
      'eip155:1',
    )
    expect(personalSigner(hello, signature)).toBe(first.ethereum)
    const params = { message: bs58.encode(Uint8Array.of(1)), pubkey: second.address }
    expect(await provider.request({ method: 'solana_signMessage', params }, chain)).toHaveProperty('signature')
    const left = new Promise(resolve => provider.once('disconnect', resolve))
    await first.disconnect(first.sessions()[0] ?? '')
    expect(await left).toMatchObject({ code: 6000 })
    expect(provider.session?.topic).toBe(topic)
    await provider.disconnect('solana')
    await second.next('deleted')
    await expect(provider.request({ method: 'x' })).rejects.toThrow('Please call connect() before request()')
  }, 20_000)

  test('a wallet is pinged, extended and sent an event; what it did not approve is refused', async () => {
    const wallet = await startWallet('ten')
    const { provider, page } = await startHost()
    await expect(provider.ping()).rejects.toMatchObject({ code: 4900 })
    const topic = await connect(provider, wallet, { eip155 })
    const [pinged, extended] = [wallet.next('pinged'), wallet.next('extended')]
    await provider.ping()
    expect(await pinged).toMatchObject({ topic })
    const ended = page.model().session[topic]?.expiresAt ?? 0
    await provider.extend(topic)
    expect(await extended).toMatchObject({ topic })
    expect(page.model().session[topic]?.expiresAt).toBeGreaterThanOrEqual(ended)
    await provider.emitEvent({ name: 'chainChanged', data: 137 }, 'eip155:137')
    await expect(provider.emitEvent({ name: 'message' }, 'eip155:1')).rejects.toMatchObject({ code: 5 })
    await expect(provider.emitEvent({ name: '' })).rejects.toMatchObject({ code: 5 })
    await expect(provider.emitEvent('chainChanged' as never)).rejects.toMatchObject({ code: 5 })
    await expect(provider.ping('f'.repeat(64))).rejects.toMatchObject({ code: 2 })
  }, 20_000)

  test('of two wallets on one chain, one is disconnected by its topic, and the other signs', async () => {
    const [first, second] = [await startWallet('eight'), await startWallet('nine')]
    const { provider } = await startHost()
    const topics = [await connect(provider, first, { eip155 }), await connect(provider, second, { eip155 })]
    expect(provider.sessions.map(({ topic }) => topic).sort()).toEqual([...topics].sort())
    await provider.disconnect({ topic: topics[0] ?? '' })
    await first.next('deleted')
    expect(provider.sessions.map(({ topic }) => topic)).toEqual([topics[1]])
    const sign = { method: 'personal_sign', params: [hello, second.ethereum] }
    expect(personalSigner(hello, await provider.request<string>(sign))).toBe(second.ethereum)
    await expect(provider.disconnect({ topic: topics[0] ?? '' })).rejects.toMatchObject({ code: 2 })
  }, 20_000)

  test('a transaction for a chain its wallet did not approve is refused and reaches no node', async () => {
    const wallet = await startWallet('ten')
    const { provider } = await startHost()
    await connect(provider, wallet, { eip155: { ...eip155, chains: ['eip155:137'] } })
    node.asked.length = 0
    const transaction = { from: wallet.ethereum, to: `0x${'00'.repeat(20)}`, value: '0x1' }
    await expect(
      provider.request({ method: 'eth_sendTransaction', params: [transaction] }, 'eip155:1'),
    ).rejects.toMatchObject({ code: 5, message: 'Missing or invalid. request() chainId: eip155:1' })
    expect(node.asked).toEqual([])
  }, 20_000)

  test('the requesting tab gets the answer, other tabs can read it, and no channel between them carries an address', async () => {
    const said = vi.spyOn(BroadcastChannel.prototype, 'postMessage')
    const wallet = await startWallet('seven')
    const device = createDevice()
    const [leading, following] = [await startHost({ device }), await startHost({ device })]
    await connect(leading.provider, wallet, { eip155 })
    await following.page.until('the session', model => Object.keys(model.session).length === 1)
    const signature = await following.provider.request<string>({
      method: 'personal_sign',
      params: [hello, wallet.ethereum],
    })
    expect(personalSigner(hello, signature)).toBe(wallet.ethereum)
    expect(await leading.provider.answers()).toMatchObject([
      { late: false, method: 'personal_sign', result: signature },
    ])
    expect(await following.provider.request({ method: 'eth_blockNumber' })).toBe('0x10')
    const spoken = JSON.stringify(said.mock.calls)
    expect(spoken).toContain('personal_sign')
    expect(spoken).not.toContain('secret-key')
    said.mockRestore()
  }, 20_000)
})
