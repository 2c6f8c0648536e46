import { describe, expect, test } from 'vitest'
import { settlement, walletKey } from '../../wcStory.ts'
import { message, sealAll } from '../../wcStory.ts'
import { begun, ready } from '../../story.ts'
import { isoOf } from '../../../../src/events/values/isoOf.ts'
import { methodsRecap } from '../../../../src/worker/walletconnect/auth/recap.ts'
import type { RawCacao } from '../../walletconnect/recordedCacaos.ts'
import {
  answer,
  asked,
  asking,
  makeKeys,
  pairingTopic,
  recordedAnswer,
  responseTopic,
  signedAnswer,
  theAuth,
} from '../../authStory.ts'
import { failing, tab } from '../../world.ts'

const address = '0x2c7536E3605D9C16a7a3D7b1898e529396a65c23'
const eip155 = {
  chains: ['eip155:1', 'eip155:137'],
  accounts: [`eip155:1:${address}`, `eip155:137:${address}`],
  methods: ['eth_sendTransaction', 'personal_sign'],
  events: ['chainChanged', 'accountsChanged'],
}
const unsupported = { code: 10001, message: 'Unsupported wc_ method.' }

describe('asking for one-click auth', () => {
  test('publishes the request and a proposal with the same key, and subscribes to both answers', () => {
    const world = asked()
    const { sent, expiresAt, requestedAt } = theAuth(world)
    expect(expiresAt - requestedAt).toBe(3_600_000)
    expect(world.ordered('vault.seal').map(({ data }) => [data.topic, data.payload])).toMatchObject([
      [pairingTopic, { method: 'wc_sessionAuthenticate', id: sent?.payloadId, asked: asking(), issuedAt: requestedAt }],
      [
        pairingTopic,
        {
          method: 'wc_sessionPropose',
          publicKey: sent?.publicKey,
          optionalNamespaces: {
            eip155: {
              chains: ['eip155:1', 'eip155:137'],
              methods: ['personal_sign', 'eth_sendTransaction'],
              events: ['chainChanged', 'accountsChanged'],
            },
          },
        },
      ],
    ])
    expect(world.ordered('relay.publish').map(({ data: { tag, ttl, prompt } }) => [tag, ttl, prompt])).toEqual([
      [1116, 3600, true],
    ])
    // This relay takes proposals by `relay.propose`
    expect(world.ordered('relay.propose').map(({ data: { pairingTopic: topic, ttl } }) => [topic, ttl])).toEqual([
      [pairingTopic, 300],
    ])
    const listened = world.ordered('relay.subscribe').flatMap(({ data }) => data.topics)
    expect(listened).toEqual(expect.arrayContaining([pairingTopic, responseTopic]))
    expect(theAuth(world).phase).toBe('delivered')
  })

  test('replaces no shown code of the connection', () => {
    const world = asked()
    expect(world.model.pairing.shown).toBeNull()
    expect(world.model.pairing.open[pairingTopic]?.attemptId).toBe(theAuth(world).authId)
  })

  test('gives the wallet a longer time on request, and at least an hour', () => {
    for (const [expirySeconds, seconds] of [
      [7200, 7200],
      [60, 3600],
    ]) {
      const { expiresAt, requestedAt } = theAuth(asked({ expirySeconds: expirySeconds ?? 0 }))
      expect(expiresAt - requestedAt).toBe((seconds ?? 0) * 1000)
    }
  })

  test.each([
    [{ chains: [] }, 'one-click auth expected at least one chain, got none'],
    [{ uri: '' }, 'one-click auth expected a uri, got none'],
    [{ domain: '' }, 'one-click auth expected a domain, got none'],
    [{ nonce: '' }, 'one-click auth expected a nonce, got none'],
    [{ chains: ['eip155:1', 'solana:x'] }, 'one-click auth expected chains of one namespace, got eip155, solana'],
    [{ chains: ['solana:x'] }, 'one-click auth expected chains of eip155, got solana; connect without it for others'],
    [{ chains: ['eip155'] }, 'one-click auth expected chains as namespace:reference, got eip155'],
    [{ statement: 'a\nb' }, 'Statement must not contain line breaks (`\\r` or `\\n`)'],
    [{ nonce: 'a\nb' }, 'one-click auth expected fields of one line each, got a line break'],
    [{ exp: 'tomorrow' }, 'one-click auth expected exp as a time in ISO 8601, got tomorrow'],
    [{ expirySeconds: 0 }, 'one-click auth expected expirySeconds of 1 to 604800, got 0'],
  ])('with %o is refused with a sentence, under the ref of the press', (changes, sentence) => {
    const world = begun()
    const came = world.command('auth.request', asking(changes))
    expect(came.facts).toMatchObject(
      [{ type: 'auth.refused', data: { message: sentence }, ref: /^t-1/ }].map(fact => ({
        ...fact,
        ref: expect.stringMatching(fact.ref) as string,
      })),
    )
    expect(came.effects).toEqual([])
  })
})

