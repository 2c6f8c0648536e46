/** Every error text of the provider, each provoked; and every code, by its name. */
import { describe, expect, test } from 'vitest'
import { errorNames, ProviderError, type thrown } from '../../../src/main/provider/providerError.ts'
import { errorTable } from '../../../src/worker/walletconnect/relay/errors.ts'
import type { Session } from '../../../src/events/subjects/session/session.ts'
import { createAsking } from '../../../src/main/provider/requests/asking.ts'
import { createHost, evm, type Host, holder } from './host.ts'

const sign = { method: 'personal_sign', params: ['0x00', holder] }
const bad = (value: unknown) => value as never

/** A host with a wallet on Ethereum. */
async function connected(options?: Parameters<typeof createHost>[0], platform?: boolean): Promise<Host> {
  const host = createHost(options, undefined, platform)
  await host.connect(evm())
  return host
}

/** By name in the table: the provoking call, and the resulting code and text. */
const provoked: Record<keyof typeof thrown, [provoke: () => Promise<unknown>, code: number, words: string]> = {
  notConnected: [async () => createHost().provider.request(sign), 4900, 'Please call connect() before request()'],
  notEnabled: [async () => createHost().provider.disconnect(), 4900, 'Please call connect() before enable()'],
  notInitialized: [
    async () => createHost({}, undefined, true, 'lost').provider.connect({}),
    1,
    'Sign Client not initialized',
  ],
  closed: [
    async () => {
      const host = await connected()
      host.node(async () => {
        await host.provider.disconnect()
        return { result: 1 }
      })
      return host.provider.request({ method: 'eth_blockNumber' })
    },
    4900,
    'Connection already closed',
  ],
  noNamespace: [
    async () => (await connected()).provider.request(sign, 'cosmos:hub'),
    5,
    "Namespace 'cosmos' is not configured. Please call connect() first with namespace config.",
  ],
  noSession: [
    async () => (await connected()).provider.disconnect({ topic: 'nobody' }),
    2,
    "No matching key. session or pairing topic doesn't exist: nobody",
  ],
  noParams: [
    async () => (await connected()).provider.request(bad(undefined)),
    5,
    'Missing or invalid. request() params: undefined',
  ],
  noMethod: [
    async () => (await connected()).provider.request(bad({ method: 7, params: [] })),
    5,
    'Missing or invalid. request() {"method":7,"params":[]}',
  ],
  badExpiry: [
    async () => (await connected()).provider.request(sign, undefined, bad('soon')),
    5,
    'Missing or invalid. request() expiry: soon. Expiry must be a number (in seconds) between 300 and 604800',
  ],
  badOptions: [
    async () => createHost().provider.connect(bad({ optionalNamespaces: { eip155: null } })),
    -32_602,
    'connect() expected optionalNamespaces.eip155 to be an object, got null',
  ],
  badCall: [
    async () => (await connected()).provider.emitEvent(bad('chainChanged')),
    5,
    'Missing or invalid. emitEvent() expected an event with a name',
  ],
  callUnheard: [
    async () => {
      const host = await connected()
      host.hold([])
      const pinged = host.provider.ping()
      pinged.catch(() => undefined)
      await host.settle()
      host.came({ facts: [] })
      return pinged
    },
    -32_603,
    'it is unknown whether the wallet answered: the core was lost meanwhile',
  ],
  badParams: [
    async () => (await connected()).provider.request({ ...sign, params: [1n] }),
    -32_602,
    'request params expected JSON, got what JSON cannot hold',
  ],
  noChain: [
    async () => (await connected()).provider.request({ method: 'eth_call' }, 'eip155:5'),
    4901,
    'JSON-RPC provider for eip155:5 not found',
  ],
  noRpcUrl: [
    async () => (await connected({}, false)).provider.request({ method: 'eth_call' }),
    4901,
    'No RPC url provided for chainId: eip155:1',
  ],
  notHttp: [
    async () =>
      (await connected({ rpcMap: { 'eip155:1': 'wss://node.example/key' } })).provider.request({ method: 'x' }),
    -32_602,
    'Provided URL is not compatible with HTTP connection',
  ],
  noSwitch: [
    async () =>
      (await connected()).provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x5' }] }),
    4902,
    "Failed to switch to chain 'eip155:5'. The chain is not approved or the wallet does not support 'wallet_switchEthereumChain' method.",
  ],
  badChainId: [
    async () => (await connected()).provider.request({ method: 'wallet_switchEthereumChain', params: [{}] }),
    -32_602,
    'wallet_switchEthereumChain expected a chainId in hex, as in [{ chainId: "0x1" }]',
  ],
  noAddress: [
    async () => (await connected()).provider.request({ method: 'wallet_getCapabilities' }),
    -32_602,
    'Missing address parameter in `wallet_getCapabilities` request',
  ],
  noCallsStatus: [
    async () => (await connected()).provider.request({ method: 'wallet_getCallsStatus', params: ['0x1'] }),
    4100,
    'Fetching call status not approved by the wallet.',
  ],
  noReceipt: [
    async () => {
      const host = createHost()
      await host.connect(evm(), { sessionProperties: { bundler_url: 'https://bundler.example' } })
      host.node(() => ({ error: { code: -32_603, message: 'no', data: { status: 500 } } }))
      const failed: unknown = await host.provider
        .request({ method: 'wallet_getCallsStatus', params: ['0x1'] })
        .catch((cause: unknown) => cause)
      // The node's error stands beside the sentence about the wallet
      throw new ProviderError(-32_603, String((failed as ProviderError).data))
    },
    -32_603,
    'Failed to fetch user operation receipt - 500',
  ],
  notTaken: [
    async () => {
      const host = createHost({}, undefined, true, 'later')
      await host.connect(evm())
      host.lose()
      return host.provider.request(sign)
    },
    4900,
    'it is unknown whether the wallet got the request: check answers() before repeating it',
  ],
  answerGone: [
    async () => {
      const host = await connected()
      const asked = host.provider.request(sign)
      await host.settle()
      const { requestId: id, sessionTopic } = host.newest()
      await Promise.all([host.says(sessionTopic, { kind: 'result', id, answerRef: 'gone' }), asked])
    },
    -32_603,
    "the wallet's answer is no longer stored",
  ],
  proposalLeft: [
    async () => {
      const host = createHost()
      const connecting = host.provider.connect({})
      await host.settle()
      await Promise.all([connecting, host.abandon()])
    },
    4001,
    'the connection attempt was abandoned',
  ],
  stillThere: [
    async () => {
      const host = await connected()
      host.deaf()
      return host.provider.disconnect()
    },
    -32_603,
    'disconnect() expected the session to end within 10 s, it did not',
  ],
}

