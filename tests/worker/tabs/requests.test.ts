/** Requests against the official wallet kit: whatever a wallet may answer, how a request ends otherwise, and what an order makes of it. */
import { orderKeyOf } from '../../../src/events/subjects/order/order.ts'
import { join } from 'node:path'
import { Keypair, Transaction } from '@solana/web3.js'
import bs58 from 'bs58'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Model } from '../../../src/events/app.ts'
import type { WalletRequest } from '../../../src/events/subjects/session/requestState.ts'
import { quotePaying } from '../../../src/events/sale/quote.ts'
import { baseline, readSale } from '../../../src/events/sale/sale.ts'
import { requestResult } from '../../../src/main/provider/requests/requestEnd.ts'
import { seededKeypair } from '../../stack/solana/keys.ts'
import { soon } from '../../soon.ts'
import { type Stack, startStack } from '../../stack/start.ts'
import { type KitPolicy, type KitWallet, startKitWallet } from '../../stack/wallet/kit.ts'
import { createLocks } from './locks.ts'
import { chainOf, configFor, openPage, type TestPage } from './page.ts'
import { emptyDisk } from './world.ts'

let stack: Stack
let page: TestPage
let wallet: KitWallet
let wallets = 0
let orders = 0

beforeAll(async () => {
  stack = await startStack({
    clock: 'manual',
    seed: 'requests',
    baseUnix: Math.floor(Date.now() / 1000),
    cacheDir: join(process.cwd(), 'node_modules/.cache'),
  })
}, 60_000)
afterAll(() => stack?.close())

beforeEach(async () => {
  emptyDisk()
  page = await openPage({ config: configFor(stack), locks: createLocks() })
})
afterEach(() => wallet?.close())

/** A wallet of the official kit, connected. @returns its key, and the session's topic */
async function connect(policy: Partial<KitPolicy> = {}): Promise<{ key: Keypair; sessionTopic: string }> {
  const { secretKey } = seededKeypair('requests', `wallet ${++wallets}`)
  wallet = await startKitWallet({
    relayUrl: stack.addresses.VITE_RELAY_URL,
    projectId: stack.addresses.VITE_PROJECT_ID,
    secretKey,
    rpcUrl: stack.solana.url,
    policy,
  })
  stack.solana.give(wallet.address, { sol: '20' })
  stack.solana.chain.advance(40)
  const chosen = { walletId: 'walletConnect', name: 'WalletConnect' }
  await chainOf(page)
  await page.command({ type: 'connection.connectWalletConnect', data: { wallet: chosen } })
  const code = await page.until(
    'a code',
    ({ pairing: { shown, open } }) => shown !== null && open[shown]?.phase === 'proposed' && shown,
  )
  await wallet.pair((await page.core.pairingUri(code)) ?? '')
  const sessionTopic = await page.until('a session', model => Object.keys(model.session)[0])
  return { key: Keypair.fromSecretKey(fullKey(secretKey)), sessionTopic }
}

/** A seed, or a seed with its public key behind it. */
function fullKey(secretKey: Uint8Array): Uint8Array {
  return secretKey.length === 64 ? secretKey : Keypair.fromSeed(secretKey).secretKey
}

async function ask(sessionTopic: string, params: unknown = {}, method = 'solana_signMessage'): Promise<WalletRequest> {
  const chainId = await chainOf(page)
  const before = Object.keys(page.model().request)
  const data = { sessionTopic, chainId, method, params: JSON.stringify(params) }
  await page.command({ type: 'request.send', data })
  return page.until('the request', ({ request }) => Object.values(request).find(one => !before.includes(one.requestId)))
}
const endOf = ({ requestId }: WalletRequest) =>
  page.until('the end of the request', ({ request }) => request[requestId]?.phase === 'ended' && request[requestId])

describe('a page’s request', { timeout: 60_000 }, () => {
  test('ends with any answer of the wallet, and the wallet gets any request', async () => {
    const results: unknown[] = ['text', '', null, false, 0, [], {}, [1, { a: null }], 'é'.repeat(100_000)]
    const { sessionTopic } = await connect({ answer: () => results[given.length - 1] })
    const given: unknown[] = []
    const paramsList = [
      {},
      [],
      null,
      'text',
      0,
      { message: '2NEpo7TZRRrLZSi2U' },
      { long: 'x'.repeat(150_000) },
      [[]],
      ['é'],
    ]
    for (const [at, params] of paramsList.entries()) {
      given.push(params)
      const { end } = await endOf(await ask(sessionTopic, params))
      if (end?.how !== 'answered') throw new Error(`an answer was expected, got ${JSON.stringify(end)}`)
      const text = end.resultRef === undefined ? end.result : await page.core.answerText(end.resultRef)
      expect(JSON.parse(text ?? '')).toEqual(results[at])
      expect((await wallet.next('request')).params).toEqual(params)
    }
  })

  test('ends with 6000 when the wallet ends the session, and a later answer is ignored', async () => {
    const { sessionTopic } = await connect({ request: 'silent' })
    const request = await ask(sessionTopic)
    await wallet.next('request')
    await wallet.disconnect(sessionTopic)
    expect((await endOf(request)).end).toMatchObject({ how: 'failed', failure: { facts: { code: 6000 } } })
    expect(page.facts.filter(({ type }) => type === 'request.failed')).toHaveLength(1)
  })
})

