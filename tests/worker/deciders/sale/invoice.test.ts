import { describe, expect, test } from 'vitest'
import { intent, notices, ready, saleReading, terms, termsHash } from '../../story.ts'
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
  orderId: '5b0e9d7c31f4a826',
  slot: 1100,
  paidAt: 1_799_000_000_000,
  asset: 'SOL',
  units: '2500000000',
  quoted: '1',
  status: 'confirmed' as const,
}
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
    const final = { ...payment, status: 'final' as const }
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
    world.fire(`invoice:${invoiceId}`)
    expect(looks(world)).toBe(before + 1)
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
  ] as const)('is refused %s', (_, open, code) => {
    const world = ready()
    world.input('chain.sale', saleReading(1001, world.at))
    open(world)
    expect(world.model.invoice).toMatchObject({ all: [], refused: { code } })
    expect(looks(world)).toBe(0)
  })

  test('keeps the newest eight', () => {
    const { world } = opened()
    for (let at = 0; at < 9; at += 1)
      world.command('invoice.open', { ...intent(world), orderKey: `000000000000000${at}` })
    expect(world.model.invoice?.all).toHaveLength(8)
    expect(world.model.invoice?.all[0]?.invoiceId).toBe(world.model.invoice?.shown)
  })
})
