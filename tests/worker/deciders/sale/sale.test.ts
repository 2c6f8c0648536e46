import { describe, expect, test } from 'vitest'
import type { EffectType } from '../../../../src/events/effect.ts'
import { deliveriesOf } from '../../../../src/events/sale/vesting.ts'
import { knownSale } from '../../../../src/ui/presale/sale/saleStatus.ts'
import { statusOf } from '../../../../src/ui/presale/sale/status.ts'
import { exampleTerms } from '../../../events/values/exampleTerms.ts'
import {
  begun,
  caip2,
  connected,
  genesisHash,
  intent,
  notices,
  readSaleIn,
  ready,
  saleReading,
  sent,
  terms,
  termsHash,
  theOrder,
} from '../../story.ts'
import { createWorld, tab } from '../../world.ts'

const read = { terms, termsHash, presaleRef: 'presale-ref', noticeRef: 'notice-ref' }

describe('payouts', () => {
  const plans = ['5'.repeat(64)]
  const payout = { signature: 'paid', slot: 1200, paidAt: 1_801_958_400_000, tokens: '250', status: 'final' as const }

  test('are under way between the first delivery and the last one of a sale that succeeded', () => {
    const world = connected()
    const status = () => {
      const known = knownSale(world.model, world.at)
      return known?.sale && statusOf(known, known.sale)
    }
    world.input('chain.notices', { ...notices, result: 'success' })
    expect(status()).toBe('success')
    world.input('chain.notices', { ...notices, result: 'success', plans })
    const [first, last] = [deliveriesOf(terms)[0], deliveriesOf(terms).at(-1) ?? 0]
    for (const [nth, [time, told]] of (
      [
        [first, 'distributing'],
        [last, 'done'],
      ] as const
    ).entries()) {
      world.wait(time - world.at)
      world.input('chain.sale', saleReading(2000 + nth, time))
      expect(status()).toBe(told)
    }
  })

  test('are read once a plan is announced, told once, and looked for again while the page is visible', () => {
    const world = connected()
    const account = world.last('chain.readPurchases').data.account
    expect(world.last('chain.readPurchases').data).not.toHaveProperty('plans')
    world.answer('chain.readPurchases', 'chain.purchases', { account, purchases: [] })
    const before = world.ordered('chain.readPurchases').length
    world.input('chain.notices', { ...notices, plans })
    expect(world.model.sale.notices?.plans).toEqual(plans)
    world.input('chain.notices', { ...notices, plans })
    expect(world.ordered('chain.readPurchases')).toHaveLength(before + 1)
    expect(world.last('chain.readPurchases').data).toMatchObject({ account, plans, known: [] })
    world.answer('chain.readPurchases', 'chain.purchases', { account, purchases: [], payouts: [payout] })
    expect(world.model.purchase[account]?.payouts).toEqual([payout])
    world.fire('purchases:payouts')
    expect(world.last('chain.readPurchases').data.known).toEqual(['paid'])
    expect(
      world.answer('chain.readPurchases', 'chain.purchases', { account, purchases: [], payouts: [] }).facts,
    ).toEqual([])
    expect(world.model.purchase[account]?.payouts).toEqual([payout])
    world.fire('purchases:payouts')
    world.fail('chain.readPurchases', 'unreachable')
    expect(world.model.purchase[account]).toMatchObject({ payouts: [payout], failure: { code: 'unreachable' } })
    const asked = world.ordered('chain.readPurchases').length
    world.input('page.visible', { visible: false }, { tab })
    world.fire('purchases:payouts')
    expect(world.ordered('chain.readPurchases')).toHaveLength(asked)
    world.input('page.visible', { visible: true }, { tab })
    world.fire('purchases:payouts')
    expect(world.ordered('chain.readPurchases')).toHaveLength(asked + 1)
  })

  test('keep what plans pay and the batches that prove it; one without its batch is read once more', () => {
    const world = connected()
    const account = world.last('chain.readPurchases').data.account
    const [plan] = plans as [string]
    const due = { plan, batch: 4, tranche: 0, tokens: '250' }
    const proof = { signature: 'paid', plan, batch: 4 }
    const answer = (more: object) =>
      world.answer('chain.readPurchases', 'chain.purchases', { account, purchases: [], payouts: [], ...more })
    world.answer('chain.readPurchases', 'chain.purchases', { account, purchases: [] })
    for (const _ of [1, 2]) world.input('chain.notices', { ...notices, plans })
    answer({ payouts: [payout] })
    world.fire('purchases:payouts')
    answer({ planned: [due] })
    expect(world.model.purchase[account]).toMatchObject({ payouts: [payout], planned: [due] })
    world.fire('purchases:payouts')
    expect(world.last('chain.readPurchases').data.known).toEqual([])
    answer({ payouts: [payout], batches: [proof], planned: [due] })
    expect(world.model.purchase[account]).toMatchObject({ payouts: [payout], batches: [proof], planned: [due] })
    world.fire('purchases:payouts')
    expect(world.last('chain.readPurchases').data.known).toEqual(['paid'])
    expect(answer({ planned: [due] }).facts).toEqual([])
    const later = { plan: '6'.repeat(64), batch: 4, asset: 'SOL', units: '9' }
    world.fire('purchases:payouts')
    answer({ planned: [later] })
    expect(world.model.purchase[account]).toMatchObject({ batches: [proof], planned: [later, due] })
  })

  test('keep the payments that a plan refunds, also of a plan that an earlier build read without them', () => {
    const world = connected()
    const account = world.last('chain.readPurchases').data.account
    const [plan] = plans as [string]
    const planned = [{ plan, batch: 4, asset: 'SOL', units: '9' }]
    const refunds = [{ plan, batch: 4, places: ['12'], accepted: ['12', '13'] }]
    const answer = (more: object) =>
      world.answer('chain.readPurchases', 'chain.purchases', { account, purchases: [], payouts: [], planned, ...more })
    world.answer('chain.readPurchases', 'chain.purchases', { account, purchases: [] })
    for (const _ of [1, 2]) world.input('chain.notices', { ...notices, plans })
    answer({})
    world.fire('purchases:payouts')
    answer({ refunds })
    expect(world.model.purchase[account]).toMatchObject({ planned, refunds })
    world.fire('purchases:payouts')
    expect(answer({ refunds }).facts).toEqual([])
    world.fire('purchases:payouts')
    expect(answer({}).facts).toEqual([])
    expect(world.model.purchase[account]).toMatchObject({ planned, refunds })
  })

  test('are read again as soon as a further plan is announced', () => {
    const world = connected()
    const account = world.last('chain.readPurchases').data.account
    const read = (payouts: object[]) =>
      world.answer('chain.readPurchases', 'chain.purchases', { account, purchases: [], payouts } as never)
    world.answer('chain.readPurchases', 'chain.purchases', { account, purchases: [] })
    world.input('chain.notices', { ...notices, plans })
    read([])
    const before = world.ordered('chain.readPurchases').length
    const more = [...plans, '6'.repeat(64)]
    for (const _ of [1, 2]) world.input('chain.notices', { ...notices, plans: more })
    expect(world.ordered('chain.readPurchases')).toHaveLength(before + 1)
    expect(world.last('chain.readPurchases').data).toMatchObject({ account, plans: more })
  })
})

