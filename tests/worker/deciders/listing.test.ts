import { describe, expect, test } from 'vitest'
import type { ListedWallet } from '../../../src/events/subjects/listing.ts'
import { begun } from '../story.ts'
import { createWorld, failing, type World } from '../world.ts'

const wallets = (from: number, count: number): ListedWallet[] =>
  Array.from({ length: count }, (_, index) => ({
    walletId: `w${from + index}`,
    name: `Wallet ${from + index}`,
    certified: false,
  }))

function page(world: World, number: number, search = '', list = wallets(number * 100, 40)) {
  world.command('listing.read', { page: number, search })
  return world.answer('directory.read', 'directory.read', { page: number, search, count: 480, wallets: list })
}

describe('the directory', () => {
  test('is read 40 at a time, one page after the other', () => {
    const world = begun()
    page(world, 1)
    page(world, 2)
    expect(world.model.listing.all).toMatchObject({ phase: 'idle', pages: 2, count: 480 })
    expect(world.model.listing.all.wallets).toHaveLength(80)
    expect(world.last('directory.read').data).toMatchObject({ page: 2, entries: 40 })
  })

  test('requests nothing it has, nothing out of turn, and nothing twice at once', () => {
    const world = begun()
    page(world, 1)
    for (const number of [1, 3, 0, -1])
      expect(world.command('listing.read', { page: number, search: '' }).types).toEqual([])
    world.command('listing.read', { page: 2, search: '' })
    expect(world.command('listing.read', { page: 2, search: '' }).types).toEqual([])
  })

  test('lists a wallet once, though pages shift under it', () => {
    const world = begun()
    page(world, 1, '', wallets(0, 40))
    page(world, 2, '', wallets(38, 40))
    expect(world.model.listing.all.wallets).toHaveLength(78)
  })

  test('that fails says so and can be requested again', () => {
    const world = begun()
    world.command('listing.read', { page: 1, search: '' })
    world.answer('directory.read', 'directory.failed', { page: 1, search: '', ...failing('rate_limited') })
    expect(world.model.listing.all).toMatchObject({ phase: 'failed', failure: { code: 'rate_limited' } })
    world.command('listing.read', { page: 1, search: '' })
    world.fail('directory.read', 'unreachable')
    expect(world.model.listing.all).toMatchObject({ phase: 'failed', page: 1, failure: { code: 'unreachable' } })
    page(world, 1)
    expect(world.model.listing.all.phase).toBe('idle')
  })

  test('does not wait for a dead worker', () => {
    const world = begun()
    world.command('listing.read', { page: 1, search: '' })
    world.kill('lost')
    expect(world.model.listing.all).toMatchObject({ phase: 'failed', failure: { code: 'core_lost' } })
  })

  test('shows the host’s chosen wallets in the host’s order, beside the rest', () => {
    const world = createWorld({ featured: ['w2', 'w1'] })
    world.boot()
    world.command('listing.read', { page: 1, search: '' })
    const [all, featured] = world.ordered('directory.read')
    expect(all?.data).toMatchObject({ exclude: ['w2', 'w1'] })
    expect(featured?.data).toMatchObject({ include: ['w2', 'w1'], entries: 2 })
    world.answer('directory.read', 'directory.read', { page: 1, search: '', count: 2, wallets: wallets(1, 2) })
    expect(world.model.listing.featured.map(wallet => wallet.walletId)).toEqual(['w2', 'w1'])
    world.answer('directory.read', 'directory.failed', { page: 1, search: '', ...failing('unreachable') })
    expect(world.model.listing.all.phase).toBe('failed')
  })
})

describe('certified wallets', () => {
  const readCertified = (world: World, number: number, search = '', list = wallets(number * 1000, 100)) => {
    world.command('listing.read', { page: number, search, certified: true })
    const data = { page: number, search, count: 150, wallets: list, certified: true as const }
    return world.answer('directory.read', 'directory.read', data)
  }

  test('are requested from the service, page by page, beside the whole directory', () => {
    const world = begun()
    page(world, 1)
    readCertified(world, 1)
    readCertified(world, 2, '', wallets(9000, 50))
    expect(world.last('directory.read').data).toMatchObject({ page: 2, entries: 100, certified: true, exclude: [] })
    expect(world.model.listing).toMatchObject({ certified: true, search: '', found: { pages: 2 }, all: { pages: 1 } })
    expect(world.model.listing.found.wallets).toHaveLength(150)
  })

  test('and all wallets of a name are two searches; a late answer of one does not count for the other', () => {
    const world = begun()
    world.command('listing.read', { page: 1, search: 'lan' })
    const { id: to } = world.last('directory.read')
    readCertified(world, 1, 'lan', wallets(7, 1))
    world.input('directory.read', { page: 1, search: 'lan', count: 2, wallets: wallets(50, 2) }, { to })
    expect(world.model.listing.found.wallets.map(wallet => wallet.walletId)).toEqual(['w7'])
  })

  test('with a failed reading say so and can be requested again', () => {
    const world = begun()
    world.command('listing.read', { page: 1, search: '', certified: true })
    world.fail('directory.read', 'unreachable')
    expect(world.model.listing.found).toMatchObject({ phase: 'failed', page: 1 })
    expect(world.model.listing.all.phase).toBe('idle')
    readCertified(world, 1)
    expect(world.model.listing.found.phase).toBe('idle')
  })
})

describe('a search', () => {
  test('is one page of 100, beside the list', () => {
    const world = begun()
    page(world, 1)
    page(world, 1, 'lan', wallets(7, 3))
    expect(world.last('directory.read').data).toMatchObject({ entries: 100, search: 'lan' })
    expect(world.model.listing).toMatchObject({ search: 'lan', found: { pages: 1 }, all: { pages: 1 } })
  })

  test('replaced by another one is not shown when its answer comes', () => {
    const world = begun()
    world.command('listing.read', { page: 1, search: 'la' })
    const { id: to } = world.last('directory.read')
    page(world, 1, 'lan', wallets(7, 3))
    world.input('directory.read', { page: 1, search: 'la', count: 1, wallets: wallets(99, 1) }, { to })
    expect(world.model.listing.found.wallets.map(wallet => wallet.walletId)).toEqual(['w7', 'w8', 'w9'])
  })

  test('for the same text again requests nothing', () => {
    const world = begun()
    page(world, 1, 'lan', wallets(7, 3))
    expect(world.command('listing.read', { page: 1, search: 'lan' }).types).toEqual([])
    expect(world.command('listing.read', { page: 2, search: 'other' }).types).toEqual([])
  })
})
