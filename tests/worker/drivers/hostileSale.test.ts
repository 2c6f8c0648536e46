/** A hostile host of the terms, and strangers on the chain, against the sale. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buyerRef, noticeRef, presaleRef } from '../../../src/worker/chains/solana/references.ts'
import { createHttp } from '../../../src/worker/host/aloneTransport.ts'
import { memoryBytes } from '../../../src/worker/drivers/bytes.ts'
import { createSolanaDriver, type SolanaPorts } from '../../../src/worker/drivers/solana/solana.ts'
import { hintReads } from '../../../src/worker/drivers/solana/sale/notices.ts'
import { purchaseReads } from '../../../src/worker/drivers/solana/sale/purchases.ts'
import { canonicalTerms, readTerms, type Terms } from '../../../src/events/sale/terms/terms.ts'
import { type Checkpoint, checkpointText } from '../../../src/events/sale/notices/checkpoint.ts'
import { mostListed, type NoticeList, noticeListText } from '../../../src/events/sale/notices/noticeList.ts'
import { canonicalJson } from '../../../src/runtime/json/canonicalJson.ts'
import { hashText } from '../../../src/worker/services/notices.ts'
import { base58 } from '../../stack/solana/bytes.ts'
import { type Keypair, seededKeypair } from '../../stack/solana/keys.ts'
import { memo, transfer } from '../../stack/solana/programs.ts'
import { type SolanaStack, startSolana } from '../../stack/solana/server.ts'
import { answerOf, failureOf } from './harness.ts'

let stack: SolanaStack
let terms: Terms
let presale: string
/** every method and file that went over the wire, in order */
let calls: string[] = []
/** most lines that each list was asked for */
let limits: number[] = []
const counting: typeof fetch = (input, init) => {
  if (!init?.body) calls.push(new URL(String(input)).pathname)
  for (const [, method = ''] of String(init?.body ?? '').matchAll(/"method":"(\w+)"/g)) calls.push(method)
  for (const [, limit] of String(init?.body ?? '').matchAll(/"limit":(\d+)/g)) limits.push(Number(limit))
  return fetch(input, init)
}
const called = (name: string) => calls.filter(one => one === name).length

/** A device that has just started. */
function fresh(ports: Partial<SolanaPorts> = {}) {
  return createSolanaDriver({
    rpcUrls: [stack.url],
    termsUrl: `${stack.url}/terms.json`,
    sale: { authority: stack.info.authority, id: stack.info.saleId },
    http: createHttp({ wait: async () => {}, fetch: counting }),
    bytes: memoryBytes(),
    now: () => 0,
    ...ports,
  })
}

const source = (authority = terms.authority) => {
  const ref = presaleRef(authority, terms.id)
  return { noticeRef: noticeRef(ref), authority, presaleRef: ref, termsHash: stack.info.termsHash }
}
const readNotices = (drivers = fresh()) => answerOf(drivers, 'chain.readNotices', source(), 'chain.notices')

let strangers = 0
/** A stranger without rights writes memos under one of the sale's references. */
function flood(reference: string, count: number, textOf: (at: number) => string): void {
  const stranger = seededKeypair('hostile sale', `stranger ${++strangers}`)
  stack.chain.airdrop(stranger.address, 100_000_000_000n)
  for (let at = 0; at < count; at++) attach(stranger, reference, textOf(at))
  stack.chain.advance(40)
}
function attach(stranger: Keypair, reference: string, text: string): void {
  stack.chain.run([memo(text), transfer(stranger.address, stranger.address, 0n, [reference])], [stranger])
}
const forged = (at: number) => `mai1n:${stack.operator.published.nextSeq + (at % 3)}:pause:-`

beforeAll(async () => {
  stack = await startSolana({ seed: 'hostile sale', clock: 'manual' })
  const read = await answerOf(fresh(), 'chain.readTerms', {}, 'chain.terms')
  terms = read.terms
  presale = read.presaleRef
})
afterAll(async () => {
  await stack?.close()
})
beforeEach(() => {
  stack.control({ faults: {}, operator: { termsFile: 'normal', noticesFile: 'normal' } })
  calls = []
  limits = []
})