describe('notices of before a sleep', () => {
  const reads = (world: ReturnType<typeof ready>) => world.ordered('chain.readNotices').length

  test('are read at once on the return, though a poll of before it has no answer yet', () => {
    const world = ready()
    world.fire('sale:poll')
    const before = reads(world)
    world.input('page.visible', { visible: false }, { tab })
    world.wait(3_600_000)
    world.input('page.visible', { visible: true }, { tab })
    world.command('sale.refresh', {})
    expect(reads(world)).toBe(before + 1)
  })

  test('that could not be read are read at once by a page that comes back, though the numbers are fresh', () => {
    const world = ready()
    world.command('sale.refresh', {})
    world.answer('chain.readSale', 'chain.sale', saleReading(1001, world.at))
    world.fail('chain.readNotices', 'unreachable')
    const back = (begin: () => void) => {
      const before = reads(world)
      begin()
      const now = reads(world) - before
      if (now > 0) world.fail('chain.readNotices', 'unreachable')
      world.answer('chain.readSale', 'chain.sale', saleReading(1001 + reads(world), world.at))
      return now
    }
    expect(back(() => world.input('page.visible', { visible: true }, { tab }))).toBe(1)
    expect(back(() => world.attach())).toBe(1)
    world.input('chain.notices', notices)
    const before = reads(world)
    world.input('page.visible', { visible: true }, { tab })
    expect(reads(world)).toBe(before)
  })
})

