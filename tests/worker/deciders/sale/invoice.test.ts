import { describe, expect, test } from 'vitest'
import { saleNow } from '../../../../src/events/sale/saleNow.ts'
import type { Purchase } from '../../../../src/events/subjects/sale/purchase.ts'
import { caip2, genesisHash, intent, notices, ready, saleReading, terms, termsHash } from '../../story.ts'
import { tab } from '../../world.ts'

const opened = () => {
  const world = ready()
  const code = intent(world)
  world.command('invoice.open', code)
  const invoiceId = world.model.invoice?.shown ?? ''
  world.fire(`invoice:${invoiceId}`)
  return { world, code, invoiceId }
}
const reference = 'FDCPLBDvXwCwLnxokbB1FuTQD4MvpE1JHJoJWdemNEyT'
const buyer = '2xiXgcbXRt31ToWT6KSudLTgjCPMeem8DFY64xM88C3f'
const payment = {
  signature: 'sig-9',
  orderId: '00112233445566ff',
  slot: 1100,
  paidAt: 1_799_000_000_000,
  asset: 'SOL',
  units: '2500000000',
  quoted: '666666666666666',
  status: 'confirmed' as const,
  terms: termsHash.slice(0, 16),
}
const final = { ...payment, status: 'final' as const }
const looks = (world: ReturnType<typeof ready>) => world.ordered('chain.watchInvoice').length

