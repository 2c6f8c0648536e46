/**
 * Hostile texts in nodes' errors, in mints and their metadata, and in everything a wallet announces: no character of
 * theirs passes the drivers.
 */
import { describe, expect, test } from 'vitest'
import { readTerms } from '../../src/events/sale/terms/terms.ts'
import { noticeRef, presaleRef } from '../../src/worker/chains/solana/references.ts'
import { programs } from '../../src/worker/chains/solana/programs.ts'
import { createHttp } from '../../src/worker/host/aloneTransport.ts'
import type { RequestTransport } from '../../src/worker/drivers/transport/transport.ts'
import { memoryBytes } from '../../src/worker/drivers/bytes.ts'
import { createSolanaDriver } from '../../src/worker/drivers/solana/solana.ts'
import { exampleTerms, exampleTermsHash } from '../events/values/exampleTerms.ts'
import { someHostile as hostileStrings } from '../journeys/hostileStrings.ts'
import { account, connecting, page, restoring, signing, smallWallet } from '../main/drivers/smallWallet.ts'
import { unseen } from '../ui/traces.ts'
import { buyerKey, legacyBytes, orderInstructions, references } from '../worker/chains/solana/exampleOrder.ts'
import { leftIn, textsIn } from './texts.ts'

const terms = exampleTerms()
const { authority, treasury } = terms
const presale = presaleRef(authority, terms.id)
const mint = terms.token.mint ?? ''
const assets = terms.assets.map(({ symbol, mint: of }) => (of === undefined ? { symbol } : { symbol, mint: of }))
const order = {
  orderKey: '5b0e9d7c31f4a826',
  account: buyerKey,
  asset: 'SOL',
  units: '2500000000',
  presaleRef: presale,
  quoted: '416666666666667',
  min: '416666666666666',
  termsHash: exampleTermsHash,
}
const signature = '5'.repeat(88)

type Said = { result: unknown } | { error: unknown }
type Node = (method: string) => Said

/** Cycles through forms of a text. */
const inTurn = <T>(at: number, forms: readonly T[]) => forms[at % forms.length]

/** Answers of all calls to a node. */
async function answersOf(http: RequestTransport): Promise<unknown[]> {
  const bytes = memoryBytes()
  const bytesRef = await bytes.put(legacyBytes(orderInstructions()), 'order-1')
  const sale = { authority, id: terms.id }
  const ports = { rpcUrls: ['http://node.example'], termsUrl: 'http://host.example/terms.json', sale, http, bytes }
  const drivers = createSolanaDriver({ ...ports, now: () => 0 })
  const watch = { orderId: 'o-1', orderRef: references[2], account: buyerKey, fromSlot: 0, search: true }
  const asked: [string, object][] = [
    ['chain.identify', {}],
    ['chain.readSale', { treasury, assets }],
    ['chain.readBalances', { account: buyerKey, assets }],
    ['chain.readMint', { mint, program: 'spl-token' }],
    ['chain.readMint', { mint, program: 'token-2022' }],
    [
      'chain.readNotices',
      { noticeRef: noticeRef(presale), authority, presaleRef: presale, termsHash: exampleTermsHash },
    ],
    ['chain.readPurchases', { account: buyerKey, presaleRef: presale, terms, known: [] }],
    ['chain.prepareOrder', { orderId: 'o-1', terms, order }],
    ['chain.watch', { ...watch, signature, own: true }],
    ['chain.watch', { ...watch, proves: true, blockhash: presale }],
    ['chain.submit', { orderId: 'o-1', bytesRef, first: true }],
  ]
  const answers: unknown[] = []
  for (const [type, data] of asked) await drivers[type]?.({ id: 'e1.1.1', data } as never, one => answers.push(one))
  expect(answers).toHaveLength(asked.length)
  return answers
}

/** A node that gives this answer to each call. */
function http(node: Node): RequestTransport {
  const said: typeof fetch = async (_, init) => {
    const calls = JSON.parse(String(init?.body)) as { id: number; method: string } | { id: number; method: string }[]
    const answer = ({ id, method }: { id: number; method: string }) => ({ jsonrpc: '2.0', id, ...node(method) })
    return Response.json(Array.isArray(calls) ? calls.map(answer) : answer(calls))
  }
  return createHttp({ fetch: said, wait: async () => undefined })
}

