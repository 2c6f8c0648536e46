/** Forged terms, notices and readings of a hostile host or node. */
import { describe, expect, test } from 'vitest'
import { changesSincePin } from '../../../src/events/sale/saleChanges.ts'
import { exampleTerms } from '../../events/values/exampleTerms.ts'
import {
  account,
  begun,
  caip2,
  connected,
  connectInstalled,
  intent,
  notices,
  ready,
  placed,
  preparedOf,
  readSaleIn,
  saleReading,
  sent,
  signedOf,
  terms,
  termsHash,
  theOrder,
  throughGate,
} from '../story.ts'
import { tab, type World } from '../world.ts'

const thief = 'FDCPLBDvXwCwLnxokbB1FuTQD4MvpE1JHJoJWdemNEyT'
const moved = exampleTerms({ treasury: thief })
const movedHash = 'f'.repeat(64)
const { id } = terms

/** The page starts again; the host serves other terms, and the chain announces them. */
function comeBack(world: World, now = moved, hash = movedHash, announced = hash): void {
  world.kill('start')
  world.attach()
  const read = { terms: now, termsHash: hash, presaleRef: 'presale-ref', noticeRef: 'notice-ref' }
  world.answer('chain.readTerms', 'chain.terms', read)
  world.answer('chain.readNotices', 'chain.notices', { ...notices, termsHash: announced, seq: 9 })
  world.answer('chain.readSale', 'chain.sale', saleReading(1000, world.at))
  connectInstalled(world)
}