describe('an invoice', () => {
  test('is opened without a wallet, looked for once it is on the disk, and named by the first look', () => {
    const { world, code, invoiceId } = opened()
    expect(world.model.invoice?.all).toMatchObject([
      { invoiceId, presaleRef: 'presale-ref', units: code.units, termsHash },
    ])
    expect(world.last('chain.watchInvoice')).toMatchObject({
      after: 'stored',
      data: { presaleRef: 'presale-ref', orderKey: code.orderKey, terms },
    })
    world.answer('chain.watchInvoice', 'chain.invoice', { reference })
    expect(world.model.invoice?.all[0]).toMatchObject({ reference })
    world.fire(`invoice:${invoiceId}`)
    expect(world.answer('chain.watchInvoice', 'chain.invoice', { reference }).types).toEqual([])
  })

  test('tells its payment once for each state, as a purchase of the account that signed it, and rests when it is final', () => {
    const { world, invoiceId } = opened()
    world.answer('chain.watchInvoice', 'chain.invoice', { reference, buyer, payment })
    expect(world.model.purchase[buyer]?.purchases).toEqual([payment])
    world.fire(`invoice:${invoiceId}`)
    expect(world.answer('chain.watchInvoice', 'chain.invoice', { reference, buyer, payment }).types).toEqual([])
    world.fire(`invoice:${invoiceId}`)
    world.answer('chain.watchInvoice', 'chain.invoice', { reference, buyer, payment: final })
    expect(world.model.purchase[buyer]?.purchases).toEqual([final])
    expect(world.model.invoice?.all[0]).toMatchObject({ buyer, payment: final })
    const before = looks(world)
    world.boot({ life: 2 })
    world.attach()
    expect(world.timers().has(`invoice:${invoiceId}`)).toBe(false)
    expect(looks(world)).toBe(before)
  })

  test('that was put away is looked for on, also in the next life; a failed look is repeated', () => {
    const { world, invoiceId } = opened()
    world.answer('chain.watchInvoice', 'chain.invoice', { reference })
    world.command('invoice.close', { invoiceId })
    expect(world.model.invoice?.shown).toBeUndefined()
    expect(world.command('invoice.close', { invoiceId }).types).toEqual([])
    world.fire(`invoice:${invoiceId}`)
    world.fail('chain.watchInvoice', 'unreachable')
    const before = looks(world)
    world.fire(`invoice:${invoiceId}`)
    expect(looks(world)).toBe(before + 1)
    world.boot({ life: 2 })
    world.fire(`invoice:${invoiceId}`)
    expect(looks(world)).toBe(before + 1)
    world.attach()
    world.fire(`invoice:${invoiceId}`)
    expect(looks(world)).toBe(before + 2)
  })

  test('has a payment that a node may have dropped from its history once it is two days old', () => {
    const { world, invoiceId } = opened()
    const isOld = () => 'mayBeDropped' in world.last('chain.watchInvoice').data
    world.answer('chain.watchInvoice', 'chain.invoice', { reference, buyer, payment })
    for (const [days, old] of [
      [1, false],
      [2, true],
    ] as const) {
      world.wait(86_400_001)
      world.command('page.visible', { visible: true })
      world.fire(`invoice:${invoiceId}`)
      expect([days, isOld()]).toEqual([days, old])
      world.answer('chain.watchInvoice', 'chain.invoice', { reference, buyer, payment })
    }
  })

  test('is looked for at once when a person comes back to it', () => {
    const { world, invoiceId } = opened()
    world.answer('chain.watchInvoice', 'chain.invoice', { reference })
    world.input('page.visible', { visible: false }, { tab })
    world.fire(`invoice:${invoiceId}`)
    world.input('page.visible', { visible: true }, { tab })
    expect(world.timers().get(`invoice:${invoiceId}`)?.at).toBe(world.at)
  })

  test('is not looked for while nobody sees it, and no longer than an hour', () => {
    const { world, invoiceId } = opened()
    world.answer('chain.watchInvoice', 'chain.invoice', { reference })
    world.input('page.visible', { visible: false }, { tab })
    const before = looks(world)
    world.fire(`invoice:${invoiceId}`)
    expect(looks(world)).toBe(before)
    world.input('page.visible', { visible: true }, { tab })
    world.pass(3_600_001)
    expect(looks(world)).toBe(before + 1)
    world.answer('chain.watchInvoice', 'chain.invoice', { reference })
    expect(world.timers().has(`invoice:${invoiceId}`)).toBe(false)
  })

  /** A press after the hour, with all looks of the minute that follows. @returns how many there were */
  const pressOld = ({ world, invoiceId }: ReturnType<typeof old>, answer: () => void) => {
    const before = looks(world)
    world.command('invoice.look', { invoiceId })
    world.command('invoice.look', { invoiceId })
    expect(looks(world)).toBe(before + 1)
    for (;;) {
      answer()
      if (!world.timers().has(`invoice:${invoiceId}`)) return looks(world) - before
      world.fire(`invoice:${invoiceId}`)
    }
  }
  const old = () => {
    const { world, invoiceId } = opened()
    world.answer('chain.watchInvoice', 'chain.invoice', { reference })
    world.pass(3_600_001)
    world.answer('chain.watchInvoice', 'chain.invoice', { reference })
    return { world, invoiceId }
  }

  test('is looked for during a minute after a press once its hour is over; then it is told that none was found', () => {
    const { world, invoiceId } = old()
    const nothing = () => void world.answer('chain.watchInvoice', 'chain.invoice', { reference })
    expect(pressOld({ world, invoiceId }, nothing)).toBe(5)
    expect(world.model.invoice?.looked).toEqual({ invoiceId, at: world.at })
    expect(pressOld({ world, invoiceId }, () => void world.fail('chain.watchInvoice', 'rate_limited'))).toBe(5)
    expect(world.model.invoice?.looked).toMatchObject({ invoiceId, failure: { code: 'rate_limited' } })
  })

  test('is looked for after a press once somebody sees it, and the result is told then', () => {
    const { world, invoiceId } = old()
    world.input('page.visible', { visible: false }, { tab })
    const before = looks(world)
    world.command('invoice.look', { invoiceId })
    world.pass(60_001)
    expect([looks(world), world.model.invoice?.looked]).toEqual([before, undefined])
    world.input('page.visible', { visible: true }, { tab })
    world.fire(`invoice:${invoiceId}`)
    world.answer('chain.watchInvoice', 'chain.invoice', { reference })
    expect(world.model.invoice?.looked).toEqual({ invoiceId, at: world.at })
    expect(looks(world)).toBe(before + 1)
  })

  test('of another sale than the read one cannot be looked for, which a press tells', () => {
    const { world, invoiceId } = old()
    const { terms: read } = world.model.sale
    if (read.phase === 'read') world.model.sale.terms = { ...read, presaleRef: 'another' }
    const before = looks(world)
    world.command('invoice.look', { invoiceId })
    world.pass(60_001)
    expect(looks(world)).toBe(before)
    expect(world.model.invoice?.looked).toMatchObject({ invoiceId, failure: { code: 'unreachable' } })
    expect(world.command('invoice.look', { invoiceId: 'unknown' }).types).toEqual([])
  })

  test('is looked for on when a press after its hour finds a payment', () => {
    const { world, invoiceId } = old()
    world.command('invoice.look', { invoiceId })
    world.answer('chain.watchInvoice', 'chain.invoice', { reference, buyer, payment })
    expect(world.model.invoice?.all[0]).toMatchObject({ payment })
    expect(world.timers().has(`invoice:${invoiceId}`)).toBe(true)
  })

  test('is not looked for once more when a look fails after its hour', () => {
    const { world, invoiceId } = opened()
    world.answer('chain.watchInvoice', 'chain.invoice', { reference })
    world.fire(`invoice:${invoiceId}`)
    world.wait(3_600_001)
    world.fail('chain.watchInvoice', 'unreachable')
    expect(world.timers().has(`invoice:${invoiceId}`)).toBe(false)
  })

  test.each([
    [
      'without the statements',
      (world: ReturnType<typeof ready>) => world.command('invoice.open', { ...intent(world), acknowledged: [] }),
      'bad_input',
    ],
    [
      'under other terms',
      (world: ReturnType<typeof ready>) =>
        world.command('invoice.open', { ...intent(world), termsHash: '0'.repeat(64) }),
      'terms_changed',
    ],
    [
      'while the sale is paused',
      (world: ReturnType<typeof ready>) => {
        const code = intent(world)
        world.input('chain.notices', { ...notices, paused: true })
        return world.command('invoice.open', code)
      },
      'paused',
    ],
    [
      'for fewer tokens than the sale gives now',
      (world: ReturnType<typeof ready>) => world.command('invoice.open', { ...intent(world), min: '9'.repeat(18) }),
      'stale_quote',
    ],
    [
      'where the sale has a list of buyers',
      (world: ReturnType<typeof ready>) => {
        const code = intent(world)
        const { sale } = world.model
        const listed = {
          ...terms,
          access: { mode: 'allowlist' as const, sha256: 'ab'.repeat(32), url: 'https://a.example/l' },
        }
        if (sale.terms.phase === 'read') sale.terms = { ...sale.terms, terms: listed }
        return world.command('invoice.open', code)
      },
      'unauthorized',
    ],
    [
      'on notices of more than five minutes ago',
      (world: ReturnType<typeof ready>) => {
        world.wait(300_001)
        world.input('chain.sale', saleReading(2000, world.at))
        return world.command('invoice.open', intent(world))
      },
      'unreachable',
    ],
    [
      'on the notices of an earlier life',
      (world: ReturnType<typeof ready>) => {
        world.kill('start')
        world.attach()
        world.answer('chain.identify', 'chain.identified', { genesisHash, caip2 })
        world.answer('chain.readTerms', 'chain.terms', {
          terms,
          termsHash,
          presaleRef: 'presale-ref',
          noticeRef: 'notice-ref',
        })
        world.answer('chain.readSale', 'chain.sale', saleReading(1000, world.at))
        world.fail('chain.readNotices', 'unreachable')
        return world.command('invoice.open', intent(world))
      },
      'unreachable',
    ],
  ] as const)('is refused %s', (_, open, code) => {
    const world = ready()
    world.input('chain.sale', saleReading(1001, world.at))
    open(world)
    expect(world.model.invoice).toMatchObject({ all: [], refused: { code } })
    expect(looks(world)).toBe(0)
    // The next life has no press to answer
    world.boot({ life: world.model.core.life + 1 })
    expect(world.model.invoice).toEqual({ all: [] })
  })

  test('keeps the newest eight, and all that are still looked for', () => {
    const { world } = opened()
    for (let at = 0; at < 9; at += 1) world.command('invoice.open', intent(world))
    expect(world.model.invoice?.all).toHaveLength(10)
    world.wait(3_600_001)
    world.input('chain.sale', saleReading(1001, world.at))
    world.input('chain.notices', notices)
    world.command('invoice.open', intent(world))
    expect(world.model.invoice?.all).toHaveLength(8)
    expect(world.model.invoice?.all[0]?.invoiceId).toBe(world.model.invoice?.shown)
  })
})

