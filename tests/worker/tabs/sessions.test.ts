/** Sessions against the official wallet kit: proposals, updates, extensions, events and ends, from both sides. */
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Model } from '../../../src/events/app.ts'
import type { Proposal } from '../../../src/events/schema/fields.ts'
import { seededKeypair } from '../../stack/solana/keys.ts'
import { type Stack, startStack } from '../../stack/start.ts'
import { type Approval, type KitWallet, startKitWallet } from '../../stack/wallet/kit.ts'
import { createLocks } from './locks.ts'
import { chainOf, configFor, openPage, type TestPage } from './page.ts'
import { emptyDisk } from './world.ts'

let stack: Stack
let page: TestPage
const wallets: KitWallet[] = []

beforeAll(async () => {
  stack = await startStack({
    clock: 'manual',
    seed: 'sessions',
    baseUnix: Math.floor(Date.now() / 1000),
    cacheDir: join(process.cwd(), 'node_modules/.cache'),
  })
}, 60_000)
afterAll(() => stack?.close())

beforeEach(async () => {
  emptyDisk()
  page = await openPage({ config: configFor(stack), locks: createLocks() })
})
afterEach(async () => {
  for (const wallet of wallets.splice(0)) await wallet.close()
})

async function walletOf(who: string, approve?: () => Approval): Promise<KitWallet> {
  const wallet = await startKitWallet({
    relayUrl: stack.addresses.VITE_RELAY_URL,
    projectId: stack.addresses.VITE_PROJECT_ID,
    secretKey: seededKeypair('sessions', who).secretKey,
    rpcUrl: stack.solana.url,
    ...(approve ? { policy: { approve } } : {}),
  })
  wallets.push(wallet)
  return wallet
}

/** Shows a code and lets the wallet take it. */
async function pair(wallet: KitWallet, proposal?: Proposal): Promise<void> {
  await chainOf(page)
  const before = new Set(Object.keys(page.model().pairing.open))
  await page.command({
    type: 'connection.connectWalletConnect',
    data: { wallet: { walletId: 'walletConnect', name: 'WalletConnect' }, ...(proposal && { proposal }) },
  })
  const topic = await page.until('a code', ({ pairing: { shown, open } }) => {
    return shown !== null && !before.has(shown) && open[shown]?.phase === 'proposed' && shown
  })
  await wallet.pair((await page.core.pairingUri(topic)) ?? '')
}

const sessionsOf = (model: Model) => Object.keys(model.session)

/** Connects a wallet. @returns the new session's topic */
async function connect(wallet: KitWallet, proposal?: Proposal): Promise<string> {
  const before = sessionsOf(page.model())
  await pair(wallet, proposal)
  return page.until('a session', model => sessionsOf(model).find(topic => !before.includes(topic)))
}

const said = (type: string) => page.facts.filter(fact => fact.type === type).map(fact => fact.data)
const ended = (payloadId: unknown) =>
  page.until('the end of the call', () => said('session.callEnded').find(data => data.payloadId === payloadId))
const session = (topic: string) => page.model().session[topic]

const one = 'eip155:1'
const holder = `0x${'ab'.repeat(20)}`
const asked = { chains: [one, 'eip155:10'], methods: ['personal_sign'], events: ['chainChanged', 'message'] }
const optional: Proposal = { required: {}, optional: { eip155: asked } }
const evm = (chains = asked.chains, more: Partial<Approval['namespaces'][string]> = {}): Approval => ({
  namespaces: {
    eip155: {
      chains,
      accounts: chains.map(chain => `${chain}:${holder}`),
      methods: asked.methods,
      events: asked.events,
      ...more,
    },
  },
})

