/** Memory of a thousand sessions: texts common to all are held once, and ended sessions hold nothing. */
import { expect, test } from 'vitest'
import { emptyCoreModel } from '../../src/events/emptyModel.ts'
import { versionOf } from '../../src/events/log/codec.ts'
import type { Proposal } from '../../src/events/schema/fields.ts'
import type { Session } from '../../src/events/subjects/session/session.ts'
import { createCore } from '../../src/worker/core/core.ts'
import { deciders } from '../../src/worker/deciders/index.ts'
import { createDispatcher } from '../../src/worker/host/dispatcher.ts'
import { createTimerDriver } from '../../src/runtime/host/timer.ts'
import { account, caip2 } from './story.ts'
import { publicKey, walletKey } from './wcStory.ts'
import { haveOneShape, heldObjects, heldTexts } from './weight.ts'
import { bootData, noon } from './world.ts'

const count = 200
const method = `m${'x'.repeat(50_000)}`
const event = `e${'x'.repeat(50_000)}`
const proposal: Proposal = {
  required: {},
  optional: { solana: { chains: [caip2], methods: ['solana_signMessage', method], events: [event] } },
}
const approved = JSON.stringify({
  solana: {
    chains: [caip2],
    accounts: [`${caip2}:${account}`],
    methods: [method, 'solana_signMessage'],
    events: [event],
  },
})

/** A core in which wallets answer one host's proposal, each by its own code. */
function answering() {
  const core = createCore(deciders, emptyCoreModel())
  let [n, seq] = [0, 0]
  const step = (type: string, data: Record<string, unknown>) =>
    core.step({ k: 'i', n: ++n, at: noon, type, v: versionOf('i', type), data })
  const recall = (type: string, data: Record<string, unknown>) =>
    core.recall({ k: 'f', seq: ++seq, n: 1, at: noon, type, v: versionOf('f', type), data })
  for (let at = 0; at < count; at++) {
    const pairingTopic = `pairing-${at}`
    const [proposalId, attemptId] = [String(1000 + at), `attempt-${at}`]
    const times = { renewAt: noon + 230_000, expiresAt: noon + 300_000 }
    recall('pairing.created', { pairingTopic, attemptId, proposalId, publicKey, proposal, ...times })
    recall('pairing.responded', { pairingTopic, responderKey: walletKey })
    recall('pairing.answered', { pairingTopic, sessionTopic: `session-${at}` })
  }
  step('core.boot', bootData(1))
  /** Each wallet's text is a separate string. */
  const says = (at: number, id: number, payload: Record<string, unknown>) =>
    step('relay.message', {
      pushId: `${id}`,
      topic: `session-${at}`,
      hash: `hash-${id}-${at}`,
      publishedAt: noon,
      tag: 1102,
      payload: { id: String(id), namespaces: JSON.parse(approved), ...payload },
    })
  const settle = (at: number) => {
    const peer = { name: 'Torch', url: '', description: '', icons: [] }
    return says(at, 2_000_000_000_000_000, {
      kind: 'settle',
      peer,
      controllerKey: walletKey,
      expiresAt: noon + 604_800_000,
    })
  }
  return { core, settle, update: (at: number) => says(at, 2_000_000_000_000_001, { kind: 'update' }) }
}

function eachSession(run: (at: number) => unknown): void {
  for (let at = 0; at < count; at++) run(at)
}

test('session weight: equal permissions of two hundred wallets are held once, as the proposal’s texts', async () => {
  const { core, settle, update } = answering()
  const words = () => heldTexts(/^[em]xxxx/, 50_000)
  eachSession(settle)
  const settled = await words()
  eachSession(update)
  const updated = await words()
  const { session } = core.model
  expect(Object.keys(session)).toHaveLength(count)
  for (const { namespaces, updateOrder } of Object.values(session)) {
    expect(JSON.stringify(namespaces)).toBe(approved)
    expect(updateOrder).toBeGreaterThan(0)
  }
  // This test's own copies; none for each wallet
  expect(settled).toBeLessThan(count / 10)
  expect(updated).toBeLessThan(count / 10)
})

test('session weight: equal sessions have one shape', () => {
  const { core, settle } = answering()
  eachSession(settle)
  const [first, second] = Object.values(core.model.session).slice(-2) as [Session, Session]
  expect(haveOneShape(first, second)).toBe(true)
  expect(haveOneShape(first.namespaces, second.namespaces)).toBe(true)
  expect(haveOneShape(first.namespaces['solana'] ?? {}, second.namespaces['solana'] ?? {})).toBe(true)
})

test('session weight: the timer that ends a session holds at most nine objects until then', async () => {
  const { drivers } = createTimerDriver({ now: () => 0, passed: () => 0, after: () => () => undefined })
  const fail = () => {
    throw new Error('nothing was to come of it')
  }
  const dispatch = createDispatcher({
    drivers,
    page: async () => fail(),
    journal: { storage: 'durable', flush: async () => fail() },
    movesMoney: () => true,
    answer: fail,
  })
  const set = (from: number, to: number) => {
    for (let at = from; at < to; at++)
      dispatch([
        { id: `e1.${at}.0`, type: 'timer.set', data: { timerId: `session:${at}`, at: 1_800_000_000_000 + at } },
      ])
  }
  set(0, 1000)
  await Promise.resolve()
  const before = await heldObjects()
  set(1000, 11_000)
  await Promise.resolve()
  const each = ((await heldObjects()) - before) / 10_000
  expect(Math.round(each)).toBeLessThanOrEqual(9)
})
