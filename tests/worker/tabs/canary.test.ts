/** Secrets enter at every door; then everything written, shown, sent or printed is searched for them. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PageFact } from '../../../src/events/app.ts'
import type { PageRecord } from '../../../src/runtime/log/record.ts'
import { readRecording } from '../../../src/events/recording/readRecording.ts'
import { quotePaying } from '../../../src/events/sale/quote.ts'
import { baseline, readSale } from '../../../src/events/sale/sale.ts'
import type { CoreConfig } from '../../../src/events/wire.ts'
import { createWallets } from '../../../src/main/drivers/wallets/wallets.ts'
import { deciders } from '../../../src/worker/deciders/index.ts'
import { sha256Hex } from '../../../src/worker/drivers/digest.ts'
import { traceOf } from '../../../src/worker/drivers/drive.ts'
import { rememberedChain } from '../../../src/worker/journal/storage.ts'
import { redactRecording } from '../../../src/worker/replay/redactRecording.ts'
import { topicOf } from '../../../src/worker/walletconnect/crypto/crypto.ts'
import { fromHex } from '../../../src/worker/walletconnect/crypto/encoding.ts'
import { toHex } from '../../../src/runtime/hex.ts'
import { sealEnvelope } from '../../../src/worker/walletconnect/crypto/envelope.ts'
import { announceIn, type SmallOptions, smallWallet } from '../../main/drivers/smallWallet.ts'
import { deriveSymKey } from '../walletconnect/agreement.ts'
import { leaks, type Places, spellings } from '../../events/spellings.ts'
import { seededKeypair } from '../../stack/solana/keys.ts'
import { type Stack, startStack } from '../../stack/start.ts'
import { type KitWallet, startKitWallet } from '../../stack/wallet/kit.ts'
import { createLocks } from './locks.ts'
import { untilAsked } from './buying.ts'
import { configFor, openPage, type TestPage } from './page.ts'
import { type Row, rows, rowText, type Tap, tap } from './tapped.ts'
import { emptyDisk, install, live } from './world.ts'

let stack: Stack
let wallet: KitWallet
let tapped: Tap
let kills: (() => Promise<void>)[] = []

beforeAll(async () => {
  stack = await startStack({
    clock: 'manual',
    seed: 'canary',
    baseUnix: Math.floor(Date.now() / 1000),
    cacheDir: join(process.cwd(), 'node_modules/.cache'),
  })
  wallet = await startKitWallet({
    relayUrl: stack.addresses.VITE_RELAY_URL,
    projectId: stack.addresses.VITE_PROJECT_ID,
    secretKey: seededKeypair('canary', 'visitor').secretKey,
    rpcUrl: stack.solana.url,
  })
  stack.solana.give(wallet.address, { sol: '50', usdc: '1000' })
  stack.solana.chain.advance(40)
  install()
}, 60_000)

beforeEach(() => {
  emptyDisk()
  tapped = tap()
})
afterEach(async () => {
  for (const kill of kills.splice(0)) await kill()
  tapped.close()
})
afterAll(async () => {
  await wallet?.close()
  await stack?.close()
})

/** A secret whose text names its door. */
const planted = (door: string) => `${door}-${randomBytes(9).toString('base64url')}`

async function begin(changes: Partial<CoreConfig> = {}, locks = createLocks(), tab = 't-test') {
  const config = { ...configFor(stack), ...changes }
  const { value, enter, kill } = await live(() => openPage({ config, locks, tab }), 'shared')
  kills.push(kill)
  const page: TestPage = { ...value, command: command => enter(() => value.command(command)) }
  return page
}

/** All traces of a visit. `thrown` are the errors of refused calls. */
async function leftBy(page: TestPage, thrown: readonly unknown[] = []): Promise<Places> {
  const text = await page.core.recording([])
  const recording = await readRecording(text, sha256Hex)
  const shared = async (policy: 'tokens' | 'view') =>
    (await redactRecording(recording, { policy, key: 'k', build: 'test', deciders }, sha256Hex)).text
  return {
    ...tapped.places(),
    recording: text,
    'recording with tokens': await shared('tokens'),
    'recording for looking': await shared('view'),
    storage: rowText(await rows()),
    facts: JSON.stringify(page.facts),
    model: JSON.stringify(page.model()),
    'ordered effects': JSON.stringify(page.effects, (_, value: unknown) =>
      ArrayBuffer.isView(value) ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex') : value,
    ),
    errors: thrown
      .map(cause => (cause instanceof Error ? `${cause.message}\n${cause.stack}` : String(cause)))
      .join('\n'),
  }
}

