import fc from 'fast-check'
import { produce } from 'immer'
import { describe, expect, test } from 'vitest'
import type { Model } from '../../src/events/app.ts'
import { fold } from '../../src/events/coreFolds.ts'
import { emptyModel } from '../../src/events/emptyModel.ts'
import { factDefinitions, pageFactDefinitions } from '../../src/events/schema/definitions.ts'
import { type AnyFact, coreFact, factLike, pageFact } from './facts.ts'

const log = fc.array(fc.oneof({ weight: 4, arbitrary: coreFact }, { weight: 1, arbitrary: pageFact }), {
  minLength: 1,
  maxLength: 120,
})

/** Sorts keys, so that only content is compared. */
const stateOf = (model: unknown) =>
  JSON.stringify(model, (_key, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )

const folded = (facts: readonly AnyFact[]) => {
  const model = emptyModel()
  for (const fact of facts) fold(model, structuredClone(fact))
  return model
}
const live = (facts: readonly AnyFact[]): Model =>
  facts.reduce((model, fact) => produce(model, draft => fold(draft, fact)), emptyModel())

/** Views derived from other subjects' facts: the relays' capabilities and the lately deleted topics. */
const follows: Record<string, readonly string[]> = {
  relay: ['relays'],
  session: ['deleted'],
  invoice: ['purchase'],
  pairing: ['deleted'],
  request: ['deleted'],
}

describe('any log', () => {
  test('adds up to the same under immer and raw, key for key', () => {
    fc.assert(
      fc.property(log, facts => {
        const raw = folded(facts)
        const watched = live(structuredClone(facts))
        expect(stateOf(watched)).toBe(stateOf(raw))
        expect(JSON.stringify(watched)).toBe(JSON.stringify(raw))
      }),
      { numRuns: 150, seed: 1 },
    )
  })

  test('adds up to plain JSON', () => {
    fc.assert(
      fc.property(log, facts => {
        const model = folded(facts)
        expect(JSON.parse(JSON.stringify(model))).toEqual(model)
      }),
      { numRuns: 100, seed: 2 },
    )
  })

  test('leaves the facts themselves as they were, and the empty model too', () => {
    const empty = JSON.stringify(emptyModel())
    fc.assert(
      fc.property(log, facts => {
        const before = JSON.stringify(facts)
        const model = emptyModel()
        for (const fact of facts) fold(model, fact)
        expect(JSON.stringify(facts)).toBe(before)
        expect(JSON.stringify(emptyModel())).toBe(empty)
      }),
      { numRuns: 100, seed: 3 },
    )
  })

  test('touches only the subject of each fact, and the views derived from it', () => {
    fc.assert(
      fc.property(log, coreFact, (facts, last) => {
        const before = live(facts)
        const after = produce(before, draft => fold(draft, last))
        const subject = last.type.slice(0, last.type.indexOf('.'))
        for (const [name, view] of Object.entries(after))
          if (name !== subject && !follows[subject]?.includes(name)) expect(view).toBe(before[name as keyof Model])
      }),
      { numRuns: 100, seed: 4 },
    )
  })
})

/** Facts that are counted, or that add news each time. */
const counts = new Set([
  'core.faulted',
  'core.inputSetAside',
  'screen.opened',
  'screen.back',
  'toast.shown',
  'tab.opened',
  'listing.read',
  'listing.featuredRead',
  'listing.topRead',
  'listing.excludedRead',
  'balance.failed',
  'purchase.read',
  'purchase.failed',
  'purchase.accounted',
  'sale.noticesRead',
  'sale.noticesUnread',
  'sale.termsRefused',
  'sale.unreachable',
  'sale.distrusted',
  'sale.legalFailed',
  'sale.accessFailed',
  'sale.contentRead',
  'sale.feedRead',
  'sale.feedFailed',
  'network.unreachable',
  'network.offered',
  'network.switched',
  'network.refused',
  'invoice.refused',
  'invoice.looked',
  'mail.dropped',
  'project.resolved',
  'project.refused',
  'service.asked',
  'relay.connecting',
  'relay.lost',
  'relay.refused',
  'order.built',
  'screen.sendDrafted',
  'screen.refused',
  'tab.featured',
])
const types = [...Object.keys(factDefinitions), ...Object.keys(pageFactDefinitions)]

describe('a repeated fact', () => {
  test.each(types.filter(type => !counts.has(type)))('%s leaves the very same object', type => {
    fc.assert(
      fc.property(log, factLike(type), (facts, last) => {
        const once = produce(live(facts), draft => fold(draft, last))
        expect(produce(once, draft => fold(draft, structuredClone(last)))).toBe(once)
      }),
      { numRuns: 40, seed: 5 },
    )
  })
})

/** Opening facts, which need no fact before them. */
const begins = new Set([
  ...counts,
  'analytics.consented',
  'analytics.switched',
  'analytics.queued',
  'analytics.failed',
  'core.started',
  'core.storageLost',
  'core.logCut',
  'network.identified',
  'network.mismatched',
  'network.offline',
  'mail.heard',
  'mail.owed',
  'project.asked',
  'relay.connected',
  'relay.offline',
  'relay.proved',
  'relay.learned',
  'listing.asked',
  'connection.requested',
  'connection.recalled',
  'connection.made',
  'pairing.created',
  'session.settled',
  'parting.owed',
  'auth.requested',
  'link.chosen',
  'link.appLearned',
  'link.opened',
  'link.skipped',
  'request.sent',
  'request.refused',
  'outbox.queued',
  'balance.read',
  'sale.termsRead',
  'sale.legalRead',
  'sale.accessRead',
  'sale.read',
  'sale.pinned',
  'invoice.opened',
  'ledger.progressed',
  'ledger.stopped',
  'ledger.failed',
  'ledger.computed',
  'order.drafted',
  'tab.themed',
  'screen.agreed',
  'tab.featured',
  'tab.languageChosen',
  'core.inputSetAside',
  'tab.attached',
  'tab.coreLost',
  'tab.restated',
  'tab.elsewhere',
  'tab.otherBuild',
  'tab.outdated',
  'tab.blocked',
  'installed.announced',
])

describe('a fact about an unknown entity', () => {
  const unknown = types.filter(
    type => !begins.has(type) || /^screen\.(?:back|refused|replaced)$|order\.built|purchase\.accounted/.test(type),
  )
  test.each(unknown)('%s leaves the very same object', type => {
    const empty = emptyModel()
    fc.assert(
      fc.property(factLike(type), fact => {
        expect(produce(empty, draft => fold(draft, fact))).toBe(empty)
      }),
      { numRuns: 20, seed: 6 },
    )
  })
})

describe('a fact of an unknown type', () => {
  const subjects = [...new Set(types.map(type => type.slice(0, type.indexOf('.'))))]
  test.each(subjects)('%s.… changes nothing, with any model', subject => {
    const like = fc.constantFrom(...types.filter(type => type.startsWith(`${subject}.`))).chain(factLike)
    fc.assert(
      fc.property(log, like, (facts, last) => {
        const before = live(facts)
        const stranger = { ...last, type: `${subject}.sang` }
        expect(produce(before, draft => fold(draft, stranger))).toBe(before)
      }),
      { numRuns: 30, seed: 7 },
    )
  })

  test.each(['nobody.spoke', 'connection', '', 'constructor.made', '__proto__.x', 'toString.x'])(
    '%j changes nothing',
    type => {
      const model = emptyModel()
      expect(produce(model, draft => fold(draft, { type, at: 1, data: { orderId: 'a' } }))).toBe(model)
    },
  )
})