describe('a session with the official wallet kit', { timeout: 40_000 }, () => {
  test('is made when it has all required parts, proposed as optional', async () => {
    const wallet = await walletOf('a', () => ({
      ...evm(),
      sessionProperties: { bundler_name: 'x' },
      scopedProperties: { eip155: { atomic: true } },
      sessionConfig: { disableDeepLink: true },
    }))
    const topic = await connect(wallet, { required: { eip155: asked }, optional: {} })
    expect(session(topic)).toMatchObject({
      namespaces: evm().namespaces,
      sessionProperties: { bundler_name: 'x' },
      scopedProperties: { eip155: '{"atomic":true}' },
      disableDeepLink: true,
    })
    expect(wallet.session(topic)).toMatchObject({ requiredNamespaces: {}, optionalNamespaces: { eip155: asked } })
    expect(page.model().connection).toMatchObject({ attempt: { phase: 'none' }, made: {} })
  })

  test('without a required part is refused, and the wallet forgets it', async () => {
    const wallet = await walletOf('a', () => evm([one]))
    await pair(wallet, { required: { eip155: asked }, optional: {} })
    const attempt = await page.until(
      'a refusal',
      ({ connection: { attempt } }) => attempt.phase === 'failed' && attempt,
    )
    expect(attempt.failure.message).toContain('Approved: eip155:1')
    await wallet.next('settled')
    await expect.poll(() => wallet.sessions()).toEqual([])
    expect(page.model().session).toEqual({})
  })

  test('takes updates of its permissions; one without a required part is answered with the reason', async () => {
    const wallet = await walletOf('a', () => evm())
    const topic = await connect(wallet, { required: { eip155: { ...asked, chains: [one] } }, optional: {} })
    expect(await wallet.update(topic, evm([one]).namespaces)).toBeUndefined()
    await page.until('the update', model => model.session[topic]?.namespaces.eip155?.accounts.length === 1)
    const refused = await wallet.update(topic, evm([one], { methods: [] }).namespaces)
    expect(refused).toMatchObject({
      code: 1003,
      message: expect.stringContaining("update() namespaces methods don't satisfy namespace methods for eip155:1"),
    })
    expect(session(topic)?.namespaces.eip155?.methods).toEqual(['personal_sign'])
  })

  test('ends for its wallet before the keys are deleted, when the log is erased', async () => {
    const [first, second] = [await walletOf('a', () => evm()), await walletOf('b', () => evm())]
    const topics = [await connect(first, optional), await connect(second, optional)]
    expect(await page.core.erase(page.tab)).toBe(true)
    await expect.poll(() => [...first.sessions(), ...second.sessions()]).toEqual([])
    expect(said('session.deleted')).toEqual(topics.map(sessionTopic => ({ sessionTopic, by: 'person' })))
  })

  test('can be extended and pinged from both sides', async () => {
    const wallet = await walletOf('a', () => evm())
    const topic = await connect(wallet, optional)
    await wallet.next('settled')
    const first = session(topic)?.expiresAt ?? 0
    await wallet.extend(topic)
    await page.until('more time', model => (model.session[topic]?.expiresAt ?? 0) > first)

    const week = 604_800
    const from = Math.floor(Date.now() / 1000) + week
    await page.command({ type: 'session.extend', data: { sessionTopic: topic } })
    expect(await ended(said('session.called').at(-1)?.payloadId)).not.toHaveProperty('failure')
    expect(await wallet.next('extended')).toMatchObject({ topic })
    const mine = Math.floor((session(topic)?.expiresAt ?? 0) / 1000)
    const to = Math.ceil(Date.now() / 1000) + week
    for (const expiry of [mine, wallet.session(topic).expiry]) expect(from <= expiry && expiry <= to).toBe(true)

    await wallet.ping(topic)
    await page.command({ type: 'session.ping', data: { sessionTopic: topic } })
    expect(await ended(said('session.called').at(-1)?.payloadId)).not.toHaveProperty('failure')
    expect(await wallet.next('pinged')).toMatchObject({ topic })
  })

  test('pings and ends by the code after the wallet has taken it', async () => {
    const wallet = await walletOf('a')
    wallet.policy.session = 'silent'
    await pair(wallet)
    const pairingTopic = page.model().pairing.shown ?? ''
    await page.command({ type: 'pairing.ping', data: { pairingTopic } })
    const { payloadId } = said('pairing.pinged').at(-1) ?? {}
    await page.until('the end of the ping', () => said('pairing.pingEnded').length > 0)
    expect(said('pairing.pingEnded')).toEqual([{ pairingTopic, payloadId }])
    expect(stack.relay.state().tags).toMatchObject({ 1002: 1, 1003: 1 })
  })

  test('becomes active when its wallet adds Solana to it later', async () => {
    const solana = {
      chains: ['solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'],
      methods: ['solana_signTransaction'],
      events: [],
    }
    const wallet = await walletOf('a', () => evm([one]))
    const topic = await connect(wallet, { required: {}, optional: { eip155: asked, solana } })
    await wallet.next('settled')
    expect(page.model().connection.active).toBeNull()
    const more = { ...solana, accounts: [`${solana.chains[0]}:${wallet.address}`] }
    expect(await wallet.update(topic, { ...evm([one]).namespaces, solana: more })).toBeUndefined()
    const made = await page.until('a connection', ({ connection: { active, made } }) => active !== null && made[active])
    expect(made).toMatchObject({ sessionTopic: topic, accounts: [wallet.address], peerName: 'Kit wallet' })
  })

  test('carries events both ways', async () => {
    const wallet = await walletOf('a', () => evm())
    const topic = await connect(wallet, optional)
    await wallet.next('settled')
    for (const data of [10, '0xa', 'eip155:10']) {
      const before = said('session.eventHeard').length
      await wallet.emit(topic, { name: 'chainChanged', data, chainId: one })
      await page.until('the event', () => said('session.eventHeard').length > before)
      expect(said('session.eventHeard').at(-1)).toMatchObject({ name: 'chainChanged', chain: 'eip155:10' })
    }
    await wallet.emit(topic, { name: 'message', data: { a: [1] }, chainId: one })
    await page.until('words', () => said('session.eventHeard').some(data => data.data === '{"a":[1]}'))
    expect(session(topic)?.chains).toEqual({ eip155: 'eip155:10' })

    const data = { sessionTopic: topic, event: 'message', chainId: one, data: '{"b":"c"}' }
    await page.command({ type: 'session.emit', data })
    expect(await ended(said('session.called').at(-1)?.payloadId)).not.toHaveProperty('failure')
    expect(await wallet.next('told')).toEqual({ type: 'told', topic, name: 'message', data: { b: 'c' }, chainId: one })
    await page.command({ type: 'session.emit', data: { ...data, event: 'other' } })
    expect(said('session.refused')).toHaveLength(1)
  })

  test('can be ended by each side, and the other notices', async () => {
    const wallet = await walletOf('a', () => evm())
    const first = await connect(wallet, optional)
    await page.command({ type: 'session.disconnect', data: { sessionTopic: first } })
    expect(await wallet.next('deleted')).toEqual({ type: 'deleted', topic: first })
    const second = await connect(wallet, optional)
    await wallet.disconnect(second)
    await page.until('no session', model => !model.session[second])
    expect(said('session.deleted').map(({ by }) => by)).toEqual(['person', 'wallet'])
    expect(wallet.sessions()).toEqual([])
  })

  test('stays beside a second one: one is left, the other becomes active', async () => {
    const [a, b] = [await walletOf('a'), await walletOf('b')]
    const first = await connect(a)
    const second = await connect(b)
    const connectionOf = (topic: string) => page.model().connection.bySession[topic] ?? ''
    expect(Object.values(page.model().connection.made).map(({ accounts }) => accounts[0])).toEqual([
      a.address,
      b.address,
    ])
    expect(page.model().connection.active).toBe(connectionOf(second))

    await page.command({ type: 'connection.activate', data: { connectionId: connectionOf(first) } })
    expect(page.model().connection.active).toBe(connectionOf(first))
    await a.ping(first)
    await b.ping(second)

    await page.command({ type: 'connection.disconnect', data: { connectionId: connectionOf(first) } })
    await a.next('deleted')
    expect(page.model().connection.active).toBe(connectionOf(second))
    expect(sessionsOf(page.model())).toEqual([second])
    await b.ping(second)
    expect(b.sessions()).toEqual([second])
  })

  test('can leave one namespace, and the wallet still has the other', async () => {
    const solana = { chains: ['solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'], methods: ['solana_signMessage'], events: [] }
    const wallet: KitWallet = await walletOf('a', () => ({
      namespaces: {
        ...evm([one]).namespaces,
        solana: { ...solana, accounts: [`${solana.chains[0]}:${wallet.address}`] },
      },
    }))
    const topic = await connect(wallet, { required: {}, optional: { eip155: asked, solana } })
    expect(page.model().connection.active).not.toBeNull()
    await page.command({ type: 'session.disconnect', data: { sessionTopic: topic, namespace: 'solana' } })
    expect(page.model().connection).toMatchObject({ active: null, made: {} })
    await wallet.ping(topic)
    expect([wallet.sessions(), Object.keys(session(topic)?.namespaces ?? {})]).toEqual([[topic], ['eip155']])
    await page.command({ type: 'session.disconnect', data: { sessionTopic: topic, namespace: 'eip155' } })
    await wallet.next('deleted')
  })
})