/** Rows of keys and messages hold only sealed or non-extractable values. */
function isWrapped({ key, value }: Row): boolean {
  if (key === 'master') return value instanceof CryptoKey && !value.extractable
  if (String(key).startsWith('message:')) return typeof value === 'string' && !value.includes('{')
  return Object.keys(value as object).join() === 'iv,sealed'
}

function saleOf({ sale: { terms, reading, notices, legal } }: ReturnType<TestPage['model']>) {
  if (terms.phase !== 'read' || !reading || !notices || legal?.phase !== 'read') return undefined
  const sale = readSale(terms.terms, notices.checkpoint ?? baseline({}), reading.balances, reading.chainTime, notices)
  return { terms, sale }
}

async function place(page: TestPage, orderKey: string): Promise<string> {
  const { terms, sale } = await page.until('the sale', saleOf, 30_000)
  const known = new Set(Object.keys(page.model().order))
  const quote = quotePaying(terms.terms, { pos: sale.pos, time: sale.time }, 'SOL', '2500000000')
  await page.command({
    type: 'order.place',
    data: {
      orderKey,
      asset: 'SOL',
      units: '2500000000',
      quoted: quote.tokens,
      min: quote.min,
      termsHash: terms.termsHash,
      acknowledged: terms.terms.legal.acknowledge,
    },
  })
  return page.until('the order', ({ order }) => Object.keys(order).find(orderId => !known.has(orderId)))
}

/** A network whose answers hold a secret wherever possible, twice each, and then behave. */
function poisonedNetwork(secrets: Record<string, string>): (url: string, body: string) => Response | undefined {
  const { hostname, port } = new URL(stack.solana.url)
  const times = new Map<string, number>()
  const count = (of: string) => {
    times.set(of, (times.get(of) ?? 0) + 1)
    return times.get(of) ?? 0
  }
  return (url, body) => {
    const { hostname: host, port: at, pathname } = new URL(url)
    if (host !== hostname || at !== port) return undefined
    if (pathname === '/terms.json') {
      const time = count('terms')
      if (time === 1) return new Response(secrets.httpBody, { status: 404, statusText: 'Not Found' })
      if (time > 3) return undefined
      const strange = secrets.termsField ?? ''
      const terms =
        time === 2
          ? { format: 'mai-presale-terms/1', [strange]: strange, id: strange }
          : `{"${strange}":1,"${strange}":"${strange}"}`
      return new Response(typeof terms === 'string' ? terms : JSON.stringify(terms))
    }
    const calls = [JSON.parse(body || '{}')].flat() as { id: number; method: string }[]
    const method = calls[0]?.method ?? ''
    if (!['getMultipleAccounts', 'getSignaturesForAddress', 'getAccountInfo'].includes(method)) return undefined
    const time = count(method)
    const error = { code: -32_000, message: `failed for ${secrets.rpcError}`, data: { logs: [secrets.rpcError] } }
    if (time === 1) return new Response(JSON.stringify(calls.map(({ id }) => ({ jsonrpc: '2.0', id, error }))))
    if (time === 2) return new Response(`${secrets.httpBody} at ${secrets.rpcError}`, { status: 403 })
    return undefined
  }
}

