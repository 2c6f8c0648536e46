/** Generators of values that must not leave the device, and of analytics events that quote them everywhere. */
import fc from 'fast-check'
import { type AnalyticsEventName, errorFields, eventCatalogue } from '../../../src/events/analytics/catalogue.ts'
import { errorCategories } from '../../../src/events/analytics/categories.ts'
import type { PulseEvent } from '../../../src/events/analytics/sanitize.ts'
import { encodeBase58 } from '../../../src/events/values/solana/base58.ts'
import type { Field, Fields } from '../../../src/runtime/schema/registry.ts'

const hex = (digits: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: digits, maxLength: digits })

export type Secrets = { topic: string; symKey: string; solana: string; ethereum: string }
export const someSecrets: fc.Arbitrary<Secrets> = fc.record({
  topic: hex(64),
  symKey: hex(64),
  solana: fc.uint8Array({ minLength: 32, maxLength: 32 }).map(encodeBase58),
  ethereum: fc.mixedCase(hex(40)).map(digits => `0x${digits}`),
})

/** Texts in which the secrets stand plain, in a pairing URI and in links, beside any characters. */
export function quoting({ topic, symKey, solana, ethereum }: Secrets): fc.Arbitrary<string> {
  const uri = `wc:${topic}@2?relay-protocol=irn&symKey=${symKey}&expiryTimestamp=1700000300`
  const link = `phantom://wc?uri=${encodeURIComponent(uri)}`
  const links = [uri, uri.toUpperCase(), link, encodeURIComponent(link), `https://shop.example/?a=${solana}#${topic}`]
  const quoted = fc.constantFrom(...links, `symKey=${symKey}`, topic, symKey, solana, ethereum)
  const around = fc.string({ unit: 'binary', maxLength: 8 })
  return fc.tuple(around, quoted, around, quoted, around).map(parts => parts.join(''))
}

/** Values for a field: fitting ones, and `texts` of any kind in their place. */
function valueFor({ parts, list, schema }: Field, texts: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  if (parts) return fc.oneof({ weight: 9, arbitrary: propertiesFor(parts, texts) }, texts)
  if (list) return fc.oneof({ weight: 9, arbitrary: fc.array(valueFor(list, texts), { maxLength: 3 }) }, texts)
  const fitting = schema.options
    ? fc.constantFrom(...schema.options)
    : fc.constantFrom<unknown>('12.5', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'eip155:1', true, 3, 'Quill')
  return fc.oneof(fitting, texts, texts)
}

/** Properties of these names, and others that no catalogue has. */
export function propertiesFor(fields: Fields, texts: fc.Arbitrary<string>): fc.Arbitrary<Record<string, unknown>> {
  const known = Object.entries(fields).map(([name, field]) => [name, valueFor(field, texts)] as const)
  const others = ['uri', 'topic', 'symKey', 'metadata'].map(name => [name, texts] as const)
  return fc.record(Object.fromEntries<fc.Arbitrary<unknown>>([...others, ...known]), {
    requiredKeys: Object.keys(fields),
  })
}

/** Events and reports with these texts in every place. */
export function eventsQuoting(texts: fc.Arbitrary<string>): fc.Arbitrary<PulseEvent> {
  const common = { eventId: fc.uuid({ version: 4 }), at: fc.nat() }
  const names = Object.keys(eventCatalogue) as AnalyticsEventName[]
  const tracked = fc.constantFrom(...names).chain(event =>
    fc.record(
      {
        ...common,
        type: fc.constant('track' as const),
        event: fc.constant(event),
        properties: propertiesFor(eventCatalogue[event].fields, texts),
        caipNetworkId: fc.oneof(texts, fc.constantFrom('eip155:1', 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1')),
        address: texts,
      },
      { requiredKeys: ['type', 'event', 'properties', 'eventId', 'at'] },
    ),
  )
  const reports = fc
    .tuple(
      fc.record({ ...common, type: fc.constant('error' as const), category: fc.constantFrom(...errorCategories) }),
      propertiesFor(errorFields, texts),
    )
    .map(([report, fields]) => ({ ...fields, ...report }))
  // Hostile values fit no event's type
  return fc.oneof({ weight: 4, arbitrary: tracked }, reports) as fc.Arbitrary<PulseEvent>
}