describe('a host that serves other terms', () => {
  test('terms of another authority are refused, though that authority announced them on the chain', async () => {
    stack.control({ operator: { termsFile: 'foreign' } })
    const foreign = readTerms(await (await fetch(`${stack.url}/terms.json`)).text()).terms
    const thief = seededKeypair('hostile sale', 'thief authority')
    expect(foreign).toMatchObject({ authority: thief.address, id: terms.id })
    stack.chain.airdrop(thief.address, 1_000_000_000n)
    attach(thief, source(thief.address).noticeRef, `mai1n:1:terms:${hashText(canonicalTerms(foreign))}`)
    stack.chain.advance(40)
    const failure = await failureOf(fresh(), 'chain.readTerms', {})
    expect(failure).toMatchObject({ code: 'terms_invalid', facts: { rule: 'SALE_AUTHORITY' } })
    expect(failure.message).toContain(stack.info.authority)
  })

  test('terms of another sale of the same authority are refused', async () => {
    const drivers = fresh({ sale: { authority: stack.info.authority, id: 'another-sale' } })
    expect(await failureOf(drivers, 'chain.readTerms', {})).toMatchObject({
      code: 'terms_invalid',
      facts: { rule: 'SALE_ID' },
    })
  })

  test('notices of another authority than the built-in one are not read', async () => {
    const thief = seededKeypair('hostile sale', 'thief authority').address
    expect(await failureOf(fresh(), 'chain.readNotices', source(thief))).toMatchObject({
      code: 'terms_invalid',
      facts: { rule: 'SALE_AUTHORITY' },
    })
    expect(calls).toEqual([])
  })

  describe('that change what the first announcement froze', () => {
    const announcedNow = async (files: Record<string, string | null> = {}) => {
      stack.control({ operator: { termsFile: 'treasury', announce: true }, advance: 40 })
      stack.control({ operator: { replace: files } })
      const drivers = fresh()
      const { termsHash } = await answerOf(drivers, 'chain.readTerms', {}, 'chain.terms')
      const read = await answerOf(drivers, 'chain.readNotices', { ...source(), termsHash }, 'chain.notices')
      expect(read.termsHash).toBe(termsHash)
      return read.frozen
    }
    afterEach(() => stack.control({ operator: { termsFile: 'normal', announce: true, replace: {} }, advance: 40 }))

    test('are told to a device that has never seen the first ones', async () => {
      expect(await announcedNow()).toBe('treasury')
    })

    test('are told where the copy of the first ones is missing or another text', async () => {
      const copy = `terms-${stack.info.termsHash.slice(0, 16)}.json`
      expect(await announcedNow({ [copy]: null })).toBe('first')
      const moved = await (await fetch(`${stack.url}/terms.json`)).text()
      expect(await announcedNow({ [copy]: moved })).toBe('first')
    })

    test('are told where the list leaves out the first notice', async () => {
      expect(await announcedNow()).toBe('treasury')
      const { sig: _, ...body } = JSON.parse(stack.operator.published.list ?? '') as NoticeList
      const later = { ...body, signatures: body.signatures.slice(1) }
      const sig = base58(stack.accounts.authority.sign(Buffer.from(noticeListText(later))))
      expect(await announcedNow({ 'notices.json': canonicalJson({ ...later, sig }) })).toBe('first')
    })

    test('once taken back are not told any more', async () => {
      await announcedNow()
      stack.control({ operator: { termsFile: 'normal', announce: true }, advance: 40 })
      expect((await readNotices()).frozen).toBeUndefined()
    })
  })

  describe('a checkpoint that the authority announced', () => {
    /** Announces and publishes the newest checkpoint with other values, signed by this key. @returns the visitor's reading */
    const announced = async (
      key: Keypair,
      change: (known: Omit<Checkpoint, 'sig'>) => Partial<Checkpoint> = () => ({}),
    ) => {
      const { sig: _, ...known } = JSON.parse(stack.operator.checkpoint()) as Checkpoint
      stack.chain.advance(40)
      expect((await readNotices()).checkpoint).toBeDefined()
      const said = { ...known, ...change(known) }
      const text = canonicalJson({ ...said, sig: base58(key.sign(Buffer.from(checkpointText(said)))) })
      const notice = `mai1n:${stack.operator.published.nextSeq++}:checkpoint:${hashText(text)}`
      attach(stack.accounts.authority, source().noticeRef, notice)
      stack.control({ operator: { replace: { 'checkpoint.json': text } }, advance: 40 })
      const read = await readNotices()
      stack.control({ operator: { replace: {} } })
      expect(read.seq).toBe(stack.operator.published.nextSeq - 1)
      return read.checkpoint
    }

    test.each(['slot', 'time'] as const)('with figures of a later %s than its notice is not taken', async name => {
      const later = { slot: 1_000_000, time: 10_000_000 }[name]
      expect(await announced(stack.accounts.authority, known => ({ [name]: known[name] + later }))).toBeUndefined()
    })

    test('and that another key signed is not taken; with the authority’s own signature it is', async () => {
      expect(await announced(seededKeypair('hostile sale', 'thief authority'))).toBeUndefined()
      expect(await announced(stack.accounts.authority)).toBeDefined()
    })
  })

  test('without a sale set, nothing is fetched and the failure says so', async () => {
    const { sale: _, ...none } = { sale: undefined }
    const drivers = createSolanaDriver({
      rpcUrls: [stack.url],
      termsUrl: `${stack.url}/terms.json`,
      http: createHttp({ fetch: counting }),
      bytes: memoryBytes(),
      now: () => 0,
      ...none,
    })
    expect(await failureOf(drivers, 'chain.readTerms', {})).toEqual({
      code: 'unsupported',
      message: 'reading the terms expected a sale to be set, this page has none',
    })
    expect(calls).toEqual([])
  })
})

