/** The provider on every family of chains, and Ethereum's methods with special rules, against the official wallet kit. */
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Provider, ProviderOptions } from '../../src/main/provider/provider.ts'
import { everyCase } from '../everyCase.ts'
import { seededKeypair } from '../stack/solana/keys.ts'
import { type Stack, startStack } from '../stack/start.ts'
import { type Approval, type KitPolicy, type KitWallet, startKitWallet } from '../stack/wallet/kit.ts'
import { connect, createDevice, type SmallNode, startHost, startNode } from './providerHost.ts'

let stack: Stack
let node: SmallNode
let answer: (asked: { method: string; path: string }) => string = () => '"result":null'
const wallets: KitWallet[] = []

beforeAll(async () => {
  stack = await startStack({ clock: 'manual', seed: 'families', cacheDir: join(process.cwd(), 'node_modules/.cache') })
  node = await startNode(asked => answer(asked))
}, 20_000)
afterEach(async () => {
  answer = () => '"result":null'
  node.asked.length = 0
  for (const wallet of wallets.splice(0)) await wallet.close()
})
afterAll(async () => {
  node?.server.close()
  await stack?.close()
})

type Part = { accounts: string[]; methods: string[]; events?: string[] }
const chainOf = (account: string) => account.slice(0, account.lastIndexOf(':'))
const approved = (parts: Record<string, Part>): Approval['namespaces'] =>
  Object.fromEntries(
    Object.entries(parts).map(([family, { accounts, methods, events = [] }]) => [
      family,
      { chains: [...new Set(accounts.map(chainOf))], accounts, methods, events },
    ]),
  )
const asked = (parts: Record<string, Part>) =>
  Object.fromEntries(
    Object.entries(parts).map(([family, { accounts, methods, events = [] }]) => [
      family,
      { chains: [...new Set(accounts.map(chainOf))], methods, events },
    ]),
  )

/** A wallet with exactly this approval and policy, and a page connected to it. */
async function connected(
  seed: string,
  parts: Record<string, Part>,
  policy: Partial<KitPolicy>,
  { more = {}, options = {} as ProviderOptions, device = createDevice() } = {},
) {
  const wallet = await startKitWallet({
    relayUrl: stack.addresses.VITE_RELAY_URL,
    projectId: stack.addresses.VITE_PROJECT_ID,
    secretKey: seededKeypair(seed, 'holder').secretKey,
    rpcUrl: stack.solana.url,
    policy: { approve: () => ({ namespaces: approved(parts), ...more }), ...policy },
  })
  wallets.push(wallet)
  const { provider, page } = await startHost(stack, { device, options })
  const topic = await connect(provider, wallet, asked(parts))
  return { wallet, provider, page, topic }
}

/** A wallet's refusal. */
const refusal = (code: number, words = 'no') => Object.assign(new Error(words), { code })

const holder = `0x${'ab'.repeat(20)}`
const evm = (methods: string[], chains = ['eip155:1']): Record<string, Part> => ({
  eip155: { accounts: chains.map(chain => `${chain}:${holder}`), methods, events: ['chainChanged'] },
})

