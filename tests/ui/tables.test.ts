/** A page with many sessions: what it shows is what it would show of a few, and a change costs no more. */
import { describe, expect, test } from 'vitest'
import { type CoreModel, emptyCoreModel, foldShownFact } from '../../src/events/app.ts'
import type { FactRecord } from '../../src/events/log/record.ts'
import { createStore, hiddenLimit } from '../../src/ui/store.ts'
import { settledSessions } from '../bench/manySessions.ts'
import { simulate } from '../simulation/simulate.ts'
import { soon } from '../soon.ts'

/** What the core knew when the page joined. */
function crowded(count: number): CoreModel {
  const model = emptyCoreModel()
  for (const { accounts, ...settled } of settledSessions(count)) {
    const { sessionTopic } = settled
    foldShownFact(model, { type: 'session.settled', at: 1, data: { ...settled, transport: 'relay' } })
    const made = {
      connectionId: `connection-${sessionTopic}`,
      attemptId: 'attempt',
      connector: 'walletConnect',
      wallet: { walletId: 'walletConnect', name: 'WalletConnect' },
      accounts,
      features: [],
      sessionTopic,
    }
    foldShownFact(model, { type: 'connection.made', at: 1, data: made })
  }
  return model
}

/** A page that has joined, once it is ready for many. */
async function join(count = 300) {
  const state = { hidden: false }
  const store = createStore({ request: task => task(), hidden: () => state.hidden })
  const known = crowded(count)
  store.attach({ life: 1, seq: 0, model: structuredClone(known) })
  const before = store.model()
  await soon(() => expect(store.model()).not.toBe(before))
  let seq = 0
  const say = (type: string, data: Record<string, unknown>) => {
    seq += 1
    store.take([{ k: 'f', seq, n: seq, at: 1000 + seq, type, v: 1, data }])
  }
  return { store, known, say, state }
}

const factsOf = (lines: readonly string[]) =>
  lines.map(line => JSON.parse(line) as FactRecord).filter(({ k }) => k === 'f')

describe('a page with many sessions', () => {
  test.each([0, 1, 2])('shows the same as any other, in the simulated world %i', async seed => {
    const { store, known } = await join()
    const facts = factsOf(simulate(seed).lines)
    for (const [index, fact] of facts.entries()) {
      store.take([{ ...fact, seq: index + 1 }])
      foldShownFact(known, fact)
      if (index % 150 === 0) expect(shown(store.model())).toEqual(shown(known))
    }
    expect(shown(store.model())).toEqual(shown(known))
  })

  test('shows the same after it was hidden for long', async () => {
    const { store, known, state } = await join()
    const all = Array.from({ length: 24 }, (_, seed) => seed).flatMap(seed => factsOf(simulate(seed).lines))
    expect(all.length).toBeGreaterThan(hiddenLimit)
    state.hidden = true
    store.take(all.map((fact, index) => ({ ...fact, seq: index + 1 })))
    for (const fact of all) foldShownFact(known, fact)
    expect(shown(store.model())).toEqual(shown(known))
  })

  test('has another row and another table after a change, and the very same others', async () => {
    const { store, say } = await join()
    const { session: before, connection } = store.model()
    const [topic = '', other = ''] = Object.keys(before)
    const [row, neighbour] = [before[topic], before[other]]
    say('session.extended', { sessionTopic: topic, expiresAt: 5 })
    const after = store.model().session
    expect(after).not.toBe(before)
    expect(after[topic]).not.toBe(row)
    expect(row?.expiresAt).not.toBe(5)
    expect(after[topic]?.expiresAt).toBe(5)
    expect(after[other]).toBe(neighbour)
    expect(store.model().connection).toBe(connection)
  })

  test('is the very same after a fact that changes nothing', async () => {
    const { store, say } = await join()
    const before = store.model()
    const [topic = ''] = Object.keys(before.session)
    const row = before.session[topic]
    say('session.extended', { sessionTopic: topic, expiresAt: row?.expiresAt ?? 0 })
    say('session.extended', { sessionTopic: 'unknown', expiresAt: 5 })
    expect(store.model()).toBe(before)
    expect(store.model().session[topic]).toBe(row)
  })

  test('can be joined anew', async () => {
    const { store, say } = await join()
    store.attach({ life: 2, seq: 0, model: crowded(250) })
    expect(Object.keys(store.model().session)).toHaveLength(250)
    const [topic = ''] = Object.keys(store.model().session)
    say('session.deleted', { sessionTopic: topic, by: 'wallet' })
    expect(Object.keys(store.model().session)).toHaveLength(249)
    expect(Object.hasOwn(store.model().session, topic)).toBe(false)
  })
})

/** The core's part of a model as plain JSON. */
function shown(model: CoreModel): unknown {
  const names = Object.keys(emptyCoreModel()) as (keyof CoreModel)[]
  return JSON.parse(JSON.stringify(Object.fromEntries(names.map(name => [name, model[name]]))))
}