describe('a flood under the notice reference', () => {
  test('costs a visitor a fixed number of calls, and the sale stays readable', async () => {
    flood(source().noticeRef, 150, forged)
    const notices = await readNotices()
    expect(notices).toMatchObject({ termsHash: stack.info.termsHash, paused: false, partial: true })
    const { time } = JSON.parse(stack.operator.published.list ?? '{}')
    expect(notices.asOf).toBe(time * 1000)
    // Few lines beside a list, as it covers the older ones
    expect([called('getSignaturesForAddress'), limits]).toEqual([1, [100]])
    expect(called('getTransaction')).toBeLessThanOrEqual(mostListed + hintReads)
  })

  test('does not hide a pause that the authority listed', async () => {
    const drivers = fresh()
    expect(await readNotices(drivers)).toMatchObject({ paused: false })
    stack.control({ operator: { pause: true } })
    flood(source().noticeRef, 120, forged)
    calls = []
    expect(await readNotices(drivers)).toMatchObject({ paused: true })
    expect(called('getTransaction')).toBeLessThanOrEqual(1 + hintReads)
    stack.control({ operator: { resume: true } })
    stack.chain.advance(40)
  })

  test('without its list is read from its oldest end, in as few calls, and counts as partly read', async () => {
    stack.control({ operator: { noticesFile: 'absent' } })
    const notices = await readNotices()
    expect(notices).toMatchObject({ termsHash: stack.info.termsHash, partial: true })
    expect(notices.asOf).toBeUndefined()
    // A whole page, as no list tells which ones count
    expect([called('getSignaturesForAddress'), limits]).toEqual([1, [1000]])
    expect(called('getTransaction')).toBeLessThanOrEqual(hintReads)
  })
})

test('two notices of one slot count in the order of their block, as in the ledger, whatever a list says', async () => {
  const { published } = stack.operator
  const texts = [`mai1n:${published.nextSeq + 1}:pause:-`, `mai1n:${published.nextSeq}:resume:-`]
  for (const text of texts) attach(stack.accounts.authority, source().noticeRef, text)
  stack.chain.advance(40)
  const drivers = fresh()
  expect(await readNotices(drivers)).toMatchObject({ seq: published.nextSeq, paused: false })
  await readNotices(drivers)
  expect(called('getBlock')).toBe(1)
  published.nextSeq += 1
})

