import { describe, expect, test } from 'vitest'
import {
  connected,
  intent,
  notices,
  placed,
  preparedOf,
  readSaleIn,
  saleReading,
  signedOf,
  terms,
  theOrder,
  throughGate,
} from '../../story.ts'
import { tab } from '../../world.ts'

describe('a chain that contradicts the terms', () => {
  test.each([
    ['treasury_mismatch', 'treasury'],
    ['rpc_lying', 'rpc'],
    ['decimals', 'terms'],
  ] as const)('by a reading with %s is distrusted once, sells nothing, and is read again', (code, about) => {
    const world = connected()
    world.fire('sale:poll')
    const came = world.fail('chain.readSale', code)
    expect(came.types).toEqual(['sale.distrusted', 'sale.unreachable'])
    expect(world.said('sale.distrusted')).toMatchObject([{ about, failure: { code } }])
    world.command('order.place', intent(world))
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code } })
    const before = world.ordered('chain.readSale').length
    world.fire('sale:poll')
    expect(world.ordered('chain.readSale')).toHaveLength(before + 1)
    expect(world.fail('chain.readSale', code).types).toEqual(['sale.unreachable'])
  })

  test.each(['treasury_mismatch', 'decimals'] as const)('by an order with %s turns buying off', code => {
    const world = connected()
    world.command('order.place', intent(world))
    expect(world.fail('chain.prepareOrder', code).types).toEqual(['order.simulationFailed', 'sale.distrusted'])
    expect(world.model.sale.distrust).toMatchObject({ code })
  })

  test('is not concluded from a payment that was built wrong here', () => {
    const world = connected()
    world.command('order.place', intent(world))
    const { decoded, ...rest } = preparedOf(world.last('chain.prepareOrder').data)
    const wrong = { ...decoded, instructions: decoded.instructions.slice(1) }
    world.answer('chain.prepareOrder', 'chain.orderPrepared', { ...rest, decoded: wrong })
    expect(theOrder(world)).toMatchObject({ failure: { code: 'treasury_mismatch', facts: { rule: 'BUILT' } } })
    expect(world.model.sale.distrust).toBeNull()
  })

  test('is distrusted until a page is loaded anew, here or in another tab', () => {
    const world = connected()
    const doubt = () => {
      world.fire('sale:poll')
      world.fail('chain.readSale', 'treasury_mismatch')
      expect(world.model.sale.distrust).not.toBeNull()
    }
    doubt()
    world.fire('sale:poll')
    world.answer('chain.readSale', 'chain.sale', saleReading(1002, world.at))
    expect(world.model.sale.distrust).not.toBeNull()
    const before = world.ordered('chain.readTerms').length
    world.attach({}, `${tab}-loaded-anew`)
    expect(world.ordered('chain.readTerms')).toHaveLength(before + 1)
    readSaleIn(world)
    expect(world.model.sale.distrust).toBeNull()
    doubt()
    world.kill('start')
    world.attach()
    readSaleIn(world)
    expect(world.model.sale.distrust).toBeNull()
  })

  test('as the terms have changed is distrusted until a page is loaded anew, also in a tab that follows', () => {
    const world = connected()
    world.input('chain.notices', { ...notices, termsHash: 'newer' })
    expect(world.model.sale.distrust).toMatchObject({ code: 'terms_changed' })
    world.attach({}, `${tab}-loaded-anew`)
    readSaleIn(world, { termsHash: 'newer' })
    expect(world.model.sale.distrust).toMatchObject({ code: 'terms_changed' })
    world.attach({}, `${tab}-loaded-anew`)
    world.answer('chain.readTerms', 'chain.terms', {
      terms,
      termsHash: 'newer',
      presaleRef: 'presale-ref',
      noticeRef: 'notice-ref',
    })
    world.answer('chain.readNotices', 'chain.notices', { ...notices, termsHash: 'newer' })
    expect(world.model.sale).toMatchObject({ distrust: null, terms: { termsHash: 'newer' } })
  })

  test('by a node that lied is trusted with its next true reading', () => {
    const world = connected()
    world.fire('sale:poll')
    world.fail('chain.readSale', 'rpc_lying')
    world.fire('sale:poll')
    world.answer('chain.readSale', 'chain.sale', saleReading(1002, world.at))
    expect(world.model.sale).toMatchObject({ distrust: null, stale: null })
  })

  test('in its mint is distrusted though a node lied before, and its next true reading does not end that', () => {
    const world = connected()
    world.fire('sale:poll')
    world.fail('chain.readSale', 'rpc_lying')
    const { mint, decimals } = terms.token
    expect(world.input('chain.mint', { mint: mint ?? '', decimals: decimals - 3 }).types).toContain('sale.distrusted')
    world.fire('sale:poll')
    world.answer('chain.readSale', 'chain.sale', saleReading(1002, world.at))
    expect(world.model.sale.distrust).toMatchObject({ code: 'decimals' })
  })

  test('has its terms read anew once, however many tabs come back', () => {
    const world = connected()
    world.fire('sale:poll')
    world.fail('chain.readSale', 'treasury_mismatch')
    const before = world.ordered('chain.readTerms').length
    for (const name of ['second', 'third']) world.attach({}, `${tab}-${name}`)
    expect(world.ordered('chain.readTerms')).toHaveLength(before + 1)
  })

  test('by the reading of an order’s gate ends the order unsent', () => {
    const world = connected()
    placed(world)
    world.answer('wallet.signTransaction', 'wallet.signed', signedOf(world))
    expect(world.fail('chain.readSale', 'treasury_mismatch').types).toEqual(['sale.distrusted'])
    world.fire(`gate:${theOrder(world).orderId}`)
    throughGate(world)
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code: 'treasury_mismatch' } })
    expect(world.ordered('chain.submit')).toEqual([])
  })
})