describe('without storage a page’s request', { timeout: 60_000 }, () => {
  test('that may move money never reaches the wallet, and one that cannot is answered', async () => {
    const denied = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    try {
      page = await openPage({ config: configFor(stack), locks: createLocks() })
      const { sessionTopic } = await connect({ answer: () => 'signed' })
      expect(page.model().core.storage).toBe('memory')
      const { end } = await endOf(await ask(sessionTopic, {}, 'solana_signTransaction'))
      expect(end).toMatchObject({ how: 'failed', failure: { code: 'storage_down', facts: { storage: 'memory' } } })
      if (end?.how === 'failed')
        await expect(requestResult(end, async () => undefined)).rejects.toMatchObject({
          code: -32_002,
          name: 'ResourceUnavailableRpcError',
          message: expect.stringMatching(/keeps no record/),
        })
      expect((await endOf(await ask(sessionTopic, { message: 'hello' }))).end).toMatchObject({ how: 'answered' })
      // The wallet receives requests in order
      expect(await wallet.next('request')).toMatchObject({ method: 'solana_signMessage' })
    } finally {
      denied.mockRestore()
    }
  })
})

describe('erasing the log', { timeout: 60_000 }, () => {
  test('ends an open request to sign a message with 6000', async () => {
    const { sessionTopic } = await connect({ request: 'silent' })
    const request = await ask(sessionTopic)
    expect(await page.core.erase(page.tab)).toBe(true)
    expect((await endOf(request)).end).toMatchObject({ how: 'failed', failure: { facts: { code: 6000 } } })
    expect(page.restarts).toEqual([])
  })

  test('is refused while a wallet may answer a request for a payment, and possible after its end', async () => {
    const { sessionTopic } = await connect({ request: 'silent' })
    const request = await ask(sessionTopic, {}, 'solana_signTransaction')
    expect(await page.core.erase(page.tab)).toBe(false)
    expect(Object.keys(page.model().session)).toEqual([sessionTopic])
    await page.command({ type: 'session.disconnect', data: { sessionTopic } })
    await endOf(request)
    expect(await page.core.erase(page.tab)).toBe(true)
  })
})

describe('an order over WalletConnect', { timeout: 60_000 }, () => {
  const saleOf = ({ sale: { terms, reading, notices } }: Model) => {
    if (terms.phase !== 'read' || !reading || !notices) return undefined
    const from = notices.checkpoint ?? baseline({})
    return { terms, sale: readSale(terms.terms, from, reading.balances, reading.chainTime, notices) }
  }
  async function place(): Promise<string> {
    const { terms, sale } = await page.until('the sale', saleOf)
    const quote = quotePaying(terms.terms, { pos: sale.pos, time: sale.time }, 'SOL', '250000000')
    const orderKey = (++orders).toString(16).padStart(16, '0')
    const { acknowledge: acknowledged } = terms.terms.legal
    const { tokens: quoted, min } = quote
    await page.command({
      type: 'order.place',
      data: { orderKey, asset: 'SOL', units: '250000000', quoted, min, termsHash: terms.termsHash, acknowledged },
    })
    return (
      await page.until('the order', ({ order }) => Object.values(order).find(one => orderKeyOf(one) === orderKey))
    ).orderId
  }
  /** @returns how often the node was asked for the status of a signature */
  async function looks(): Promise<number> {
    const { calls } = (await (await fetch(`${stack.solana.url}/state`)).json()) as { calls: Record<string, number> }
    return calls.getSignatureStatuses ?? 0
  }
  const phaseOf = (orderId: string, phase: string) =>
    page.until(`the order ${phase}`, ({ order }) => order[orderId]?.phase === phase && order[orderId])
  const signedBy = (key: Keypair, params: unknown): Transaction => {
    const transaction = Transaction.from(Buffer.from((params as { transaction: string }).transaction, 'base64'))
    transaction.partialSign(key)
    return transaction
  }

  test('is paid by a wallet that writes its transaction in base58, with the signature beside it', async () => {
    const { key } = await connect()
    wallet.policy.answer = ({ params }) => {
      const transaction = signedBy(key, params)
      return { signature: bs58.encode(transaction.signature ?? []), transaction: bs58.encode(transaction.serialize()) }
    }
    const orderId = await place()
    await phaseOf(orderId, 'seen')
    stack.solana.chain.advance(40)
    await phaseOf(orderId, 'finalised')
  })

  test('is not paid by the signature of another transaction', async () => {
    await connect({ methods: ['solana_signAndSendTransaction'] })
    const signature = stack.solana.chain.airdrop(wallet.address, 1_000_000n)
    stack.solana.chain.advance(40)
    wallet.policy.answer = () => ({ signature })
    const orderId = await place()
    await phaseOf(orderId, 'sending')
    stack.solana.chain.advance(200)
    // One look may be under way; when a third begins, the answer of the second is judged
    const before = await looks()
    await soon(async () => expect(await looks()).toBeGreaterThanOrEqual(before + 3))
    // Less than a minute has passed, so it is not called gone yet
    expect(page.model().order[orderId]?.phase).toBe('sending')
    expect(page.facts.filter(({ type }) => /^order\.(confirmed|finalised)$/.test(type))).toEqual([])
  })
})