describe('the scanner', () => {
  const secrets = {
    text: planted('text'),
    bytes: randomBytes(32).toString('hex'),
    mail: 'otp 7391826450 a+b@c.example',
  }

  test.each(Object.entries(secrets))('finds a secret that is %s in each form', (door, secret) => {
    expect(spellings(secret).length).toBeGreaterThanOrEqual(12)
    for (const written of spellings(secret)) {
      expect(leaks({ [door]: secret }, { place: `… ${written} …` }), written).toEqual([`${door} stands in place`])
      const bytes = new Uint8Array(Buffer.from(`\u0000\u00ff${written}\u00ff`, 'latin1'))
      expect(leaks({ [door]: secret }, { place: bytes }), written).toEqual([`${door} stands in place`])
    }
  })

  test('finds a secret inside a longer base64 text, at any offset', () => {
    for (const before of ['', 'a', 'ab', 'abc', 'abcd']) {
      const text = Buffer.from(`${before}${secrets.text}tail`).toString('base64')
      expect(leaks({ text: secrets.text }, { place: text })).not.toEqual([])
      expect(leaks({ text: secrets.text }, { place: text.replaceAll('+', '-').replaceAll('/', '_') })).not.toEqual([])
    }
  })

  test('finds nothing where no secret is', () => {
    expect(leaks(secrets, { place: JSON.stringify({ at: Date.now(), of: randomBytes(200).toString('hex') }) })).toEqual(
      [],
    )
  })

  test('reads the console, messages, errors, databases and the log', async () => {
    const page = await begin()
    const secret = planted('everywhere')
    console.warn(new Error(secret))
    new BroadcastChannel('canary').postMessage({ deep: [{ secret }] })
    await page.core.pageFacts([
      {
        k: 'p',
        p: 1,
        life: 1,
        after: 0,
        tab: 't-test',
        at: 1,
        type: 'installed.refused',
        data: { message: secret },
      },
    ])
    const opening = indexedDB.open('planted')
    await new Promise<void>(resolve => {
      opening.onupgradeneeded = () => opening.result.createObjectStore('s').put({ a: [Buffer.from(secret)] }, 1)
      opening.onsuccess = () => resolve()
    })
    opening.result.close()
    const found = leaks({ secret }, await leftBy(page, [new Error(secret)])).join('\n')
    for (const place of ['console', 'channels', 'errors', 'storage', 'recording'])
      expect(found).toContain(` in ${place}`)
  })
})

