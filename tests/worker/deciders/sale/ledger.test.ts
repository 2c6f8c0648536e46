import { describe, expect, test } from 'vitest'
import type { InputData } from '../../../../src/worker/core/context.ts'
import { begun as started, connected, intent, notices, readSaleIn, ready, termsHash } from '../../story.ts'

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
