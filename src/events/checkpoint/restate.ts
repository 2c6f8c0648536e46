/** Restates the model as facts, the content of a checkpoint. Folding them from an empty model restores an equal model. */
import type { CoreModel } from '../app.ts'
import { own } from '../schema/own.ts'
import { rowOf } from './rows.ts'
import { shortHash } from '../log/shortHash.ts'
import type { CheckpointRecord, LogRecord, RestatedRecord } from '../log/record.ts'
import { lineOf } from '../log/lineOf.ts'
import { type RestatedFact, restatedDefinitions } from './restated.ts'
import type { Memory } from '../values/memory.ts'
import type { ListedWallet } from '../subjects/listing.ts'
import type { Notices } from '../subjects/sale.ts'

/** Wallets in one `listing.walletsRestated`. */
const walletsPerLine = 40

/**
 * One restated fact. `row` is the subject and key of an entry whose table may hold thousands: only a fact of that subject with
 * that key in its data changes such an entry, see `rowsNamedBy`.
 */
type Restating = RestatedFact & { row?: string }

/** @returns one fact for each thing in the model; facts of one kind stand in the order of their table */
export function restate(model: CoreModel): RestatedRecord[] {
  return Array.from(restating(model), recordOf)
}

export function recordOf({ type, data }: Restating): RestatedRecord {
  return { k: 'r', type, v: restatedDefinitions[type].version, data }
}

/** Restates one by one: each fact shows the model at the moment it is pulled, which may have changed since the first. */
export function* restating(model: CoreModel): Generator<Restating> {
  const { core, network, relay, relays, listing, connection, pairing, link, deleted, mail, sale } = model
  const { wallets: all, ...allRead } = listing.all
  const { wallets: found, ...foundRead } = listing.found
  yield { type: 'core.restated', data: { core } }
  yield { type: 'network.restated', data: { network } }
  yield { type: 'relay.restated', data: { relay } }
  if (isKnown(relays)) yield { type: 'relay.relaysRestated', data: relays }
  const { search, certified } = listing
  const asked = { search, ...(certified && { certified }) }
  yield { type: 'listing.restated', data: { all: allRead, ...asked, found: foundRead } }
  yield* walletsRestated('all', all)
  yield* walletsRestated('featured', listing.featured)
  yield* walletsRestated('found', found)
  const { attempt, recent } = connection
  yield { type: 'connection.attemptRestated', data: { attempt, recent } }
  // The active connection and pairings have no row: facts about others change `active` and `shown`
  for (const [connectionId, one] of rowsIn(connection.made)) {
    const active = connectionId === connection.active
    const row = active ? {} : { row: rowOf('connection', connectionId) }
    const { identity, ...made } = one
    const known = identity === undefined ? {} : { identity }
    yield { type: 'connection.restated', data: { connection: made, active, ...known }, ...row }
  }
  for (const [pairingTopic, one] of rowsIn(pairing.open))
    yield { type: 'pairing.restated', data: { pairing: one, shown: pairingTopic === pairing.shown } }
  for (const [topic, one] of rowsIn(model.session))
    yield { type: 'session.restated', data: { session: one }, row: rowOf('session', topic) }
  if (link.last || link.apps.length > 0 || Object.keys(link.chosen).length > 0)
    yield { type: 'link.restated', data: { ...link, last: link.last ?? {} } }
  for (const [authId, one] of rowsIn(model.auth))
    yield { type: 'auth.restated', data: { auth: one }, row: rowOf('auth', authId) }
  const forgotten = keysOf(deleted)
  if (isAny(forgotten)) yield { type: 'deleted.restated', data: forgotten }
  const [messages, requests] = [keysOf(mail.messages), keysOf(mail.requests)]
  if (isAny(messages)) yield { type: 'mail.messagesRestated', data: messages }
  if (isAny(requests)) {
    const [newest, older] = [requests.newest.map(askedIn), requests.older.map(askedIn)]
    yield { type: 'mail.requestsRestated', data: { newest, older } }
  }
  if (Object.keys(mail.dropped).length > 0) yield { type: 'mail.droppedRestated', data: { dropped: mail.dropped } }
  for (const [, owed] of rowsIn(mail.owed)) yield { type: 'mail.owedRestated', data: owed }
  for (const [sessionTopic, since] of Object.entries(model.parting))
    yield { type: 'parting.restated', data: { sessionTopic, since } }
  for (const [requestId, one] of rowsIn(model.request))
    yield { type: 'request.restated', data: { request: one }, row: rowOf('request', requestId) }
  for (const [key, one] of rowsIn(model.outbox))
    yield { type: 'outbox.restated', data: { outgoing: one }, row: rowOf('outbox', key) }
  for (const [account, one] of rowsIn(model.balance))
    yield { type: 'balance.restated', data: { account, balance: one }, row: rowOf('balance', account) }
  const { terms, notices, reading, stale, distrust, legal, access, content, pins, accepted } = sale
  yield {
    type: 'sale.restated',
    data: {
      terms,
      ...(notices && noticesOf(notices)),
      ...(reading && { reading }),
      ...(stale && { stale }),
      ...(distrust && { distrust }),
      ...(legal && { legal }),
      ...(access && { access }),
      ...(content && { content }),
      ...(accepted && { accepted }),
    },
  }
  for (const [, pin] of rowsIn(pins)) yield { type: 'sale.pinRestated', data: pin }
  for (const [orderId, one] of rowsIn(model.order)) {
    const { lying, silent, finalBy, ...order } = one
    const doubts = {
      ...(lying !== undefined && { lying }),
      ...(silent && { silent }),
      ...(finalBy !== undefined && { finalBy }),
    }
    yield { type: 'order.restated', data: { order, ...doubts }, row: rowOf('order', orderId) }
  }
  for (const [account, one] of rowsIn(model.purchase))
    yield { type: 'purchase.restated', data: { account, ...one }, row: rowOf('purchase', account) }
}

