import { describe, expect, test } from 'vitest'
import type { InputData } from '../../../../src/worker/core/context.ts'
import { committedCredits } from '../../../../src/events/sale/saleNow.ts'
import { failureOf, orderSignatureOf } from '../../../../src/events/subjects/order/order.ts'
import type { AccountedRow } from '../../../../src/events/subjects/sale/purchase.ts'
import {
  account,
  begun as started,
  connected,
  intent,
  landedOf,
  notices,
  readSaleIn,
  ready,
  sent,
  terms,
  termsHash,
  theOrder,
  watched,
} from '../../story.ts'
import type { World } from '../../world.ts'

type Found = InputData<'ledger.found'>

const books = {
  slot: 900,
  raised: '150000',
  pos: '150000',
  tokens: '250',
  orders: 2,
  buyers: 1,
  refundsOwed: { SOL: '0' },
  balances: { SOL: '1000000000', USDC: '0' },
  hash: 'ab'.repeat(32),
}
const found = (published: Partial<typeof books> = {}): Found => ({
  ...books,
  slot: 1000,
  time: 1_799_000_000_000,
  transactions: 3,
  outcome: 'open',
  published: { ...books, refundsOwed: {}, ...published } as typeof books,
  publishedTime: 1_798_000_000_000,
  recomputed: books,
})

describe('verifying the sale', () => {
  test('waits for the terms, then names every announced version once', () => {
    const world = started()
    expect(world.command('ledger.verify', { act: 'start' }).types).toEqual([])
    const changes = [
      { slot: 1, verb: 'terms' as const, hash: 'cd'.repeat(32) },
      { slot: 2, verb: 'pause' as const },
      { slot: 3, verb: 'terms' as const, hash: termsHash },
    ]
    readSaleIn(world, { ...notices, changes })
    expect(world.command('ledger.verify', { act: 'start' }).types).toEqual(['ledger.progressed'])
    expect(world.last('ledger.compute').data).toMatchObject({ termsHash, versions: ['cd'.repeat(32), termsHash] })
    expect(world.command('ledger.verify', { act: 'start' }).types).toEqual([])
  })

  test('has the figures on show compared', () => {
    const world = started()
    const checkpoint = {
      slot: 900,
      time: 1_798_900_000_000,
      balances: { SOL: '7' },
      raised: '5',
      pos: '6',
      tokens: '4',
    }
    const counts = { orders: 2, buyers: 1, refundsOwed: { SOL: '3' } }
    readSaleIn(world, { ...notices, checkpoint, counts })
    world.command('ledger.verify', { act: 'start' })
    expect(world.last('ledger.compute').data.shown).toEqual({ ...checkpoint, ...counts })
  })

  test('turns buying off where the terms on show do not hold in the books', () => {
    const world = ready()
    world.command('ledger.verify', { act: 'start' })
    const came = world.answer('ledger.compute', 'ledger.found', { ...found(), refused: ['ab'.repeat(32), termsHash] })
    expect(came.types).toContain('sale.distrusted')
    expect(world.model.sale.distrust).toMatchObject({ code: 'terms_changed', facts: { rule: 'FROZEN' } })
    world.kill('start')
    readSaleIn(world)
    world.command('ledger.verify', { act: 'start' })
    world.answer('ledger.compute', 'ledger.found', { ...found(), refused: ['ab'.repeat(32)] })
    expect(world.model.sale.distrust).toBeNull()
  })

  test('tells its progress, is paused, goes on, and ends with the books', () => {
    const world = ready()
    world.command('ledger.verify', { act: 'start' })
    world.input('ledger.computing', { listed: 3, judged: 1 })
    expect(world.model.ledger).toEqual({ phase: 'progressed', listed: 3, judged: 1 })
    world.command('ledger.verify', { act: 'pause' })
    world.input('ledger.computing', { listed: 3, judged: 2 })
    expect(world.model.ledger).toEqual({ phase: 'progressed', listed: 3, judged: 2, paused: true })
    expect(world.last('ledger.steer').data).toEqual({ act: 'pause' })
    world.command('ledger.verify', { act: 'resume' })
    expect(world.model.ledger).toEqual({ phase: 'progressed', listed: 3, judged: 2 })
    world.answer('ledger.compute', 'ledger.found', found())
    expect(world.model.ledger).toMatchObject({ phase: 'computed', transactions: 3 })
  })

  test('that was stopped takes no late progress, answer or failure, and may begin again', () => {
    const world = ready()
    world.command('ledger.verify', { act: 'start' })
    world.command('ledger.verify', { act: 'stop' })
    expect(world.input('ledger.computing', { listed: 3, judged: 1 }).types).toEqual([])
    expect(world.fail('ledger.compute', 'elsewhere').types).toEqual([])
    expect(world.model.ledger).toEqual({ phase: 'stopped' })
    expect(world.command('ledger.verify', { act: 'start' }).types).toEqual(['ledger.progressed'])
    world.fail('ledger.compute', 'rpc_lying')
    expect(world.model.ledger).toMatchObject({ phase: 'failed', failure: { code: 'rpc_lying' } })
  })

  test('ends with a worker that died', () => {
    const world = ready()
    world.command('ledger.verify', { act: 'start' })
    world.kill('lost')
    expect(world.model.ledger).toEqual({ phase: 'stopped' })
  })

  test('goes on after a reload as soon as the notices are read, unless it was paused', () => {
    const world = ready()
    expect(world.command('ledger.verify', { act: 'start' }).effects[0]?.data).not.toHaveProperty('fresh')
    world.input('ledger.computing', { listed: 3, judged: 1 })
    world.kill('start')
    expect(world.model.ledger).toEqual({ phase: 'progressed', listed: 3, judged: 1 })
    readSaleIn(world)
    expect(world.ordered('ledger.compute')).toHaveLength(1)
    world.command('ledger.verify', { act: 'pause' })
    world.kill('start')
    readSaleIn(world)
    expect(world.ordered('ledger.compute')).toHaveLength(0)
    world.command('ledger.verify', { act: 'resume' })
    expect(world.ordered('ledger.compute')).toHaveLength(1)
    world.answer('ledger.compute', 'ledger.found', found())
    world.command('ledger.verify', { act: 'start' })
    expect(world.last('ledger.compute').data).toMatchObject({ fresh: true })
  })
})

