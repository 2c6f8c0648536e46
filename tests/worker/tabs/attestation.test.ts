/** Attestations on the wire, judged by the official wallet kit. */
import { findAuth } from '../../events/anyAuth.ts'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { CoreConfig } from '../../../src/events/wire.ts'
import { seededKeypair } from '../../stack/solana/keys.ts'
import { type RelayStack, startRelay } from '../../stack/relay/relay.ts'
import { type Stack, startStack } from '../../stack/start.ts'
import { attestationIn } from '../../stack/verify/frame.ts'
import { type VerifyControl, witnessing } from '../../stack/verify/switches.ts'
import { startAuthWallet } from '../../stack/wallet/authWallet.ts'
import { type KitWallet, startKitWallet } from '../../stack/wallet/kit.ts'
import { createLocks } from './locks.ts'
import { configFor, openPage, type TestPage } from './page.ts'
import { emptyDisk } from './world.ts'

type Published = { tag: number; attestation?: string }

let stack: Stack
let relay: RelayStack
let wallet: KitWallet
let page: TestPage
/** proposals and requests on the wire */
let published: Published[] = []
const origin = 'http://127.0.0.1'

beforeAll(async () => {
  stack = await startStack({
    clock: 'manual',
    seed: 'witness',
    baseUnix: Math.floor(Date.now() / 1000),
    cacheDir: join(process.cwd(), 'node_modules/.cache'),
  })
  relay = await startRelay({
    onFrame(frame) {
      const { method, params } = JSON.parse(frame) as { method?: string; params?: Published }
      if (method === 'wc_proposeSession') published.push({ ...params, tag: 1100 })
      else if (method === 'irn_publish' && params?.tag === 1108) published.push(params)
    },
  })
}, 60_000)
afterAll(async () => {
  await relay?.close()
  await stack?.close()
})

beforeEach(async () => {
  emptyDisk()
  published = []
  wallet = await startKitWallet({
    relayUrl: relay.url,
    verifyUrl: stack.verify.url,
    projectId: stack.addresses.VITE_PROJECT_ID,
    secretKey: seededKeypair('witness', 'visitor').secretKey,
    rpcUrl: stack.solana.url,
  })
})
afterEach(async () => {
  stack.verify.control(witnessing)
  await wallet.close()
})

/** Opens a page that opens its attestation frames as a browser does, at the origin `from`. */
async function open(changes: Partial<CoreConfig> = {}, from = origin): Promise<void> {
  const config = { ...configFor(stack), relayUrls: [relay.url], verifyUrl: stack.verify.url, ...changes }
  page = await openPage({
    config,
    locks: createLocks(),
    perform: async (effect, core) => {
      if (effect.type !== 'attest.get') return
      const { url = '', messageRef } = effect.data
      await core.answer(effect.id, { type: 'attest.got', messageRef, jwt: await attestationIn(url, from) }, page.tab)
    },
  })
}

/** Connects the kit and has it sign. @returns the kit's validation of both messages */
async function connectAndAsk() {
  await page.command({
    type: 'connection.connectWalletConnect',
    data: { wallet: { walletId: 'walletConnect', name: 'WalletConnect' } },
  })
  const topic = await page.until('a code', ({ pairing }) => pairing.shown)
  // The code is ready before the service answers
  await wallet.pair((await page.core.pairingUri(topic)) ?? '')
  const proposal = await wallet.next('proposal')
  const sessionTopic = await page.until('a session', model => Object.keys(model.session)[0])
  const [chainId = ''] = page.model().session[sessionTopic]?.namespaces.solana?.accounts ?? []
  await page.command({
    type: 'request.send',
    data: {
      sessionTopic,
      chainId: chainId.split(':').slice(0, 2).join(':'),
      method: 'solana_signMessage',
      params: JSON.stringify({ message: '2NEpo7TZRRrLZSi2U', pubkey: wallet.address }),
    },
  })
  const request = await wallet.next('request')
  const answered = await page.until('the answer', model =>
    Object.values(model.request).find(one => one.phase === 'ended'),
  )
  return { proposal: proposal.verified, request: request.verified, end: answered.end?.how }
}

const jwt = /^[\w-]+\.[\w-]+\.[\w-]{86}$/

