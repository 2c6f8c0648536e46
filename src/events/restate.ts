/** The world restated in facts: what a checkpoint holds. Folding it from nothing gives the very same model. */
import type { CoreModel } from './app.ts'
import { shortHash } from './shortHash.ts'
import type { CheckpointRecord, LogRecord, RestatedRecord } from './record.ts'
import { lineOf } from './lineOf.ts'
import { type RestatedFact, restatedDefinitions } from './restated.ts'
import type { Memory } from './values/memory.ts'
import type { ListedWallet } from './subjects/listing.ts'

/** Wallets of the directory in one line. */
const walletsPerLine = 40

/**
 * @returns one fact for each thing the model knows, of whose data the model is made; things of one kind stand in the order
 * in which they are gone through
 */
export function restate(model: CoreModel): RestatedRecord[] {
  const { core, network, relay, relays, listing, connection, pairing } = model
  const { session, auth, link, deleted, mail, parting, request, outbox } = model
  const { balance, sale, order, purchase } = model
  const { attempt, recent, active } = connection
  const { wallets: all, ...allRead } = listing.all
  const { wallets: found, ...foundRead } = listing.found
  const facts: RestatedFact[] = [
    { type: 'core.restated', data: { core } },
    { type: 'network.restated', data: { network } },
    { type: 'relay.restated', data: { relay } },
    ...(isKnown(relays) ? [{ type: 'relay.relaysRestated', data: relays } as const] : []),
    { type: 'listing.restated', data: { all: allRead, search: listing.search, found: foundRead } },
    ...walletsRestated('all', all),
    ...walletsRestated('featured', listing.featured),
    ...walletsRestated('found', found),
    { type: 'connection.attemptRestated', data: { attempt, recent } },
  ]
  for (const [connectionId, one] of Object.entries(connection.made))
    facts.push({ type: 'connection.restated', data: { connection: one, active: connectionId === active } })
  for (const [pairingTopic, one] of Object.entries(pairing.open))
    facts.push({ type: 'pairing.restated', data: { pairing: one, shown: pairingTopic === pairing.shown } })
  for (const one of Object.values(session)) facts.push({ type: 'session.restated', data: { session: one } })
  if (link.last || link.apps.length > 0 || Object.keys(link.chosen).length > 0)
    facts.push({ type: 'link.restated', data: { ...link, last: link.last ?? {} } })
  for (const one of Object.values(auth)) facts.push({ type: 'auth.restated', data: { auth: one } })
  const forgotten = keysOf(deleted)
  if (isAny(forgotten)) facts.push({ type: 'deleted.restated', data: forgotten })
  const [messages, requests] = [keysOf(mail.messages), keysOf(mail.requests)]
  if (isAny(messages)) facts.push({ type: 'mail.messagesRestated', data: messages })
  if (isAny(requests)) {
    const [newest, older] = [requests.newest.map(askedIn), requests.older.map(askedIn)]
    facts.push({ type: 'mail.requestsRestated', data: { newest, older } })
  }
  if (Object.keys(mail.dropped).length > 0)
    facts.push({ type: 'mail.droppedRestated', data: { dropped: mail.dropped } })
  for (const [sessionTopic, since] of Object.entries(parting))
    facts.push({ type: 'parting.restated', data: { sessionTopic, since } })
  for (const one of Object.values(request)) facts.push({ type: 'request.restated', data: { request: one } })
  for (const one of Object.values(outbox)) facts.push({ type: 'outbox.restated', data: { outgoing: one } })
  for (const [account, one] of Object.entries(balance))
    facts.push({ type: 'balance.restated', data: { account, balance: one } })
  const { terms, notices, reading, stale, distrust } = sale
  facts.push({
    type: 'sale.restated',
    data: {
      terms,
      ...(notices && { notices }),
      ...(reading && { reading }),
      ...(stale && { stale }),
      ...(distrust && { distrust }),
    },
  })
  for (const one of Object.values(order)) facts.push({ type: 'order.restated', data: { order: one } })
  for (const [account, one] of Object.entries(purchase))
    facts.push({ type: 'purchase.restated', data: { account, ...one } })
  return facts.map(({ type, data }) => ({ k: 'r', type, v: restatedDefinitions[type].version, data }))
}

function isKnown({ proved, lacks, opens }: CoreModel['relays']): boolean {
  return proved !== '' || opens.length > 0 || Object.keys(lacks).length > 0
}

/** What is remembered, in the order in which it is forgotten. */
function keysOf({ newest, older }: Memory): { newest: string[]; older: string[] } {
  return { newest: Object.keys(newest), older: Object.keys(older) }
}

function isAny({ newest, older }: { newest: string[]; older: string[] }): boolean {
  return newest.length + older.length > 0
}

/** The two parts of a request's key. */
function askedIn(key: string): { topic: string; payloadId: string } {
  const [topic = '', payloadId = ''] = key.split(' ')
  return { topic, payloadId }
}

function* walletsRestated(lane: 'all' | 'featured' | 'found', wallets: ListedWallet[]): Generator<RestatedFact> {
  for (let from = 0; from < wallets.length; from += walletsPerLine)
    yield { type: 'listing.walletsRestated', data: { lane, wallets: wallets.slice(from, from + walletsPerLine) } }
}

/** @returns 8 hex digits that are equal where models are: over the restated lines, in which fields stand in one order */
export function stateHash(model: CoreModel): string {
  return hashOfLines(restate(model).map(lineOf))
}

/** Where a log stands. `transient` is the core's scratch memory with its boot, as plain JSON. */
export type Standing = Pick<CheckpointRecord, 'n' | 'seq' | 'life' | 'at' | 'build' | 'transient'>

/** @returns the lines of a checkpoint: itself, then the world restated */
export function checkpointLines(standing: Standing, model: CoreModel): string[] {
  const restated = restate(model).map(lineOf)
  const record: LogRecord = { k: 'c', ...standing, state: hashOfLines(restated), restated: restated.length }
  return [lineOf(record), ...restated]
}

/** @returns 8 hex digits over restated lines: what a checkpoint has as its `state` */
export function hashOfLines(lines: readonly string[]): string {
  return shortHash(lines.join('\n'))
}