/** By family: an account on a real chain, a method, and a wallet's answer to it. */
const families: Record<string, { account: string; method: string; params: unknown; result: unknown }> = {
  eip155: { account: `eip155:1:${holder}`, method: 'personal_sign', params: ['0x00', holder], result: '0x5a' },
  solana: {
    account: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
    method: 'solana_getAccounts',
    params: {},
    result: [{ pubkey: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin' }],
  },
  polkadot: {
    account: 'polkadot:91b171bb158e2d3848fa23a9f1c25182:16Z4FnVs8QZkH8y2Q7v3wWc5bX8w1w3oRzVvUeYcJ9x2n1aB',
    method: 'polkadot_signMessage',
    params: { address: '16Z4FnVs8QZkH8y2Q7v3wWc5bX8w1w3oRzVvUeYcJ9x2n1aB', message: 'hello' },
    result: { signature: '0x01' },
  },
  bip122: {
    account: 'bip122:000000000019d6689c085ae165831e93:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    method: 'signMessage',
    params: { account: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', message: 'hello' },
    result: { address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', signature: '0a' },
  },
  cosmos: {
    account: 'cosmos:cosmoshub-4:cosmos1wtndkj8jkpg4q0w6u8x6z6v0d9jrxk5xq6q2fa',
    method: 'cosmos_getAccounts',
    params: {},
    result: [{ algo: 'secp256k1', address: 'cosmos1wtndkj8jkpg4q0w6u8x6z6v0d9jrxk5xq6q2fa', pubkey: 'AA==' }],
  },
  sui: {
    account: `sui:mainnet:0x${'cd'.repeat(32)}`,
    method: 'sui_signPersonalMessage',
    params: { address: `0x${'cd'.repeat(32)}`, message: 'aGVsbG8=' },
    result: { signature: 'AA==' },
  },
  stacks: {
    account: 'stacks:1:SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7',
    method: 'stx_getAddresses',
    params: {},
    result: { addresses: [{ symbol: 'STX', address: 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7' }] },
  },
}

describe('a session with every family of chains', () => {
  test('sends each request by its own chain or name, and reads from that chain’s node, integers exact', async () => {
    const parts = Object.fromEntries(
      Object.entries(families).map(([family, { account, method }]) => [
        family,
        { accounts: [account], methods: [method] },
      ]),
    )
    const rpcMap = Object.fromEntries(
      Object.entries(families).map(([family, { account }]) => [chainOf(account), `${node.url}/${family}`]),
    )
    const results = new Map(Object.values(families).map(({ method, result }) => [method, result]))
    const { wallet, provider } = await connected(
      'all',
      parts,
      { answer: ({ method }) => results.get(method) },
      { options: { rpcMap } },
    )
    answer = ({ path }) => `"result":{"at":"${path}","height":9007199254740993}`
    for (const [family, { account, method, params, result }] of Object.entries(families)) {
      expect(await provider.request({ method, params }, chainOf(account))).toEqual(result)
      expect(await wallet.next('request')).toMatchObject({ method, params, chainId: chainOf(account) })
      const read = await provider.request({ method: 'read_height' }, family)
      expect(read).toEqual({ at: `/${family}`, height: 9_007_199_254_740_993n })
    }
    expect(await provider.enable()).toEqual([holder])

    await provider.disconnect('cosmos')
    const { cosmos, sui } = families
    const ask = (one: typeof sui) =>
      provider.request({ method: one?.method ?? '', params: one?.params }, chainOf(one?.account ?? ''))
    await expect(ask(cosmos)).rejects.toMatchObject({
      code: 5,
      message: "Namespace 'cosmos' is not configured. Please call connect() first with namespace config.",
    })
    expect(await ask(sui)).toEqual(sui?.result)
    // The protocol cannot express it: the wallet still has the whole session
    expect(wallet.events.filter(({ type }) => type === 'deleted')).toEqual([])
    expect(wallet.sessions()).toHaveLength(1)
  }, 40_000)

  test('offers only the proposed methods, whatever its wallet approved beside them', async () => {
    const { wallet, provider } = await connected(
      'more',
      evm(['personal_sign']),
      {
        answer: () => '0x5a',
        approve: () => ({ namespaces: approved(evm(['personal_sign', 'eth_call'], ['eip155:1', 'eip155:10'])) }),
      },
      { options: { rpcMap: { 'eip155:1': node.url } } },
    )
    answer = () => '"result":"0x07"'
    expect(await provider.request({ method: 'eth_call', params: [{}] })).toBe('0x07')
    expect(wallet.events.filter(({ type }) => type === 'request')).toEqual([])
    await expect(provider.request({ method: 'personal_sign', params: [] }, 'eip155:10')).rejects.toMatchObject({
      code: 5,
      message: 'Missing or invalid. request() chainId: eip155:10',
    })
  }, 20_000)
})

describe('wallet_switchEthereumChain', () => {
  const methods = ['wallet_switchEthereumChain', 'wallet_addEthereumChain']
  const network = {
    chainName: 'Five',
    nativeCurrency: { name: 'Five', symbol: 'FIV', decimals: 18 },
    rpcUrls: ['https://five.example'],
  }
  const switchTo = (provider: Provider, chainId: string) =>
    provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })

  test.each(everyCase ? [4902, 32_603, 5000] : [4902])(
    'refused with %i adds the chain and asks again; on success the chain is the default',
    async code => {
      let refused = false
      const seen: { method: string; params: unknown; chainId: string }[] = []
      const { provider } = await connected(
        `switch ${code}`,
        evm(methods),
        {
          answer: request => {
            seen.push(request)
            if (refused || request.method !== 'wallet_switchEthereumChain') return null
            refused = true
            throw refusal(code, 'Unrecognized chain ID "0x5"')
          },
        },
        { options: { networks: { 'eip155:5': network } } },
      )
      const changed = new Promise(resolve => provider.once('chainChanged', resolve))
      expect(await switchTo(provider, '0x5')).toBeNull()
      expect(await changed).toBe('0x5')
      expect(seen).toEqual([
        { method: methods[0], params: [{ chainId: '0x5' }], chainId: 'eip155:1' },
        { method: methods[1], params: [{ chainId: '0x5', ...network }], chainId: 'eip155:1' },
        { method: methods[0], params: [{ chainId: '0x5' }], chainId: 'eip155:1' },
      ])
      expect(await provider.request({ method: 'eth_chainId' })).toBe('0x5')
    },
    20_000,
  )

  test('refused by the person with 4001 stays refused', async () => {
    const { provider } = await connected(
      'switch no',
      evm(methods),
      {
        answer: () => {
          throw refusal(4001, 'User rejected the request.')
        },
      },
      { options: { networks: { 'eip155:5': network } } },
    )
    await expect(switchTo(provider, '0x5')).rejects.toMatchObject({ code: 4001, name: 'UserRejectedRequestError' })
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0x1')
  }, 20_000)

  test('to an approved chain asks no wallet and is stored: the next page on this device uses it, too', async () => {
    const device = createDevice()
    const { wallet, provider, page } = await connected(
      'switch here',
      evm(['personal_sign'], ['eip155:1', 'eip155:137']),
      {},
      { device },
    )
    expect(await switchTo(provider, '0x89')).toBeNull()
    await page.until('the chain to be kept', ({ session }) => Object.values(session)[0]?.chains.eip155 === 'eip155:137')
    const next = await startHost(stack, { device })
    await next.page.until('the session', ({ session }) => Object.keys(session).length === 1)
    expect(await next.provider.request({ method: 'eth_chainId' })).toBe('0x89')
    expect(wallet.events.filter(({ type }) => type === 'request')).toEqual([])

    const changed = new Promise(resolve => provider.once('chainChanged', resolve))
    await wallet.update(wallet.sessions()[0] ?? '', approved(evm(['personal_sign'], ['eip155:1'])))
    expect(await changed).toBe('0x1')
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0x1')
  }, 30_000)

  test('by the wallet itself is announced in hex', async () => {
    const { wallet, provider, topic } = await connected(
      'switch itself',
      evm(['personal_sign'], ['eip155:1', 'eip155:137']),
      {},
    )
    const changed = new Promise(resolve => provider.once('chainChanged', resolve))
    await wallet.emit(topic, { name: 'chainChanged', data: 137, chainId: 'eip155:137' })
    expect(await changed).toBe('0x89')
  }, 20_000)
})

describe('capabilities of a wallet, and statuses of calls', () => {
  const can = { '0x1': { atomic: { status: 'supported' } } }
  const capabilities = (provider: Provider) =>
    provider.request({ method: 'wallet_getCapabilities', params: [holder, ['0x1']] })

  test('are read from its session, scoped properties before those of all chains', async () => {
    const { wallet, provider } = await connected(
      'can',
      evm(['personal_sign']),
      {},
      {
        more: {
          sessionProperties: { atomic: '{"status":"ready"}', paymasterService: '{"supported":true}' },
          scopedProperties: { eip155: {}, 'eip155:1': { atomic: { status: 'supported' } } },
        },
      },
    )
    expect(await capabilities(provider)).toEqual({
      '0x1': { atomic: { status: 'supported' }, paymasterService: { supported: true } },
    })
    expect(wallet.events.filter(({ type }) => type === 'request')).toEqual([])
  }, 20_000)

  test('are requested from it once, and again after its session changes', async () => {
    const parts = evm(['wallet_getCapabilities'])
    const { wallet, provider, page, topic } = await connected('ask', parts, { answer: () => can })
    const requests = () => wallet.events.filter(({ type }) => type === 'request').length
    expect([await capabilities(provider), await capabilities(provider)]).toEqual([can, can])
    expect(requests()).toBe(1)
    await wallet.update(topic, approved(evm(['wallet_getCapabilities'], ['eip155:1', 'eip155:10'])))
    await page.until('the update', ({ session }) => session[topic]?.namespaces.eip155?.accounts.length === 2)
    expect(await capabilities(provider)).toEqual(can)
    expect(requests()).toBe(2)
  }, 20_000)

  test('of calls: read on the chain they were sent on, from the bundler first and the wallet last', async () => {
    const parts = evm(['wallet_sendCalls', 'wallet_getCallsStatus'], ['eip155:1', 'eip155:10'])
    const { wallet, provider } = await connected(
      'calls',
      parts,
      { answer: ({ method }) => (method === 'wallet_sendCalls' ? { id: '0xid' } : { status: 200 }) },
      { more: { sessionProperties: { bundler_url: `${node.url}/bundler` } } },
    )
    const status = () => provider.request({ method: 'wallet_getCallsStatus', params: ['0xid'] }, 'eip155:1')
    expect(await provider.request({ method: 'wallet_sendCalls', params: [{}] }, 'eip155:10')).toEqual({ id: '0xid' })
    answer = () => '"result":{"success":true}'
    expect(await status()).toEqual({ id: 1, jsonrpc: '2.0', result: { success: true } })
    expect(node.asked).toEqual([{ method: 'eth_getUserOperationReceipt', params: ['0xid'], path: '/bundler' }])
    answer = () => '"error":{"code":-32601,"message":"no such"}'
    expect(await status()).toEqual({ status: 200 })
    const requests = wallet.events.filter(event => event.type === 'request')
    expect(requests.map(({ method, chainId }) => [method, chainId])).toEqual([
      ['wallet_sendCalls', 'eip155:10'],
      ['wallet_getCallsStatus', 'eip155:10'],
    ])
  }, 20_000)

  test('of calls: refused where the wallet may not be asked', async () => {
    const { provider } = await connected('silent', evm(['personal_sign']), {})
    const asking = provider.request({ method: 'wallet_getCallsStatus', params: ['0xid'] })
    await expect(asking).rejects.toMatchObject({
      code: 4100,
      message: 'Fetching call status not approved by the wallet.',
    })
  }, 20_000)
})