test('a payment that was seen is read again with a poll, within an hour, until it is final', () => {
  const world = connected()
  const { account } = world.last('chain.readPurchases').data
  const asked = () => world.ordered('chain.readPurchases').length
  const polled = () => {
    world.fire('sale:poll')
    world.answer('chain.readSale', 'chain.sale', saleReading(2000 + world.at, world.at))
  }
  const payment = {
    signature: 's1',
    orderId: 'o1',
    slot: 1001,
    paidAt: world.at,
    asset: 'SOL',
    units: '1',
    quoted: '1',
  }
  const tell = (status: 'confirmed' | 'final') =>
    world.answer('chain.readPurchases', 'chain.purchases', { account, purchases: [{ ...payment, status }] })
  tell('confirmed')
  const before = asked()
  polled()
  expect(asked()).toBe(before + 1)
  expect(world.last('chain.readPurchases').data.known).toEqual([])
  tell('final')
  polled()
  expect(asked()).toBe(before + 1)
  world.input('chain.purchases', { account, purchases: [{ ...payment, status: 'confirmed' }] })
  polled()
  tell('confirmed')
  world.wait(3_600_001)
  polled()
  expect(asked()).toBe(before + 2)
})

test('the content file that could not be read is read again with a poll, until it is read', () => {
  const world = ready()
  const asked = () => world.ordered('sale.readContent').length
  const polled = () => {
    world.fire('sale:poll')
    world.answer('chain.readSale', 'chain.sale', saleReading(2000 + world.at, world.at))
  }
  world.input('chain.terms', read)
  const before = asked()
  world.fail('sale.readContent', 'unreachable')
  polled()
  polled()
  expect(asked()).toBe(before + 1)
  world.answer('sale.readContent', 'sale.content', { content: { questions: [], links: [] } })
  expect(world.model.sale.content).toEqual({ questions: [], links: [] })
  polled()
  expect(asked()).toBe(before + 1)
})

describe('the guard of the cap', () => {
  const prepared = (guard?: true) => {
    const world = connected()
    world.input('chain.terms', { ...read, ...(guard && { guard }) })
    world.command('order.place', intent(world))
    return world.last('chain.prepareOrder').data
  }

  test('gives the builder the highest position and its balances, where the terms’ driver wants it', () => {
    expect(prepared()).not.toHaveProperty('guard')
    const { balances } = saleReading()
    expect(prepared(true)).toMatchObject({ guard: { mostPos: expect.stringMatching(/^\d+$/), balances } })
  })
})

