import { describe, expect, test } from 'vitest'
import { decode } from '../../../../src/events/log/decode.ts'
import type { AuthFact } from '../../../../src/events/subjects/wallet/authFacts.ts'
import type { ConnectionFact } from '../../../../src/events/subjects/wallet/connection.ts'
import type { PairingFact } from '../../../../src/events/subjects/session/pairing.ts'
import { after, given, refusal } from '../given.ts'

const asked = { chains: ['eip155:1'], domain: 'dapp.example', uri: 'https://dapp.example', nonce: 'n', methods: [] }
const requested: AuthFact = { type: 'auth.requested', data: { authId: 'a1', asked, expiresAt: 9000 } }
const sent = { pairingTopic: 'p', responseTopic: 'r', publicKey: 'k', payloadId: '7' }
const peer = { name: 'Torch', url: '', description: '', icons: [] }
const statement = { chain: 'eip155:1', address: '0x1', methods: [], chains: ['eip155:1'], cacao: '{}' }
const answer = { responderKey: 'k', peer, signed: [{ ...statement, unchecked: true as const }] }
const created: AuthFact = { type: 'auth.created', data: { authId: 'a1', ...sent } }
const delivered: AuthFact = { type: 'auth.delivered', data: { authId: 'a1' } }
const unsupported: AuthFact = { type: 'auth.unsupported', data: { authId: 'a1' } }
const answered: AuthFact = { type: 'auth.answered', data: { authId: 'a1', ...answer } }
const checked: AuthFact = { type: 'auth.checked', data: { authId: 'a1', place: 0 } }
const done: AuthFact = { type: 'auth.done', data: { authId: 'a1', sessionTopic: 's1' } }
const failed: AuthFact = { type: 'auth.failed', data: { authId: 'a1', failure: refusal } }

describe('auth', () => {
  test('has its topics from its creation on, its answer from `answered` on', () => {
    const fresh = given(requested)
    expect(fresh.auth.a1).toEqual({ authId: 'a1', asked, expiresAt: 9000, phase: 'requested', requestedAt: 1000 })
    const asking = after(fresh, created)
    expect(asking.auth.a1).toEqual({ ...fresh.auth.a1, phase: 'created', sent })
    const both = after(after(asking, delivered), answered)
    expect(both.auth.a1).toEqual({ ...asking.auth.a1, phase: 'answered', answer })
    const signed = after(both, checked)
    expect(signed.auth.a1).toEqual({ ...both.auth.a1, answer: { ...answer, signed: [statement] } })
    expect(after(signed, done).auth.a1).toEqual({ ...signed.auth.a1, phase: 'done', sessionTopic: 's1' })
  })

  test('ends without an answer when the proposal beside it is answered', () => {
    const model = given(requested, created, delivered, unsupported)
    expect(after(model, done).auth.a1).toEqual({ ...model.auth.a1, phase: 'done', sessionTopic: 's1' })
  })

  test('leaves its proposal without a shown code', () => {
    const code = { proposalId: '8', publicKey: 'k', renewAt: 2, expiresAt: 3 }
    const beside: PairingFact = { type: 'pairing.created', data: { pairingTopic: 'p', attemptId: 'a1', ...code } }
    expect(given(requested, created, beside).pairing).toMatchObject({ shown: null, open: { p: { phase: 'created' } } })
    const wallet = { walletId: 'w1', name: 'Lantern' }
    const chosen: ConnectionFact = {
      type: 'connection.requested',
      data: { attemptId: 'a1', connector: 'walletConnect', wallet },
    }
    expect(given(chosen, beside).pairing.shown).toBe('p')
    // A page, which folds no auth, goes on showing the code it shows
    expect(given(beside).pairing.shown).toBeNull()
  })

  test.each([
    ['requested', [requested], [delivered, unsupported, answered, checked, done]],
    ['created', [requested, created], [created, checked]],
    ['unsupported', [requested, created, unsupported], [created, delivered, checked]],
    ['answered', [requested, created, answered], [created, delivered, unsupported, answered]],
    ['done', [requested, created, done], [created, delivered, unsupported, answered, checked, failed]],
    ['failed', [requested, failed], [created, delivered, unsupported, answered, checked, done]],
  ])('%s ignores the facts of other phases', (phase, way, others) => {
    const model = given(...way)
    expect(model.auth.a1?.phase).toBe(phase)
    for (const fact of others) expect(after(model, fact)).toBe(model)
  })

  test('in a row of an older build is read, unless it lacks a part of its phase', () => {
    const row = { authId: 'a1', asked, expiresAt: 9000, phase: 'answered', requestedAt: 1000 }
    const line = (auth: object) => JSON.stringify({ k: 'r', type: 'auth.restated', v: 2, data: { auth } })
    expect(decode(line({ ...row, sent, answer }))).toMatchObject({ v: 3, data: { auth: { ...row, sent, answer } } })
    expect(() => decode(line({ ...row, sent }))).toThrow('auth.restated: auth.answer')
  })
})