describe('figures of the operator', () => {
  test('that are the chain’s leave buying on; amounts of 0 may be left out', () => {
    const world = connected()
    world.command('ledger.verify', { act: 'start' })
    world.answer('ledger.compute', 'ledger.found', found())
    expect(world.command('order.place', intent(world)).types).toContain('order.accepted')
  })

  test('that are others turn buying off until they are computed to be the same', () => {
    const world = connected()
    world.command('ledger.verify', { act: 'start' })
    world.answer('ledger.compute', 'ledger.found', found({ raised: '150001' }))
    const refused = world.command('order.place', intent(world))
    expect(refused.types).not.toContain('order.accepted')
    expect(JSON.stringify(refused.facts)).toContain('got another raised')
    world.command('ledger.verify', { act: 'start' })
    world.answer('ledger.compute', 'ledger.found', found())
    expect(world.command('order.place', intent(world, { orderKey: '00112233445566aa' })).types).toContain(
      'order.accepted',
    )
  })
})

test('the verdict on one sale is discarded with the terms of another', () => {
  const world = connected()
  world.command('ledger.verify', { act: 'start' })
  world.answer('ledger.compute', 'ledger.found', found({ raised: '150001' }))
  const read = { terms, termsHash, presaleRef: 'presale-ref', noticeRef: 'notice-ref' }
  const takes = (change: Partial<typeof read>) => world.input('chain.terms', { ...read, ...change })
  takes({ termsHash: 'newer' })
  expect(world.model.ledger).toMatchObject({ phase: 'computed' })
  takes({ terms: { ...terms, id: 'another-sale' }, termsHash: 'another', presaleRef: 'another-ref' })
  expect(world.model.ledger).toBeUndefined()
})

