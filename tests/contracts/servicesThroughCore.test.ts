/** Every call of the Blockchain API and of the project configuration, from the command through core and driver to the local services. */
import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { describe, expect, test } from 'vitest'
import {
  askKey,
  type ServiceAsk,
  type ServiceCall,
  type ServiceEntry,
} from '../../src/events/subjects/service/service.ts'
import type { EffectType } from '../../src/events/effect.ts'
import type { Drive } from '../../src/runtime/host/driver.ts'
import type { InputType } from '../../src/worker/core/context.ts'
import { createBlockchainDriver } from '../../src/worker/drivers/blockchain.ts'
import { createHttp } from '../../src/worker/host/aloneTransport.ts'
import { createProjectDriver } from '../../src/worker/drivers/project.ts'
import { calls } from '../../src/worker/services/blockchain/calls.ts'
import type { Fault } from '../stack/services/faults.ts'
import { fixtureAccount, fixtureEvmAccount } from '../stack/services/fixtures.ts'
import { createEthereumAccount } from '../stack/wallet/ethereum.ts'
import { type bootData, createWorld, type World } from '../worker/world.ts'
import { mainnet, projectId, servicesHarness } from './servicesHarness.ts'

const here = servicesHarness('services through the core')
const genesisHash = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
const origin = 'http://127.0.0.1:5173'
const nowSeconds = 1_800_000_000
const user = `eip155:1:${fixtureEvmAccount}`
const pair = {
  from: 'eip155:1:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  to: 'eip155:1:0xdac17f958d2ee523a2206206994597c13d831ec7',
}
const swap = { ...pair, userAddress: user, amount: '1500000' }
const wallet = createEthereumAccount(hexToBytes('11'.repeat(32)))
const message = JSON.stringify({ name: 'bobby.reown.id', attributes: {}, timestamp: nowSeconds })
const signature = String(
  wallet.answer({
    method: 'personal_sign',
    params: [`0x${Buffer.from(utf8ToBytes(message)).toString('hex')}`, wallet.address],
  }),
)

type Case<C extends ServiceCall> = {
  ask: Omit<Extract<ServiceAsk, { call: C }>, 'call'>
  pattern: string
  kept: object
}
/** An ask of each call that the local services answer, the path as a fault names it, and some of the answer. */
const cases: { readonly [C in ServiceCall]: Case<C> } = {
  supportedChains: {
    ask: {},
    pattern: '/v1/supported-chains',
    kept: { http: expect.arrayContaining([mainnet]) as never },
  },
  identity: { ask: { address: fixtureEvmAccount }, pattern: '/v1/identity/*', kept: { name: 'alice.eth' } },
  history: {
    ask: { address: fixtureAccount, chainId: mainnet },
    pattern: '/v1/account/*/history',
    kept: { next: expect.any(String) as never, dropped: 0 },
  },
  balance: {
    ask: { address: fixtureAccount, chainId: mainnet },
    pattern: '/v1/account/*/balance',
    kept: {
      balances: expect.arrayContaining([
        expect.objectContaining({ symbol: 'SOL', asset: { kind: 'native' } }),
      ]) as never,
    },
  },
  price: {
    ask: { addresses: [`${mainnet}:So11111111111111111111111111111111111111111`] },
    pattern: '/v1/fungible/price',
    kept: { fungibles: [expect.objectContaining({ symbol: 'SOL' })] },
  },
  tokens: { ask: { chainId: 'eip155:1' }, pattern: '/v1/convert/tokens', kept: { dropped: 0 } },
  quotes: {
    ask: { ...swap, gasPrice: '1' },
    pattern: '/v1/convert/quotes',
    kept: { quotes: [expect.objectContaining({ toAmount: '1500000' })] },
  },
  allowance: {
    ask: { tokenAddress: pair.from, userAddress: user },
    pattern: '/v1/convert/allowance',
    kept: { allowance: expect.stringMatching(/^\d+$/) as never },
  },
  gasPrice: {
    ask: { chainId: 'eip155:1' },
    pattern: '/v1/convert/gas-price',
    kept: { standard: expect.stringMatching(/^\d+$/) as never },
  },
  buildTransaction: {
    ask: { ...swap, disableEstimate: true },
    pattern: '/v1/convert/build-transaction',
    kept: { tx: expect.objectContaining({ amount: '1500000' }) as never },
  },
  buildApprove: {
    ask: { ...pair, userAddress: user },
    pattern: '/v1/convert/build-approve',
    kept: { tx: expect.objectContaining({ value: '0' }) as never },
  },
  lookupName: {
    ask: { name: 'alice.reown.id' },
    pattern: '/v1/profile/account',
    kept: { addresses: { 60: fixtureEvmAccount } },
  },
  reverseLookup: {
    ask: { address: fixtureEvmAccount },
    pattern: '/v1/profile/reverse/*',
    kept: { names: [expect.objectContaining({ name: 'alice.reown.id' })] },
  },
  suggestions: { ask: { name: 'alic', zone: 'reown.id' }, pattern: '/v1/profile/suggestions/*', kept: { dropped: 0 } },
  registerName: {
    ask: { coinType: 2_147_483_649, address: wallet.address, message, signature },
    pattern: '/v1/profile/account',
    kept: { success: true },
  },
  onrampUrl: {
    ask: { destinationWallets: [{ address: fixtureAccount }], partnerUserId: projectId, presetFiatAmount: '100' },
    pattern: '/v1/generators/onrampurl',
    kept: { url: expect.stringMatching(/^https:/) as never },
  },
  onrampOptions: { ask: {}, pattern: '/v1/onramp/options', kept: { dropped: 0 } },
  onrampQuote: {
    ask: {
      purchaseCurrency: { id: 'c', symbol: 'USDC' },
      paymentCurrency: { id: 'USD' },
      amount: '100',
      network: 'USDC',
    },
    pattern: '/v1/onramp/quote',
    kept: { quote: expect.objectContaining({ isPrice: true }) as never },
  },
  sessions: {
    ask: { account: user },
    pattern: '/v1/sessions/*',
    kept: { pcis: [expect.objectContaining({ project: expect.objectContaining({ name: 'Harbour Games' }) as never })] },
  },
  revokeSession: {
    ask: { account: user, pci: 'unknown', signature: '0x1' },
    pattern: '/v1/sessions/*/revoke',
    kept: { success: true },
  },
}
const names = Object.keys(cases) as ServiceCall[]

