import { describe, expect, test } from 'vitest'
import { exampleTerms } from '../values/exampleTerms.ts'
import { given, refusal, type Said, after } from './given.ts'

const read = (slot: number, chainTime = slot * 400): Said => ({
  type: 'sale.read',
  data: { slot, chainTime, balances: { SOL: String(slot) } },
})
const termsRead = (termsHash = 'h1'): Said => ({
  type: 'sale.termsRead',
  data: { terms: exampleTerms(), termsHash, presaleRef: 'r' },
})
const unreachable: Said = { type: 'sale.unreachable', data: { failure: refusal, retryAt: 9 } }

describe('the sale', () => {
  test('is the newest reading by slot: a lagging node turns nothing back and is no failure', () => {
    const model = given(read(10), unreachable, read(9))
    expect(model.sale).toMatchObject({ reading: { slot: 10, readAt: 1000 }, stale: null })
    expect(given(read(10), read(11)).sale.reading).toMatchObject({ slot: 11, readAt: 2000 })
  })

  test('of an earlier life, or far behind, gives way to the next reading', () => {
    const started: Said = { type: 'core.started', data: { life: 1, build: 'b', cause: 'start', storage: 'durable' } }
    expect(given(read(10 ** 12), started, read(5)).sale.reading).toMatchObject({ slot: 5, life: 1 })
    expect(given(read(10 ** 12), read(5)).sale.reading).toMatchObject({ slot: 5 })
  })

  test('read under other terms is dropped, and so are the notices of another sale', () => {
    const notices: Said = { type: 'sale.noticesRead', data: { termsHash: 'h1', paused: false, closed: false } }
    const known = given(termsRead(), notices, read(10))
    expect(after(known, termsRead()).sale.reading).not.toBeNull()
    expect(after(known, termsRead('h2')).sale).toMatchObject({ reading: null, notices: { termsHash: 'h1' } })
    const other: Said = {
      type: 'sale.termsRead',
      data: { terms: exampleTerms(), termsHash: 'h3', presaleRef: 'another' },
    }
    expect(after(known, other).sale).toMatchObject({ reading: null, notices: null })
  })

  test('keeps the pin of its terms after any later reading, by the sale’s id', () => {
    const pinned: Said = { type: 'sale.pinned', data: { terms: exampleTerms(), termsHash: 'h1' } }
    const model = given(termsRead(), pinned, termsRead('h2'))
    expect(model.sale.pins[exampleTerms().id]).toMatchObject({ termsHash: 'h1' })
  })

  test('of a chain that stands still keeps its first reading, so that chain time goes on', () => {
    const model = given(read(10))
    expect(after(model, read(10))).toBe(model)
  })

  test('keeps its terms when a later reading is refused, and is distrusted until the next good one', () => {
    const refused: Said = { type: 'sale.termsRefused', data: { failure: refusal } }
    expect(given(refused).sale.terms).toMatchObject({ phase: 'refused' })
    const distrusted: Said = { type: 'sale.distrusted', data: { failure: refusal, about: 'terms' } }
    const model = given(termsRead(), refused, distrusted)
    expect(model.sale).toMatchObject({ terms: { phase: 'read' }, distrust: refusal })
    const again = after(model, termsRead())
    expect(again.sale.distrust).toBeNull()
    expect(again.sale.terms).toBe(model.sale.terms)
    expect(after(again, termsRead('h2')).sale.terms).toMatchObject({ termsHash: 'h2' })
  })

  test('has the mint of its token as long as its terms stay the same', () => {
    const mintRead: Said = { type: 'sale.mintRead', data: { mintAuthority: 'a', decimals: 9 } }
    expect(given(mintRead).sale).toEqual(given().sale)
    const model = given(termsRead(), mintRead)
    expect(model.sale.terms).toMatchObject({ mint: { mintAuthority: 'a', decimals: 9 } })
    expect(after(model, mintRead)).toBe(model)
    expect(after(model, termsRead()).sale.terms).toBe(model.sale.terms)
    expect(after(model, termsRead('h2')).sale.terms).not.toHaveProperty('mint')
  })

  test('has the notices of the newest reading', () => {
    const notices = { termsHash: 'h', paused: true, closed: false }
    expect(given({ type: 'sale.noticesRead', data: notices }).sale.notices).toEqual({
      ...notices,
      readAt: 1000,
      life: 0,
    })
  })
})

