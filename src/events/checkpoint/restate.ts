/** Restates the model as facts, the content of a checkpoint. Folding them from an empty model restores an equal model. */
import type { CoreModel } from '../app.ts'
import { shortHash } from '../log/shortHash.ts'
import type { CheckpointRecord, LogRecord, RestatedRecord } from '../log/record.ts'
import { lineOf } from '../log/lineOf.ts'
import { type RestatedFact, restatedDefinitions } from './restated.ts'
import type { Memory } from '../values/memory.ts'
import type { ListedWallet } from '../subjects/listing.ts'
import type { Notices } from '../subjects/sale.ts'

/** Wallets in one `listing.walletsRestated`. */
const walletsPerLine = 40

/** @returns one fact for each thing in the model; facts of one kind stand in the order of their table */
export function restate(model: CoreModel): RestatedRecord[] {
  return Array.from(restating(model), recordOf)
}

function recordOf({ type, data }: RestatedFact): RestatedRecord {
  return { k: 'r', type, v: restatedDefinitions[type].version, data }
}

function* restating(model: CoreModel): Generator<RestatedFact> {
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
  for (const [connectionId, one] of Object.entries(connection.made)) {
    const active = connectionId === connection.active
    const { identity, ...made } = one
    const known = identity === undefined ? {} : { identity }
    yield { type: 'connection.restated', data: { connection: made, active, ...known } }
  }
  for (const [pairingTopic, one] of Object.entries(pairing.open))
    yield { type: 'pairing.restated', data: { pairing: one, shown: pairingTopic === pairing.shown } }
  for (const one of Object.values(model.session)) yield { type: 'session.restated', data: { session: one } }
  if (link.last || link.apps.length > 0 || Object.keys(link.chosen).length > 0)
    yield { type: 'link.restated', data: { ...link, last: link.last ?? {} } }
  for (const one of Object.values(model.auth)) yield { type: 'auth.restated', data: { auth: one } }
  const forgotten = keysOf(deleted)
  if (isAny(forgotten)) yield { type: 'deleted.restated', data: forgotten }
  const [messages, requests] = [keysOf(mail.messages), keysOf(mail.requests)]
  if (isAny(messages)) yield { type: 'mail.messagesRestated', data: messages }
  if (isAny(requests)) {
    const [newest, older] = [requests.newest.map(askedIn), requests.older.map(askedIn)]
    yield { type: 'mail.requestsRestated', data: { newest, older } }
  }
  if (Object.keys(mail.dropped).length > 0) yield { type: 'mail.droppedRestated', data: { dropped: mail.dropped } }
  for (const owed of Object.values(mail.owed)) yield { type: 'mail.owedRestated', data: owed }
  for (const [sessionTopic, since] of Object.entries(model.parting))
    yield { type: 'parting.restated', data: { sessionTopic, since } }
  for (const one of Object.values(model.request)) yield { type: 'request.restated', data: { request: one } }
  for (const one of Object.values(model.outbox)) yield { type: 'outbox.restated', data: { outgoing: one } }
  for (const [account, one] of Object.entries(model.balance))
    yield { type: 'balance.restated', data: { account, balance: one } }
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
  for (const pin of Object.values(pins)) yield { type: 'sale.pinRestated', data: pin }
  for (const one of Object.values(model.order)) {
    const { lying, silent, finalBy, ...order } = one
    const doubts = {
      ...(lying !== undefined && { lying }),
      ...(silent && { silent }),
      ...(finalBy !== undefined && { finalBy }),
    }
    yield { type: 'order.restated', data: { order, ...doubts } }
  }
  for (const [account, one] of Object.entries(model.purchase))
    yield { type: 'purchase.restated', data: { account, ...one } }
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