describe('the newest payments', () => {
  const line = { signature: 'one', slot: 900, asset: 'SOL', units: '5', quoted: '7' }

  test('are read at a press alone, once at a time, and a failure keeps those known', () => {
    const world = connected()
    expect(world.ordered('chain.readFeed')).toEqual([])
    for (const _ of [1, 2]) world.command('sale.readFeed', {})
    expect(world.ordered('chain.readFeed')).toHaveLength(1)
    expect(world.last('chain.readFeed').data).toMatchObject({ presaleRef: 'presale-ref', now: expect.any(Number) })
    world.answer('chain.readFeed', 'chain.feed', { lines: [line], other: 2 })
    expect(world.model.sale.feed).toMatchObject({ lines: [line], other: 2, readAt: expect.any(Number) })
    world.command('sale.readFeed', {})
    world.fail('chain.readFeed', 'rpc_lying')
    expect(world.model.sale.feed).toMatchObject({ lines: [line], failure: { code: 'rpc_lying' } })
    world.command('sale.readFeed', {})
    world.answer('chain.readFeed', 'chain.feed', { lines: [], other: 0 })
    expect(world.model.sale.feed).not.toHaveProperty('failure')
    world.fire('sale:poll')
    expect(world.ordered('chain.readFeed')).toHaveLength(3)
  })

  test('of another sale are discarded', () => {
    const world = connected()
    world.command('sale.readFeed', {})
    world.answer('chain.readFeed', 'chain.feed', { lines: [line], other: 0 })
    world.input('chain.terms', { ...read, presaleRef: 'another', termsHash: 'f'.repeat(64) })
    expect(world.model.sale).not.toHaveProperty('feed')
  })
})

describe('the terms', () => {
  test('are read at the start, then the notices and the treasury, and the chain is compared', () => {
    const world = ready()
    expect(world.model.sale).toMatchObject({
      terms: { phase: 'read', termsHash, noticeRef: 'notice-ref' },
      distrust: null,
      stale: null,
    })
    expect(world.last('chain.readNotices').data).toMatchObject({ noticeRef: 'notice-ref', authority: terms.authority })
    expect(world.last('chain.readSale').data).toMatchObject({ treasury: terms.treasury })
  })

  test('that are malformed are refused with the reason, and read again on the next look', () => {
    const world = begun()
    world.fail('chain.readTerms', 'terms_invalid')
    expect(world.model.sale.terms).toMatchObject({ phase: 'refused', failure: { code: 'terms_invalid' } })
    expect(world.pass(300_000)).toEqual([])
    world.input('page.visible', { visible: true }, { tab })
    world.answer('chain.readTerms', 'chain.terms', read)
    expect(world.model.sale.terms.phase).toBe('read')
  })

  test('that cannot be fetched are fetched again, with growing delays', () => {
    const world = begun()
    const askedAt: number[] = []
    for (let i = 0; i < 5; i++) {
      world.fail('chain.readTerms', 'rate_limited')
      askedAt.push(world.fire('sale:poll').facts.length === 0 ? world.at : 0)
    }
    expect(world.model.sale.terms).toMatchObject({ phase: 'refused', failure: { code: 'rate_limited' } })
    expect(world.ordered('chain.readTerms')).toHaveLength(6)
    expect(askedAt.every((at, index) => index === 0 || at - (askedAt[index - 1] ?? 0) >= 500)).toBe(true)
  })

  test.each([
    ['another hash', 'other-hash'],
    ['none at all', ''],
  ])('contradicted by the chain with %s are distrusted and sell nothing', (_name, announced) => {
    const world = connected()
    world.input('chain.notices', { ...notices, termsHash: announced })
    expect(world.model.sale.distrust).toMatchObject({ code: 'terms_changed' })
    expect(world.input('chain.notices', { ...notices, termsHash: announced }).types).toEqual([])
    world.command('order.place', intent(world))
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code: 'terms_changed' } })
  })

  test('of another cluster are distrusted, in either order of arrival', () => {
    const wrong = exampleTerms({ cluster: { ...terms.cluster, genesisHash: 'another' } })
    const first = begun()
    first.answer('chain.identify', 'chain.identified', { genesisHash, caip2 })
    first.answer('chain.readTerms', 'chain.terms', { ...read, terms: wrong })
    expect(first.model.sale.distrust).toMatchObject({ code: 'wrong_cluster' })

    const second = begun()
    second.answer('chain.readTerms', 'chain.terms', { ...read, terms: wrong })
    expect(second.model.sale.distrust).toBeNull()
    second.answer('chain.identify', 'chain.identified', { genesisHash, caip2 })
    expect(second.model.sale.distrust).toMatchObject({ code: 'wrong_cluster' })
  })

  test('that changed on the server while in force are distrusted by the next reading of notices', () => {
    const world = ready()
    world.kill('start')
    world.attach()
    readSaleIn(world, { termsHash: 'newer' })
    expect(world.model.sale.distrust).toMatchObject({ code: 'terms_changed' })
  })
})