describe('the network', () => {
  const identified: Said = { type: 'network.identified', data: { genesisHash: 'g', caip2: 'solana:g' } }
  test('is identified by its genesis hash and stays so when it cannot be reached', () => {
    const model = given(identified)
    expect(model.network).toEqual({ online: true, phase: 'identified', genesisHash: 'g', caip2: 'solana:g' })
    expect(after(model, { type: 'network.unreachable', data: { failure: refusal } })).toBe(model)
    expect(given({ type: 'network.unreachable', data: { failure: refusal } }, identified).network.phase).toBe(
      'identified',
    )
    expect(given({ type: 'network.mismatched', data: { expected: 'g', got: 'x' } }).network.phase).toBe('mismatched')
  })

  test('goes offline and online with the same genesis hash', () => {
    const offline = given(identified, { type: 'network.offline', data: {} })
    expect(offline.network).toMatchObject({ online: false, phase: 'identified' })
    expect(after(offline, { type: 'network.online', data: {} }).network.online).toBe(true)
  })
})

describe('the balances of an account', () => {
  const balance = (slot: number): Said => ({
    type: 'balance.read',
    data: { account: 'A', slot, amounts: { SOL: String(slot) } },
  })
  const failed: Said = { type: 'balance.failed', data: { account: 'A', failure: refusal } }
  test('are the newest reading by slot, with a failure beside it until the next one', () => {
    expect(given(balance(5), balance(4)).balance.A).toEqual({ amounts: { SOL: '5' }, slot: 5, readAt: 1000, life: 0 })
    expect(given(balance(5), failed).balance.A).toMatchObject({ amounts: { SOL: '5' }, failure: refusal })
    expect(given(balance(5), failed, balance(5)).balance.A).toEqual({
      amounts: { SOL: '5' },
      slot: 5,
      readAt: 1000,
      life: 0,
    })
    expect(given(failed).balance.A).toEqual({ amounts: {}, slot: 0, readAt: 0, failure: refusal })
  })
})

describe('the purchases of an account', () => {
  const one = (signature: string, slot: number, status: 'confirmed' | 'final' = 'confirmed') => ({
    signature,
    orderId: 'k',
    slot,
    paidAt: 1,
    asset: 'SOL',
    units: '1',
    quoted: '2',
    status,
  })
  test('are united by signature, newest first, with the newer status', () => {
    const model = given(
      { type: 'purchase.read', data: { account: 'A', purchases: [one('s1', 1), one('s2', 2)] } },
      { type: 'purchase.read', data: { account: 'A', purchases: [one('s3', 3), one('s1', 1, 'final')] } },
    )
    expect(model.purchase.A?.purchases.map(({ signature, status }) => [signature, status])).toEqual([
      ['s3', 'confirmed'],
      ['s2', 'confirmed'],
      ['s1', 'final'],
    ])
    const failed = after(model, { type: 'purchase.failed', data: { account: 'A', failure: refusal } })
    expect(failed.purchase.A).toMatchObject({ purchases: model.purchase.A?.purchases, failure: refusal })
  })
})

describe('the core', () => {
  const started = (life: number): Said => ({
    type: 'core.started',
    data: { life, build: 'b', cause: 'lost', storage: 'durable' },
  })
  test('lives one life after the other, counts its faults over all of them, and tells a lost log', () => {
    const fault: Said = { type: 'core.faulted', data: { input: 'x', message: 'y' } }
    const model = given(started(1), fault, started(2), fault)
    expect(model.core).toMatchObject({ life: 2, faults: 2, storage: 'durable', cause: 'lost' })
    expect(after(model, started(1))).toBe(model)
    expect(after(model, { type: 'core.storageLost', data: { message: 'quota' } }).core.storage).toBe('memory')
  })
})

describe('the directory', () => {
  const asked = (page: number, search = ''): Said => ({ type: 'listing.asked', data: { page, search } })
  const page = (number: number, search = '', walletId = `w${number}`): Said => ({
    type: 'listing.read',
    data: { page: number, search, count: 80, wallets: [{ walletId, name: walletId, certified: false }] },
  })
  test('grows page by page; a page out of turn or an answer to an older search changes nothing', () => {
    const model = given(asked(1), page(1), asked(2), page(2))
    expect(model.listing.all).toMatchObject({ phase: 'idle', pages: 2, count: 80 })
    expect(after(model, page(2))).toBe(model)
    expect(after(model, page(4))).toBe(model)
    expect(after(model, asked(5))).toBe(model)
    const searching = after(model, asked(1, 'lan'))
    expect(searching.listing).toMatchObject({ search: 'lan', found: { phase: 'reading' }, all: { pages: 2 } })
    expect(after(searching, page(1, 'other'))).toBe(searching)
    expect(after(searching, asked(1, 'lan'))).toBe(searching)
  })

  test('keeps its pages after a failure', () => {
    const failed: Said = { type: 'listing.failed', data: { page: 2, search: '', failure: refusal } }
    const model = given(asked(1), page(1), asked(2), failed)
    expect(model.listing.all).toMatchObject({ phase: 'failed', page: 2, pages: 1, failure: refusal })
    expect(after(model, failed)).toBe(model)
    expect(after(model, asked(2)).listing.all).toMatchObject({ phase: 'reading', page: 2, pages: 1 })
  })
})
