import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  conformanceProblem,
  proposalProblem,
  sessionProblem,
} from '../../../../src/worker/walletconnect/session/namespaceChecks.ts'
import {
  accountsOn,
  addressOf,
  approvedChains,
  buildNamespaces,
  chainOf,
  eventsFor,
  inWordsOf,
  isAccountId,
  isChainId,
  mergeNamespaces,
  methodsFor,
  permittedNamespaces,
  proposedChains,
  unaskedChains,
} from '../../../../src/worker/walletconnect/session/namespaces.ts'
import { vectors } from '../vectors.ts'

const { validSession, validProposal, conforming, merge, build } = vectors.namespaces
const numbered = <T extends object>(list: T[]) => list.map((vector, i) => ({ ...vector, i }))

describe('well-formedness', () => {
  test.each(numbered(validSession))('of session namespaces, vector $i: $error.message', ({ namespaces, error }) => {
    expect(sessionProblem(namespaces, 'onSessionSettleRequest()') ?? null).toEqual(error)
  })

  test.each(numbered(validProposal))('of proposed namespaces, vector $i: $error.message', ({ namespaces, error }) => {
    expect(proposalProblem(namespaces, 'connect()', 'optionalNamespaces') ?? null).toEqual(error)
  })

  test.each([
    null,
    undefined,
    'x',
    7,
    [],
    { solana: null },
    { solana: 'x' },
    { solana: [] },
    { 'solana:1': null },
    {
      solana: {
        accounts: [[{ toString: 1, valueOf: 1 }]],
        chains: [[{ toString: 1, valueOf: 1 }]],
        methods: [],
        events: [],
      },
    },
  ])('of %j is a problem with a text, not a crash', junk => {
    expect(sessionProblem(junk, 'update()')?.code).toBeGreaterThan(0)
    expect(proposalProblem(junk, 'connect()', 'requiredNamespaces')?.code).toBeGreaterThan(0)
  })

  test.each([true, 'a:b', 7, {}])('of chains that are %j instead of a list is a problem', chains => {
    const namespaces = { 'eip155:1': { chains, methods: [], events: [] } }
    expect(proposalProblem(namespaces, 'connect()', 'optionalNamespaces')?.code).toBe(5100)
  })

  test('an account of endless length is not repeated whole', () => {
    const namespaces = { solana: { accounts: ['x'.repeat(100_000)], methods: [], events: [] } }
    expect(sessionProblem(namespaces, 'update()')?.message.length).toBeLessThan(500)
  })
})

test.each(numbered(conforming))('conformance, vector $i: $error.message', ({ required, session, error }) => {
  expect(conformanceProblem(required, session, 'approve()') ?? null).toEqual(error)
})

test('a required namespace approved under another key does not conform', () => {
  const required = { eip155: { chains: ['eip155:1'], methods: [], events: [] } }
  const session = { solana: { accounts: ['eip155:1:0xab'], methods: [], events: [] } }
  expect(conformanceProblem(required, session, 'approve()')?.message).toMatch(
    /^Non conforming namespaces\. approve\(\) namespaces keys don't satisfy requiredNamespaces\./,
  )
})

test.each(numbered(merge))('merging, vector $i', ({ required, optional, merged }) => {
  expect(mergeNamespaces(required, optional)).toEqual(merged)
})

test.each(numbered(build))('building, vector $i', ({ proposal, supported, approved }) => {
  expect(buildNamespaces(proposal, supported)).toEqual(approved)
})

describe('asking a session', () => {
  const session = {
    solana: {
      chains: ['solana:main', 'solana:test'],
      accounts: ['solana:main:A', 'solana:main:B', 'solana:main:A', 'solana:dev:A'],
      methods: ['sign', 'send'],
      events: ['accountsChanged'],
    },
    'eip155:1': { accounts: ['eip155:1:0xab'], methods: ['personal_sign'], events: [] },
  }

  test('its chains are those with an account, whatever it lists', () => {
    expect(approvedChains(session)).toEqual(['solana:main', 'solana:dev', 'eip155:1'])
  })

  test('its accounts, methods and events are those of one chain', () => {
    expect(accountsOn(session, 'solana:main').map(addressOf)).toEqual(['A', 'B'])
    expect(accountsOn(session, 'solana:test')).toEqual([])
    expect(methodsFor(session, 'solana:dev')).toEqual(['sign', 'send'])
    expect(methodsFor(session, 'solana:test')).toEqual([])
    expect(eventsFor(session, 'solana:main')).toEqual(['accountsChanged'])
  })
})

