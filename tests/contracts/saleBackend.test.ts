/** The contract of a sale's backend, run over every member: reference "Presale", §15. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BackendName, saleOffers } from '../../src/events/sale/backend.ts'
import type { OrderToBuild } from '../../src/events/effect.ts'
import type { DecodedInstruction, DecodedTransaction } from '../../src/events/values/solana/transaction.ts'
import type { ExpectedOrder } from '../../src/worker/chains/solana/check.ts'
import { decodeTransaction } from '../../src/worker/chains/solana/decode.ts'
import { buyerRef } from '../../src/worker/chains/solana/references.ts'
import { programs } from '../../src/worker/chains/solana/programs.ts'
import type { Keypair } from '../stack/solana/keys.ts'
import { undecoded } from '../worker/services/undecoded.ts'
import { backendOf, type BackendWorld, backendWorlds } from './saleBackends.ts'

const stranger = '6NHBtZjnVhcsp6P4USe7icFZVBtxHsjTLbAWDutvcad3'
const other = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'

type Change = (decoded: DecodedTransaction) => Partial<DecodedTransaction>
type Transfer = Extract<DecodedInstruction, { kind: 'transfer' | 'tokenTransfer' }>

const isTransfer = (one: DecodedInstruction): one is Transfer => one.kind === 'transfer' || one.kind === 'tokenTransfer'
const transferIn = ({ instructions }: DecodedTransaction): Transfer => {
  const [transfer, ...more] = instructions.filter(isTransfer)
  if (!transfer || more.length > 0) throw new Error('a purchase expected one transfer')
  return transfer
}
const withTransfer =
  (change: (transfer: Transfer) => object): Change =>
  ({ instructions }) => ({
    instructions: instructions.map(one => (isTransfer(one) ? ({ ...one, ...change(one) } as DecodedInstruction) : one)),
  })
const beside =
  (...more: DecodedInstruction[]): Change =>
  ({ instructions }) => ({ instructions: [...instructions, ...more] })
const without =
  (kind: DecodedInstruction['kind']): Change =>
  ({ instructions }) => ({ instructions: instructions.filter(one => one.kind !== kind) })

/** Changes of a purchase's signed transaction, none of which a buyer agreed to. */
const hostile: [string, Change][] = [
  ['to another recipient', withTransfer(one => (one.kind === 'transfer' ? { to: other } : { destination: other }))],
  ['of another amount', withTransfer(one => (one.kind === 'transfer' ? { lamports: '1' } : { amount: '1' }))],
  ['of another source', withTransfer(one => (one.kind === 'transfer' ? { from: other } : { source: other }))],
  ['without references', withTransfer(() => ({ references: [] }))],
  ['with another reference', withTransfer(({ references }) => ({ references: [...references.slice(1), other] }))],
  ['without its transfer', ({ instructions }) => ({ instructions: instructions.filter(one => !isTransfer(one)) })],
  ['with its transfer twice', decoded => beside(transferIn(decoded))(decoded)],
  ['with a second transfer', beside({ kind: 'transfer', from: stranger, to: other, lamports: '1', references: [] })],
  ['without its memo', without('memo')],
  [
    'with another memo',
    ({ instructions }) => ({
      instructions: instructions.map(one => (one.kind === 'memo' ? { ...one, text: `${one.text}0` } : one)),
    }),
  ],
  ['with a second memo', beside({ kind: 'memo', text: 'hello' })],
  ['with an unknown program', beside({ kind: 'other', program: other })],
  ['with an approval', beside({ kind: 'other', program: programs.token, name: 'approve' })],
  ['with a new owner of its account', beside({ kind: 'other', program: programs.system, name: 'assign' })],
  [
    'with a priority fee beyond all measure',
    ({ instructions }) => ({
      instructions: instructions.map(one =>
        one.kind === 'computePrice' ? { ...one, microLamports: '9000000000' } : one,
      ),
    }),
  ],
  ['with two compute limits', beside({ kind: 'computeLimit', units: 1 }, { kind: 'computeLimit', units: 1 })],
  ['paid by another account', () => ({ feePayer: stranger })],
  ['that another account signs too', ({ signers = [] }) => ({ signers: [...signers, stranger] })],
  ['that looks accounts up in a table', () => ({ tables: 1 })],
  ['on another blockhash', () => ({ blockhash: other })],
]