type Settings = { timeoutMs?: number; project?: string; features?: ReturnType<typeof bootData>['features'] }

/** A core on mainnet whose service effects reach the local services; waits between retries are left out. */
function coreWith({ timeoutMs = 10_000, project = projectId, features }: Settings = {}) {
  const world = createWorld({ projectId: project, ...(features && { features }) })
  world.boot()
  world.attach()
  world.answer('chain.identify', 'chain.identified', { genesisHash, caip2: mainnet })
  const { url } = here.services
  const asPage: typeof fetch = (input, init) => fetch(input, { ...init, headers: { ...init?.headers, origin } })
  const done = new Set<string>()
  /** Carries out the effects of services until there are none, each attempt within this time. */
  const settle = async (withinMs = timeoutMs) => {
    const http = createHttp({ fetch: asPage, wait: async () => {}, timeoutMs: withinMs })
    const drivers: Partial<Record<EffectType, Drive>> = {
      ...createBlockchainDriver({ apiUrl: url, projectId: project, http, clientId: async () => 'did:key:z6Mk' }),
      ...createProjectDriver({ configUrl: url, projectId: project, http, origin }),
    }
    for (;;) {
      const open = (['service.call', 'project.read', 'project.readOrigins'] as const)
        .flatMap(type => world.ordered<EffectType>(type))
        .find(({ id }) => !done.has(id))
      if (!open) return
      done.add(open.id)
      await drivers[open.type]?.(open, ({ type, data }) => {
        world.input(type as InputType, data as never, { to: open.id })
      })
    }
  }
  return { world, settle }
}

/** Asks a core for a call. @returns what the model has of it afterwards */
async function asked(
  { world, settle }: ReturnType<typeof coreWith>,
  ask: ServiceAsk,
  withinMs?: number,
): Promise<ServiceEntry> {
  world.command('service.ask', { ask })
  await settle(withinMs)
  const entry = world.model.service[askKey(ask)]
  if (!entry) throw new Error(`${ask.call} left no entry`)
  return entry
}

async function call<C extends ServiceCall>(
  name: C,
  change: object = {},
): Promise<{ world: World; entry: ServiceEntry }> {
  const core = coreWith()
  const entry = await asked(core, { call: name, ...cases[name].ask, ...change } as ServiceAsk)
  return { world: core.world, entry }
}

const fail = (pattern: string, fault: Fault) => here.services.control({ fail: { [pattern]: fault } })
/** Readers that need no field, or count malformed entries of the list that this shape has. */
const takesAnyShape: readonly ServiceCall[] = ['history', 'revokeSession']
/** Longer than any answer or failure serves again, ms. */
const dayMs = 25 * 3_600_000