describe('the mint of the token', () => {
  const mint = terms.token.mint ?? ''
  const nobody = { mint, decimals: terms.token.decimals }
  const authority = 'FDCPLBDvXwCwLnxokbB1FuTQD4MvpE1JHJoJWdemNEyT'
  const mintOf = (world: ReturnType<typeof ready>) => {
    const { terms: view } = world.model.sale
    return view.phase === 'read' ? view.mint : undefined
  }

  test('is read once after the terms, and a change is recorded', () => {
    const world = ready()
    expect(world.last('chain.readMint').data).toEqual({ mint, program: 'spl-token' })
    const came = world.answer('chain.readMint', 'chain.mint', { ...nobody, mintAuthority: authority })
    expect(came.types).toEqual(['sale.mintRead'])
    expect(mintOf(world)).toEqual({ mintAuthority: authority, decimals: 9 })
    expect(world.input('chain.mint', { ...nobody, mintAuthority: authority }).types).toEqual([])
    expect(world.input('chain.mint', nobody).types).toEqual(['sale.mintRead'])
    expect(mintOf(world)).toEqual({ decimals: 9 })
    for (let i = 0; i < 5; i++) {
      world.fire('sale:poll')
      world.answer('chain.readSale', 'chain.sale', saleReading(1001 + i, world.at))
    }
    expect(world.ordered('chain.readMint')).toHaveLength(1)
  })

  test('unnamed by the terms is not read', () => {
    const world = begun()
    const unborn = exampleTerms({ token: { ...terms.token, mint: null } })
    world.answer('chain.readTerms', 'chain.terms', { ...read, terms: unborn })
    expect(world.ordered('chain.readMint')).toEqual([])
    expect(world.input('chain.mint', nobody).types).toEqual([])
  })

  test('that cannot be read blocks nothing, and is read again with the notices', () => {
    const world = connected()
    expect(world.fail('chain.readMint', 'bad_response').facts).toEqual([])
    expect(world.model.sale).toMatchObject({ stale: null, distrust: null })
    world.command('order.place', intent(world))
    expect(theOrder(world).phase).toBe('accepted')
    for (let i = 0; i < 4; i++) {
      world.fire('sale:poll')
      world.answer('chain.readSale', 'chain.sale', saleReading(1001 + i, world.at))
    }
    expect(world.ordered('chain.readMint')).toHaveLength(2)
    expect(world.answer('chain.readMint', 'chain.mint', nobody).types).toEqual(['sale.mintRead'])
  })

  test('with other decimals than in the terms is named, and nothing is sold', () => {
    const world = connected()
    const came = world.answer('chain.readMint', 'chain.mint', { ...nobody, decimals: 6 })
    expect(came.types).toEqual(['sale.mintRead', 'sale.distrusted'])
    expect(world.model.sale.distrust).toMatchObject({ code: 'decimals' })
    expect(world.input('chain.mint', { ...nobody, decimals: 6 }).types).toEqual([])
    world.command('order.place', intent(world))
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code: 'decimals' } })
    world.kill('start')
    world.attach()
    readSaleIn(world)
    expect(world.answer('chain.readMint', 'chain.mint', { ...nobody, decimals: 6 }).types).toEqual(['sale.distrusted'])
  })

  test('other than the one in the terms changes nothing', () => {
    const world = ready()
    expect(world.input('chain.mint', { ...nobody, mint: authority }).types).toEqual([])
  })
})