test('canary: a visit with a code leaves none of its secrets anywhere', async () => {
  const secrets: Record<string, string> = Object.fromEntries(
    [
      'apiKey',
      'httpBody',
      'rpcError',
      'termsField',
      'peerError',
      'peerParams',
      'peerResult',
      'peerWords',
      'frame',
      'closing',
    ]
      .concat(['eventData', 'unreadable'])
      .map(door => [door, planted(door)]),
  )
  const oneTimePassword = { otp: '7391826450', mail: 'kanarienvogel+84@secret.example' }
  tapped.answering(poisonedNetwork(secrets))
  const locks = createLocks()
  const config = { solanaRpcUrl: `${stack.solana.url}/?api-key=${secrets.apiKey}` }
  const page = await begin(config, locks)
  const follower = await begin(config, locks, 't-follower')
  const thrown: unknown[] = []

  // Invalid terms are read again on a refresh
  const phase = async () => {
    await page.command({ type: 'sale.refresh', data: {} })
    return page.model().sale.terms.phase
  }
  await expect.poll(phase, { timeout: 20_000 }).toBe('read')

  // The relay's first socket cannot be made; then a wallet takes the code
  tapped.refuseNextSocket()
  await page.command({
    type: 'connection.connectWalletConnect',
    data: { wallet: { walletId: 'walletConnect', name: 'WalletConnect' } },
  })
  const pairingTopic = await page.until('a pairing', ({ pairing }) => {
    const shown = pairing.shown === null ? undefined : pairing.open[pairing.shown]
    return shown?.phase === 'proposed' && shown.pairingTopic
  })
  const uri = (await page.core.pairingUri(pairingTopic)) ?? ''
  expect(await follower.core.pairingUri(pairingTopic)).toBe(uri)
  const frames = tapped.sockets.length
  await wallet.pair(uri)
  const sessionTopic = await page.until('a session', ({ session }) => Object.keys(session)[0])
  await page.until('a connection', ({ connection }) => connection.active !== null)
  expect(tapped.sockets).toHaveLength(frames)

  // A holder of the session's key may send any text inside the session
  const answer = (await page.core.recording([])).match(/"responderKey":"([0-9a-f]{64})"/)?.[1] ?? ''
  const sessionKey = tapped.keys
    .filter(key => /^[0-9a-f]{64}$/.test(key))
    .map(key => deriveSymKey(fromHex(key), fromHex(answer)))
    .find(key => topicOf(key) === sessionTopic)
  if (!sessionKey) throw new Error('the key of the session expected to come from a key that was drawn')
  let pushes = 0
  const dispatch = async (text: string, tag = 1108) => {
    pushes += 1
    const before = page.facts.length
    const message = sealEnvelope({ text, symKey: sessionKey, iv: new Uint8Array(randomBytes(12)) })
    const data = { topic: sessionTopic, message, publishedAt: Date.now(), tag }
    const params = { id: 'canary', data }
    tapped.push(JSON.stringify({ id: `${Date.now()}${pushes}`, jsonrpc: '2.0', method: 'irn_subscription', params }))
    return before
  }
  let ids = Date.now() * 1000
  const ask = (method: string, params: unknown) =>
    dispatch(JSON.stringify({ id: ++ids, jsonrpc: '2.0', method, params }))
  await ask('wallet_secretPhrase', { phrase: secrets.peerParams, [secrets.peerParams ?? '']: oneTimePassword })
  await ask('wc_sessionEvent', {
    event: { name: 'otp', data: { code: oneTimePassword.otp, note: secrets.eventData } },
    chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  })
  await ask('wc_sessionUpdate', {
    namespaces: { [secrets.peerWords ?? '']: { accounts: [secrets.peerWords], methods: [], events: [], chains: 7 } },
  })
  await dispatch(`{"id":1,"jsonrpc":"2.0","secret":"${secrets.unreadable}"`)
  await dispatch(`${secrets.unreadable}`)
  await dispatch(JSON.stringify({ id: ++ids, jsonrpc: '2.0', [secrets.unreadable ?? '']: secrets.unreadable }))

  // A request answered with a one-time password, and one answered with a text that is no signature
  wallet.policy.request = 'silent'
  const answers: ((id: string) => string)[] = [
    id =>
      `{"id":${id},"jsonrpc":"2.0","error":{"code":-32000,"message":"code ${oneTimePassword.otp} sent to ${oneTimePassword.mail}","data":"${secrets.peerError}"}}`,
    id => `{"id":${id},"jsonrpc":"2.0","result":"${secrets.peerResult}"}`,
    id => `{"id":${id},"jsonrpc":"2.0","result":{"signature":"${secrets.peerResult}","note":"${secrets.peerResult}"}}`,
    id => `{"id":${id},"jsonrpc":"2.0","error":"user rejected ${secrets.peerError} ${oneTimePassword.otp}"}`,
  ]
  for (const [at, of] of answers.entries()) {
    const orderId = await place(page, `00112233445566f${at}`)
    const requestId = await page.until(
      'a question',
      ({ request }) =>
        Object.values(request).find(one => one.phase !== 'ended' && one.purpose === `order:${orderId}`)?.requestId,
    )
    await dispatch(of(requestId), 1109)
    await page.until(`an end of order ${at}`, ({ order }) => 'failure' in (order[orderId] ?? {}))
    await page.command({ type: 'order.dismiss', data: { orderId } })
  }

  // The relay sends invalid frames, and closes with a reason
  for (const frame of [
    secrets.frame ?? '',
    `{"id":7,"jsonrpc":"2.0","${secrets.frame}":"${secrets.frame}"}`,
    `{"id":"${'9'.repeat(19)}","jsonrpc":"2.0","error":{"code":3000,"message":"${secrets.frame}"}}`,
    `{"id":8,"jsonrpc":"2.0","method":"irn_subscription","params":{"id":"x","data":{"topic":"${secrets.frame}","message":7}}}`,
  ])
    tapped.push(frame)
  const garbage = async () => (await page.core.recording([])).match(/"type":"relay.garbage"/g)?.length
  await expect.poll(garbage).toBe(3)
  const before = tapped.sockets.length
  tapped.end(4001, secrets.closing ?? '')
  await expect.poll(() => tapped.sockets.length).toBeGreaterThan(before)
  for (const call of [
    () => page.core.pairingUri('nobody'),
    () => page.core.command({ type: 'order.place', data: { orderKey: oneTimePassword.otp } } as never, 'c-x', 't-test'),
    () =>
      page.core.answer(
        'e9.9.9',
        { type: 'wallet.failed', failure: { [secrets.peerError ?? '']: 1 } } as never,
        't-test',
      ),
  ])
    await call().catch((cause: unknown) => thrown.push(cause))
  expect(thrown).toHaveLength(1)

  const symKey = new URLSearchParams(uri.split('?')[1]).get('symKey') ?? ''
  expect(tapped.keys).toContain(symKey)
  const all = {
    ...secrets,
    ...oneTimePassword,
    uri,
    symKey,
    sessionKey: toHex(sessionKey),
    ...Object.fromEntries(tapped.keys.map((key, at) => [`key ${at}`, key])),
  }
  expect(tapped.keys.some(key => key.startsWith('ey'))).toBe(true)
  const stored = await rows()
  expect(stored.filter(({ store }) => store === 'keys').length).toBeGreaterThanOrEqual(3)
  expect(stored.filter(row => row.store === 'keys' && !isWrapped(row))).toEqual([])
  const left = await leftBy(page, thrown)
  expect(left.recording).toContain('"unopened"')
  expect(left.channels).toContain('pairing')
  expect(leaks(all, left)).toEqual([])
}, 120_000)