test('a chain has two parts and an account three', () => {
  expect(['a:b', 'a', 'a:', ':b', 'a:b:c', 'a b:c', '', 7].map(isChainId)).toEqual([true, ...Array(7).fill(false)])
  expect(['a:b:c', 'a:b', 'a:b:', '::', 'a:b:c:d', null].map(isAccountId)).toEqual([true, ...Array(5).fill(false)])
})

describe('what may be used of a session', () => {
  const names = ['eip155', 'solana', 'eip155:1']
  const chains = fc.uniqueArray(fc.constantFrom('eip155:1', 'eip155:10', 'solana:x', 'solana:y'), { maxLength: 3 })
  const words = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 })
  const some = <T>(part: fc.Arbitrary<T>) => fc.dictionary(fc.constantFrom(...names), part, { maxKeys: 3 })
  const proposals = some(fc.record({ chains, methods: words, events: words }, { requiredKeys: ['methods', 'events'] }))
  const sessions = some(
    fc.record({ accounts: chains.map(of => of.map(chain => `${chain}:me`)), methods: words, events: words }),
  )

  test('is part of what the wallet approved, and of what was asked for; asking for nothing is asking for all', () => {
    fc.assert(
      fc.property(proposals, sessions, (proposed, session) => {
        const unasked = unaskedChains(proposed, session)
        const permitted = permittedNamespaces(proposed, session, unasked)
        if (Object.keys(proposed).length === 0) {
          expect([permitted, unasked]).toEqual([session, []])
          return
        }
        const asked = mergeNamespaces({}, proposed)
        const askedChains = proposedChains(proposed)
        for (const [key, part] of Object.entries(permitted)) {
          const given = session[key]
          const wanted = asked[key.split(':')[0] ?? '']
          expect(given?.accounts).toEqual(expect.arrayContaining([...part.accounts]))
          expect(given?.methods).toEqual(expect.arrayContaining([...part.methods]))
          expect(wanted?.methods).toEqual(expect.arrayContaining([...part.methods]))
          expect(wanted?.events).toEqual(expect.arrayContaining([...part.events]))
          for (const account of part.accounts) expect(askedChains).toContain(chainOf(account))
        }
      }),
      { numRuns: 500 },
    )
  })

  test('has no account that stands under another namespace than its own', () => {
    const proposed = { eip155: { chains: ['eip155:1'], methods: ['a'], events: [] } }
    const mixed = { eip155: { accounts: ['solana:main:me', 'eip155:1:me'], methods: ['a'], events: [] } }
    expect(permittedNamespaces(proposed, mixed).eip155?.accounts).toEqual(['eip155:1:me'])
  })

  test('grows by a chain that the wallet adds later under what was asked for, not by one it gave unasked', () => {
    const proposed = { eip155: { chains: ['eip155:1'], methods: ['a'], events: [] } }
    const later = { eip155: { accounts: ['eip155:1:me', 'eip155:10:me', 'eip155:56:me'], methods: ['a'], events: [] } }
    const permitted = permittedNamespaces(proposed, later, ['eip155:56'])
    expect(approvedChains(permitted)).toEqual(['eip155:1', 'eip155:10'])
  })
})

test('what was approved is the same in the words that were asked for, in the same order, whatever both say', () => {
  const word = fc.constantFrom('a', 'b', 'solana:1', '__proto__', 'solana_signMessage')
  const words = fc.array(word)
  const part = fc.record({ methods: words, chains: words, events: words, accounts: words }, { noNullPrototype: true })
  const keys = fc.constantFrom('solana', 'eip155:1', '__proto__')
  fc.assert(
    fc.property(fc.dictionary(keys, part), fc.dictionary(keys, part), (asked, approved) => {
      expect(JSON.stringify(inWordsOf(asked, approved))).toBe(JSON.stringify(approved))
    }),
  )
})