describe('the list of notices', () => {
  beforeAll(() => flood(source().noticeRef, 3 * hintReads, forged))

  test('withheld for an older one: a device that saw the newer keeps it', async () => {
    const drivers = fresh()
    await readNotices()
    stack.control({ operator: { pause: true } })
    stack.chain.advance(40)
    const newer = await readNotices(drivers)
    expect(newer).toMatchObject({ paused: true })
    const old = JSON.parse(stack.operator.published.list ?? '{}')
    stack.control({ operator: { resume: true } })
    stack.chain.advance(40)
    await readNotices(drivers)
    const kept = stack.operator.published.list
    stack.operator.published.list = JSON.stringify(old)
    expect(await readNotices(drivers)).toMatchObject({ paused: false, seq: (newer.seq ?? 0) + 1 })
    stack.operator.published.list = kept ?? ''
  })

  test('withheld for an older one keeps the notices of the newer, though others between them are not in force', async () => {
    const older = stack.operator.published.list ?? ''
    for (const order of ['pause', 'resume', 'pause']) stack.control({ operator: { [order]: true } })
    stack.chain.advance(40)
    const drivers = fresh()
    const newer = await readNotices(drivers)
    expect(newer).toMatchObject({ paused: true })
    const kept = stack.operator.published.list ?? ''
    stack.operator.published.list = older
    expect(await readNotices(drivers)).toMatchObject({ paused: true, seq: newer.seq })
    stack.operator.published.list = kept
    stack.control({ operator: { resume: true } })
    stack.chain.advance(40)
  })

  test('that leaves out a pause that is over says where, so that no payment is called a duplicate of one in it', async () => {
    for (const order of ['pause', 'resume']) stack.control({ operator: { [order]: true } })
    stack.chain.advance(40)
    const { changes = [], unlisted, seq } = await readNotices()
    expect(seq).toBe(JSON.parse(stack.operator.published.list ?? '{}').seq)
    expect(changes.map(({ verb }) => verb)).not.toContain('pause')
    // The resume after it is in force
    expect(unlisted).toEqual({ from: expect.any(Number), to: changes.at(-1)?.slot })
    expect(unlisted?.from).toBeLessThan(unlisted?.to ?? 0)
  })

  test.each([
    ['signed by somebody else', (list: Record<string, any>) => ({ ...list, sig: list.signatures[0] })],
    ['with another number', (list: Record<string, any>) => ({ ...list, seq: 999 })],
    ['of another sale', (list: Record<string, any>) => ({ ...list, presale: stack.info.treasury })],
    ['with a key too many', (list: Record<string, any>) => ({ ...list, more: 1 })],
  ])('is refused: %s', async (_name, change) => {
    const kept = stack.operator.published.list ?? ''
    const { seq } = JSON.parse(kept)
    stack.operator.published.list = JSON.stringify(change(JSON.parse(kept)))
    const notices = await readNotices()
    stack.operator.published.list = kept
    expect(notices.partial).toBe(true)
    expect(notices.seq).toBeLessThan(seq)
  })

  test('with a notice the node does not show counts as partly read', async () => {
    stack.control({ faults: { getTransaction: { kind: 'null' } } })
    const notices = await readNotices()
    expect(notices).toMatchObject({ termsHash: '', partial: true })
    expect(notices.asOf).toBeUndefined()
  })
})