describe('an error of the provider', () => {
  test.each(Object.entries(provoked))('%s', async (_, [provoke, code, message]) => {
    const failed: unknown = await provoke().catch((cause: unknown) => cause)
    expect(failed).toBeInstanceOf(ProviderError)
    expect(failed).toMatchObject({ code, message })
  })
})

/** Errors of the protocol itself, by their kind. */
const kinds: Record<string, [provoke: () => Promise<unknown>, code: number, words: string]> = {
  MISSING_OR_INVALID: [
    async () => (await connected()).provider.request(sign, 'eip155:1', 10),
    5,
    'Missing or invalid. request() expiry: 10. Expiry must be a number (in seconds) between 300 and 604800',
  ],
  NO_MATCHING_KEY: [
    async () => askNobody(await connected()),
    2,
    "No matching key. session topic doesn't exist: nobody",
  ],
  EXPIRED: [
    async () => {
      const host = await connected()
      host.world.wait(604_800_000)
      return host.provider.request(sign)
    },
    6,
    'Expired. session topic: session-1',
  ],
  NOT_INITIALIZED: [
    async () => createHost({}, undefined, true, 'lost').provider.connect({}),
    1,
    'Sign Client not initialized',
  ],
  USER_DISCONNECTED: [
    async () => {
      const host = await connected()
      const asked = host.provider.request(sign)
      await host.settle()
      await Promise.all([host.says('session-1', { kind: 'delete', id: '7' }), asked])
    },
    6000,
    'User disconnected.',
  ],
}

/** A page with outdated sessions. */
async function askNobody(host: Host): Promise<unknown> {
  const [session] = Object.values(host.world.model.session)
  const asking = createAsking({
    model: () => host.world.model,
    give: command => {
      const { facts } = host.world.command(command.type, command.data as never)
      queueMicrotask(() => asking.look(facts))
      return { ref: facts[0]?.ref ?? '', taken: Promise.resolve() }
    },
    readKept: async () => undefined,
  })
  return asking.ask({ ...(session as Session), sessionTopic: 'nobody' }, 'eip155:1', sign)
}

describe('an error of the protocol', () => {
  test.each(Object.entries(kinds))('%s', async (name, [provoke, code, message]) => {
    const failed: unknown = await provoke().catch((cause: unknown) => cause)
    expect(failed).toBeInstanceOf(ProviderError)
    expect(failed).toMatchObject({ name, code, message })
  })
})

describe('a refusal of connect()', () => {
  test.each([
    [undefined, 'connect() expected its options to be an object, got undefined'],
    [{ namespaces: [] }, 'connect() expected namespaces to be an object, got a list'],
    [{ scopedProperties: { a: 1n } }, 'connect() expected scopedProperties.a to be JSON, got what JSON cannot hold'],
  ])('%o', async (options, words) => {
    const host = createHost()
    await expect(host.provider.connect(bad(options))).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining(words),
    })
  })

  test('leaves an attempt under way alone', async () => {
    const host = createHost()
    const connecting = host.provider.connect({})
    await expect(host.provider.connect(bad(null))).rejects.toMatchObject({ code: -32_602 })
    await host.settle()
    const left = expect(connecting).rejects.toMatchObject({ code: 4001 })
    await host.abandon()
    await left
  })
})

test('provider errors: every code of the standards and of the protocol has its own name', () => {
  const jsonRpc = [-32_700, -32_600, -32_601, -32_602, -32_603]
  const servers = [-32_000, -32_001, -32_002, -32_003, -32_004, -32_005, -32_006]
  const provider = [4001, 4100, 4200, 4900, 4901, 4902, 5000, 5700, 5710, 5720, 5730, 5740, 5750, 5760]
  const protocol = Object.values(errorTable).map(({ code }) => code)
  const codes = [...jsonRpc, ...servers, ...provider, ...protocol]
  for (const code of codes) {
    const { name } = new ProviderError(code, 'x')
    expect(name).toBe(errorNames[code])
    expect(name).not.toBe('ProviderRpcError')
  }
  const names = codes.filter(code => code !== 5000).map(code => errorNames[code])
  expect(new Set(names).size).toBe(new Set(codes).size - 1)
  expect(errorNames[5000]).toBe(errorNames[4001])
})
