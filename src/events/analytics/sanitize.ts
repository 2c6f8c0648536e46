/**
 * Takes from an event everything that must not leave the device.
 *
 * 1. A property leaves only when the catalogue has it and its value fits; every other property is dropped.
 * 2. Texts are masked. Words of a list, amounts, the project's id and ids of networks are left as they are; a network's id that
 *    looks like an address is dropped, unless the network is known.
 * 3. No address leaves: a field for one has a mask in its place.
 * 4. Sanitizing twice changes nothing.
 */
import type { Field, Fields } from '../../runtime/schema/registry.ts'
import { text } from '../../runtime/schema/registry.ts'
import { isRecord } from '../../runtime/json/isRecord.ts'
import { networks } from '../values/networks.ts'
import { type AnalyticsEvent, errorFields, eventCatalogue, networkId } from './catalogue.ts'
import type { ErrorCategory } from './categories.ts'
import { maskedPart, maskedWithin, maskText } from './maskText.ts'

/** Event that waits to be sent. `eventId` is a UUID v4, `at` ms since the Unix epoch. */
type TrackedEvent = AnalyticsEvent & {
  type: 'track'
  eventId: string
  at: number
  /** the active network */
  caipNetworkId?: string
}

/** Report of an error that waits to be sent; `INTERNAL_SDK_ERROR` by default. */
type ErrorReport = {
  type: 'error'
  eventId: string
  at: number
  category?: ErrorCategory
  errorType?: string
  errorMessage?: string
}
export type PulseEvent = TrackedEvent | ErrorReport

/** Longest text of a property, UTF-16 units. */
const mostText = 1024
/** Most members of a list. */
const mostMembers = 50

/** @returns the event as it may leave */
export function sanitizeEvent(event: PulseEvent): PulseEvent {
  const { type, eventId, at } = event
  if (type === 'error') {
    const { category = 'INTERNAL_SDK_ERROR' } = event
    return { type, eventId, at, category, ...partsOf(errorFields, event) }
  }
  const { caipNetworkId = '' } = event
  const properties = partsOf(eventCatalogue[event.event].fields, event.properties)
  return {
    type,
    eventId,
    at,
    event: event.event,
    properties,
    ...(isNetwork(caipNetworkId) && { caipNetworkId }),
  } as TrackedEvent
}

function partsOf(fields: Fields, given: unknown): Record<string, unknown> {
  const parts: Record<string, unknown> = {}
  if (!isRecord(given)) return parts
  for (const [name, field] of Object.entries(fields)) {
    const value = cleared(field, given[name])
    if (value !== undefined) parts[name] = value
  }
  return parts
}

/** @returns the value as it may leave, undefined when it may not */
function cleared(field: Field, value: unknown): unknown {
  const { parts, list, schema } = field
  if (parts) return isRecord(value) ? partsOf(parts, value) : undefined
  if (list) {
    if (!Array.isArray(value)) return undefined
    return value
      .slice(0, mostMembers)
      .map(member => cleared(list, member))
      .filter(member => member !== undefined)
  }
  if (field.cls === 'personal') return typeof value === 'string' ? maskedPart : undefined
  if (schema === text) return typeof value === 'string' ? maskedWithin(value, mostText) : undefined
  const fits = schema === networkId ? isNetwork(value) : schema.check(value) === undefined
  return fits ? value : undefined
}

/** Ids of Solana's networks look like addresses; the known ones are none. */
const knownNetworks = new Set<unknown>(networks.flatMap(({ caip2, deprecatedIds }) => [caip2, ...deprecatedIds]))

function isNetwork(id: unknown): boolean {
  if (knownNetworks.has(id)) return true
  return networkId.check(id) === undefined && maskText(id as string) === id
}