describe('the terms pinned on this device', () => {
  test('are pinned with their notice in hand, once', () => {
    const world = ready()
    expect(world.said('sale.pinned')).toEqual([{ terms, termsHash }])
    expect(world.input('chain.notices', notices).types).toEqual([])
  })

  test('are not pinned without their notice', () => {
    const world = ready()
    comeBack(world, exampleTerms({ id: 'another-sale' }), movedHash, termsHash)
    expect(Object.keys(world.model.sale.pins)).toEqual([id])
  })

  test('are those whose notice came before their file, once a life has read both', () => {
    const world = begun()
    const early = { termsHash: movedHash, presaleRef: 'presale-ref', noticeRef: 'notice-ref' }
    world.answer('chain.readTerms', 'chain.terms', { terms: exampleTerms({ version: 2 }), ...early })
    world.answer('chain.readNotices', 'chain.notices', notices)
    expect(world.model.sale.pins).toEqual({})
    world.kill('start')
    world.attach()
    world.answer('chain.readTerms', 'chain.terms', { terms, ...early, termsHash })
    expect(world.model.sale.pins).toEqual({})
    world.answer('chain.readNotices', 'chain.notices', notices)
    expect(world.model.sale.pins[id]).toEqual({ terms, termsHash })
  })

  describe('whose notice an earlier reading of other terms had', () => {
    const other = exampleTerms({ version: 2 })
    const early = { presaleRef: 'presale-ref', noticeRef: 'notice-ref' }

    test('sell nothing until the notices are held against them', () => {
      const world = begun()
      world.answer('chain.identify', 'chain.identified', { genesisHash: terms.cluster.genesisHash, caip2 })
      world.answer('chain.readTerms', 'chain.terms', { ...early, terms: other, termsHash: movedHash })
      world.answer('chain.readNotices', 'chain.notices', { ...notices, held: movedHash })
      world.input('chain.terms', { ...early, terms, termsHash })
      world.answer('chain.readSale', 'chain.sale', saleReading(1000, world.at))
      const { sha256, url } = terms.legal
      world.answer('sale.readLegal', 'sale.legal', { sha256, url })
      connectInstalled(world)
      world.command('order.place', intent(world))
      expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code: 'unreachable' } })
      expect(world.ordered('chain.prepareOrder')).toEqual([])
      world.answer('chain.readNotices', 'chain.notices', { ...notices, held: termsHash })
      expect(world.model.sale.pins[id]).toEqual({ terms, termsHash })
      world.command('order.place', intent(world))
      expect(theOrder(world).phase).toBe('accepted')
    })

    test('are neither pinned nor distrusted by its late answer', () => {
      const world = begun()
      world.answer('chain.readTerms', 'chain.terms', { ...early, terms: other, termsHash: movedHash })
      world.input('chain.terms', { ...early, terms, termsHash })
      world.input('chain.notices', { ...notices, held: movedHash })
      world.input('chain.notices', { ...notices, held: movedHash, frozen: 'treasury' })
      expect([world.model.sale.pins, world.model.sale.distrust]).toEqual([{}, null])
      world.input('chain.notices', { ...notices, held: termsHash, frozen: 'treasury' })
      expect([world.model.sale.pins, world.model.sale.distrust]).toMatchObject([{}, { facts: { rule: 'FROZEN' } }])
    })
  })

  test('changed in their treasury turn buying off, though the chain announces the change', () => {
    const world = ready()
    comeBack(world)
    world.command('order.place', intent(world, { termsHash: movedHash }))
    expect(theOrder(world)).toMatchObject({
      phase: 'gateRefused',
      failure: { code: 'terms_changed', facts: { rule: 'PINNED' } },
    })
    expect(world.ordered('chain.prepareOrder')).toEqual([])
  })

  test('are not sold by before the notices of this life know them, though they change nothing frozen', () => {
    const world = ready()
    world.kill('start')
    world.attach()
    const cheaper = exampleTerms({ version: 2 })
    const read = { terms: cheaper, termsHash: movedHash, presaleRef: 'presale-ref', noticeRef: 'notice-ref' }
    world.answer('chain.readTerms', 'chain.terms', read)
    world.answer('chain.readSale', 'chain.sale', saleReading(1000, world.at))
    connectInstalled(world)
    world.command('order.place', intent(world, { termsHash: movedHash }))
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code: 'terms_changed' } })
    world.answer('chain.readNotices', 'chain.notices', { ...notices, termsHash: movedHash, seq: 9 })
    world.command('order.place', intent(world, { termsHash: movedHash }))
    expect(theOrder(world).phase).toBe('accepted')
  })

  test.each([
    ['on a device that knows the sale', true],
    ['on one that has never seen it', false],
  ])('that change what the first announcement froze cannot be bought by or confirmed, %s', (_name, isKnown) => {
    const world = isKnown ? ready() : begun()
    world.kill('start')
    world.attach()
    const read = { terms: moved, termsHash: movedHash, presaleRef: 'presale-ref', noticeRef: 'notice-ref' }
    const announced = { ...notices, termsHash: movedHash, seq: 9 }
    world.answer('chain.identify', 'chain.identified', { genesisHash: terms.cluster.genesisHash, caip2 })
    world.answer('chain.readTerms', 'chain.terms', read)
    world.answer('chain.readNotices', 'chain.notices', { ...announced, frozen: 'treasury' })
    world.answer('chain.readSale', 'chain.sale', saleReading(1000, world.at))
    connectInstalled(world)
    expect(world.model.sale.pins).toEqual(isKnown ? { [id]: { terms, termsHash } } : {})
    expect(world.command('sale.confirmChange', { termsHash: movedHash }).types).toEqual([])
    world.command('order.place', intent(world, { termsHash: movedHash }))
    expect(theOrder(world)).toMatchObject({
      phase: 'gateRefused',
      failure: { code: 'terms_changed', facts: { rule: 'FROZEN' } },
    })
    // The first ones are announced again
    world.input('chain.terms', { ...read, terms, termsHash })
    world.answer('chain.readNotices', 'chain.notices', { ...notices, seq: 10 })
    world.answer('chain.readSale', 'chain.sale', saleReading(1001, world.at))
    const { sha256, url } = terms.legal
    world.answer('sale.readLegal', 'sale.legal', { sha256, url })
    world.command('order.place', intent(world))
    expect(theOrder(world)).toMatchObject({ phase: 'accepted' })
  })

  test('changed are taken once a person confirms them, by their hash', () => {
    const world = ready()
    comeBack(world)
    expect(world.command('sale.confirmChange', { termsHash }).types).toEqual([])
    expect(world.command('sale.confirmChange', { termsHash: movedHash }).types).toEqual(['sale.pinned'])
    expect(world.model.sale.pins[id]).toEqual({ terms: moved, termsHash: movedHash })
    world.command('order.place', intent(world, { termsHash: movedHash }))
    expect(theOrder(world).phase).toBe('accepted')
  })

  test('changed cannot be confirmed before their notice has been read in this life; a press waits for it', () => {
    const world = ready()
    comeBack(world)
    world.kill('start')
    world.attach()
    const read = { terms: moved, termsHash: movedHash, presaleRef: 'presale-ref', noticeRef: 'notice-ref' }
    world.answer('chain.readTerms', 'chain.terms', read)
    expect(world.command('sale.confirmChange', { termsHash: movedHash }).types).toEqual(['sale.changeAccepted'])
    expect(world.command('sale.confirmChange', { termsHash: movedHash }).types).toEqual([])
    expect(world.model.sale).toMatchObject({ accepted: movedHash, pins: { [id]: { termsHash } } })
    const partly = { ...notices, termsHash: '', seq: 0, partial: true }
    expect(world.answer('chain.readNotices', 'chain.notices', partly).types).not.toContain('sale.pinned')
    for (let poll = 0; poll < 8 && world.ordered('chain.readNotices').every(({ answered }) => answered); poll += 1) {
      world.answer('chain.readSale', 'chain.sale', saleReading(1001 + poll, world.at))
      world.fire('sale:poll')
    }
    const read9 = { ...notices, termsHash: movedHash, seq: 9 }
    expect(world.answer('chain.readNotices', 'chain.notices', read9).types).toContain('sale.pinned')
    expect(world.model.sale.pins[id]).toEqual({ terms: moved, termsHash: movedHash })
    expect(world.model.sale).not.toHaveProperty('accepted')
  })

  test('changed are not taken by a press that named others', () => {
    const world = ready()
    comeBack(world)
    world.kill('start')
    world.attach()
    const serve = (served: typeof terms, hash: string) =>
      world.answer('chain.readTerms', 'chain.terms', {
        terms: served,
        termsHash: hash,
        presaleRef: 'presale-ref',
        noticeRef: 'notice-ref',
      })
    serve(moved, movedHash)
    world.command('sale.confirmChange', { termsHash: movedHash })
    world.kill('lost')
    const third = exampleTerms({ treasury: thief })
    serve(third, 'third')
    expect(world.model.sale).not.toHaveProperty('accepted')
    world.answer('chain.readNotices', 'chain.notices', { ...notices, termsHash: 'third', seq: 9 })
    expect(world.model.sale.pins[id]).toEqual({ terms, termsHash })
  })

  test.each([
    ['asked for', ['signAndSendTransaction'], 'wallet.signAndSendTransaction'],
    ['sent', ['signTransaction'], 'chain.submit'],
  ] as const)(
    'that are confirmed before an order is %s let no payment under the old ones go on',
    (_what, can, effect) => {
      const world = connected([...can])
      placed(world)
      if (effect === 'chain.submit') world.answer('wallet.signTransaction', 'wallet.signed', signedOf(world))
      const announced = { ...notices, termsHash: movedHash, seq: 9 }
      world.input('chain.terms', {
        terms: moved,
        termsHash: movedHash,
        presaleRef: 'presale-ref',
        noticeRef: 'notice-ref',
      })
      world.answer('chain.readNotices', 'chain.notices', announced)
      expect(world.command('sale.confirmChange', { termsHash: movedHash }).types).toEqual(['sale.pinned'])
      // Besides the gate, the new terms have the sale read
      while (world.ordered('chain.readSale').some(({ answered }) => !answered))
        world.answer('chain.readSale', 'chain.sale', saleReading(1001, world.at))
      while (world.ordered('chain.readNotices').some(({ answered }) => !answered))
        world.answer('chain.readNotices', 'chain.notices', announced)
      const { orderId } = theOrder(world)
      world.answer('chain.watch', 'chain.status', { orderId, height: 18, nodeSlot: 1001, heightSlot: 1000 })
      world.fire(`gate:${orderId}`)
      expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code: 'terms_changed' } })
      expect(world.ordered(effect)).toEqual([])
    },
  )

  test.each([
    ['that is built already', 5_000],
    ['that is built anew', 40_000],
  ])('that are confirmed while an order waits for a press let none go on %s', (_what, later) => {
    const world = connected(['signTransaction'])
    world.command('order.place', intent(world))
    world.wait(3_001)
    world.answer('chain.prepareOrder', 'chain.orderPrepared', preparedOf(world.last('chain.prepareOrder').data))
    const { orderId, phase } = theOrder(world)
    expect(phase).toBe('pressAwaited')
    const read = { terms: moved, termsHash: movedHash, presaleRef: 'presale-ref', noticeRef: 'notice-ref' }
    world.input('chain.terms', read)
    world.answer('chain.readNotices', 'chain.notices', { ...notices, termsHash: movedHash, seq: 9 })
    expect(world.command('sale.confirmChange', { termsHash: movedHash }).types).toEqual(['sale.pinned'])
    world.wait(later)
    world.command('order.continue', { orderId })
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code: 'terms_changed' } })
    expect(world.ordered('wallet.signTransaction')).toEqual([])
    expect(world.ordered('chain.prepareOrder')).toHaveLength(1)
  })

  test('of another authority cannot be confirmed at all', () => {
    const world = ready()
    comeBack(world, exampleTerms({ authority: thief }))
    expect(world.command('sale.confirmChange', { termsHash: movedHash }).types).toEqual([])
    world.command('order.place', intent(world, { termsHash: movedHash }))
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code: 'terms_changed' } })
  })

  test('changed in nothing but what may change follow without a word', () => {
    const world = ready()
    const later = exampleTerms({ version: 2, end: terms.end + 86_400 })
    comeBack(world, later)
    expect(world.model.sale.pins[id]).toEqual({ terms: later, termsHash: movedHash })
    expect(changesSincePin(world.model.sale)).toEqual([])
    comeBack(world, terms, termsHash)
    expect(changesSincePin(world.model.sale).map(({ path }) => path)).toEqual(['version', 'end'])
  })
})