describe('strangers’ transactions of an unread version', () => {
  type Asked = { id: number; method: string; params: unknown[] }
  /** A node that returns only the listed transactions and refuses the others, as Agave refuses newer versions. */
  const newer: typeof fetch = async (input, init) => {
    const response = await counting(input, init)
    if (!init?.body) return response
    const { signatures } = JSON.parse(stack.operator.published.list ?? '{}') as { signatures: string[] }
    const asked = [JSON.parse(String(init.body)) as Asked | Asked[]].flat()
    const refused = new Set(
      asked.flatMap(({ id, method, params }) =>
        method === 'getTransaction' && !signatures.includes(String(params[0])) ? id : [],
      ),
    )
    const body = (await response.json()) as { id: number } | { id: number }[]
    const error = { code: -32015, message: 'Transaction version (1) is not supported by the requesting client' }
    const answers = [body].flat().map(one => (refused.has(one.id) ? { jsonrpc: '2.0', id: one.id, error } : one))
    return new Response(JSON.stringify(Array.isArray(body) ? answers : answers[0]))
  }
  const drivers = () => fresh({ http: createHttp({ wait: async () => {}, fetch: newer }) })

  test('do not stop the notices from being read', async () => {
    flood(source().noticeRef, 3, forged)
    const notices = await readNotices(drivers())
    expect(notices).toMatchObject({ termsHash: stack.info.termsHash, paused: false })
    expect(notices).not.toHaveProperty('partial')
  })

  test('do not stop a buyer’s payments from being read, and are read once', async () => {
    const buyer = seededKeypair('hostile sale', 'buyer of newer').address
    flood(buyerRef(presale, buyer), 3, () => 'mai1:')
    const ask = { account: buyer, presaleRef: presale, terms, known: [] }
    const same = drivers()
    for (let i = 0; i < 2; i++) {
      const read = await answerOf(same, 'chain.readPurchases', ask, 'chain.purchases')
      expect(read).toEqual({ account: buyer, purchases: [] })
    }
    expect(called('getTransaction')).toBe(3)
  })
})

describe('a node that lies about a listed notice', () => {
  type Answer = { id: number; result?: { transaction?: [string, string]; meta?: { err: unknown } } | null }
  /** A node that changes its getTransaction answers. */
  const lying =
    (change: (result: NonNullable<Answer['result']>) => void): typeof fetch =>
    async (input, init) => {
      const response = await fetch(input, init)
      if (!String(init?.body ?? '').includes('getTransaction')) return response
      const body = (await response.json()) as Answer | Answer[]
      for (const { result } of [body].flat()) if (result?.transaction) change(result)
      return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
    }
  const lyingDrivers = (change: Parameters<typeof lying>[0]) =>
    fresh({ http: createHttp({ wait: async () => {}, fetch: lying(change) }) })

  test('with another transaction is found out', async () => {
    const { signatures } = JSON.parse(stack.operator.published.list ?? '{}') as { signatures: string[] }
    const params = [signatures[0], { encoding: 'base64', commitment: 'finalized', maxSupportedTransactionVersion: 0 }]
    const request = { jsonrpc: '2.0', id: 1, method: 'getTransaction', params }
    const asked = await fetch(stack.url, { method: 'POST', body: JSON.stringify(request) })
    const first = ((await asked.json()) as Answer).result?.transaction
    if (!first) throw new Error('the first notice expected to be there')
    const drivers = lyingDrivers(result => (result.transaction = first))
    expect(await failureOf(drivers, 'chain.readNotices', source())).toMatchObject({ code: 'rpc_lying' })
  })

  test.each([
    ['that it failed', (result: NonNullable<Answer['result']>) => (result.meta = { err: 'AccountNotFound' })],
    [
      'by other words in it',
      (result: NonNullable<Answer['result']>) => {
        const bytes = Buffer.from(result.transaction?.[0] ?? '', 'base64')
        bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
        result.transaction = [bytes.toString('base64'), 'base64']
      },
    ],
  ])('with %s leaves the notices partly read, and the known ones stand', async (_name, change) => {
    const notices = await readNotices(lyingDrivers(change))
    expect(notices).toMatchObject({ termsHash: '', partial: true })
    expect(notices.asOf).toBeUndefined()
  })
})

test('a flood under a buyer’s reference costs a fixed number of calls, and says that more may be there', async () => {
  const buyer = seededKeypair('hostile sale', 'buyer').address
  const order = (at: number) =>
    `mai1:${stack.info.termsHash.slice(0, 16)}:${at.toString(16).padStart(16, '0')}:SOL:1:1:1`
  flood(buyerRef(presale, buyer), 50, order)
  const drivers = fresh()
  const ask = { account: buyer, presaleRef: presale, terms, known: [] }
  const read = () => answerOf(drivers, 'chain.readPurchases', ask, 'chain.purchases')
  expect(await read()).toMatchObject({ purchases: [], more: 'unread' })
  expect([called('getSignaturesForAddress'), called('getTransaction')]).toEqual([1, purchaseReads])
  await read()
  expect(await read()).not.toHaveProperty('more')
  expect(called('getTransaction')).toBe(50)
})