/** Every way in which a service fails, and the failure that the model has of it. */
function waysToFail(name: ServiceCall): { fault: Fault; code: string; message?: string; withinMs?: number }[] {
  const refused = (status: number, code: string) => ({
    fault: { status },
    code,
    message: `HTTP status code: ${status}`,
  })
  return [
    refused(401, 'unauthorized'),
    refused(403, 'unauthorized'),
    refused(429, 'rate_limited'),
    refused(500, 'unreachable'),
    refused(503, 'unreachable'),
    { fault: { hold: true }, code: 'timeout', withinMs: 100 },
    // The service refuses the two calls that were answered before; a refusal's status counts without its words
    { fault: { truncated: true }, code: calls[name].isOnce ? 'bad_input' : 'unreachable' },
    { fault: { malformed: true }, code: 'bad_response' },
    { fault: { html: true }, code: 'bad_response' },
    { fault: { oversized: 3_000_000 }, code: 'bad_response' },
    // Larger than an answer may be
    { fault: { oversized: 500_000 }, code: 'bad_response' },
    ...(takesAnyShape.includes(name) ? [] : [{ fault: { shape: true }, code: 'bad_response' }]),
    ...(name === 'revokeSession' ? [] : [{ fault: { empty: true }, code: 'bad_response' }]),
  ]
}

// The visit of each call is recorded: it is named in `replay/scripted/asked.json`
describe.each(names)('a visit with %s', name => {
  const { pattern, kept } = cases[name]
  const isReady = () => {
    here.services.control({ reset: true, set: { clock: nowSeconds * 1000 } })
    if (name === 'balance') here.solana.give(fixtureAccount, { sol: '2' })
  }

  test('is answered, and fails in every way', async () => {
    isReady()
    const core = coreWith()
    const { world } = core
    let ask = { call: name, ...cases[name].ask } as ServiceAsk
    if (ask.call === 'revokeSession') {
      const { answer } = await asked(core, { call: 'sessions', account: ask.account })
      ask = { ...ask, pci: answer?.call === 'sessions' ? (answer.pcis[0]?.pci ?? 'none') : 'none' }
    }
    const entry = await asked(core, ask)
    expect(entry.failure).toBeUndefined()
    expect(entry.answer).toMatchObject({ call: name, ...kept })

    for (const { fault, code, message = '', withinMs } of waysToFail(name)) {
      world.wait(dayMs)
      isReady()
      fail(pattern, fault)
      const before = world.said('service.asked').filter(said => said.ask.call === name).length
      const { isAsked, failure } = await asked(core, ask, withinMs)
      expect(isAsked).toBe(false)
      expect(failure, JSON.stringify(fault)).toMatchObject({
        code,
        message: expect.stringContaining(message) as string,
      })
      expect(world.said('service.asked').filter(said => said.ask.call === name).length).toBe(before + 1)
    }
  })

  test('that failed from its start has an answer only where there is a fallback', async () => {
    fail(pattern, { status: 503 })
    const { entry } = await call(name)
    expect(entry.answer !== undefined).toBe(calls[name].fallback !== undefined)
    if (entry.answer?.call === 'onrampQuote') expect(entry.answer.quote?.isPrice).toBe(false)
  })
})

test('services: a session’s end needs no words in its answer', async () => {
  fail(cases.revokeSession.pattern, { empty: true })
  expect((await call('revokeSession')).entry.answer).toEqual({ call: 'revokeSession', success: true })
})

test('services: a refused parameter has the service’s reasons', async () => {
  const { world, entry } = await call('history', { address: 'nobody' })
  expect(entry.failure).toMatchObject({ code: 'bad_input', message: 'the history: HTTP status code: 400' })
  expect(world.said('service.failed')[0]?.reasons).toEqual([expect.stringMatching(/address/i)])
})

test('services: a parameter that is no amount never leaves the page', async () => {
  const before = { ...here.services.state().requests }
  const { entry } = await call('quotes', { amount: '-1' })
  expect(entry.failure).toMatchObject({ code: 'bad_input' })
  expect(here.services.state().requests['/v1/convert/quotes']).toBe(before['/v1/convert/quotes'])
})

test('services: a call that changes something is sent once, another one is retried', async () => {
  const sent = async (name: ServiceCall, route: string) => {
    const before = here.services.state().requests[route] ?? 0
    fail(cases[name].pattern, { status: 503 })
    await call(name)
    return (here.services.state().requests[route] ?? 0) - before
  }
  expect(await sent('registerName', '/v1/profile/account')).toBe(1)
  expect(await sent('identity', '/v1/identity/*')).toBe(4)
})