describe('the recorded answer', () => {
  test('opens a session without a settlement, and ends the proposal beside it', () => {
    const world = asked()
    const came = answer(world, recordedAnswer(world))
    expect(came.types).toEqual(['auth.answered', 'pairing.settled'])
    expect(world.last('vault.deriveSession')).toMatchObject({
      data: { pairingTopic: responseTopic, responderKey: theAuth(world).answer?.responderKey },
    })
    const settled = world.answer('vault.deriveSession', 'vault.sessionDerived', {
      pairingTopic: responseTopic,
      sessionTopic: 'session-a',
    })
    expect(settled.types).toEqual(['session.settled', 'auth.done'])
    expect(world.model.session['session-a']).toMatchObject({
      controllerKey: theAuth(world).answer?.responderKey,
      peer: { name: 'Interop Wallet' },
      namespaces: { eip155 },
      expiresAt: world.at + 604_800_000,
    })
    expect(theAuth(world)).toMatchObject({ phase: 'done', sessionTopic: 'session-a' })
    expect(theAuth(world).answer?.signed.map(one => JSON.parse(one.cacao) as RawCacao)).toMatchObject([
      { h: { t: 'caip122' }, s: { t: 'eip191' } },
      { h: { t: 'caip122' }, s: { t: 'eip191' } },
    ])
    expect(world.last('relay.subscribe').data.topics).toEqual(['session-a'])
    expect(world.ordered('vault.forget').flatMap(({ data }) => data.topics)).toEqual([pairingTopic, responseTopic])
    expect(world.model.pairing.open).toEqual({})
    expect(world.timers().has('session:session-a')).toBe(true)
    expect([...world.timers().keys()].filter(id => id.endsWith(pairingTopic))).toEqual([])
  })

  test('without a ReCap gives the signatures and no session', () => {
    const world = asked({ methods: [] })
    const came = answer(
      world,
      signedAnswer(world, cacao => delete cacao.p.resources),
    )
    expect(came.types).toEqual(['auth.answered', 'pairing.settled', 'auth.done'])
    expect(theAuth(world)).toMatchObject({ phase: 'done', answer: { signed: [{ address }, { address }] } })
    expect(theAuth(world).sessionTopic).toBeUndefined()
    expect(world.ordered('vault.deriveSession')).toEqual([])
  })

  test('that allows an unproposed chain opens the session without it', () => {
    const world = asked({ chains: ['eip155:1'] })
    answer(
      world,
      signedAnswer(world, cacao => (cacao.p.iss = `did:pkh:eip155:1:${address}`)),
    )
    expect(theAuth(world).answer?.signed.map(one => one.chains)).toEqual([['eip155:1'], ['eip155:1']])
  })

  test('a second time changes nothing', () => {
    const world = asked()
    answer(world, recordedAnswer(world))
    expect(answer(world, recordedAnswer(world)).types).toEqual([])
    world.answer('vault.deriveSession', 'vault.sessionDerived', { pairingTopic: responseTopic, sessionTopic: 's' })
    expect(answer(world, recordedAnswer(world)).types).toEqual([])
    expect(Object.keys(world.model.session)).toEqual(['s'])
  })

  test('under another id, or on another topic, is ignored', () => {
    const world = asked()
    expect(answer(world, { ...recordedAnswer(world), id: '17' }).types).toEqual([])
    expect(message(world, 'elsewhere', recordedAnswer(world)).types).toEqual([])
  })
})