const other = 'ffffffffffffffff'
/** A second code, for half the amount, after the first was shown and put away. */
const again = () => {
  const { world, invoiceId: first } = opened()
  world.answer('chain.watchInvoice', 'chain.invoice', { reference })
  world.command('invoice.close', { invoiceId: first })
  const whole = intent(world)
  const least = `${BigInt(whole.min) / 2n}`
  world.command('invoice.open', { ...whole, units: half.units, quoted: half.quoted, min: least, orderKey: other })
  const second = world.model.invoice?.shown ?? ''
  world.fire(`invoice:${second}`)
  return { world, first, second }
}
const half = { ...payment, signature: 'sig-10', slot: 1101, units: '1250000000', quoted: '333333333333333' }
const invoices = (world: ReturnType<typeof ready>) => world.model.invoice?.all ?? []
/** The key of one more code. */
const nextKey = (world: ReturnType<typeof ready>) => {
  world.input('chain.sale', saleReading(1001, world.at))
  world.command('invoice.open', intent(world, { orderKey: other }))
  return invoices(world)[0]?.orderKey
}

describe('a second code', () => {
  test('has the key of one that was put away unpaid, so that the ledger refunds one of two payments', () => {
    const { world, first, second } = again()
    expect(invoices(world)).toMatchObject([
      { orderKey: payment.orderId, units: half.units },
      { orderKey: payment.orderId, units: payment.units },
    ])
    expect(world.last('chain.watchInvoice').data).toMatchObject({
      orderKey: payment.orderId,
      codes: [
        { invoiceId: second, units: half.units, quoted: half.quoted },
        { invoiceId: first, units: payment.units, quoted: payment.quoted },
      ],
    })
    world.wait(86_400_000)
    expect(nextKey(world)).toBe(payment.orderId)
  })

  test.each(['earlier', 'later'] as const)('leaves the key once the order of the %s one is final, no sooner', which => {
    const keyAfter = (status: 'confirmed' | 'final') => {
      const { world, first } = again()
      const paid = { buyer, payment: { ...(which === 'later' ? half : payment), status } }
      const told = which === 'later' ? paid : { earlier: [{ invoiceId: first, ...paid }] }
      world.answer('chain.watchInvoice', 'chain.invoice', { reference, ...told })
      return nextKey(world)
    }
    expect([keyAfter('confirmed'), keyAfter('final')]).toEqual([payment.orderId, other])
  })

  test.each([
    ['of another amount', { units: '1' }],
    ['at another price', { quoted: '1' }],
    ['without the memo', { orderId: 'none', quoted: '0', fault: 'no_memo' as const }],
    ['that differs from its memo', { units: '1', fault: 'mismatch' as const }],
    ['under other terms', { terms: '0123456789abcdef' }],
  ])('keeps the key after a stranger’s final payment %s, whose place the order takes', (_, change) => {
    const { world, first, second } = again()
    const strange = { ...final, ...change, signature: 'sig-8', slot: 1099 }
    const tell = (found: Purchase) => {
      const earlier = [{ invoiceId: first, buyer, payment: found }]
      return world.answer('chain.watchInvoice', 'chain.invoice', { reference, earlier }).types
    }
    expect(tell(strange)).toEqual(['invoice.named', 'invoice.paid'])
    expect(invoices(world)[1]?.payment).toEqual(strange)
    world.fire(`invoice:${second}`)
    expect(tell(payment)).toEqual(['invoice.paid'])
    expect(nextKey(world)).toBe(payment.orderId)
    world.fire(`invoice:${world.model.invoice?.shown}`)
    expect(tell({ ...strange, slot: 1000 })).toEqual(['invoice.named'])
    expect(invoices(world)[2]?.payment).toEqual(payment)
  })

  test('finds both payments, each with its own code and as a purchase, once', () => {
    const { world, first, second } = again()
    const told = { reference, buyer, payment: half, earlier: [{ invoiceId: first, buyer, payment }] }
    world.answer('chain.watchInvoice', 'chain.invoice', told)
    expect(invoices(world)).toMatchObject([
      { invoiceId: second, payment: half },
      { invoiceId: first, payment },
    ])
    expect(world.model.purchase[buyer]?.purchases).toEqual([half, payment])
    world.fire(`invoice:${second}`)
    expect(world.answer('chain.watchInvoice', 'chain.invoice', told).types).toEqual([])
  })

  test('is not told the payment of the earlier one as its own', () => {
    const { world, first, second } = again()
    const strange = { ...payment, units: '7' }
    const earlier = [{ invoiceId: first, buyer, payment: strange }]
    world.answer('chain.watchInvoice', 'chain.invoice', { reference, earlier })
    world.fire(`invoice:${second}`)
    const told = { reference, buyer, payment: strange }
    expect(world.answer('chain.watchInvoice', 'chain.invoice', told).types).toEqual([])
  })

  test('looks for both, until its own order is final and the hour of the other one is over', () => {
    const { world, first, second } = again()
    world.answer('chain.watchInvoice', 'chain.invoice', { reference, buyer, payment: { ...half, status: 'final' } })
    const before = looks(world)
    world.fire(`invoice:${first}`)
    expect(looks(world)).toBe(before)
    world.boot({ life: 2 })
    world.attach()
    expect(world.timers().has(`invoice:${first}`)).toBe(false)
    world.fire(`invoice:${second}`)
    expect(looks(world)).toBe(before + 1)
    world.wait(3_600_001)
    world.answer('chain.watchInvoice', 'chain.invoice', { reference })
    expect(world.timers().has(`invoice:${second}`)).toBe(false)
  })

  test('does not take a final payment for a confirmed one, as a node behind tells it', () => {
    const { world, invoiceId } = opened()
    world.answer('chain.watchInvoice', 'chain.invoice', { reference, buyer, payment: half })
    world.fire(`invoice:${invoiceId}`)
    world.answer('chain.watchInvoice', 'chain.invoice', { reference, buyer, payment: { ...half, status: 'final' } })
    world.fire(`invoice:${invoiceId}`)
    expect(world.answer('chain.watchInvoice', 'chain.invoice', { reference, buyer, payment: half }).types).toEqual([])
  })

  test('counts no more of a payment than an account may buy, and believes no slot beyond the chain', () => {
    const { world } = opened()
    const before = saleNow(world.model, world.at)
    const invented = { ...final, units: '9000000000000000000', slot: 9_000_000_000_000 }
    world.answer('chain.watchInvoice', 'chain.invoice', { reference, buyer, payment: invented })
    expect(world.model.purchase[buyer]?.purchases[0]?.slot).toBeLessThan(20_000)
    const after = saleNow(world.model, world.at)
    expect(after?.state).toBe('live')
    expect(BigInt(after?.pos ?? 0) - BigInt(before?.pos ?? 0)).toBe(BigInt(terms.maxBuyer))
    world.input('chain.purchases', { account: buyer, purchases: [{ ...invented, signature: 'sig-10' }] })
    expect(world.model.purchase[buyer]?.purchases.every(({ slot }) => slot < 20_000)).toBe(true)
  })
})