describe('the state of the sale', () => {
  test('is read every 24 s, give or take a sixth, and the notices with every fourth where the driver sets no pace', () => {
    const world = ready()
    const waits: number[] = []
    for (let i = 0; i < 40; i++) {
      const before = world.at
      world.fire('sale:poll')
      waits.push(world.at - before)
      world.answer('chain.readSale', 'chain.sale', saleReading(1001 + i, world.at))
      const open = world.ordered('chain.readNotices').filter(effect => !effect.answered)
      if (open.length > 0) world.answer('chain.readNotices', 'chain.notices', notices)
    }
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(20_000)
    expect(Math.max(...waits)).toBeLessThanOrEqual(28_000)
    expect(new Set(waits).size).toBeGreaterThan(10)
    expect(world.ordered('chain.readNotices')).toHaveLength(1 + 10)
  })

  test('is read with the notices, out of turn, when a page asks for it', () => {
    const world = ready()
    world.fire('sale:poll')
    world.answer('chain.readSale', 'chain.sale', saleReading(3000, world.at))
    const before = world.ordered('chain.readNotices').length
    world.input('sale.refresh', {})
    expect(world.ordered('chain.readNotices')).toHaveLength(before + 1)
  })

  test('is read with the notices at the pace of the driver that read the terms', () => {
    const world = ready()
    world.input('chain.terms', { ...read, noticesEvery: 1, pollMs: 100_000 })
    world.answer('chain.readSale', 'chain.sale', saleReading(3000, world.at))
    expect(Math.abs((world.timers().get('sale:poll')?.at ?? 0) - world.at - 100_000)).toBeLessThanOrEqual(4000)
    const before = world.ordered('chain.readNotices').length
    for (let poll = 0; poll < 4; poll++) {
      world.answer('chain.readNotices', 'chain.notices', notices)
      world.fire('sale:poll')
      world.answer('chain.readSale', 'chain.sale', saleReading(3001 + poll, world.at))
    }
    expect(world.ordered('chain.readNotices')).toHaveLength(before + 4)
  })

  test('is read with the notices until they were read once, with or without a checkpoint; failed ones have their own pace', () => {
    const world = begun()
    world.answer('chain.readTerms', 'chain.terms', {
      terms,
      termsHash,
      presaleRef: 'presale-ref',
      noticeRef: 'notice-ref',
      noticesEvery: 100,
    })
    world.answer('chain.readSale', 'chain.sale', saleReading(1000, world.at))
    const readings = () => {
      const before = world.ordered('chain.readNotices').length
      for (let poll = 0; poll < 3; poll++) {
        world.fire('sale:poll')
        world.answer('chain.readSale', 'chain.sale', saleReading(2000 + world.at, world.at))
      }
      return world.ordered('chain.readNotices').length - before
    }
    // One is under way
    expect(readings()).toBe(0)
    world.fail('chain.readNotices', 'unreachable')
    expect(readings()).toBe(0)
    world.fire('sale:notices')
    expect(readings()).toBe(0)
    const { checkpoint: _, ...without } = notices
    world.answer('chain.readNotices', 'chain.notices', without)
    expect(world.model.sale).not.toHaveProperty('noticesUnread')
    expect(readings()).toBe(0)
  })

  test('with notices that cannot be read has them tried about twice a minute, and tells since when they are old', () => {
    const world = ready()
    const since = world.at
    const tries = () => world.ordered('chain.readNotices').length
    const before = tries()
    for (let at = 0; at < 600; at++) {
      world.pass(1000)
      const isOpen = (type: EffectType) => world.ordered(type).some(({ answered }) => !answered)
      if (isOpen('chain.readSale')) world.answer('chain.readSale', 'chain.sale', saleReading(2000 + at, world.at))
      if (isOpen('chain.readNotices')) world.fail('chain.readNotices', 'unreachable')
    }
    expect(tries() - before).toBeGreaterThan(8)
    expect(tries() - before).toBeLessThan(40)
    expect(world.model.sale).toMatchObject({ stale: null, noticesUnread: { since, failure: { code: 'unreachable' } } })
    world.input('chain.notices', notices)
    expect(world.model.sale).not.toHaveProperty('noticesUnread')
    expect(world.model.sale.notices).toMatchObject({ readAt: world.at })
    expect(world.input('chain.notices', notices).types).toEqual([])
  })

  test('rests while no page is visible, and is read on the next look', () => {
    const world = ready()
    world.input('page.visible', { visible: false }, { tab })
    world.pass(600_000)
    expect(world.ordered('chain.readSale')).toHaveLength(1)
    world.input('page.visible', { visible: true }, { tab })
    world.input('page.visible', { visible: true }, { tab })
    expect(world.ordered('chain.readSale')).toHaveLength(2)
  })

  test('and the notices are read once at most by ten returns in half a minute, and at once when they are old', () => {
    const world = ready()
    const count = () =>
      (['chain.readSale', 'chain.readNotices'] as const).map(type => {
        for (const { answered } of world.ordered(type))
          if (!answered && type === 'chain.readSale')
            world.answer(type, 'chain.sale', saleReading(1000 + world.ordered(type).length, world.at))
          else if (!answered) world.answer(type, 'chain.notices', notices)
        return world.ordered(type).length
      })
    const back = (after: number) => {
      world.input('page.visible', { visible: false }, { tab })
      world.wait(after)
      world.input('page.visible', { visible: true }, { tab })
    }
    const [sales = 0, noticesRead = 0] = count()
    for (let times = 0; times < 10; times++) {
      back(3000)
      count()
    }
    expect(count()[0]).toBe(sales + 1)
    expect(count()[1]).toBe(noticesRead)
    back(60_000)
    expect(count()).toEqual([sales + 2, noticesRead + 1])
    // The timer may have ended while no page was visible
    world.timers().delete('sale:poll')
    back(1000)
    expect(world.timers().get('sale:poll')?.at).toBeLessThanOrEqual(world.at + 30_000)
  })

  test('goes on being read when the look that would wake it is quarantined, and rests while nobody looks', () => {
    const polls = (visible: boolean) => {
      const world = ready()
      world.input('page.visible', { visible }, { tab })
      const before = world.ordered('timer.set').length
      world.input('core.setAside', { input: 'page.attached' }, { tab })
      return world.ordered('timer.set').slice(before)
    }
    expect(polls(true)).toMatchObject([{ data: { timerId: 'sale:poll' } }])
    expect(polls(false)).toEqual([])
  })

  test('continues to be read when the page joined again', () => {
    const world = ready()
    world.input('page.left', {}, { tab })
    world.pass(60_000)
    world.attach()
    expect(world.ordered('chain.readSale')).toHaveLength(2)
  })

  test('continues to be read when the page joined while the last reading was fresh and the timer already rested', () => {
    const world = ready()
    world.input('page.left', {}, { tab })
    world.pass(14_000)
    world.timers().delete('sale:poll')
    world.attach()
    expect(world.ordered('chain.readSale')).toHaveLength(1)
    world.fire('sale:poll')
    expect(world.ordered('chain.readSale')).toHaveLength(2)
  })

  test('that cannot be read is old but known, and read again with growing delays', () => {
    const world = ready()
    const { reading } = world.model.sale
    for (const code of ['rate_limited', 'unreachable', 'bad_response'] as const) {
      world.fire('sale:poll')
      world.fail('chain.readSale', code)
      expect(world.model.sale).toMatchObject({ reading, stale: { failure: { code } } })
    }
    world.fire('sale:poll')
    world.answer('chain.readSale', 'chain.sale', saleReading(1010))
    expect(world.model.sale.stale).toBeNull()
  })

  test('of a lagging node does not turn time back', () => {
    const world = ready()
    world.input('chain.sale', saleReading(900, 5))
    expect(world.model.sale.reading).toMatchObject({ slot: 1000 })
  })

  test('with unreadable notices sells nothing until they are read', () => {
    const world = begun()
    world.answer('chain.identify', 'chain.identified', { genesisHash, caip2 })
    world.answer('chain.readTerms', 'chain.terms', read)
    world.fail('chain.readNotices', 'unreachable')
    world.answer('chain.readSale', 'chain.sale', saleReading(1000))
    world.command('order.place', intent(world))
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code: 'unreachable' } })
    world.fire('sale:notices')
    world.answer('chain.readNotices', 'chain.notices', notices)
    expect(world.model.sale.notices).toMatchObject({ termsHash })
  })

  test('announced twice the same is recorded once', () => {
    const world = ready()
    expect(world.input('chain.notices', notices).types).toEqual([])
    expect(world.input('chain.notices', { ...notices, paused: true }).types).toEqual(['sale.noticesRead'])
  })

  test('with an announced result is over, and the result is recorded once', () => {
    const world = connected()
    expect(world.input('chain.notices', { ...notices, result: 'success' }).types).toEqual(['sale.noticesRead'])
    expect(world.input('chain.notices', { ...notices, result: 'success' }).types).toEqual([])
    expect(world.model.sale.notices).toMatchObject({ result: 'success' })
    world.command('order.place', intent(world))
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code: 'ended' } })
  })

  test('read by an older build gets the number of tokens sold up to its checkpoint', () => {
    const world = ready()
    const { checkpoint } = notices
    if (!checkpoint) throw new Error('the story expected a checkpoint')
    const counted = { ...notices, checkpoint: { ...checkpoint, tokens: '5000000000' } }
    expect(world.input('chain.notices', counted).types).toEqual(['sale.noticesRead'])
    expect(world.model.sale.notices?.checkpoint).toMatchObject({ slot: checkpoint.slot, tokens: '5000000000' })
  })
})