describe('an account’s part of the audited books', () => {
  const row: AccountedRow = {
    signature: 's1',
    slot: 880,
    paidAt: 1_798_800_000_000,
    asset: 'SOL',
    units: '1000000000',
    accepted: '1000000000',
    tokens: '106666666666666',
    status: 'accepted',
  }
  const refused = { ...row, accepted: '0', tokens: '0', status: 'price_protect' } as const
  const part = (rows: AccountedRow[], slot = 900, bonus = '0') => ({
    account,
    slot,
    time: 1_798_900_000_000,
    bonus,
    rows,
  })
  const verified = (
    world: World,
    accounted: NonNullable<Found['accounted']>,
    published: Partial<typeof books> = {},
  ) => {
    world.command('ledger.verify', { act: 'start' })
    return world.answer('ledger.compute', 'ledger.found', { ...found(published), accounted })
  }
  const known = (world: World) => world.model.purchase[account]?.accounted
  /** A world whose account has had its purchases read; with an order that is final. */
  function read(world: World = connected()): World {
    world.input('chain.purchases', { account, purchases: [] })
    return world
  }
  function bought() {
    const world = read(sent())
    watched(world, { status: 'finalized', landed: [landedOf(world, { status: 'finalized' })] })
    const order = theOrder(world)
    return { world, orderId: order.orderId, units: order.units, signature: orderSignatureOf(order) ?? '' }
  }

  test('is asked for of all accounts that this device knows', () => {
    const world = read()
    world.command('ledger.verify', { act: 'start' })
    expect(world.last('ledger.compute').data.accounts).toEqual([account])
  })

  test('becomes facts once the books are the announced ones, and stays after a reload', () => {
    const world = read()
    expect(verified(world, [part([row], 900, '7')]).types).toEqual(['ledger.computed', 'purchase.accounted'])
    world.kill('start')
    expect(known(world)).toEqual({ slot: 900, time: 1_798_900_000_000, bonus: '7', rows: [row] })
    // Neither another verification nor another reading takes it away meanwhile
    world.command('ledger.verify', { act: 'start' })
    world.input('chain.purchases', { account, purchases: [], payouts: [] })
    world.input('effect.failed', { failure: { code: 'offline', message: '' } })
    expect(known(world)?.rows).toEqual([row])
  })

  test('of books that are not the announced ones counts nothing, and takes nothing back', () => {
    const world = read()
    expect(verified(world, [part([row])], { raised: '150001' }).types).toEqual(['ledger.computed'])
    expect(known(world)).toBeUndefined()
    verified(world, [part([row])])
    verified(world, [part([refused])], { hash: 'cd'.repeat(32) })
    expect(known(world)?.rows).toEqual([row])
  })

  test('replaces an earlier one, and names what it judges otherwise or leaves out', () => {
    const world = read()
    verified(world, [part([row, { ...row, signature: 's2' }, { ...row, signature: 's3' }])])
    verified(world, [part([refused, { ...row, signature: 's2' }], 950)])
    expect(known(world)).toMatchObject({ slot: 950, changed: ['s1', 's3'], rows: [refused, { signature: 's2' }] })
    verified(world, [part([refused, { ...row, signature: 's2' }], 960)])
    expect(known(world)).not.toHaveProperty('changed')
  })

  test('names nothing after a reload that restated the rows with their fields in another order', () => {
    const world = read()
    verified(world, [part([row])])
    const turned = Object.fromEntries(Object.entries(row).reverse()) as typeof row
    verified(world, [part([turned], 950)])
    expect(known(world)).not.toHaveProperty('changed')
  })

  test('of an older announcement changes nothing', () => {
    const world = read()
    verified(world, [part([row], 950)])
    expect(verified(world, [part([], 949)]).types).toEqual(['ledger.computed'])
    expect(known(world)?.rows).toEqual([row])
  })

  test('makes this device’s order accounted, again when it is judged otherwise', () => {
    const { world, orderId, signature } = bought()
    const own = { ...row, signature }
    expect(verified(world, [part([own])]).facts).toContainEqual(
      expect.objectContaining({ type: 'order.accounted', data: { orderId, slot: row.slot, status: 'accepted' } }),
    )
    expect(world.model.order[orderId]?.phase).toBe('accounted')
    expect(verified(world, [part([own], 940)]).types).toEqual(['ledger.computed', 'purchase.accounted'])
    expect(verified(world, [part([{ ...refused, signature }], 950)]).facts).toContainEqual(
      expect.objectContaining({ type: 'order.accounted', data: { orderId, slot: row.slot, status: 'price_protect' } }),
    )
  })

  test('counts against the wallet’s limit with what is accepted', () => {
    const { world, signature, units } = bought()
    const credits = () => committedCredits(world.model, account)
    const whole = credits()
    expect(whole).toBe(BigInt(units) * 160_000n)
    const half = String(BigInt(units) / 2n)
    verified(world, [part([{ ...row, signature, units, accepted: half, status: 'partial' }])])
    expect(credits()).toBe(whole / 2n)
    verified(world, [part([{ ...refused, signature, units }], 950)])
    expect(credits()).toBe(0n)
    // Also a payment that only the books show
    verified(world, [
      part(
        [
          { ...row, signature: 'elsewhere' },
          { ...refused, signature, units },
        ],
        960,
      ),
    ])
    expect(credits()).toBe(160_000n * 1_000_000_000n)
    const { asset, units: paid, slot, paidAt } = row
    const listed = { signature: 'elsewhere', orderId: 'k1', asset, units: paid, slot, paidAt, quoted: '1' }
    world.input('chain.purchases', { account, purchases: [{ ...listed, status: 'final' }] })
    expect(credits()).toBe(160_000n * 1_000_000_000n)
  })

  test('counts against the limit by the rate that the books used, also after a reload', () => {
    const world = read()
    // 100 SOL, 24,000 dollars then and 16,000 now; the limit is 25,000
    const much = { ...row, units: '100000000000', accepted: '100000000000' }
    const place = (units: string) => {
      world.command('order.place', intent(world, { units, quoted: '1', min: '1' }))
      return failureOf(theOrder(world))?.facts?.rule
    }
    verified(world, [{ ...part([much]), rates: ['240000'] }])
    expect(place('7000000000')).toBe('MAX_BUYER')
    // Books of the same rows by another rate replace it
    verified(world, [{ ...part([much], 910), rates: ['160000'] }])
    expect(place('7000000000')).toBeUndefined()
    verified(world, [{ ...part([much], 920), rates: ['240000'] }])
    world.command('order.abandon', { orderId: theOrder(world).orderId })
    world.kill('start')
    expect(committedCredits(world.model, account)).toBe(24_000n * 10n ** 12n)
  })
})
