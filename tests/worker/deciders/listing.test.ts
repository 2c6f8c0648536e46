import { describe, expect, test } from 'vitest'
import type { ListedWallet } from '../../../src/events/subjects/service/listingFacts.ts'
import { begun } from '../story.ts'
import { createWorld, failing, tab, type World } from '../world.ts'

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
    for (const number of [3, 0, -1])
      expect(world.command('listing.read', { page: number, search: '' }).types).toEqual([])
    world.command('listing.read', { page: 2, search: '' })
    expect(world.command('listing.read', { page: 2, search: '' }).types).toEqual([])
  })

  test('is read anew from its first page, and keeps the wallets until they are here', () => {
    const world = begun()
    page(world, 1)
    page(world, 2)
    world.command('listing.read', { page: 1, search: '' })
    expect(world.model.listing.all).toMatchObject({ phase: 'reading', page: 1, pages: 2 })
    expect(world.model.listing.all.wallets).toHaveLength(80)
    const data = { page: 1, search: '', count: 3, wallets: wallets(7, 3) }
    world.answer('directory.read', 'directory.read', data)
    expect(world.model.listing.all).toMatchObject({ phase: 'idle', pages: 1, count: 3, wallets: wallets(7, 3) })
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

describe('the wallets that stand first', () => {
  const hosted = () => {
    const world = createWorld({ featured: ['w2', 'w1'], excluded: ['w9'], included: ['w1', 'w5'] })
    world.boot()
    world.command('listing.open', {})
    return world
  }
  /** Answers the asks of `hosted`: those first ordered come first. */
  const answer = (world: World, index: number, list: ListedWallet[]) => {
    const to = world.ordered('directory.read')[index]?.id ?? ''
    return world.input('directory.read', { page: 1, search: '', count: 300, wallets: list }, { to })
  }

  test('are the host’s and four of the service’s; wallets that the host excludes are asked for their names', () => {
    const world = hosted()
    expect(world.ordered('directory.read').map(({ data }) => data)).toEqual([
      { page: 1, entries: 2, search: '', include: ['w2', 'w1'], exclude: [] },
      { page: 1, entries: 1, search: '', include: ['w9'], exclude: [] },
      { page: 1, entries: 4, search: '', include: ['w1', 'w5'], exclude: ['w9', 'w2', 'w1'] },
    ])
    answer(world, 0, wallets(1, 2))
    answer(world, 1, [{ ...wallets(9, 1)[0], rdns: 'example.wallet9' } as ListedWallet])
    answer(world, 2, wallets(3, 4))
    expect(world.model.listing).toMatchObject({
      featured: [{ walletId: 'w2' }, { walletId: 'w1' }],
      excluded: ['Wallet 9', 'example.wallet9'],
      top: { count: 300, wallets: wallets(3, 4) },
      all: { phase: 'idle', pages: 0 },
    })
    world.command('listing.read', { page: 1, search: '' })
    const exclude = ['w3', 'w4', 'w5', 'w6', 'w9', 'w2', 'w1']
    expect(world.last('directory.read').data).toMatchObject({ entries: 40, include: ['w1', 'w5'], exclude })
    world.command('listing.read', { page: 1, search: 'lan' })
    expect(world.last('directory.read').data).toMatchObject({ entries: 100, exclude: ['w9'] })
  })

  test('are left out of all pages of the directory or of none, though they arrive in between', () => {
    const world = hosted()
    page(world, 1)
    answer(world, 2, wallets(100, 4))
    page(world, 2)
    const of = (number: number) =>
      world.ordered('directory.read').find(({ data }) => data.entries === 40 && data.page === number)?.data
    expect(world.model.listing.top?.wallets).toHaveLength(4)
    expect(of(1)?.exclude).toEqual(['w9', 'w2', 'w1'])
    expect(of(2)?.exclude).toEqual(of(1)?.exclude)
    page(world, 1)
    page(world, 2)
    const [anew, next] = world.ordered('directory.read').slice(-2)
    expect(anew?.data).toMatchObject({ page: 1, exclude: ['w100', 'w101', 'w102', 'w103', 'w9', 'w2', 'w1'] })
    expect(next?.data).toMatchObject({ page: 2, exclude: anew?.data.exclude })
  })

  test('are asked for once at a time', () => {
    const world = hosted()
    world.command('listing.open', {})
    expect(world.ordered('directory.read')).toHaveLength(3)
  })

  test('include the build’s own of the featured wallets, none of which could be read', () => {
    const world = hosted()
    const [featured, , top] = world.ordered('directory.read')
    const failed = { page: 1, search: '', ...failing('unreachable') }
    world.input('directory.failed', failed, { to: featured?.id ?? '' })
    world.input('directory.failed', failed, { to: top?.id ?? '' })
    expect(world.last('directory.read').data).toEqual({
      page: 1,
      entries: 4,
      search: '',
      bundled: true,
      include: ['w1', 'w5'],
      exclude: ['w9'],
    })
  })

  test('of the host’s own lists are asked for again a minute after a failure, while a page is visible', () => {
    const world = createWorld({ featured: ['w2', 'w1'], excluded: ['w9'] })
    world.boot()
    world.attach()
    world.command('listing.open', {})
    const [featured, excluded, top] = world.ordered('directory.read')
    for (const one of [featured, excluded])
      world.input('directory.failed', { page: 1, search: '', ...failing('unreachable') }, { to: one?.id ?? '' })
    world.input('directory.read', { page: 1, search: '', count: 300, wallets: wallets(3, 4) }, { to: top?.id ?? '' })
    const asks = () => world.ordered('directory.read').slice(3)
    world.input('page.visible', { visible: false }, { tab })
    world.wait(60_000)
    world.fire('listing:missing')
    expect(asks()).toEqual([])
    world.input('page.visible', { visible: true }, { tab })
    world.wait(60_000)
    world.fire('listing:missing')
    expect(asks().map(({ data }) => data.include)).toEqual([['w2', 'w1'], ['w9']])
  })

  test('come with the build when the service is out of reach, and never outrank what the service said', () => {
    const world = begun()
    world.command('listing.open', {})
    world.answer('directory.read', 'directory.failed', { page: 1, search: '', ...failing('unreachable') })
    expect(world.last('directory.read').data).toMatchObject({ bundled: true, entries: 4 })
    world.answer('directory.read', 'directory.read', { page: 1, search: '', count: 8, wallets: wallets(1, 4) })
    expect(world.model.listing.top).toEqual({ count: 4, wallets: wallets(1, 4), bundled: true })

    world.command('listing.open', {})
    world.answer('directory.read', 'directory.read', { page: 1, search: '', count: 300, wallets: wallets(5, 4) })
    expect(world.model.listing.top).toEqual({ count: 300, wallets: wallets(5, 4) })
    world.command('listing.open', {})
    world.fail('directory.read', 'unreachable')
    expect(world.model.listing.top?.wallets).toEqual(wallets(5, 4))
  })

  test('that came with the build change nothing once the service has answered', () => {
    const world = begun()
    world.command('listing.open', {})
    world.answer('directory.read', 'directory.failed', { page: 1, search: '', ...failing('unreachable') })
    const { id: to } = world.last('directory.read')
    world.command('listing.open', {})
    world.answer('directory.read', 'directory.read', { page: 1, search: '', count: 300, wallets: wallets(5, 4) })
    const late = world.input('directory.read', { page: 1, search: '', count: 8, wallets: wallets(1, 4) }, { to })
    expect(late.types).toEqual([])
  })

  test('are none when those of the build are gone, too', () => {
    const world = begun()
    world.command('listing.open', {})
    world.fail('directory.read', 'offline')
    world.fail('directory.read', 'reload_needed')
    expect(world.model.listing).toMatchObject({ top: { count: 0, wallets: [] }, all: { phase: 'idle' } })
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