describe('the chain', () => {
  test('is identified once, and again without an answer', () => {
    const world = begun()
    world.fail('chain.identify', 'unreachable')
    expect(world.model.network).toMatchObject({ phase: 'unreachable' })
    world.input('page.online', { online: true }, { tab })
    world.input('page.online', { online: true }, { tab })
    expect(world.ordered('chain.identify')).toHaveLength(2)
    world.fail('chain.identify', 'timeout')
    world.fire('network:identify')
    world.answer('chain.identify', 'chain.identified', { genesisHash, caip2 })
    expect(world.model.network).toMatchObject({ phase: 'identified', genesisHash })
  })

  test('other than this log’s is named, and the log of that chain is opened', () => {
    const world = createWorld({ genesisHash: 'of-this-log' })
    world.boot()
    world.answer('chain.identify', 'chain.identified', { genesisHash, caip2 })
    expect(world.model.network).toMatchObject({ phase: 'mismatched', expected: 'of-this-log', got: genesisHash })
    expect(world.last('core.relocate')).toMatchObject({ after: 'written', data: { genesisHash } })
  })

  test('unknown when the log was opened gets a log of its own', () => {
    const world = begun()
    world.answer('chain.identify', 'chain.identified', { genesisHash, caip2 })
    expect(world.last('core.relocate')).toMatchObject({ after: 'written', data: { genesisHash } })
  })

  test('goes offline and online with one fact each', () => {
    const world = begun()
    expect(world.input('page.online', { online: false }, { tab }).types).toEqual(['network.offline'])
    expect(world.input('page.online', { online: false }, { tab }).types).toEqual([])
    expect(world.input('page.online', { online: true }, { tab }).types).toEqual(['network.online'])
    expect(world.kill('start').types).not.toContain('network.offline')
  })
})

test('sale: an order in flight is watched while no page is visible', () => {
  const world = sent()
  world.input('page.visible', { visible: false }, { tab })
  const before = world.ordered('chain.watch').length
  world.fire(`watch:${theOrder(world).orderId}`)
  expect(world.ordered('chain.watch')).toHaveLength(before + 1)
})
