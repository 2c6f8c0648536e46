import { describe, expect, test } from 'vitest'
import { account, connected, other, ready, saleReading, terms } from '../../story.ts'
import { tab, type World } from '../../world.ts'

const amounts = { SOL: '5', USDC: '7' }
const bought = {
  signature: 'sig-1',
  orderId: 'k1',
  slot: 900,
  paidAt: 1,
  asset: 'SOL',
  units: '1',
  quoted: '2',
  status: 'confirmed' as const,
}

describe('what an account holds', () => {
  test('is read in the assets of the terms when it appears, and with every poll of the sale', () => {
    const world = connected()
    const symbols = terms.assets.map(asset => asset.symbol)
    expect(world.ordered('chain.readBalances')[0]?.data.assets.map(asset => asset.symbol)).toEqual(symbols)
    world.fire('sale:poll')
    world.answer('chain.readSale', 'chain.sale', saleReading(1001))
    expect(world.ordered('chain.readBalances')).toHaveLength(2)
    world.command('balance.refresh', {})
    expect(world.ordered('chain.readBalances')).toHaveLength(2)
  })

  test('is not read without a wallet', () => {
    const world = ready()
    world.command('balance.refresh', {})
    expect(world.ordered('chain.readBalances')).toEqual([])
  })

  test('of a lagging node, or the same again, changes nothing', () => {
    const world = connected()
    expect(world.input('chain.balances', { account, slot: 999, amounts }).types).toEqual([])
    expect(world.input('chain.balances', { account, slot: 1000, amounts: { SOL: '5' } }).types).toEqual([])
    expect(world.input('chain.balances', { account, slot: 1001, amounts }).types).toEqual(['balance.read'])
    expect(world.model.balance[account]).toMatchObject({ amounts, slot: 1001 })
  })

  test('of a reading from before the terms gets the other assets from one of the same slot', () => {
    const world = connected()
    const read = (of: Record<string, string>) =>
      world.input('chain.balances', { account, slot: 1001, amounts: of }).types
    expect(read({ SOL: '5' })).toEqual(['balance.read'])
    expect(read({ SOL: '5' })).toEqual([])
    expect(read(amounts)).toEqual(['balance.read'])
    expect(world.model.balance[account]).toMatchObject({ amounts, slot: 1001 })
    expect(read({ SOL: '5' })).toEqual([])
  })

  test('that cannot be read stays as it was, with the failure until the next reading', () => {
    const world = connected()
    world.command('balance.refresh', {})
    world.fail('chain.readBalances', 'rate_limited')
    expect(world.model.balance[account]).toMatchObject({
      amounts: { SOL: '20000000000' },
      failure: { code: 'rate_limited' },
    })
    world.command('balance.refresh', {})
    world.answer('chain.readBalances', 'chain.balances', { account, slot: 1000, amounts })
    expect(world.model.balance[account]?.failure).toBeUndefined()
  })

  test('belongs to its account: another one is read by itself', () => {
    const world = connected()
    const connectionId = world.model.connection.active ?? ''
    world.input('wallet.changed', { connectionId, accounts: [other] }, { tab })
    expect(world.last('chain.readBalances').data.account).toBe(other)
    expect(world.model.balance[other]).toBeUndefined()
  })
})

describe('what an account bought', () => {
  test('is read from the chain, and final purchases are not read again', () => {
    const world = connected()
    world.answer('chain.readPurchases', 'chain.purchases', { account, purchases: [bought] })
    world.input('chain.purchases', {
      account,
      purchases: [{ ...bought, signature: 'sig-2', slot: 901, status: 'final' }],
    })
    const connectionId = world.model.connection.active ?? ''
    world.input('wallet.changed', { connectionId, accounts: [other] }, { tab })
    world.input('wallet.changed', { connectionId, accounts: [account] }, { tab })
    expect(world.last('chain.readPurchases').data.known).toEqual(['sig-2'])
    expect(world.model.purchase[account]?.purchases.map(one => one.signature)).toEqual(['sig-2', 'sig-1'])
  })

  test('turns from confirmed to final in its place', () => {
    const world = connected()
    world.answer('chain.readPurchases', 'chain.purchases', { account, purchases: [bought] })
    world.input('chain.purchases', { account, purchases: [{ ...bought, status: 'final' }] })
    expect(world.model.purchase[account]?.purchases).toEqual([{ ...bought, status: 'final' }])
  })

  test('that is empty is known to be empty, once', () => {
    const world = connected()
    expect(world.answer('chain.readPurchases', 'chain.purchases', { account, purchases: [] }).types).toEqual([
      'purchase.read',
    ])
    expect(world.input('chain.purchases', { account, purchases: [] }).types).toEqual([])
  })

  test('of a reading from before the terms gets the other assets from one of the same slot', () => {
    const world = connected()
    const read = (of: Record<string, string>) =>
      world.input('chain.balances', { account, slot: 1001, amounts: of }).types
    expect(read({ SOL: '5' })).toEqual(['balance.read'])
    expect(read({ SOL: '5' })).toEqual([])
    expect(read(amounts)).toEqual(['balance.read'])
    expect(world.model.balance[account]).toMatchObject({ amounts, slot: 1001 })
    expect(read({ SOL: '5' })).toEqual([])
  })

  test('that cannot be read stays as it was', () => {
    const world = connected()
    world.input('chain.purchases', { account, purchases: [bought] })
    world.fail('chain.readPurchases', 'unreachable')
    expect(world.model.purchase[account]).toMatchObject({ purchases: [bought], failure: { code: 'unreachable' } })
  })

  test.each([
    ['a press on Try now', (world: World) => world.input('sale.refresh', {})],
    ['the network coming back', (world: World) => world.input('page.online', { online: true }, { tab })],
    ['the next poll', (world: World) => world.fire('sale:poll')],
  ])('that could not be read is read again with %s, and with a poll only until it is read', (_name, poll) => {
    const world = connected()
    const asked = () => world.ordered('chain.readPurchases').length
    const polled = () => {
      poll(world)
      world.answer('chain.readSale', 'chain.sale', saleReading(2000 + world.at, world.at))
    }
    const before = asked()
    world.fail('chain.readPurchases', 'rate_limited')
    polled()
    expect(asked()).toBe(before + 1)
    polled()
    expect(asked()).toBe(before + 1)
    expect(world.fail('chain.readPurchases', 'rate_limited').types).toEqual([])
    polled()
    world.answer('chain.readPurchases', 'chain.purchases', { account, purchases: [] })
    expect(world.model.purchase[account]?.failure).toBeUndefined()
    polled()
    expect(asked()).toBe(before + 2)
  })
})