describe.each(Object.keys(saleOffers) as BackendName[])('the backend %s', name => {
  const backend = backendOf(name)
  let world: BackendWorld
  let orders = 0

  beforeAll(async () => {
    world = await backendWorlds[name]()
  })
  afterAll(() => world?.close())

  const orderOf = (buyer: Keypair, change: Partial<OrderToBuild> = {}): OrderToBuild => {
    orders += 1
    return {
      orderKey: orders.toString(16).padStart(16, '0'),
      account: buyer.address,
      asset: 'SOL',
      units: '2000000000',
      quoted: '266666666666667',
      min: '1',
      termsHash: world.termsHash,
      presaleRef: world.presaleRef,
      ...change,
    }
  }

  /** A purchase built, and what its buyer agrees to. */
  async function built(buyer: Keypair, change: Partial<OrderToBuild> = {}) {
    const { terms, ports } = world
    const order = orderOf(buyer, change)
    const prepared = await backend.buildPurchase(ports, { orderId: 'order1', order, terms })
    const unsigned = await ports.bytes.get(prepared.bytesRef)
    if (!unsigned) throw new Error('the unsigned bytes are not kept')
    const decoded = decodeTransaction(unsigned)
    const { memo, fee, blockhash } = prepared
    const agreed: ExpectedOrder = { buyer: buyer.address, memo, fee, blockhash, transfer: transferIn(decoded) }
    return { order, unsigned, decoded, agreed, land: () => world.land(unsigned, buyer) }
  }

  const totals = () => {
    const { treasury, assets } = world.terms
    const listed = assets.map(({ symbol, mint }) => ({ symbol, ...(mint !== undefined && { mint }) }))
    return backend.readTotals(world.readAccounts, { treasury, assets: listed })
  }

  const read = (account: string, known: string[] = [], reader = backend.readBuyer(world.ports)) =>
    reader({ account, presaleRef: world.presaleRef, terms: world.terms, known })

  test('tells all five capabilities, and no other', () => {
    const names = ['claim', 'multiStage', 'onChainCap', 'selfRefund', 'withdraw']
    expect(Object.keys(backend.capabilities).sort()).toEqual(names)
    expect(Object.values(backend.capabilities).every(one => typeof one === 'boolean')).toBe(true)
  })

  test('quotes the payments of its vectors to the unit', () => {
    const { terms, quotes } = world.vectors
    for (const { pos, asset, units, is } of quotes)
      expect(backend.quote(terms, { pos, time: terms.start * 1000 }, asset, units)).toMatchObject(is)
    expect(quotes.length).toBeGreaterThan(0)
  })

  test('quotes the least payment for tokens: a unit less gets fewer', () => {
    const { terms, leastPayments } = world.vectors
    for (const { pos, asset, tokens, units } of leastPayments) {
      const at = { pos, time: terms.start * 1000 }
      expect(backend.quoteFor(terms, at, asset, tokens)?.units).toBe(units)
      expect(BigInt(backend.quote(terms, at, asset, units).tokens)).toBeGreaterThanOrEqual(BigInt(tokens))
      const less = backend.quote(terms, at, asset, `${BigInt(units) - 1n}`)
      expect(BigInt(less.tokens)).toBeLessThan(BigInt(tokens))
    }
    expect(leastPayments.length).toBeGreaterThan(0)
  })

  test('quotes nothing beyond what is left, and no asset that the terms do not list', () => {
    const { terms } = world.vectors
    const at = { pos: '0', time: terms.start * 1000 }
    expect(backend.quoteFor(terms, at, 'SOL', `1${'0'.repeat(30)}`)).toBeUndefined()
    expect(() => backend.quote(terms, at, 'ETH', '1')).toThrow('expected one of')
  })

  test.each([
    ['SOL', '2000000000'],
    ['USDC', '300000000'],
  ])('builds a purchase in %s that it accepts, finds, counts and lists', async (asset, units) => {
    const buyer = world.buyer()
    const { order, decoded, agreed, land } = await built(buyer, { asset, units })
    expect(backend.checkSigned(decoded, agreed)).toEqual({ ok: true })
    const { terms } = world
    const parsed = backend.parse(undecoded(decoded), { account: buyer.address, terms })
    expect(parsed).toMatchObject({ asset, units, memo: { id: order.orderKey, terms: world.termsHash.slice(0, 16) } })
    expect(parsed).not.toHaveProperty('fault')

    const before = await totals()
    const signature = await land()
    const after = await totals()
    expect(BigInt(after.balances[asset] ?? 0) - BigInt(before.balances[asset] ?? 0)).toBe(BigInt(units))
    expect(after.slot).toBeGreaterThan(before.slot)
    const { purchases } = await read(buyer.address)
    expect(purchases).toMatchObject([{ signature, asset, units, orderId: order.orderKey, status: 'final' }])
    expect((await read(buyer.address, [signature])).purchases).toEqual([])
  })

  test('builds nothing for terms that the buyer did not accept', async () => {
    const changed = built(world.buyer(), { termsHash: '0'.repeat(64) })
    await expect(changed).rejects.toMatchObject({ code: 'terms_changed' })
  })

  describe.each(['SOL', 'USDC'])('refuses a transaction in %s', asset => {
    let honest: Awaited<ReturnType<typeof built>>
    beforeAll(async () => {
      honest = await built(world.buyer(), { asset, units: asset === 'SOL' ? '2000000000' : '300000000' })
    })

    test.each(hostile)('%s', (_, change) => {
      const { decoded, agreed } = honest
      expect(backend.checkSigned(decoded, agreed).ok).toBe(true)
      const check = backend.checkSigned({ ...decoded, ...change(decoded) }, agreed)
      expect(check).toMatchObject({ ok: false, code: expect.stringMatching(/^(?:wallet_changed_tx|account_changed)$/) })
      expect(check.ok ? [] : check.differences).not.toEqual([])
    })
  })

  test('finds a payment for its signer alone, wherever it is listed', async () => {
    const buyer = world.buyer()
    const { decoded } = await built(buyer)
    const { terms } = world
    expect(backend.parse(undecoded(decoded), { account: stranger, terms })).toBeUndefined()
    expect(
      backend.parse(undecoded(decoded), { account: buyer.address, terms: { ...terms, treasury: stranger } }),
    ).toBeUndefined()
    world.intrude(buyerRef(world.presaleRef, buyer.address))
    expect((await read(buyer.address)).purchases).toEqual([])
  })

  test.each<[string, Change, object]>([
    [
      'two order memos',
      decoded => beside(...decoded.instructions.filter(one => one.kind === 'memo'))(decoded),
      { fault: 'malformed' },
    ],
    ['two payments', decoded => beside(transferIn(decoded))(decoded), { fault: 'malformed', units: '4000000000' }],
    [
      'a memo outside the grammar',
      ({ instructions }) => ({
        instructions: instructions.map(one => (one.kind === 'memo' ? { ...one, text: `${one.text}:` } : one)),
      }),
      { fault: 'malformed' },
    ],
    ['no memo', without('memo'), { fault: 'no_memo' }],
    [
      'another amount than its memo',
      withTransfer(() => ({ lamports: '1999999999' })),
      { fault: 'mismatch', units: '1999999999' },
    ],
  ])('finds a payment with %s as one to refund', async (_, change, is) => {
    const buyer = world.buyer()
    const { decoded } = await built(buyer)
    const changed = { ...decoded, ...change(decoded) }
    expect(backend.parse(undecoded(changed), { account: buyer.address, terms: world.terms })).toMatchObject({
      asset: 'SOL',
      ...is,
    })
  })

  test('lists both payments of one order, under its key', async () => {
    const buyer = world.buyer()
    const first = await built(buyer)
    await first.land()
    const second = await built(buyer, { orderKey: first.order.orderKey })
    await second.land()
    const { purchases } = await read(buyer.address)
    expect(purchases.map(({ orderId }) => orderId)).toEqual([first.order.orderKey, first.order.orderKey])
    expect(new Set(purchases.map(({ signature }) => signature)).size).toBe(2)
  })
})