describe('the project configuration', () => {
  const open = async (settings: Settings = {}) => {
    const { world, settle } = coreWith(settings)
    world.command('project.open', {})
    await settle()
    return { world, project: world.model.project }
  }
  const off = { email: false, socials: [] }
  const warning = 'Failed to fetch remote project configuration. Using local/default values.'
  const config = '/appkit/v1/config'

  test('decides the features, and is read once however often the modal opens', async () => {
    here.services.control({ set: { features: [{ id: 'activity', isEnabled: false, config: [] }] } })
    const { world, settle } = coreWith({ features: {} })
    const before = here.services.state().requests[config] ?? 0
    for (let times = 0; times < 3; times += 1) {
      world.command('project.open', {})
      await settle()
    }
    expect(here.services.state().requests[config]).toBe(before + 1)
    expect(world.model.project).toMatchObject({
      phase: 'read',
      features: { activity: false, email: false, send: true },
    })
    expect(world.model.project.problem).toBeUndefined()
  })

  test('leaves what it lists without a list to the host, and asks for no origins without email and social login', async () => {
    const before = here.services.state().requests['/projects/v1/origins'] ?? 0
    const { project } = await open({ features: { ...off, reownBranding: false } })
    expect(project.features).toMatchObject({ ...off, reownBranding: false, swaps: ['1inch'] })
    expect(here.services.state().requests['/projects/v1/origins'] ?? 0).toBe(before)
  })

  test.each<[string, Fault, string | undefined, string | undefined]>([
    ['401', { status: 401 }, 'APKT007', undefined],
    ['403', { status: 403 }, 'APKT002', undefined],
    ['403 for the origin', { status: 403, text: 'Unauthorized: origin not allowed' }, 'APKT002', undefined],
    ['403 for the key', { status: 403, text: 'Unauthorized: invalid key' }, 'APKT007', undefined],
    [
      '401 for a token of the future',
      { status: 401, text: 'JWT validation error: JWT Token is not yet valid' },
      'APKT006',
      'Check the date and time of this device.',
    ],
    ['429', { status: 429 }, 'APKT010', undefined],
    ['500', { status: 500 }, 'APKT009', 'HTTP status code: 500'],
    ['503', { status: 503 }, 'APKT009', 'HTTP status code: 503'],
    ['a cut answer', { truncated: true }, undefined, undefined],
    ['malformed JSON', { malformed: true }, undefined, undefined],
    ['an empty answer', { empty: true }, undefined, undefined],
    ['HTML', { html: true }, undefined, undefined],
    ['another shape', { shape: true }, undefined, undefined],
    ['an oversized answer', { oversized: 300_000 }, undefined, undefined],
  ])('that fails by %s leaves the host’s options and the defaults', async (_name, fault, code, detail) => {
    fail(config, fault)
    const { world, project } = await open({ features: off })
    expect(project).toMatchObject({ phase: 'read', features: { ...off, activity: true } })
    expect(world.said('project.resolved').at(-1)).toMatchObject({ by: 'failure', warning })
    expect([project.problem?.code, project.problem?.detail]).toEqual([code, detail])
  })

  test('that does not answer fails after its deadline', async () => {
    fail(config, { hold: true })
    const { project } = await open({ features: off, timeoutMs: 100 })
    expect(project).toMatchObject({ phase: 'read', features: { activity: true } })
  })

  test.each([
    ['', 'APKT008', 'Project ID Missing'],
    ['malformed', 'APKT002', 'Invalid App Configuration'],
  ])('of the project id %j is refused', async (project, code, title) => {
    expect((await open({ project })).project.problem).toMatchObject({ code, title })
  })

  describe('with email login', () => {
    const features = { email: true }
    const origins = '/projects/v1/origins'

    test('is checked for this page’s origin', async () => {
      expect((await open({ features })).project.problem).toBeUndefined()
      here.services.control({ set: { origins: ['https://other.example'] } })
      // Local origins are always allowed
      expect((await open({ features })).project.problem).toBeUndefined()
    })

    test.each<[string, Fault, string | undefined]>([
      ['401', { status: 401 }, undefined],
      ['403', { status: 403 }, undefined],
      ['403 for the origin', { status: 403, text: 'Unauthorized: origin not allowed' }, 'APKT002'],
      ['429', { status: 429 }, 'APKT010'],
      ['500', { status: 500 }, 'APKT009'],
      ['503', { status: 503 }, 'APKT009'],
      ['a cut answer', { truncated: true }, undefined],
      ['malformed JSON', { malformed: true }, undefined],
      ['an empty answer', { empty: true }, undefined],
      ['HTML', { html: true }, undefined],
      ['another shape', { shape: true }, undefined],
      ['an oversized answer', { oversized: 300_000 }, undefined],
    ])('names the error of origins that fail by %s', async (_name, fault, code) => {
      fail(origins, fault)
      expect((await open({ features })).project.problem?.code).toBe(code)
    })
  })
})