const iss = (chain: string) => `did:pkh:${chain}:${address}`
const hostile: [string, (cacao: RawCacao) => void, string][] = [
  ['domain', cacao => (cacao.p.domain = 'evil.example'), 'the domain that was asked for'],
  ['nonce', cacao => (cacao.p.nonce = '12345679'), 'the nonce that was asked for'],
  ['aud', cacao => (cacao.p.aud = 'https://dapp.example/logout'), 'the aud that was asked for'],
  ['iss', cacao => (cacao.p.iss = iss('eip155:5')), 'an iss on a chain that was asked for, got eip155:5'],
  ['exp in the past', cacao => (cacao.p.exp = '2020-01-01T00:00:00Z'), 'an exp in the future'],
  ['exp that is no time', cacao => (cacao.p.exp = 'never'), 'p.exp'],
  ['nbf in the future', cacao => (cacao.p.nbf = '2999-01-01T00:00:00Z'), 'an nbf in the past'],
  ['nbf that is no time', cacao => (cacao.p.nbf = 'once'), 'p.nbf'],
  ['version', cacao => (cacao.p.version = '2'), 'p.version'],
  ['ReCap', cacao => (cacao.p.resources = ['urn:recap:e30']), 'ReCap'],
]

describe('a signed statement with another', () => {
  test.each(hostile)('%s is refused by its name, with any valid signature', (_field, change, named) => {
    const world = asked()
    const came = answer(world, signedAnswer(world, change))
    expect(came.types).toEqual(['pairing.expired', 'auth.failed'])
    const { failure } = theAuth(world)
    expect(failure).toMatchObject({ code: 'bad_response', facts: { code: 7000 } })
    expect(failure?.message).toContain(named)
    expect(failure?.message).toMatch(/^Session settlement failed\. /)
    expect(failure?.message).not.toMatch(/evil|12345679|logout/)
    expect([world.model.session, world.ordered('vault.deriveSession')]).toEqual([{}, []])
  })

  test.each(hostile.filter(([field]) => !/no time|version|ReCap/.test(field)))(
    '%s has the signature of another account',
    (_field, change) => {
      const world = asked()
      answer(world, recordedAnswer(world, change))
      expect(theAuth(world).failure?.message).toContain('the signature of the account it names')
    },
  )

  test.each([
    ['exp', { exp: '2999-01-01T00:00:00Z' }],
    ['nbf', { nbf: '2020-01-01T00:00:00Z' }],
    ['requestId', { requestId: 'r-1' }],
  ])('%s than requested is refused by its name', (field, changes) => {
    const world = asked(changes)
    answer(world, signedAnswer(world))
    expect(theAuth(world).failure?.message).toContain(`the ${field} that was asked for`)
  })

  test.each([
    ['exp', 0, 'an exp in the future, got one in the past'],
    ['exp', 1, undefined],
    ['nbf', 0, undefined],
    ['nbf', 1, 'an nbf in the past, got one in the future'],
  ] as const)('%s is checked to the millisecond: %i ms from now', (field, ms, refusal) => {
    const world = asked()
    answer(
      world,
      signedAnswer(world, cacao => (cacao.p[field] = isoOf(world.at + ms))),
    )
    expect(theAuth(world).failure?.message).toBe(
      refusal && `Session settlement failed. a signed statement expected ${refusal}`,
    )
  })

  test('among valid ones spoils them all', () => {
    const world = asked()
    let count = 0
    answer(
      world,
      signedAnswer(world, cacao => count++ === 1 && (cacao.p.nonce = 'other')),
    )
    expect(theAuth(world)).toMatchObject({ phase: 'failed' })
  })

  test.each([
    ['too long a part', { domain: 'd'.repeat(5000) }, 'domain expected'],
    ['a ReCap for no method', { resources: [methodsRecap([''])] }, 'methods.0 expected'],
  ])('with %s ends it at once, with the reason', (_what, changes, why) => {
    const world = asked()
    answer(
      world,
      recordedAnswer(world, cacao => void Object.assign(cacao.p, changes)),
    )
    expect(theAuth(world)).toMatchObject({ phase: 'failed', failure: { code: 'bad_response' } })
    expect(theAuth(world).failure?.message).toContain(why)
  })

  test('in an unreadable answer ends it at once, with the reason', () => {
    const world = asked()
    const id = theAuth(world).sent?.payloadId ?? ''
    answer(world, { kind: 'unopened', id, error: { code: 0, message: 'relay.message: it expected less' } })
    expect(theAuth(world)).toMatchObject({ phase: 'failed', failure: { code: 'bad_response' } })
    expect(theAuth(world).failure?.message).toContain('it expected less')
  })

  test('is required in an answer', () => {
    const world = asked()
    answer(world, { ...recordedAnswer(world), signed: [] })
    expect(theAuth(world).failure?.message).toContain('a signed statement, got none')
  })
})

