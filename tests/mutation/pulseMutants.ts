/** Faults in analytics, in the first wallets of the directory and in the pace of an idle page, each caught by its own tests. */
import { type Mutant, tested } from './mutant.ts'

const analytics = tested('src/worker/deciders/analytics.ts', ['tests/worker/deciders/analytics.test.ts'])
const leaving = tested('src/events/analytics/leaving.ts', ['tests/worker/deciders/analytics.test.ts'])
const listing = tested('src/worker/deciders/listing.ts', ['tests/worker/deciders/listing.test.ts'])
const relay = tested('src/worker/deciders/relay/relay.ts', ['tests/worker/deciders/relay/relay.test.ts'])

export const pulseMutants: readonly Mutant[] = [
  leaving('events leave before consent', "consentOf(view, terms) !== 'given'", "consentOf(view, terms) === 'refused'"),
  leaving('the switch of an earlier life counts', 'view.switched?.life !== life', 'view.switched === undefined'),
  analytics(
    'a refusal keeps what waits',
    'const eventIds = given ? [] : viewOf(ctx).waiting.map(({ eventId }) => eventId)',
    'const eventIds: string[] = []',
  ),
  analytics(
    'a switch that cannot be read counts as on',
    "'pulse.readSwitch': ctx => switched(ctx, false)",
    "'pulse.readSwitch': ctx => switched(ctx, true)",
  ),
  analytics('a hidden page sends', '!anyVisible(ctx) || ', ''),
  analytics(
    'a second batch goes beside the first',
    ' || isSending(ctx)) return\n  const { events, asks }',
    ') return\n  const { events, asks }',
  ),
  analytics('a service that failed is asked at once', 'restMs * 2 ** (memory.failures - 1)', '0'),
  analytics('the network’s return waits for the rest', 'scratch(ctx).restsUntil = 0', 'scratch(ctx).failures = 0'),
  analytics('events that arrived are sent again', '.filter(id => !kept.includes(id))', '.filter(() => false)'),
  analytics('a refusal is told each time', 'sent.length === 0 && viewOf(ctx).refused === true', 'false'),
  listing('wallets of the build replace the service’s', 'if (!ctx.model.listing.top) ctx.fact', 'ctx.fact'),
  listing('an excluded wallet stands in the list', '[...top, ...excluded, ...featured]', '[...top, ...featured]'),
  relay('an idle socket is tested out of sight', 'anyVisible(ctx) && ctx.at', 'ctx.at'),
  relay('an idle socket is tested all the time', 'ctx.at - relay.heardAt >= idleQuietMs', 'true'),
]