describe('terms without an announcement', () => {
  const dearer = exampleTerms({ assets: terms.assets.map(asset => ({ ...asset, creditsPerUnit: '1000' })) })

  test.each([
    ['with another treasury, where this device has pinned none', moved, true],
    ['with another rate', dearer, false],
  ])('are not sold from before the notices of this life are read: %s', (_name, served, forgets) => {
    const world = connected()
    if (forgets) delete world.model.sale.pins[id]
    const read = { terms: served, termsHash: movedHash, presaleRef: 'presale-ref', noticeRef: 'notice-ref' }
    world.input('chain.terms', read)
    if (forgets) delete world.model.sale.pins[id]
    world.command('order.place', intent(world, { termsHash: movedHash }))
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code: 'terms_changed' } })
    expect(world.ordered('chain.prepareOrder')).toEqual([])
  })
})

describe('terms that are not this page’s', () => {
  test('refused by the driver are not sold from, though this device knows the true ones', () => {
    const world = connected()
    world.kill('start')
    world.attach()
    world.fail('chain.readTerms', 'terms_invalid')
    connectInstalled(world)
    world.command('order.place', intent(world))
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code: 'terms_invalid' } })
  })

  test('for which there is no sale are read once', () => {
    const known = ready()
    known.kill('start')
    known.attach()
    for (const world of [known, begun()]) {
      world.fail('chain.readTerms', 'unsupported')
      const before = world.ordered('chain.readTerms').length
      world.pass(300_000)
      world.input('page.visible', { visible: true }, { tab })
      expect(world.ordered('chain.readTerms')).toHaveLength(before)
    }
    expect(known.model.sale.distrust).toMatchObject({ code: 'unsupported' })
  })
})