describe('a contract wallet', () => {
  const contract = (world: ReturnType<typeof asked>) => signedAnswer(world, cacao => (cacao.s.t = 'eip1271'))
  const unchecked = (world: ReturnType<typeof asked>) => {
    const payload = contract(world)
    return { ...payload, signed: payload.signed?.map(one => ({ ...one, verdict: 'contract' as const })) ?? [] }
  }

  test('checks each statement before there is a session', () => {
    const world = asked()
    answer(world, unchecked(world))
    const questions = world.ordered('auth.askContract')
    expect(questions.map(({ data, after }) => [data.place, data.chain, after])).toEqual([
      [0, 'eip155:1', 'stored'],
      [1, 'eip155:137', 'stored'],
    ])
    const { authId } = theAuth(world)
    world.input('auth.contractAsked', { authId, place: 1, isSigned: true }, { to: questions[1]?.id ?? '' })
    expect(world.ordered('vault.deriveSession')).toEqual([])
    world.input('auth.contractAsked', { authId, place: 0, isSigned: true }, { to: questions[0]?.id ?? '' })
    expect(world.ordered('vault.deriveSession')).toHaveLength(1)
  })

  test('that rejects a statement ends the sign-in', () => {
    const world = asked()
    answer(world, unchecked(world))
    world.input('auth.contractAsked', { authId: theAuth(world).authId, place: 0, isSigned: false })
    expect(theAuth(world)).toMatchObject({ phase: 'failed', failure: { facts: { code: 7000 } } })
  })

  test('that cannot be called has the failure as the reason', () => {
    const world = asked()
    answer(world, unchecked(world))
    world.fail('auth.askContract', 'unsupported')
    expect(theAuth(world)).toMatchObject({ phase: 'failed', failure: { code: 'unsupported' } })
  })
})

describe('a refusal', () => {
  test('by the person has our words, and ends the proposal too', () => {
    const world = asked()
    const { payloadId = '' } = theAuth(world).sent ?? {}
    const came = answer(world, { kind: 'error', id: payloadId, error: { code: 5000, message: 'User rejected.' } })
    expect(came.types).toEqual(['pairing.expired', 'auth.failed'])
    expect(theAuth(world).failure).toEqual({
      code: 'user_rejected',
      message: 'the person declined to sign in in the wallet',
    })
    expect(world.model.pairing.open).toEqual({})
  })

  test('with another error names its code', () => {
    const world = asked()
    const { payloadId = '' } = theAuth(world).sent ?? {}
    answer(world, { kind: 'error', id: payloadId, error: { code: 1001, message: 'Invalid method.' } })
    expect(theAuth(world).failure).toMatchObject({ code: 'bad_response', facts: { code: 1001 } })
  })
})