test('canary: a visit with an installed wallet leaves none of its secrets anywhere', async () => {
  const secrets: Record<string, string> = Object.fromEntries(
    ['nameToken', 'nameAddress', 'iconToken', 'chainToken', 'thrownAtConnect', 'thrownAtSign', 'label', 'output'].map(
      door => [door, planted(door)],
    ),
  )
  const page = await begin()
  const window = new EventTarget()
  let facts = 0
  const records: PageRecord[] = []
  const dispatch = ({ type, data }: PageFact) => {
    facts += 1
    records.push({ k: 'p', p: facts, life: 1, after: page.seq(), tab: page.tab, at: 1, type, v: 1, data } as PageRecord)
  }
  const wallets = createWallets({ window, dispatch })
  wallets.setDeliver((effectId, answer) => page.core.answer(effectId, answer, page.tab))

  const { address, secretKey } = seededKeypair('canary', 'installed')
  stack.solana.give(address, { sol: '50' })
  stack.solana.chain.advance(40)
  const account = {
    address,
    publicKey: secretKey.slice(32),
    chains: ['solana:devnet'],
    features: [],
    // Words would be a name of the account, which is personal; an address or a key is none
    label: `key=${secrets.label}`,
    icon: `data:image/png;base64,${secrets.label}`,
  }
  const thrown = (words: string | undefined) =>
    Object.assign(new Error(`failed: ${words}`), { name: words, code: words, data: { words }, cause: new Error(words) })
  const fails = { connect: 1, sign: 0 }
  const small: SmallOptions = {
    name: 'Quill',
    accounts: [account],
    connect: () => {
      fails.connect -= 1
      if (fails.connect >= 0) throw thrown(secrets.thrownAtConnect)
      return { accounts: [account], note: secrets.label }
    },
    signTransaction: () => {
      fails.sign += 1
      if (fails.sign === 1) throw thrown(secrets.thrownAtSign)
      if (fails.sign === 2) throw `words alone: ${secrets.thrownAtSign}`
      return [{ signedTransaction: new TextEncoder().encode(secrets.output), note: secrets.output }]
    },
    disconnect: () => {
      throw thrown(secrets.thrownAtSign)
    },
    without: ['solana:signAndSendTransaction'],
  }
  const plain = smallWallet(small).wallet
  announceIn(
    window,
    { ...plain, name: `Quill ${secrets.nameToken}`.padEnd(60, 'x') },
    { ...plain, name: `https://quill.example/${secrets.nameAddress}`.slice(0, 64) },
    { ...plain, name: `key=${secrets.nameToken}` },
    { ...plain, name: 'Icon', icon: `https://quill.example/icon.png?token=${secrets.iconToken}` },
    { ...plain, name: 'Chain', chains: [`solana:${secrets.chainToken} and more words than a chain has`] },
    {
      ...plain,
      name: 'Throwing',
      get features(): never {
        throw thrown(secrets.thrownAtConnect)
      },
    },
    plain,
  )
  await new Promise(resolve => setImmediate(resolve))
  await page.core.pageFacts(records)
  expect(records.map(({ type }) => type).filter(type => type === 'installed.refused')).toHaveLength(5)

  let done = 0
  const perform = async (type: string) => {
    const effect = await page.until(`the effect ${type}`, () => page.effects.slice(done).find(one => one.type === type))
    done = page.effects.indexOf(effect) + 1
    wallets.perform(effect)
  }
  const connect = async () => {
    const data = { walletKey: 'Quill', wallet: { walletId: 'Quill', name: 'Quill' } }
    await page.command({ type: 'connection.connectInstalled', data })
    await perform('wallet.connect')
  }
  await connect()
  await page.until('a refusal', ({ connection }) => connection.attempt?.phase === 'failed')
  await connect()
  await page.until('a connection', ({ connection }) => connection.active !== null)
  for (const at of [1, 2, 3]) {
    const orderId = await place(page, `0011223344556${at}ff`)
    await untilAsked(page, orderId)
    await perform('wallet.signTransaction')
    await page.until(`an end of order ${at}`, ({ order }) => 'failure' in (order[orderId] ?? {}))
    await page.command({ type: 'order.dismiss', data: { orderId } })
  }
  await page.command({ type: 'connection.disconnect', data: { connectionId: page.model().connection.active ?? '' } })
  await perform('wallet.disconnect')
  await new Promise(resolve => setImmediate(resolve))
  wallets.close()

  expect(fails).toEqual({ connect: -1, sign: 3 })
  expect(leaks(secrets, { ...(await leftBy(page)), 'page facts': JSON.stringify(records) })).toEqual([])
}, 60_000)

