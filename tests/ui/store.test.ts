import { describe, expect, test } from 'vitest'
import { foldShownFact } from '../../src/events/coreFolds.ts'
import { emptyCoreModel } from '../../src/events/emptyModel.ts'
import type { FactRecord } from '../../src/runtime/log/record.ts'
import { foldBatch } from '../../src/ui/foldBatch.ts'
import { createStore, hiddenLimit } from '../../src/ui/store.ts'
import { listed, read } from './modalStage.ts'
import { settledSessions } from '../bench/manySessions.ts'

/** A store whose frames the test runs. */
function make() {
  const frames: (() => void)[] = []
  const state = { hidden: false }
  const store = createStore({ request: task => void frames.push(task), hidden: () => state.hidden }, foldBatch)
  let told = 0
  store.subscribe(() => {
    told += 1
  })
  const frame = () => {
    for (const task of frames.splice(0)) task()
  }
  return { store, state, frame, frames, told: () => told }
}

const storage = (seq: number): FactRecord => ({
  k: 'f',
  seq,
  n: seq,
  at: 1_000 + seq,
  type: 'core.faulted',
  v: 1,
  data: { input: 'x', message: 'y' },
})
const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => storage(first + i))

describe('the page’s store', () => {
  test('folds a page of the directory without a walk through the wallets read before', () => {
    const { store, frame } = make()
    const reads: PropertyKey[] = []
    const watched = (walletId: string) =>
      new Proxy(
        { ...listed(walletId), walletId },
        {
          get: (wallet, key) => (reads.push(key), Reflect.get(wallet, key)),
          ownKeys: wallet => (reads.push('*'), Reflect.ownKeys(wallet)),
        },
      )
    const facts = [1, 2, 3].flatMap(page => read([watched(`a${page}`), watched(`b${page}`)], 6, page))
    const records = facts.map((fact, at): FactRecord => ({ ...storage(at + 1), ...fact }))
    for (const record of records) {
      reads.length = 0
      store.take([record])
      const before = store.model().listing
      frame()
      const all = [...new Set(reads)].map(String)
      expect(all).toEqual(record.type === 'listing.read' ? ['walletId'] : [])
      expect(store.model().listing === before).toBe(false)
    }
    expect(store.model().listing.all.wallets.map(({ walletId }) => walletId)).toEqual([
      'a1',
      'b1',
      'a2',
      'b2',
      'a3',
      'b3',
    ])
  })

  test('folds a frame’s facts at once and notifies once', () => {
    const { store, frame, frames, told } = make()
    store.take(from(1, 3))
    store.take(from(4, 5))
    expect(frames).toHaveLength(1)
    expect(store.model().core.faults).toBe(0)
    expect(store.folded()).toBe(0)
    frame()
    expect(store.model().core.faults).toBe(5)
    expect(store.folded()).toBe(5)
    expect(told()).toBe(1)
  })

  test('keeps every other row the same object when one of 1,000 sessions changes', () => {
    const { store, frame } = make()
    const model = emptyCoreModel()
    const topics: string[] = []
    for (const { accounts: _, ...settled } of settledSessions(1000)) {
      topics.push(settled.sessionTopic)
      foldShownFact(model, { type: 'session.settled', at: 1, data: { ...settled, transport: 'relay' } })
    }
    store.attach({ life: 1, seq: 0, model })
    const [one = '', ...others] = topics
    const data = { sessionTopic: one, expiresAt: 2_000_000_000_000 }
    store.take([{ k: 'f', seq: 1, n: 1, at: 1001, type: 'session.extended', v: 1, data }])
    frame()
    const { session } = store.model()
    expect(session[one]?.expiresAt).toBe(2_000_000_000_000)
    expect(others.filter(topic => session[topic] !== model.session[topic])).toEqual([])
  })

  test('folds at once the facts a program waits for, and requests no frame', () => {
    const { store, frames, told } = make()
    store.take(from(1, 3), true)
    expect([store.model().core.faults, store.folded(), told(), frames.length]).toEqual([3, 3, 1, 0])
  })

  test('skips facts it has, folded or queued', () => {
    const { store, frame } = make()
    store.take(from(1, 3))
    store.take(from(2, 4))
    frame()
    store.take(from(1, 5))
    frame()
    expect(store.model().core.faults).toBe(5)
  })

  test('refuses to continue over a missing fact, and keeps those before it', () => {
    const { store, frame } = make()
    store.take(from(1, 2))
    expect(() => store.take([storage(3), storage(5)])).toThrow('the page expected fact 4 next, got fact 5')
    frame()
    expect(store.folded()).toBe(3)
    expect(store.model().core.faults).toBe(3)
    expect(() => store.take([storage(6)])).toThrow(expect.objectContaining({ code: 'bad_response' }))
    store.take([storage(4)])
    frame()
    expect(store.folded()).toBe(4)
  })

  test('starts anew from its next model, and drops facts of a dead core', () => {
    const { store, frame } = make()
    store.take(from(1, 4))
    frame()
    store.take(from(5, 9))
    store.dispatch({ type: 'tab.coreLost', data: { reason: 'test' }, at: 1 })
    const model = emptyCoreModel()
    model.core.faults = 40
    store.take([storage(10)])
    store.attach({ life: 2, seq: 6, model })
    frame()
    expect(store.folded()).toBe(6)
    expect(store.model().core.faults).toBe(40)
    expect(store.model().tab.phase).toBe('lost')
    store.take([storage(7)])
    frame()
    expect(store.model().core.faults).toBe(41)
  })

  test('folds queued facts before a page fact, so that a press is never older than the screen', () => {
    const { store, frame } = make()
    store.take(from(1, 2))
    store.dispatch({ type: 'tab.themed', data: { theme: 'dark' }, at: 1 })
    expect(store.model().core.faults).toBe(2)
    expect(store.model().tab.theme).toBe('dark')
    frame()
    expect(store.model().core.faults).toBe(2)
  })

  test('requests no frame while hidden, and folds all at once when shown again', () => {
    const { store, state, frames, told } = make()
    state.hidden = true
    store.take(from(1, 100))
    expect(frames).toHaveLength(0)
    expect(store.folded()).toBe(0)
    state.hidden = false
    store.flush()
    expect(store.folded()).toBe(100)
    expect(told()).toBe(1)
  })

  test('keeps at most 5,000 facts in a hidden page, and folds them to the same model', () => {
    const { store, state, told } = make()
    state.hidden = true
    store.take(from(1, hiddenLimit - 1))
    expect(told()).toBe(0)
    store.take([storage(hiddenLimit)])
    expect(told()).toBe(1)
    expect(store.folded()).toBe(hiddenLimit)
    expect(store.model().core.faults).toBe(hiddenLimit)
  })

  test('notifies no listener of a fact without a change', () => {
    const { store, frame, told } = make()
    const before = store.model()
    store.take([{ ...storage(1), type: 'unheard.of' }])
    frame()
    expect(store.model()).toBe(before)
    expect(told()).toBe(0)
    expect(store.folded()).toBe(1)
  })
})
