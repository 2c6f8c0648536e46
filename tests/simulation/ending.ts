/** Invariants after the last fault: nothing waits for ever, and all sides agree on the payments. */
import { isAway } from '../../src/events/subjects/service/network.ts'
import type { CoreModel } from '../../src/events/app.ts'
import { foldCoreFact } from '../../src/events/coreFolds.ts'
import { emptyCoreModel } from '../../src/events/emptyModel.ts'
import { decode } from '../../src/events/log/decode.ts'
import { firstDifference } from '../../src/runtime/replay/firstDifference.ts'
import {
  askOf,
  builtOf,
  isDead,
  isMismatched,
  isOpen,
  isPaid,
  isProved,
  orderSignatureOf,
  outlivingBlocks,
  type Order,
} from '../../src/events/subjects/order/order.ts'
import type { Decider } from '../../src/worker/core/context.ts'
import { reexecute } from '../../src/worker/replay/reexecute.ts'
import { isSendToPay } from './payments.ts'
import type { Log } from './runtime/disk.ts'
import { checkpointWrongs, type Kept } from './checkpoints.ts'
import { formOfKeyIn } from './secrets.ts'
import { unanswered } from './unanswered.ts'
import type { SimulatedWorld } from './world.ts'

/** Timers that end waits for a person or a wallet. */
const ends = ['request:', 'call:', 'ping:', 'silence:', 'return:', 'rejoin:', 'attempt:']
/** Time from the expiry of bytes until every endpoint has confirmed it, and was asked for the blockhash, ms. */
const lookMs = 35_000
/** A message may have been queued at this very moment, as a code renews itself while it is shown, ms. */
const underWayMs = 1000
/** Time until a new life trusts that a blockhash has expired, ms. */
const trustMs = 60_000 + lookMs
/** Time from a sending wallet's answer, or from the first look of a new life, until any blockhash of then has expired, ms. */
const sentMs = (outlivingBlocks + 1) * 400 + lookMs

/** The latest moment a wait may last to: each has an end of its own. */
export function latestEnd(world: SimulatedWorld, model: CoreModel): number {
  const moments = [world.latestTimer(ends)]
  for (const order of Object.values(model.order)) {
    const built = builtOf(order)
    if (built && (isOpen(order) || askOf(order)))
      moments.push(world.chain.finalAt(built.validUntilHeight) + lookMs, world.bornAt() + trustMs)
    // A wallet that sends by itself may have used a newer blockhash
    if (askOf(order)?.means === 'signAndSend')
      moments.push(Math.max(world.lastAnswer(), orderSignatureOf(order) ? world.bornAt() : 0) + sentMs)
  }
  return Math.max(...moments)
}

/** @returns work that is not at rest, in words */
export function unrest(world: SimulatedWorld): string[] {
  const model = world.model()
  if (!model) return ['no worker runs']
  const found: string[] = []
  for (const { requestId, phase } of Object.values(model.request))
    if (phase !== 'ended') found.push(`the request ${requestId} is still ${phase}`)
  for (const { calls } of Object.values(model.session))
    for (const { what } of Object.values(calls)) found.push(`a session’s ${what} has no end`)
  for (const order of Object.values(model.order)) if (!isSettled(order)) found.push(`an order is still ${order.phase}`)
  const isNeeded =
    Object.values(model.session).some(({ transport }) => transport !== 'link') ||
    // Others go by their wallet's universal link
    Object.values(model.outbox).some(({ universal }) => universal === undefined)
  if (isNeeded && model.relay.phase !== 'connected') found.push(`the relay is needed, but it is ${model.relay.phase}`)
  if (isNeeded && !world.relay.isOpen()) found.push('the relay is needed, but its socket is not open')
  for (const { kind, purpose, expiresAt, ttl } of Object.values(model.outbox))
    if (world.now() - (expiresAt - ttl * 1000) > underWayMs) found.push(`a ${kind} ${purpose ?? ''} still waits`)
  if (model.connection.attempt.phase === 'asking' && model.connection.attempt.connector === 'installed')
    found.push('a wallet is still being asked to connect')
  for (const { phase, pairingTopic, pings } of Object.values(model.pairing.open)) {
    if (phase === 'responded') found.push('the key of a session is still being derived')
    if (!world.isTimed(`pairing:${pairingTopic}`)) found.push(`a ${phase} pairing has no end`)
    if (Object.keys(pings ?? {}).length > 0) found.push('a ping of a code has no end')
  }
  for (const topic of Object.keys(model.session))
    if (!world.isTimed(`session:${topic}`)) found.push('a session has no end')
  if (model.network.phase !== 'identified') found.push(`the chain is ${model.network.phase}`)
  // A network that the person chose has no sale
  if (model.sale.terms.phase !== 'read' && !isAway(model)) found.push(`the terms are ${model.sale.terms.phase}`)
  if (model.sale.stale && !isAway(model)) found.push('the sale is stale')
  if (model.sale.reading && !isAway(model) && world.now() - model.sale.reading.readAt > 40_000)
    found.push('the sale is not read any more')
  if (!model.network.online) found.push('the device counts as offline')
  for (const one of Object.values(model.connection.made))
    if (one.phase === 'restoring') found.push(`${one.wallet.name} is still being restored`)
  for (const list of [model.listing.all, model.listing.found])
    if (list.phase === 'reading') found.push('the directory is still being read')
  found.push(...unanswered(world), ...world.behind())
  if (world.listens() && Object.values(model.order).every(isSettled)) found.push('a node is listened to for no order')
  if (world.timers() > 60) found.push(`${world.timers()} timers are set`)
  return found
}