/** The table's entries, each read when pulled; entries deleted by then are skipped. */
function* rowsIn<T extends object>(table: Readonly<Record<string, T>>): Generator<[key: string, row: T]> {
  for (const key of Object.keys(table)) {
    const row = own(table, key)
    if (row) yield [key, row]
  }
}

function isKnown({ proved, lacks, opens }: CoreModel['relays']): boolean {
  return proved !== '' || opens.length > 0 || Object.keys(lacks).length > 0
}

/** Keys of a memory, in the order of eviction. */
function keysOf({ newest, older }: Memory): { newest: string[]; older: string[] } {
  return { newest: Object.keys(newest), older: Object.keys(older) }
}

function isAny({ newest, older }: { newest: string[]; older: string[] }): boolean {
  return newest.length + older.length > 0
}

/** Splits a request's key into its parts. */
function askedIn(key: string): { topic: string; payloadId: string } {
  const [topic = '', payloadId = ''] = key.split(' ')
  return { topic, payloadId }
}

function* walletsRestated(lane: 'all' | 'featured' | 'found', wallets: ListedWallet[]): Generator<RestatedFact> {
  for (let from = 0; from < wallets.length; from += walletsPerLine)
    yield { type: 'listing.walletsRestated', data: { lane, wallets: wallets.slice(from, from + walletsPerLine) } }
}

/** @returns 8 hex digits over the restated lines, whose fields have a fixed order: equal for equal models */
export function stateHash(model: CoreModel): string {
  return hashOfLines(restate(model).map(lineOf))
}

/** A position in the log. `transient` is the core's scratch memory with its boot, as plain JSON. */
export type Standing = Pick<CheckpointRecord, 'n' | 'seq' | 'life' | 'at' | 'build' | 'transient'>

/** @returns the lines of a checkpoint: its record, then the restated facts */
export function checkpointLines(standing: Standing, model: CoreModel): string[] {
  const restated = restate(model).map(lineOf)
  const record: LogRecord = { k: 'c', ...standing, state: hashOfLines(restated), restated: restated.length }
  return [lineOf(record), ...restated]
}

/** @returns 8 hex digits over restated lines: a checkpoint's `state` */
export function hashOfLines(lines: readonly string[]): string {
  return shortHash(lines.join('\n'))
}

/** `unlisted` was added later, so it stands beside the notices. */
function noticesOf({ unlisted, ...notices }: Notices) {
  return { notices, ...(unlisted && { unlisted }) }
}
