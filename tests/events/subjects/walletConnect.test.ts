import { describe, expect, test } from 'vitest'
import type { ConnectionFact } from '../../../src/events/subjects/wallet/connection.ts'
import type { PairingFact } from '../../../src/events/subjects/session/pairing.ts'
import type { RequestFact } from '../../../src/events/subjects/session/requestFacts.ts'
import { namesKept } from '../../../src/events/subjects/session/session.ts'
import { given, refusal, type Said, after } from './given.ts'

const created = (pairingTopic = 'p1'): PairingFact => ({
  type: 'pairing.created',
  data: { pairingTopic, attemptId: 'a1', proposalId: '7', publicKey: 'k', renewAt: 230_000, expiresAt: 300_000 },
})
const chosen: ConnectionFact = {
  type: 'connection.requested',
  data: { attemptId: 'a1', connector: 'walletConnect', wallet: { walletId: 'w1', name: 'Lantern' } },
}
const on = (type: PairingFact['type'], more: object = {}) =>
  ({ type, data: { pairingTopic: 'p1', ...more } }) as PairingFact
const responded = on('pairing.responded', { responderKey: 'r' })
const answered = on('pairing.answered', { sessionTopic: 's1' })

describe('a pairing', () => {
  test('goes from created over proposed and responded to answered, and is gone once settled', () => {
    const steps: [PairingFact, string][] = [
      [on('pairing.proposed'), 'proposed'],
      [responded, 'responded'],
      [answered, 'answered'],
    ]
    let model = given(created())
    for (const [fact, phase] of steps) {
      model = after(model, fact)
      expect(model.pairing.open.p1).toMatchObject({ phase, proposalId: '7' })
    }
    expect(model.pairing.open.p1).toMatchObject({ sessionTopic: 's1', responderKey: 'r' })
    expect(after(model, on('pairing.settled')).pairing).toEqual({ shown: null, open: {} })
  })

  test('renewed is still open, the new one is shown', () => {
    const model = given(chosen, created('p1'), created('p2'))
    expect(model.pairing.shown).toBe('p2')
    expect(Object.keys(model.pairing.open)).toEqual(['p1', 'p2'])
    const older = after(model, on('pairing.expired'))
    expect(older.pairing.shown).toBe('p2')
  })

  test('does not go back: a second answer, an answer after a refusal, a session without an answer', () => {
    const done = given(created(), responded, answered)
    expect(after(done, on('pairing.proposed'))).toBe(done)
    expect(after(done, on('pairing.responded', { responderKey: 'other' }))).toBe(done)
    const rejected = given(created(), on('pairing.rejected', { failure: refusal }))
    expect(rejected.pairing.open.p1).toMatchObject({ phase: 'rejected', failure: refusal })
    expect(after(rejected, responded)).toBe(rejected)
    expect(after(rejected, on('pairing.rejected', { failure: refusal }))).toBe(rejected)
    const fresh = given(created())
    expect(after(fresh, answered)).toBe(fresh)
  })
})

const settled: Said = {
  type: 'session.settled',
  data: {
    sessionTopic: 's1',
    pairingTopic: 'p1',
    controllerKey: 'r',
    peer: { name: 'Torch', url: '', description: '', icons: [] },
    namespaces: {},
    transport: 'relay',
    expiresAt: 9000,
  },
}
const updated = (order: number): Said => ({
  type: 'session.updated',
  data: { sessionTopic: 's1', order, namespaces: { solana: { accounts: [`a${order}`], methods: [], events: [] } } },
})

describe('a session', () => {
  test('is updated in order, extended and deleted', () => {
    const model = given(settled, updated(5), updated(4), updated(5), {
      type: 'session.extended',
      data: { sessionTopic: 's1', expiresAt: 99 },
    })
    expect(model.session.s1).toMatchObject({ updateOrder: 5, expiresAt: 99, settledAt: 1000 })
    expect(model.session.s1?.namespaces.solana?.accounts).toEqual(['a5'])
    expect(after(model, { type: 'session.deleted', data: { sessionTopic: 's1', by: 'wallet' } }).session).toEqual({})
  })

  test('settled a second time keeps its update', () => {
    const model = given(settled, updated(5))
    expect(after(model, settled)).toBe(model)
    expect(after(model, updated(4))).toBe(model)
  })

  test('stores the newest names and namespaces of its wallet, up to a limit', () => {
    const facts = Array.from({ length: 2 * namesKept }, (_, at): Said => {
      const heard = {
        sessionTopic: 's1',
        name: `event-${at}`,
        chainId: 'solana:x',
        order: at + 1,
        chain: `chain-${at}:x`,
      }
      return { type: 'session.eventHeard', data: heard }
    })
    const { heard = {}, chains = {} } = given(settled, ...facts).session.s1 ?? {}
    const newest = Array.from({ length: namesKept }, (_, at) => namesKept + at)
    expect(Object.keys(heard)).toEqual(newest.map(at => `event-${at}`))
    expect(Object.keys(chains)).toEqual(newest.map(at => `chain-${at}`))
  })
})