function isSettled(order: Order): boolean {
  if (isPaid(order)) return true
  // Early phases wait for a person without limit
  if (order.phase === 'pressAwaited') return true
  // An alarm stays until the person has read it
  if (isMismatched(order)) return true
  return isDead(order)
}

/** @returns differences between the orders and the chain */
export function disagreements(world: SimulatedWorld): string[] {
  const model = world.model()
  if (!model) return []
  const found: string[] = []
  for (const order of Object.values(model.order)) {
    const { phase } = order
    const built = builtOf(order)
    const stands = built !== undefined && world.chain.isPaid(built.bytesRef)
    if (isPaid(order) !== stands) found.push(`an order is ${phase}, its payment ${stands ? 'stands' : 'is not there'}`)
    const isSure = isProved(order) || isPaid(order) || phase === 'failedOnChain'
    if (built && world.prompts(built.bytesRef) > 0 && isDead(order) && !isSure)
      found.push(`whether a ${phase} order was paid is not proved`)
  }
  const sent = new Set<string>()
  for (const { ref, order, failed } of world.chain.landed.values()) {
    if (failed || !isSendToPay(order) || world.chain.isAltered(ref)) continue
    const name = `${order.account} ${order.orderKey}`
    if (sent.has(name)) found.push('a transfer landed twice')
    sent.add(name)
  }
  for (const topic of Object.keys(model.session))
    if (world.app.ended.has(topic) && !world.isLinkLost(topic))
      found.push('a session that its wallet ended is still there')
  return found
}

/** Results of a run beside its log. */
export type Ran = {
  model: CoreModel | undefined
  deciders: readonly Decider[]
  kept: readonly Kept[]
  /** topics whose keys the vault holds or held */
  topics: Iterable<string>
  /** selects the checkpoint to re-execute from */
  which: number
}

/** @returns errors of a log: it must fold and re-execute to the same state, and hold no secret */
export function logWrongs(log: Log, { model, deciders, kept, topics, which }: Ran): string[] {
  const found: string[] = []
  const records = log.lines.map((line, at) => ({ record: decode(line), line, number: at + 2 }))
  if (records.length === 0) return []
  try {
    const verdict = reexecute(records, deciders)
    if (!verdict.ok) {
      const { difference } = verdict
      found.push(`re-execution differs at input ${difference.n} ${difference.type}: ${difference.field ?? 'a line'}`)
    }
  } catch (cause) {
    found.push(`re-execution: ${(cause as Error).message}`)
  }
  const folded = emptyCoreModel()
  for (const fact of log.facts) foldCoreFact(folded, fact)
  if (found.length === 0) found.push(...checkpointWrongs(kept, { records, facts: log.facts, folded, deciders }, which))
  const text = log.lines.join('\n')
  for (const topic of topics) {
    const form = formOfKeyIn(text, topic)
    if (form !== undefined) found.push(`the key of ${topic} stands in the log ${form}`)
  }
  if (model) {
    const differs = firstDifference(JSON.stringify(folded), JSON.stringify(model))
    // A life that began at a checkpoint has its restated fields in the order of their definition
    if (differs !== undefined && differs.path !== 'order of keys')
      found.push(`the model is not the fold of what is on disk: ${differs.path}`)
  }
  return found
}