test('sale trust: a node without the notices’ calls ends no sale, and is read again', () => {
  const world = begun()
  const read = { terms, termsHash, presaleRef: 'presale-ref', noticeRef: 'notice-ref' }
  world.answer('chain.readTerms', 'chain.terms', read)
  world.fail('chain.readNotices', 'unsupported')
  expect(world.model.sale).toMatchObject({ distrust: null, noticesUnread: { failure: { code: 'unsupported' } } })
  world.fire('sale:notices')
  expect(world.ordered('chain.readNotices')).toHaveLength(2)
})

describe('partly read notices', () => {
  const partial = { ...notices, seq: 3, partial: true }

  test('are in force as known, and their age is recorded', () => {
    const world = connected()
    world.fire('sale:poll')
    world.input('chain.notices', { ...partial, asOf: world.at - 5000 })
    expect(world.model.sale.notices).toMatchObject({ partial: true, asOf: world.at - 5000 })
    world.command('order.place', intent(world))
    expect(theOrder(world).phase).toBe('accepted')
  })

  test('that reach less far than the known ones change only their age', () => {
    const world = connected()
    world.input('chain.notices', { ...notices, seq: 7, paused: true })
    const readAt = world.at
    world.wait(60_000)
    for (const said of [
      { ...notices, seq: 3 },
      { ...partial, termsHash: '', seq: 0 },
    ]) {
      world.input('chain.notices', said)
      expect(world.model.sale.notices).toMatchObject({ seq: 7, paused: true, partial: true, asOf: readAt })
    }
    expect(world.model.sale.distrust).toBeNull()
    world.input('chain.notices', { ...notices, seq: 8 })
    expect(world.model.sale.notices).not.toHaveProperty('partial')
  })

  test('that establish nothing are no reason to distrust, and sell nothing', () => {
    const world = ready()
    world.kill('start')
    world.model.sale.notices = null
    world.attach()
    readSaleIn(world, { termsHash: '', seq: 0, partial: true })
    connectInstalled(world)
    expect(world.model.sale).toMatchObject({ distrust: null, notices: null })
    world.command('order.place', intent(world))
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code: 'unreachable' } })
  })
})

