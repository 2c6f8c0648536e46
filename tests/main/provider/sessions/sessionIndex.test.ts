/** The index gives the same answers as a scan of all sessions, after any facts in any order. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FactRecord } from '../../../../src/runtime/log/record.ts'
import { namespaceOf } from '../../../../src/events/values/networks.ts'
import type { Session } from '../../../../src/events/subjects/session/session.ts'
import { createSessionIndex } from '../../../../src/main/provider/sessions/sessionIndex.ts'
import { chainsIn, familiesIn, usableIn } from '../../../../src/main/provider/sessions/sessions.ts'
import {
  accountsOn,
  addressOf,
  methodsFor,
  type SessionNamespaces,
} from '../../../../src/worker/walletconnect/session/namespaces.ts'

const allChains = ['eip155:1', 'eip155:137', 'cosmos:hub']
const allMethods = ['personal_sign', 'sign']
const allAddresses = ['0xAa', '0xbb', 'cosmos1x']

const addressesIn = (usable: SessionNamespaces, chain: string) => accountsOn(usable, chain).map(addressOf)

type Table = Record<string, Session>

/** Answers by a scan of all sessions, the newest first; of equal times the last in the table. */
function plain(table: Table) {
  const sessions = Object.values(table)
    .reverse()
    .sort((a, b) => b.settledAt - a.settledAt)
  const approves = (session: Session, chain: string, method: string) =>
    methodsFor(usableIn(session), chain).includes(method)
  const has = (session: Session, chain: string) => chainsIn(usableIn(session), namespaceOf(chain)).includes(chain)
  const topic = (session: Session | undefined) => session?.sessionTopic
  return {
    all: sessions.map(topic),
    families: new Set(sessions.flatMap(session => familiesIn(usableIn(session)))),
    ofChain: allChains.map(chain => ({
      has: sessions.some(session => has(session, chain)),
      on: topic(
        sessions.find(session => has(session, chain)) ??
          sessions.find(session => familiesIn(usableIn(session)).includes(namespaceOf(chain))),
      ),
      addresses: [...new Set(sessions.flatMap(session => addressesIn(usableIn(session), chain)))],
      first: sessions.flatMap(session => chainsIn(usableIn(session), namespaceOf(chain)))[0],
      of: topic(sessions.find(session => familiesIn(usableIn(session)).includes(namespaceOf(chain)))),
      for: allMethods.map(method => topic(sessions.find(session => approves(session, chain, method)))),
      approving: allMethods.map(method =>
        topic(sessions.find(session => usableIn(session)[namespaceOf(chain)]?.methods.includes(method))),
      ),
      named: allAddresses.map(address =>
        topic(
          sessions.find(
            session => approves(session, chain, 'sign') && addressesIn(usableIn(session), chain).includes(address),
          ) ?? sessions.find(session => approves(session, chain, 'sign')),
        ),
      ),
    })),
  }
}

function indexed(index: ReturnType<typeof createSessionIndex>): ReturnType<typeof plain> {
  const topic = (session: Session | undefined) => session?.sessionTopic
  return {
    all: index.all().map(topic),
    families: new Set(index.families()),
    ofChain: allChains.map(chain => ({
      has: index.hasChain(chain),
      on: topic(index.sessionOn(chain)),
      addresses: [...index.addressesOn(chain)],
      first: index.firstChain(namespaceOf(chain)),
      of: topic(index.newestOf(namespaceOf(chain))),
      for: allMethods.map(method => topic(index.sessionFor(chain, method))),
      approving: allMethods.map(method => topic(index.approving(namespaceOf(chain), method))),
      named: allAddresses.map(address => topic(index.sessionFor(chain, 'sign', [address]))),
    })),
  }
}

const some = (all: readonly string[]) => fc.subarray([...all])
const part = fc.record({ chains: some(allChains), methods: some(allMethods), addresses: some(allAddresses) })
type Part = { chains: string[]; methods: string[]; addresses: string[] }

const namespacesOf = ({ chains, methods, addresses }: Part): Session['namespaces'] =>
  Object.fromEntries(
    [...new Set(chains.map(namespaceOf))].map(family => [
      family,
      {
        accounts: chains
          .filter(chain => namespaceOf(chain) === family)
          .flatMap(chain => addresses.map(address => `${chain}:${address}`)),
        methods,
        events: [],
      },
    ]),
  )

const topics = ['a', 'b', 'c', 'd', 'e']
const happening = fc.record({
  type: fc.constantFrom('session.settled', 'session.settled', 'session.updated', 'session.deleted', 'missed'),
  topic: fc.constantFrom(...topics),
  at: fc.integer({ min: 0, max: 3 }),
  part,
})

describe('the index', () => {
  test('answers as a scan of all sessions does', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 30 }), happenings => {
        const table: Table = {}
        const index = createSessionIndex(() => ({ session: table }))
        const missed: string[] = []
        for (const { type, topic, at, part: given } of happenings) {
          if (type === 'session.settled' || type === 'missed')
            table[topic] ??= {
              sessionTopic: topic,
              settledAt: at,
              namespaces: namespacesOf(given),
              chains: {},
            } as Session
          else if (type === 'session.updated' && table[topic]) table[topic].namespaces = namespacesOf(given)
          else if (type === 'session.deleted') delete table[topic]
          if (type === 'missed') missed.push(topic)
          else index.look([{ type, data: { sessionTopic: topic } } as unknown as FactRecord])
          // An empty batch makes the index read everything again, missed facts included
          if (missed.length > 0) index.look([])
          expect(indexed(index)).toEqual(plain(table))
        }
      }),
    )
  })

  test('has only proposed methods of a session: its wallet gets no others', () => {
    const proposal = {
      required: {},
      optional: { eip155: { chains: ['eip155:1'], methods: ['sign'], events: [] } },
    }
    const given = namespacesOf({ chains: allChains, methods: ['sign', 'eth_call'], addresses: ['0xaa'] })
    const session = {
      sessionTopic: 'a',
      settledAt: 0,
      namespaces: given,
      unasked: ['eip155:137', 'cosmos:hub'],
      proposal,
    } as unknown as Session
    const index = createSessionIndex(() => ({ session: { a: session } }))
    expect(index.families()).toEqual(['eip155'])
    expect(index.sessionFor('eip155:1', 'sign')).toBe(session)
    expect(index.sessionFor('eip155:1', 'eth_call')).toBeUndefined()
    expect(index.hasChain('eip155:137')).toBe(false)
  })

  test('prefers the active connection’s session for an account of it, while it is there and approved the method', () => {
    const given = { chains: ['eip155:1'], addresses: ['0xAa'] }
    const at = (sessionTopic: string, settledAt: number, methods = ['sign']) =>
      ({ sessionTopic, settledAt, namespaces: namespacesOf({ ...given, methods }), chains: {} }) as unknown as Session
    const table: Table = { a: at('a', 1), b: at('b', 2), c: at('c', 0, ['personal_sign']) }
    let chosen: string | undefined = 'a'
    const index = createSessionIndex(
      () => ({ session: table }),
      () => chosen,
    )
    const asked = (...named: string[]) => index.sessionFor('eip155:1', 'sign', named)?.sessionTopic
    expect([asked('0xaa'), asked('0xbb'), asked()]).toEqual(['a', 'b', 'b'])
    chosen = 'c'
    expect(asked('0xaa')).toBe('b')
    chosen = 'a'
    delete table.a
    index.look([{ type: 'session.deleted', data: { sessionTopic: 'a' } } as unknown as FactRecord])
    expect(asked('0xaa')).toBe('b')
  })
})