test('canary: a name and a password in the RPC’s address appear nowhere, though nothing can be read there', async () => {
  const secrets = { user: planted('user'), password: planted('password'), relayToken: planted('relayToken') }
  const { host } = new URL(stack.solana.url)
  const page = await begin({
    solanaRpcUrl: `http://${secrets.user}:${secrets.password}@${host}/`,
    relayUrls: [`${stack.addresses.VITE_RELAY_URL}/?token=${secrets.relayToken}`],
  })
  await page.until('a failure to read the sale', () => page.facts.find(({ type }) => type === 'sale.unreachable'))
  await page.command({
    type: 'connection.connectWalletConnect',
    data: { wallet: { walletId: 'walletConnect', name: 'WalletConnect' } },
  })
  await page.until('a pairing', ({ pairing }) => pairing.shown !== null)
  const thrown: unknown[] = []
  const left = await leftBy(page, thrown)
  expect(left.recording).toContain('"relayUrl":')
  expect(leaks(secrets, left)).toEqual([])
}, 60_000)

test('canary: an RPC address recorded by an older build is replaced by its hash, and the chain is still known', async () => {
  const apiKey = planted('apiKey')
  const rpcUrl = `https://rpc.example/?api-key=${apiKey}`
  const opening = indexedDB.open('mai', 1)
  await new Promise<void>(resolve => {
    opening.onupgradeneeded = () => opening.result.createObjectStore('chains').put('genesis-1', rpcUrl)
    opening.onsuccess = () => resolve()
  })
  opening.result.close()
  expect(leaks({ apiKey }, { storage: rowText(await rows()) })).not.toEqual([])
  expect(await rememberedChain(rpcUrl)).toBe('genesis-1')
  expect(leaks({ apiKey }, { storage: rowText(await rows()) })).toEqual([])
  expect(await rememberedChain(rpcUrl)).toBe('genesis-1')
})

test('canary: an unexpected error is reported by its kind and place, not by its words', () => {
  const secret = planted('thrown')
  const cause = new RangeError(`first line ${secret}\n    at ${secret}\nlast`)
  const trace = traceOf(cause)
  expect(leaks({ secret }, { trace })).toEqual([])
  expect(trace).toMatch(/^RangeError\n\s+at .*canary\.test\.ts:\d+:\d+/)
  expect(traceOf(secret)).toBe('string')
})