/** Answers of an honest node, with a transaction error wherever one is possible. */
function failing(err: unknown, logs: string[]): Node {
  const context = { slot: 1200 }
  const coins = { lamports: 10_000_000_000, owner: programs.system, data: ['', 'base64'] }
  const results: { [method: string]: Said } = {
    getGenesisHash: { result: terms.cluster.genesisHash },
    getEpochInfo: { result: { absoluteSlot: 1200, blockHeight: 200 } },
    getSlot: { result: 1232 },
    getLatestBlockhash: { result: { context, value: { blockhash: presale, lastValidBlockHeight: 350 } } },
    getRecentPrioritizationFees: { result: [] },
    getMultipleAccounts: { result: { context, value: [coins, coins] } },
    simulateTransaction: { result: { context, value: { err, logs, unitsConsumed: 1000 } } },
    sendTransaction: { error: { code: -32002, message: logs[0], data: { err, logs } } },
    getSignatureStatuses: {
      result: {
        context,
        value: [{ slot: 1000, confirmations: 1, err, confirmationStatus: 'confirmed', memo: logs[0] }],
      },
    },
    getSignaturesForAddress: {
      result: [{ signature, slot: 1000, err, memo: logs[0], blockTime: null, confirmationStatus: 'finalized' }],
    },
  }
  return method => results[method] ?? { error: { code: -32601, message: logs[0] } }
}

describe('a node', () => {
  test('that refuses every call is not quoted', async () => {
    const codes = [-32602, -32005, -32002, -32016, 0, 429]
    for (const [at, text] of hostileStrings.entries()) {
      const code = codes[at % codes.length]
      const error = inTurn(at, [{ code, message: text, data: text }, { code: text, message: { text } }, text, [text]])
      expect(leftIn(await answersOf(http(() => ({ error }))))).toEqual([])
    }
  })

  test('that answers with unexpected data is not quoted', async () => {
    for (const [at, text] of hostileStrings.entries()) {
      const context = { slot: text }
      const result = inTurn(at, [text, { [text]: text }, [text, context], { context, value: [text] }])
      expect(leftIn(await answersOf(http(() => ({ result }))))).toEqual([])
    }
  })

  test('with the reason of a failed transaction is quoted only in a validator’s own words', async () => {
    for (const [at, text] of hostileStrings.entries()) {
      const err = inTurn(at, [
        text,
        { [text]: text },
        { InstructionError: [0, text] },
        { InstructionError: [text, { [text]: 1 }] },
        { InsufficientFundsForRent: { account_index: text } },
      ])
      const answers = await answersOf(http(failing(err, [text])))
      expect(JSON.stringify(answers)).toMatch(/failed with (?:Unreadable|InsufficientFundsForRent)/)
      expect(leftIn(answers)).toEqual([])
    }
    const answers = await answersOf(http(failing({ InstructionError: [3, { Custom: 1 }] }, [])))
    expect(JSON.stringify(answers)).toContain('instruction 3 failed with Custom 1')
  })

  test('that answers no JSON is not quoted', async () => {
    for (const text of hostileStrings.slice(0, 40)) {
      const said = async () => new Response(text, { status: 200 })
      expect(leftIn(await answersOf(createHttp({ fetch: said, wait: async () => {} })))).toEqual([])
    }
  })
})

describe('a mint', () => {
  /** A mint of Token-2022 with its metadata inside, in the program's layout. */
  function withMetadata(texts: readonly string[]): string {
    const base = Buffer.alloc(166)
    base[45] = 1
    base[44] = 9
    base[165] = 1
    const strings = texts.map(text => {
      const bytes = Buffer.from(text)
      return Buffer.concat([Buffer.from(new Uint32Array([bytes.length]).buffer), bytes])
    })
    const metadata = Buffer.concat([Buffer.alloc(64), ...strings, Buffer.alloc(4)])
    const head = Buffer.from(new Uint16Array([19, metadata.length]).buffer)
    return Buffer.concat([base, head, metadata]).toString('base64')
  }

  test.each([
    ['spl-token', programs.token],
    ['token-2022', programs.token2022],
  ])('of %s gives its decimals and authorities, with any name, symbol and picture', async (program, owner) => {
    const plain = Buffer.alloc(82)
    plain[44] = 9
    plain[45] = 1
    for (const text of hostileStrings) {
      const beside = { name: text, symbol: text, uri: `https://x/${text}`, image: text, logoURI: text, [text]: text }
      const mints = [
        { lamports: 1, owner, data: [plain.toString('base64'), 'base64'], ...beside },
        { lamports: 1, owner, data: [withMetadata([text, text, `https://x/${text}`]), 'base64'], ...beside },
        { lamports: 1, owner, data: { program: text, parsed: { info: beside, type: text } }, ...beside },
        { lamports: 1, owner: text, data: [text, 'base64'], ...beside },
      ]
      for (const [at, one] of mints.entries()) {
        const result = { context: { slot: 1, apiVersion: text }, value: [one], ...beside }
        const { 'chain.readMint': read } = createSolanaDriver({
          rpcUrls: ['http://node.example'],
          termsUrl: 'http://host.example/terms.json',
          bytes: memoryBytes(),
          http: http(() => ({ result })),
          now: () => 0,
        })
        const answers: { type: string; data: object }[] = []
        await read?.({ id: 'e1.1.1', data: { mint, program } } as never, said => answers.push(said))
        expect(answers.map(({ type }) => type)).toEqual([
          at === 0 || (at === 1 && program === 'token-2022') ? 'chain.mint' : 'effect.failed',
        ])
        expect(leftIn(answers)).toEqual([])
      }
    }
  })

  test('needs a symbol of capitals and digits in the terms, and a stage a name without invisible characters', () => {
    const [sol, usdc] = terms.assets
    const [stage, ...stages] = terms.stages
    const read = (changes: object) => {
      try {
        return readTerms(JSON.stringify({ ...terms, ...changes })).terms
      } catch {
        return undefined
      }
    }
    for (const text of hostileStrings) {
      expect(read({ token: { ...terms.token, symbol: text } })).toBeUndefined()
      expect(read({ assets: [sol, { ...usdc, symbol: text }] })).toBeUndefined()
      expect(read({ unit: { ...terms.unit, symbol: text } })).toBeUndefined()
      const named = read({ stages: [{ ...stage, name: text }, ...stages] })
      if (named) expect(named.stages[0]?.name).not.toMatch(unseen)
      const linked = read({ legal: { ...terms.legal, url: `https://x.example/${text}` } })
      if (linked) expect(linked.legal.url).not.toMatch(unseen)
    }
    expect(read({})).toEqual(terms)
  })
})