describe('a wallet without one-click auth', () => {
  const eip155Settlement = (world: ReturnType<typeof asked>) =>
    settlement(world, { namespaces: { eip155: { ...eip155, methods: ['personal_sign', 'eth_sendTransaction'] } } })

  function fallsBack(world: ReturnType<typeof asked>): void {
    const { payloadId = '' } = theAuth(world).sent ?? {}
    expect(message(world, pairingTopic, { kind: 'error', id: payloadId, error: unsupported }).types).toEqual([
      'auth.unsupported',
    ])
  }
  function approves(world: ReturnType<typeof asked>): void {
    const { proposalId = '' } = world.model.pairing.open[pairingTopic] ?? {}
    message(world, pairingTopic, { kind: 'result', id: proposalId, responderKey: walletKey })
    world.answer('vault.deriveSession', 'vault.sessionDerived', { pairingTopic, sessionTopic: 'session-b' })
  }

  test('answers the proposal, and the session is that one’s', () => {
    const world = asked()
    fallsBack(world)
    approves(world)
    const came = message(world, 'session-b', eip155Settlement(world))
    expect(came.types).toEqual(expect.arrayContaining(['session.settled', 'pairing.settled', 'auth.done']))
    expect(theAuth(world)).toMatchObject({ phase: 'done', sessionTopic: 'session-b' })
    expect(world.model.connection.made).toEqual({})
  })

  test('that declines the proposal has declined', () => {
    const world = asked()
    fallsBack(world)
    const { proposalId = '' } = world.model.pairing.open[pairingTopic] ?? {}
    message(world, pairingTopic, { kind: 'error', id: proposalId, error: { code: 5000, message: 'User rejected.' } })
    expect(theAuth(world)).toMatchObject({ phase: 'failed', failure: { code: 'user_rejected' } })
  })

  test('that answers after the proposal was settled changes nothing', () => {
    const world = asked()
    approves(world)
    message(world, 'session-b', eip155Settlement(world))
    expect(answer(world, recordedAnswer(world)).types).toEqual([])
    expect(Object.keys(world.model.session)).toEqual(['session-b'])
  })

  test('opens one session: an answer to the proposal after the one to the request opens none', () => {
    const world = asked()
    answer(world, recordedAnswer(world))
    const { proposalId = '17' } = world.model.pairing.open[pairingTopic] ?? {}
    expect(message(world, pairingTopic, { kind: 'result', id: proposalId, responderKey: walletKey }).types).toEqual([])
    world.answer('vault.deriveSession', 'vault.sessionDerived', { pairingTopic: responseTopic, sessionTopic: 's' })
    expect(Object.keys(world.model.session)).toEqual(['s'])
  })

  test('opens one session: the request’s answer while the proposal settles opens the only one', () => {
    const world = asked()
    approves(world)
    answer(world, recordedAnswer(world))
    expect(message(world, 'session-b', eip155Settlement(world)).types).toEqual([])
    world.answer('vault.deriveSession', 'vault.sessionDerived', { pairingTopic: responseTopic, sessionTopic: 's' })
    expect(Object.keys(world.model.session)).toEqual(['s'])
    expect(world.ordered('vault.forget').flatMap(({ data }) => data.topics)).toContain('session-b')
  })
})

describe('a new code', () => {
  test('is due like any other, and a new request leaves the first one answerable', () => {
    const world = asked()
    const code = world.model.pairing.open[pairingTopic]
    expect((code?.renewAt ?? 0) - (code?.createdAt ?? 0)).toBe(230_000)
    const signed = signedAnswer(world)
    world.wait(230_000)
    world.command('auth.request', asking())
    const first = Object.values(world.model.auth)[0]
    expect([Object.keys(world.model.auth).length, first?.phase]).toEqual([2, 'delivered'])
    answer(world, signed)
    expect(Object.values(world.model.auth)[0]).toMatchObject({ phase: 'answered' })
  })

  test('is made on demand at a relay that refused', () => {
    const world = ready()
    world.command('auth.request', asking())
    for (const _ of ['wss://relay.one', 'wss://relay.two']) {
      world.answer('relay.open', 'relay.closed', { code: 3000, ...failing('unauthorized') })
      if (world.model.relay.phase === 'lost') world.fire('relay:retry')
    }
    expect(world.model.relay.phase).toBe('refused')
    world.command('auth.request', asking())
    expect(world.ordered('relay.open')).toHaveLength(3)
  })

  test('is not postponed where the relay was lost', () => {
    const world = ready()
    world.command('auth.request', asking())
    for (let count = 0; count < 3; count++) {
      world.answer('relay.open', 'relay.closed', { code: 1006, ...failing('unreachable') })
      if (count < 2) world.fire('relay:retry')
    }
    const before = world.ordered('relay.open').length
    world.command('auth.request', asking())
    expect(world.ordered('relay.open')).toHaveLength(before + 1)
  })
})