const sent = (requestId: string): RequestFact => ({
  type: 'request.sent',
  data: {
    requestId,
    sessionTopic: 's1',
    method: 'solana_signTransaction',
    chainId: 'solana:x',
    purpose: 'order:o1',
    expiresAt: 9,
  },
})
const about = (type: RequestFact['type'], requestId = 'r1') =>
  ({ type, data: { requestId, ...(type === 'request.failed' ? { failure: refusal } : {}) } }) as Said

describe('a request', () => {
  test('is sent, delivered and ended, once', () => {
    expect(given(sent('r1')).request.r1).toMatchObject({ phase: 'sent', sentAt: 1000 })
    expect(given(sent('r1'), about('request.delivered')).request.r1?.phase).toBe('delivered')
    for (const end of ['request.answered', 'request.failed'] as const) {
      const model = given(sent('r1'), about(end))
      expect(model.request.r1?.phase).toBe('ended')
      for (const late of ['request.delivered', 'request.answered', 'request.failed'] as const)
        expect(after(model, about(late))).toBe(model)
      expect(after(model, sent('r1'))).toBe(model)
    }
  })

  test('of an order answered after its end is marked late, once', () => {
    const late = given(sent('r1'), about('request.failed'), about('request.late'))
    expect(late.request.r1).toMatchObject({ phase: 'ended', late: {} })
    expect(after(late, about('request.late'))).toBe(late)
  })

  test('that ended is kept, the oldest are evicted', () => {
    const facts = Array.from({ length: 60 }, (_, index) => [sent(`r${index}`), about('request.answered', `r${index}`)])
    const model = given(...facts.flat(), sent('open'), sent('last'))
    expect(Object.keys(model.request)).toHaveLength(52)
    expect(model.request.r0).toBeUndefined()
    expect(model.request.r59?.phase).toBe('ended')
    expect(model.request.open?.phase).toBe('sent')
  })
})

test('outbox: a message waits until the relay has it or its time to live is over', () => {
  const queued: Said = {
    type: 'outbox.queued',
    data: {
      callId: '1',
      kind: 'publish',
      topic: 's1',
      messageRef: 'm',
      tag: 1108,
      ttl: 900,
      prompt: true,
      payloadId: '7',
      expiresAt: 9,
    },
  }
  expect(given(queued).outbox['1']).toMatchObject({ messageRef: 'm', queuedAt: 1000 })
  for (const type of ['outbox.taken', 'outbox.dropped'] as const)
    expect(given(queued, { type, data: { callId: '1' } }).outbox).toEqual({})
})

const url = 'wss://relay.one'

test('relay: the phase is closed, connecting, connected, lost, offline or refused, with address, time and reason', () => {
  const connecting: Said = { type: 'relay.connecting', data: { attempt: 2, url } }
  const connected: Said = { type: 'relay.connected', data: {} }
  expect(given().relay).toEqual({ phase: 'closed' })
  expect(given(connecting).relay).toEqual({ phase: 'connecting', attempt: 2, url })
  expect(given(connecting, connected, connected).relay).toEqual({ phase: 'connected', since: 2000, url })
  const lost: Said = { type: 'relay.lost', data: { failure: refusal, attempt: 3, retryAt: 9 } }
  expect(given(connected, lost).relay).toEqual({ phase: 'lost', failure: refusal, attempt: 3, retryAt: 9 })
  expect(given({ type: 'relay.refused', data: { failure: refusal } }).relay).toMatchObject({ phase: 'refused' })
  expect(given(connected, { type: 'relay.closed', data: {} }).relay).toEqual({ phase: 'closed' })
  expect(given(connected, { type: 'relay.offline', data: {} }).relay).toEqual({ phase: 'offline' })
})

test('relays: the newest answering one, the missing methods of each and the times of openings are known', () => {
  const learned = (method: 'irn_publish' | 'wc_proposeSession', known: boolean): Said => ({
    type: 'relay.learned',
    data: { url, method, known },
  })
  expect(given({ type: 'relay.proved', data: { url } }).relays.proved).toBe(url)
  const both = given(learned('irn_publish', false), learned('wc_proposeSession', false), learned('irn_publish', false))
  expect(both.relays.lacks[url]).toEqual(['irn_publish', 'wc_proposeSession'])
  expect(after(both, learned('irn_publish', true)).relays.lacks[url]).toEqual(['wc_proposeSession'])
  const opened = Array<Said>(20).fill({ type: 'relay.connecting', data: { attempt: 1, url } })
  expect(given(...opened).relays.opens).toEqual(Array.from({ length: 12 }, (_, i) => (i + 9) * 1000))
})

test('deduplication: handled messages are known by hash, requests by topic and id, and drops are counted', () => {
  const heard: Said = { type: 'mail.heard', data: { topic: 't', hash: 'h', payloadId: '7' } }
  const dropped = (why: 'late' | 'garbage'): Said => ({ type: 'mail.dropped', data: { why } })
  const { mail } = given(heard, dropped('late'), dropped('late'), dropped('garbage'))
  expect(mail.messages.newest).toEqual({ h: true })
  expect(mail.requests.newest).toEqual({ 't 7': true })
  expect(mail.dropped).toEqual({ late: 2, garbage: 1 })
})
