/**
 * Link mode with the official kit. In Node the kit takes part if it finds React Native's `Linking` and a test
 * environment.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PageEffect } from '../../../src/events/wire.ts'
import { type AuthWallet, startAuthWallet } from '../../stack/wallet/authWallet.ts'
import { type Stack, startStack } from '../../stack/start.ts'
import { createLocks } from './locks.ts'
import { configFor, openPage, type TestPage } from './page.ts'

const ours = 'https://dapp.example/app'
const theirs = 'https://wallet.example/app'

type Listener = (event: { url: string }) => void
const listeners = new Set<Listener>()
let stack: Stack
let wallet: AuthWallet
let page: TestPage
/** Links opened by either side, in order. */
const opened: string[] = []

beforeAll(async () => {
  process.env.IS_VITEST = 'true'
  Object.assign(globalThis, {
    Linking: {
      addEventListener: (_type: string, listener: Listener) => void listeners.add(listener),
      getInitialURL: async () => null,
      async openURL(url: string) {
        opened.push(url)
        await page.core.command({ type: 'link.received', data: { url } }, `r${opened.length}`, page.tab)
      },
    },
  })
  stack = await startStack({
    clock: 'manual',
    seed: 'links',
    baseUnix: Math.floor(Date.now() / 1000),
    cacheDir: join(process.cwd(), 'node_modules/.cache'),
  })
  const config = configFor(stack)
  page = await openPage({
    config: {
      ...config,
      metadata: { ...config.metadata, url: 'https://dapp.example' },
      links: { universal: ours, apps: [theirs] },
    },
    locks: createLocks(),
  })
  wallet = await startAuthWallet({
    relayUrl: stack.addresses.VITE_RELAY_URL,
    projectId: stack.addresses.VITE_PROJECT_ID,
    secretKey: new Uint8Array(32).fill(12),
    redirect: { universal: theirs, linkMode: true },
  })
}, 60_000)
afterAll(async () => {
  delete process.env.IS_VITEST
  Reflect.deleteProperty(globalThis, 'Linking')
  await wallet?.close()
  await stack?.close()
})

/** The page opens its next link, and the wallet comes to the front with it. */
async function openNext(count: number): Promise<string> {
  type Sending = Extract<PageEffect, { type: 'link.send' }>
  const sent = () => page.effects.filter((effect): effect is Sending => effect.type === 'link.send')
  const effect = await page.until(`link ${count}`, () => sent()[count - 1])
  const { url = '' } = effect.data
  opened.push(url)
  for (const listener of listeners) listener({ url })
  await page.core.answer(effect.id, { type: 'link.opened' }, page.tab)
  return url
}

/** The kit opens a socket of its own, at its heartbeat or to leave a topic; no message is published on any. */
async function expectNothingByRelay(): Promise<void> {
  const kit = await wallet.clientId()
  const { clients, tags } = stack.relay.state()
  expect({ others: clients.filter(one => one !== kit), tags }).toEqual({ others: [], tags: {} })
  expect(page.model().relay.phase).toBe('closed')
}

test('link mode: one-click auth, a request and the end go by links alone, and the relay gets nothing', async () => {
  await page.command({
    type: 'auth.request',
    data: {
      chains: ['eip155:1'],
      domain: 'dapp.example',
      uri: 'https://dapp.example/login',
      nonce: '12345678',
      methods: ['personal_sign'],
      walletLink: theirs,
    },
  })
  expect(await openNext(1)).toMatch(/^https:\/\/wallet\.example\/app\?wc_ev=[\w-]+&topic=[0-9a-f]{64}$/)
  // The kit learns our link only after it has validated the first request over one
  expect(await wallet.next('asked')).toMatchObject({ validation: 'INVALID' })
  const { topic = '' } = await wallet.next('signed')
  await page.until('the session', model => model.session[topic])
  expect(page.model().session[topic]).toMatchObject({
    transport: 'link',
    redirect: { universal: theirs, linkMode: true },
  })
  expect(opened[1]).toMatch(/^https:\/\/dapp\.example\/app\?wc_ev=[\w-]+&topic=[0-9a-f]{64}$/)

  const params = JSON.stringify([`0x${Buffer.from('hello').toString('hex')}`, wallet.address])
  await page.command({
    type: 'request.send',
    data: { sessionTopic: topic, chainId: 'eip155:1', method: 'personal_sign', params },
  })
  await openNext(2)
  // The page offers the link of a request by this name
  expect(page.effects.filter(({ type }) => type === 'link.send').at(-1)?.data).toMatchObject({
    requestId: Object.keys(page.model().request).at(-1),
  })
  expect(await wallet.next('request')).toMatchObject({ method: 'personal_sign', validation: 'VALID' })
  await page.until('the answer', model => Object.values(model.request).find(one => one.phase === 'ended'))
  expect(page.facts.find(fact => fact.type === 'request.answered')).toBeDefined()
  // The page's link has the origin of its metadata
  expect(page.model().session[topic]?.validation).toBe('VALID')
  await expectNothingByRelay()
  await page.command({ type: 'session.disconnect', data: { sessionTopic: topic } })
  await openNext(3)
  expect(await wallet.next('deleted')).toEqual({ type: 'deleted', topic })
  expect(wallet.sessions()).toEqual([])
  await expectNothingByRelay()
}, 60_000)

test('link mode: a link without a message for this page is refused with a sentence', async () => {
  const urls = ['https://evil.example', `${ours}?wc_ev=AA&topic=${'ab'.repeat(32)}`, `${ours}?wc_ev=AA`]
  for (const [nth, url] of urls.entries())
    await page.core.command({ type: 'link.received', data: { url } }, `bad${nth}`, page.tab)
  await page.until('three refusals', () => page.facts.filter(fact => fact.type === 'link.refused').length === 3)
  const words = page.facts.flatMap(({ type, data }) => (type === 'link.refused' ? [data.message] : []))
  expect(words).toEqual([
    'a link to this page expected this page’s own address, got another one',
    'no key for this topic',
    'a link to this page expected topic to be 64 hex digits',
  ])
}, 60_000)