describe('a wallet of the Wallet Standard', () => {
  /** A wallet with hostile texts everywhere but in its name, which is shown if it is clean. */
  const dressed = (text: string, name = 'Torch') => {
    const made = smallWallet({ name, icon: text, accounts: [{ ...account(1), label: text, icon: text } as never] })
    Object.assign(made.wallet, { version: text, description: text, label: text, [text]: text })
    made.wallet.chains.push(text, `solana:${text}`)
    Object.assign(made.wallet.features, { [text]: { [text]: () => text }, 'solana:signMessage': { version: text } })
    return made
  }
  const own = account(1)

  test('announces nothing but its name, its accounts with names for them, and its features', async () => {
    for (const text of hostileStrings) {
      const { wallet } = dressed(text)
      const here = await page(wallet)
      const [walletKey = ''] = here.names()
      const answers = [
        await here.ask(connecting('Torch', walletKey)),
        await here.ask(signing(own, 'Torch')),
        await here.ask(restoring('Torch')),
      ]
      expect(answers[0]).toMatchObject({ type: 'wallet.connected', accounts: [own.address] })
      // Names for accounts are shown as text
      const shown = answers.map(answer => (answer && 'labels' in answer ? answer.labels : []))
      expect(textsIn(shown).filter(said => unseen.test(said) || said.length > 64)).toEqual([])
      const others = answers.map(answer => ({ ...answer, labels: [] }))
      expect(leftIn([here.said, others])).toEqual([])
      here.wallets.close()
    }
  })

  test('is not quoted from anything that it throws or returns', async () => {
    for (const text of hostileStrings) {
      const thrown = () => Promise.reject(Object.assign(new Error(text), { code: text, name: text }))
      const { wallet } = smallWallet({ name: 'Torch', connect: () => ({ accounts: [{ address: text, label: text }] }) })
      const other = smallWallet({ name: 'Lamp', connect: thrown, signTransaction: thrown }).wallet
      const here = await page(wallet, other)
      const [torch = '', lamp = ''] = here.names()
      const answers = [await here.ask(connecting('Torch', torch)), await here.ask(connecting('Lamp', lamp))]
      expect(answers.map(answer => answer?.type)).toEqual(['wallet.failed', 'wallet.failed'])
      expect(leftIn([here.said, answers])).toEqual([])
      here.wallets.close()
    }
  })

  test('has a name without invisible characters everywhere', async () => {
    for (const text of hostileStrings) {
      const here = await page(smallWallet({ name: text, connect: () => ({ accounts: [] }) }).wallet)
      const names = here.said.flatMap(fact => (fact.type === 'installed.announced' ? [fact.data] : []))
      for (const { name, walletKey } of names) {
        const answer = await here.ask(connecting(name, walletKey))
        expect(answer).toMatchObject({ type: 'wallet.failed', failure: { message: expect.stringContaining(name) } })
        expect(textsIn(answer).filter(said => unseen.test(said))).toEqual([])
      }
      expect(textsIn(here.said).filter(said => unseen.test(said))).toEqual([])
      here.wallets.close()
    }
  })
})
