import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type AnyAuth, findAuth } from '../../events/anyAuth.ts'
import { type AuthPolicy, type AuthWallet, startAuthWallet } from '../../stack/wallet/authWallet.ts'
import { type Stack, startStack } from '../../stack/start.ts'
import { createLocks } from './locks.ts'
import { configFor, openPage, type TestPage } from './page.ts'

let stack: Stack
let wallet: AuthWallet
let page: TestPage

beforeAll(async () => {
  stack = await startStack({
    clock: 'manual',
    seed: 'auth',
    baseUnix: Math.floor(Date.now() / 1000),
    cacheDir: join(process.cwd(), 'node_modules/.cache'),
  })
  page = await openPage({ config: configFor(stack), locks: createLocks() })
}, 60_000)
afterEach(async () => wallet?.close())
afterAll(async () => stack?.close())

async function startWallet(knows: boolean, policy: Partial<AuthPolicy> = {}): Promise<void> {
  wallet = await startAuthWallet({
    relayUrl: stack.addresses.VITE_RELAY_URL,
    projectId: stack.addresses.VITE_PROJECT_ID,
    secretKey: new Uint8Array(32).fill(11),
    knows,
    policy,
  })
}

const chains = ['eip155:1', 'eip155:137']
/** Requests one-click auth and gives the code to the wallet. @returns the outcome */
async function ask(methods: string[]): Promise<() => Promise<AnyAuth>> {
  await page.command({
    type: 'auth.request',
    data: {
      chains,
      domain: 'dapp.example',
      uri: 'https://dapp.example/login',
      nonce: '12345678',
      statement: 'Sign in',
      methods,
    },
  })
  const auth = await page.until('both messages to be with the relay', model =>
    findAuth(
      model.auth,
      ({ phase, sent }) => phase === 'delivered' && model.pairing.open[sent?.pairingTopic ?? '']?.phase === 'proposed',
    ),
  )
  const uri = (await page.core.pairingUri(auth.sent?.pairingTopic ?? '')) ?? ''
  expect(uri).toContain('&methods=wc_sessionAuthenticate&')
  await wallet.pair(uri)
  const isOver = (one: AnyAuth | undefined) => one?.phase === 'done' || one?.phase === 'failed'
  return (): Promise<AnyAuth> =>
    page.until('an end', model => isOver(model.auth[auth.authId]) && model.auth[auth.authId])
}

test('the official kit signs in and opens a session by one answer; the session works and ends', async () => {
  await startWallet(true)
  const over = await ask(['personal_sign', 'eth_sendTransaction'])
  const asked = await wallet.next('asked')
  expect(asked.params.authPayload).toMatchObject({ nonce: '12345678', aud: 'https://dapp.example/login', chains })
  const auth = await over()
  expect(auth.failure).toBeUndefined()
  const { topic = '' } = await wallet.next('signed')
  expect(auth.sessionTopic).toBe(topic)
  expect(page.model().session[topic]).toMatchObject({
    controllerKey: auth.answer?.responderKey,
    peer: { name: 'Auth wallet' },
    namespaces: {
      eip155: {
        accounts: chains.map(chain => `${chain}:${wallet.address}`),
        methods: ['eth_sendTransaction', 'personal_sign'],
      },
    },
  })
  expect(Object.keys(page.model().session)).toEqual([topic])
  expect(page.model().pairing.open).toEqual({})
  await wallet.disconnect(topic)
  await page.until('the session’s end', model => Object.keys(model.session).length === 0)
}, 60_000)

test('the official kit signs in without a session when no method is asked for', async () => {
  await startWallet(true)
  const over = await ask([])
  const auth = await over()
  expect(auth).toMatchObject({ phase: 'done', answer: { signed: [{ chain: 'eip155:1' }, { chain: 'eip155:137' }] } })
  expect(JSON.parse(auth.answer?.signed[0]?.cacao ?? '')).toMatchObject({ p: { nonce: '12345678' } })
  expect([page.model().session, wallet.sessions()]).toEqual([{}, []])
}, 60_000)

test('the official kit declines', async () => {
  await startWallet(true, { auth: 'decline' })
  const over = await ask(['personal_sign'])
  expect(await over()).toMatchObject({ phase: 'failed', failure: { code: 'user_rejected' } })
  expect(page.model().pairing.open).toEqual({})
}, 60_000)

test('the official kit with another nonce in its statement is refused by its name', async () => {
  await startWallet(true, { auth: 'alter' })
  const over = await ask(['personal_sign'])
  expect((await over()).failure?.message).toContain('the nonce that was asked for')
  expect(page.model().session).toEqual({})
}, 60_000)

test('the official kit without one-click auth approves the proposal beside it instead', async () => {
  await startWallet(false)
  const over = await ask(['eth_sendTransaction'])
  expect(await wallet.next('proposal')).toMatchObject({ methods: ['personal_sign', 'eth_sendTransaction'] })
  const { topic } = await wallet.next('settled')
  expect(await over()).toMatchObject({ phase: 'done', sessionTopic: topic })
  expect(Object.keys(page.model().session)).toEqual([topic])
  await wallet.disconnect(topic)
  await page.until('the session’s end', model => Object.keys(model.session).length === 0)
}, 60_000)

test('the official kit without one-click auth declines the proposal beside it', async () => {
  await startWallet(false, { session: 'decline' })
  const over = await ask(['personal_sign'])
  expect(await over()).toMatchObject({ phase: 'failed', failure: { code: 'user_rejected' } })
}, 60_000)