test('attestation: a proposal and a request carry it, and the official wallet kit finds both valid', async () => {
  await open()
  const verified = { origin, validation: 'VALID', isScam: false }
  expect(await connectAndAsk()).toEqual({ proposal: verified, request: verified, end: 'answered' })
  expect(published).toMatchObject([
    { tag: 1100, attestation: expect.stringMatching(jwt) },
    { tag: 1108, attestation: expect.stringMatching(jwt) },
  ])
}, 60_000)

test('attestation: a slow service is awaited', async () => {
  stack.verify.control({ delayMs: 700 })
  await open()
  expect(await connectAndAsk()).toMatchObject({
    proposal: { validation: 'VALID' },
    request: { validation: 'VALID' },
    end: 'answered',
  })
}, 60_000)

test('attestation: a request for one-click auth carries it, too', async () => {
  const signer = await startAuthWallet({
    relayUrl: relay.url,
    verifyUrl: stack.verify.url,
    projectId: stack.addresses.VITE_PROJECT_ID,
    secretKey: new Uint8Array(32).fill(12),
  })
  try {
    await open()
    await page.command({
      type: 'auth.request',
      data: {
        chains: ['eip155:1'],
        domain: '127.0.0.1',
        uri: `${origin}/login`,
        nonce: '12345678',
        statement: 'Sign in',
        methods: ['personal_sign'],
      },
    })
    const { sent } = await page.until('a code', model => findAuth(model.auth, one => one.sent !== undefined))
    await signer.pair((await page.core.pairingUri(sent?.pairingTopic ?? '')) ?? '')
    expect(await signer.next('asked')).toMatchObject({ validation: 'VALID' })
    await page.until('the end', model => Object.values(model.auth).find(one => one.phase === 'done'))
  } finally {
    await signer.close()
  }
}, 60_000)

test('attestation: a page with a false origin is invalid, and a known fraud is called that', async () => {
  stack.verify.control({ isScam: true })
  await open({}, 'https://evil.example')
  const verified = { origin: 'https://evil.example', validation: 'INVALID', isScam: true }
  expect(await connectAndAsk()).toMatchObject({ proposal: verified, request: verified, end: 'answered' })
}, 60_000)

const speechless: [what: string, control: VerifyControl, carried: boolean][] = [
  ['that may not be framed', { page: 'refused' }, false],
  ['that answers with an error', { page: 'errorPage' }, false],
  ['that has no word for this page', { page: 'nothing' }, false],
  ['that says garbage', { page: 'garbage' }, false],
  ['whose word is about another message', { page: 'wrongId' }, true],
  ['whose word is signed by another', { page: 'wrongSignature' }, true],
  ['whose word is over', { page: 'expired' }, true],
  ['that does not know the page for registered', { isVerified: false }, true],
]
test.each(speechless)(
  'attestation: with a service %s the kit has no verdict, and everything works',
  async (_what, control, carried) => {
    stack.verify.control(control)
    await open()
    expect(await connectAndAsk()).toMatchObject({
      proposal: { validation: 'UNKNOWN' },
      request: { validation: 'UNKNOWN' },
      end: 'answered',
    })
    expect(published.map(one => one.attestation !== undefined)).toEqual([carried, carried])
  },
  60_000,
)

test('attestation: a wallet without one in a message looks it up by the hash of the inner text', async () => {
  stack.verify.control({ page: 'unsaid' })
  await open()
  const verified = { origin, validation: 'VALID', isScam: false }
  expect(await connectAndAsk()).toMatchObject({ proposal: verified, request: verified })
  expect(published.map(one => one.attestation)).toEqual([undefined, undefined])
}, 60_000)

test('attestation: a silent service delays the first message, not the second, nor the wallet', async () => {
  stack.verify.control({ page: 'never' })
  await open()
  const before = stack.verify.state().pages
  expect(await connectAndAsk()).toMatchObject({ proposal: { validation: 'UNKNOWN' }, end: 'answered' })
  // A wallet skips the lookup for a message without an attestation
  expect(published.map(one => one.attestation)).toEqual([undefined, ''])
  expect(stack.verify.state().pages - before).toBe(1)
}, 60_000)
