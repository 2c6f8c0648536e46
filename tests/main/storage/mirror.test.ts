import { describe, expect, test } from 'vitest'
import type { Model } from '../../../src/events/app.ts'
import { startMirror } from '../../../src/main/storage/mirror.ts'
import {
  account,
  at,
  createPlace,
  createShelf,
  ended,
  made,
  mainnet,
  modelOf,
  otherAccount,
  page,
  phantomId,
  read,
  torch,
} from './story.ts'

const phantom = made('Phantom', [account])

/** A mirror whose tasks the test runs. */
function open(
  first: Model,
  place = createPlace(),
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = () => place,
) {
  const shelf = createShelf(first)
  const tasks: (() => void)[] = []
  const lines: string[] = []
  const kept: string[][] = []
  const left: unknown[] = []
  const links: { chosen: Record<string, string> } = { chosen: {} }
  const mirror = startMirror({
    store: shelf.store,
    chosen: () => links.chosen,
    storage,
    now: () => at,
    soon: task => void tasks.push(task),
    info: line => void lines.push(line),
    keepLink: () => void kept.push(Object.keys(place.values())),
    left: connection => void left.push(connection),
  })
  const run = () => {
    for (const task of tasks.splice(0)) task()
  }
  return { ...shelf, mirror, place, tasks, lines, kept, left, links, run }
}

describe('client storage: the mirror', () => {
  test('writes nothing before the page has a core’s model', () => {
    const { place, show, run } = open(modelOf(phantom))
    run()
    expect(place.writes).toEqual([])
    show(page(phantom))
    run()
    expect(place.getItem('@appkit/connection_status')).toBe('connected')
  })

  test('writes once for any number of changes of the store', () => {
    const { place, show, tasks, run } = open(page())
    run()
    place.writes.length = 0
    show(page(made('Quill', [otherAccount])))
    show(page(phantom, read('1')))
    show(page(phantom, read('2')))
    expect(tasks).toHaveLength(1)
    expect(place.writes).toEqual([])
    run()
    expect(new Set(place.writes).size).toBe(place.writes.length)
    expect(place.getItem('@appkit/solana:connected_connector_id')).toBe(phantomId)
    expect(place.json('@appkit/native_balance_cache')).toMatchObject({
      [`${mainnet}:${account}`]: { balance: '0.000000002' },
    })
  })

  test('writes only values that changed', () => {
    const { place, show, run } = open(page(phantom))
    run()
    place.writes.length = 0
    show(page(phantom, read('1')))
    run()
    expect(place.writes).toEqual(['@appkit/native_balance_cache'])
  })

  test('leaves a value that another library set since', () => {
    const { place, show, run } = open(page(phantom))
    run()
    place.setItem('@appkit/active_namespace', 'eip155')
    place.writes.length = 0
    show(page(phantom, { type: 'network.offline', data: {} }))
    run()
    expect(place.writes).toEqual([])
  })

  test('of a second tab writes nothing when the first has written', () => {
    const place = createPlace()
    const [one, two] = [open(page(), place), open(page(), place)]
    for (const model of [
      page(phantom, read('1')),
      page(phantom, made('Quill', [otherAccount])),
      page(phantom, ended('c-Phantom')),
    ]) {
      one.show(model)
      two.show(model)
      one.run()
      place.writes.length = 0
      two.run()
      expect(place.writes).toEqual([])
    }
  })

  test('goes on after the storage refused, and says so once', () => {
    const place = createPlace()
    const full = {
      ...place,
      setItem(name: string, text: string) {
        if (name === '@appkit/connections') throw new DOMException('full', 'QuotaExceededError')
        place.setItem(name, text)
      },
    }
    const { lines, show, run } = open(page(phantom), place, () => full)
    run()
    show(page(made('Quill', [otherAccount])))
    run()
    expect(place.getItem('@appkit/solana:connected_connector_id')).toBe('Quill')
    expect(lines).toEqual(['local storage expected to be read and written, it refused: QuotaExceededError'])
  })

  test('of a browser without site data says so once', () => {
    const { lines, show, run } = open(page(phantom), createPlace(), () => {
      throw new DOMException('denied', 'SecurityError')
    })
    run()
    show(page())
    run()
    expect(lines).toEqual(['local storage expected to be read and written, it refused: SecurityError'])
  })

  test('counts values that do not fit, without a word of theirs', () => {
    const values = { '@appkit/connections': '{"solana":["https://secret.example"]}' }
    const { mirror, lines, run } = open(page(phantom), createPlace(values))
    run()
    expect(mirror.dropped()).toBe(1)
    expect(lines).toEqual(['local storage expected values of wallet libraries, ignored 1 that do not fit'])
  })

  test('leaves the values of a newer version alone, and ends', () => {
    const { place, listeners, run } = open(page(phantom), createPlace({ '@appkit/mai:schema': '2' }))
    run()
    expect(place.writes).toEqual([])
    expect(listeners()).toBe(0)
  })

  test('keeps a link from the official client before it writes it', () => {
    const { kept, run, show } = open(page(phantom))
    run()
    expect(kept).toEqual([])
    show(page(...torch({ link: 'torch://' })))
    run()
    expect(kept).toEqual([expect.not.arrayContaining(['WALLETCONNECT_DEEPLINK_CHOICE'])])
  })

  test('writes a link that was chosen since the page attached', () => {
    const { links, place, run, show } = open(page(...torch()))
    run()
    expect(place.getItem('WALLETCONNECT_DEEPLINK_CHOICE')).toBeNull()
    links.chosen = { p1: 'torch://' }
    show(page(...torch()))
    run()
    expect(place.json('WALLETCONNECT_DEEPLINK_CHOICE')).toEqual({ href: 'torch://', name: 'Torch' })
  })

  test('does not read connections for a change of the store that it does not mirror', () => {
    const model = page(phantom)
    let reads = 0
    const connection = new Proxy(model.connection, {
      get(view, name) {
        reads += 1
        return Reflect.get(view, name) as unknown
      },
    })
    const { show, run } = open({ ...model, connection })
    run()
    const before = reads
    expect(before).toBeGreaterThan(0)
    show({ ...model, connection, sale: { ...model.sale } })
    run()
    expect(reads).toBe(before)
  })

  test('that is stopped writes nothing more', () => {
    const { mirror, place, listeners, run } = open(page(phantom))
    mirror.stop()
    run()
    expect(place.writes).toEqual([])
    expect(listeners()).toBe(0)
  })

  test('gives the wallet that was connected before the first start', () => {
    const values = {
      '@appkit/connection_status': 'connected',
      '@appkit/solana:connected_connector_id': phantomId,
      '@appkit/connections': JSON.stringify({ solana: [{ connectorId: phantomId, accounts: [{ address: account }] }] }),
    }
    const first = open(page(), createPlace(values))
    expect(first.left).toEqual([])
    first.run()
    expect(first.left).toEqual([{ connectorId: phantomId, name: 'Phantom', addresses: [account] }])
    const second = open(page(), first.place)
    second.run()
    expect(second.left).toEqual([])
  })

  test('writes no address of a service', () => {
    const { place, run } = open(page(phantom, read('1'), ...torch({ link: 'torch://' })))
    run()
    expect(JSON.stringify(place.values())).not.toMatch(/https?:|wss?:|symKey|projectId/)
  })
})