/** The first endpoint fails a call, and the second answers it. */
function failOver(world: World): void {
  const calls = [{ method: 'getSlot', count: 1 }]
  world.input('rpc.asked', { asks: [{ pool: 'sale', endpoints: 2, first: 0, calls, kind: 'single' }] })
  world.answer('http.post', 'http.failed', { failure: { code: 'bad_response', message: 'not JSON' } })
  world.answer('http.post', 'http.answered', { status: 200, genesis: terms.cluster.genesisHash })
  world.answer('http.post', 'http.answered', { status: 200 })
  expect(world.ordered('http.post').at(-1)?.data).toMatchObject({ endpoint: 1, calls: [0] })
}

describe('one reading with a huge slot', () => {
  const huge = 10 ** 12
  const lie = { SOL: '999000000000000', USDC: '0' }
  const readAgain = (world: World, slot: number, balances = saleReading().balances) => {
    world.fire('sale:poll')
    return world.answer('chain.readSale', 'chain.sale', { slot, chainTime: world.at, balances })
  }

  test('is not believed, and honest ones after it are', () => {
    const world = ready()
    expect(readAgain(world, huge, lie).types).toEqual([])
    expect(world.model.sale.reading).toMatchObject({ slot: 1000 })
    expect(readAgain(world, 1080).types).toEqual(['sale.read'])
    expect(world.model.sale.reading).toMatchObject({ slot: 1080 })
  })

  test('that is the first of a life gives way to the next honest one', () => {
    const world = ready()
    world.kill('start')
    world.attach()
    readSaleIn(world, {}, huge)
    readAgain(world, 1080)
    expect(world.model.sale.reading).toMatchObject({ slot: 1080, balances: saleReading().balances })
  })

  test('that a second one agrees with is the chain’s, as after a long sleep', () => {
    const world = ready()
    readAgain(world, 1040)
    expect(readAgain(world, 50_000).types).toEqual([])
    expect(readAgain(world, 50_030).types).toEqual(['sale.read'])
    expect(world.model.sale.reading).toMatchObject({ slot: 50_030 })
    expect(readAgain(world, 50_060).types).toEqual(['sale.read'])
  })

  test('that its endpoint confirmed gives way to two that agree', () => {
    const world = ready()
    readAgain(world, huge, lie)
    readAgain(world, huge + 30, lie)
    expect(world.model.sale.reading).toMatchObject({ slot: huge + 30 })
    expect(readAgain(world, 1120).types).toEqual([])
    expect(readAgain(world, 1150).types).toEqual(['sale.read'])
    expect(world.model.sale.reading).toMatchObject({ slot: 1150, balances: saleReading().balances })
  })

  test('that its endpoint confirmed gives way to the first of the endpoint that follows it', () => {
    const world = ready()
    readAgain(world, huge, lie)
    readAgain(world, huge + 30, lie)
    failOver(world)
    expect(readAgain(world, 1120).types).toEqual(['sale.read'])
    expect(world.model.sale.reading).toMatchObject({ slot: 1120, balances: saleReading().balances })
  })

  test('of the endpoint that follows is not believed either, until a second one agrees', () => {
    const world = ready()
    readAgain(world, 1040)
    failOver(world)
    expect(readAgain(world, huge, lie).types).toEqual([])
    expect(readAgain(world, 1120).types).toEqual(['sale.read'])
    expect(world.model.sale.reading).toMatchObject({ slot: 1120 })
  })

  test('that is the first under other terms gives way, though the one before them was confirmed', () => {
    const world = ready()
    readAgain(world, 1040)
    readAgain(world, 1080)
    const read = { terms: moved, termsHash: movedHash, presaleRef: 'presale-ref', noticeRef: 'notice-ref' }
    world.input('chain.terms', read)
    expect(world.model.sale.reading).toBeNull()
    expect(readAgain(world, huge, lie).types).toEqual(['sale.read'])
    expect(readAgain(world, 1120).types).toEqual(['sale.read'])
    expect(world.model.sale.reading).toMatchObject({ slot: 1120 })
  })

  test('does not outlive the boot', () => {
    const world = begun()
    world.answer('chain.identify', 'chain.identified', { genesisHash: terms.cluster.genesisHash, caip2 })
    readSaleIn(world, {}, huge)
    world.kill('start')
    world.attach()
    expect(world.model.sale.reading).toMatchObject({ slot: huge, life: 1 })
    readSaleIn(world)
    expect(world.model.sale.reading).toMatchObject({ slot: 1000, life: 2 })
  })

  test.each([
    ['a little ahead of it', 1000],
    ['far behind it', 900_000],
  ])('of an earlier life, %s, gives way to the first of this one', (_name, slot) => {
    const world = begun()
    readSaleIn(world, {}, 1300)
    world.kill('start')
    world.attach()
    readSaleIn(world, {}, slot)
    expect(world.model.sale.reading).toMatchObject({ slot, life: 2 })
  })

  test('of an earlier life does not decide a payment', () => {
    const world = begun()
    world.answer('chain.identify', 'chain.identified', { genesisHash: terms.cluster.genesisHash, caip2 })
    readSaleIn(world, {}, huge)
    connectInstalled(world)
    placed(world)
    const soldOut = { SOL: '99000000000000', USDC: '0' }
    expect(world.input('chain.sale', { slot: huge + 1, chainTime: world.at, balances: soldOut }).types).toEqual([
      'sale.read',
    ])
    world.answer('wallet.signTransaction', 'wallet.signed', signedOf(world))
    world.kill()
    world.attach()
    readSaleIn(world)
    world.fire(`gate:${theOrder(world).orderId}`)
    throughGate(world)
    expect(theOrder(world).phase).toBe('sending')
  })

  test('of an account is not believed either, and its balance does not outlive the boot', () => {
    const world = connected()
    const amounts = { SOL: '1' }
    expect(world.input('chain.balances', { account, slot: huge, amounts }).types).toEqual([])
    expect(world.input('chain.balances', { account, slot: 1010, amounts }).types).toEqual(['balance.read'])
    world.kill('start')
    world.attach()
    expect(world.input('chain.balances', { account, slot: 900, amounts: { SOL: '2' } }).types).toEqual(['balance.read'])
    expect(world.model.balance[account]).toMatchObject({ amounts: { SOL: '2' }, life: world.life })
  })

  test('between the press and the payment does not decide it', () => {
    const world = sent()
    expect(theOrder(world).phase).toBe('sending')
    expect(world.input('chain.sale', { ...saleReading(huge, world.at), balances: lie }, { tab }).types).toEqual([])
  })
})

describe('partly read purchases', () => {
  test('are read on while a page is visible, until the whole list was read', () => {
    const world = connected()
    const before = world.ordered('chain.readPurchases').length
    world.input('chain.purchases', { account, purchases: [], more: 'unread' })
    expect(world.model.purchase[account]).toMatchObject({ more: 'unread' })
    world.fire('purchases:unread')
    expect(world.ordered('chain.readPurchases')).toHaveLength(before + 1)
    world.input('chain.purchases', { account, purchases: [] })
    expect(world.model.purchase[account]).not.toHaveProperty('more')
    expect(world.timers().has('purchases:unread')).toBe(false)
  })
})