describe('time and death', () => {
  test('an unanswered one ends after its hour; the code ends long before', () => {
    const world = asked()
    expect(world.pass(3_599_000)).toContain('pairing.expired')
    expect(theAuth(world).phase).toBe('delivered')
    expect(world.pass(1000)).toContain('auth.failed')
    expect(theAuth(world).failure).toMatchObject({ code: 'expired' })
    expect(world.ordered('vault.forget').flatMap(({ data }) => data.topics)).toContain(responseTopic)
  })

  test('a core that dies before the keys were made makes them in its next life', () => {
    const world = ready()
    world.command('auth.request', asking())
    world.kill()
    expect(world.ordered('vault.makeAuth')).toHaveLength(1)
    makeKeys(world)
    expect(theAuth(world).phase).toBe('created')
  })

  test('a core that dies before anything was sealed sends both again, under the same ids', () => {
    const world = ready()
    world.command('auth.request', asking())
    makeKeys(world)
    const ids = world.ordered('vault.seal').map(({ data }) => data.payload.id)
    world.kill()
    expect(
      world
        .ordered('vault.seal')
        .map(({ data }) => data.payload.id)
        .sort(),
    ).toEqual(ids.sort())
  })

  test('a core that dies with the answer on record derives the session in its next life', () => {
    const world = asked()
    answer(world, recordedAnswer(world))
    world.kill()
    world.answer('vault.deriveSession', 'vault.sessionDerived', { pairingTopic: responseTopic, sessionTopic: 's' })
    expect(theAuth(world)).toMatchObject({ phase: 'done', sessionTopic: 's' })
  })

  test('one that expired while no core ran has failed at the start', () => {
    const world = asked()
    world.wait(4_000_000)
    world.kill('start')
    expect(theAuth(world)).toMatchObject({ phase: 'failed', failure: { code: 'expired' } })
  })

  test('keys that come after its end are forgotten', () => {
    const world = ready()
    world.command('auth.request', asking())
    world.pass(3_600_000)
    expect(makeKeys(world).types).toEqual([])
    expect(world.ordered('vault.forget').flatMap(({ data }) => data.topics)).toEqual([pairingTopic, responseTopic])
  })

  test.each(['vault.makeAuth', 'vault.seal', 'vault.deriveSession'] as const)('%s that fails ends it', effect => {
    const world = ready()
    world.command('auth.request', asking())
    if (effect !== 'vault.makeAuth') makeKeys(world)
    if (effect === 'vault.deriveSession') {
      world.answer('relay.open', 'relay.opened', {})
      sealAll(world)
      answer(world, recordedAnswer(world))
    }
    const [order] = world.ordered(effect).filter(one => !one.answered)
    world.input('effect.failed', failing('storage_down'), { to: order?.id ?? '' })
    expect(theAuth(world)).toMatchObject({ phase: 'failed', failure: { code: 'storage_down' } })
  })

  test('an answer that made the core fail ends it with a sentence', () => {
    const world = asked()
    world.input('core.setAside', { input: 'relay.message', pushId: 'p', topic: responseTopic, payloadId: '1' })
    expect(theAuth(world)).toMatchObject({ phase: 'failed', failure: { code: 'bad_response' } })
  })

  test('only the five newest ended ones are kept', () => {
    const world = begun()
    for (let n = 0; n < 8; n++) {
      world.input('auth.request', asking(), { tab, ref: `r${n}` })
      world.fail('vault.makeAuth', 'storage_down')
    }
    expect(Object.keys(world.model.auth)).toHaveLength(6)
  })
})

describe('a sign-in that the person leaves', () => {
  test('ends with all it owes, and accepts no answer', () => {
    const world = asked()
    const { authId } = theAuth(world)
    const came = world.command('auth.abandon', { authId })
    expect(came.types).toEqual(['pairing.expired', 'auth.failed'])
    expect(came.facts.at(-1)?.ref).toBeDefined()
    expect(theAuth(world).failure).toEqual({ code: 'user_rejected', message: 'the person left the sign-in' })
    expect(world.timers().has(`auth:${authId}`)).toBe(false)
    expect(world.model.pairing.open).toEqual({})
    expect(message(world, responseTopic, recordedAnswer(world)).types).toEqual([])
    expect(world.command('auth.abandon', { authId }).types).toEqual([])
    expect(world.command('auth.abandon', { authId: 'constructor' }).types).toEqual([])
  })
})
