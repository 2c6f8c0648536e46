/** Invariants between the steps of a life: nothing counts twice, nothing goes back, nothing is unlimited. */
import { isProved, orderSignatureOf } from '../../src/events/subjects/order/order.ts'
import type { EffectData } from '../../src/events/effect.ts'
import type { AnyAuth } from '../events/anyAuth.ts'
import type { InputData } from '../../src/worker/core/context.ts'
import type { Stepped } from './watch.ts'

const opensAMinute = 12
const minuteMs = 60_000
/** Readings of one order in a second: one each second, two that news moved forward, and those at its turns. */
const readingsASecond = 5
/** Sockets to nodes in a minute: the ways between two of them grow. */
const nodeSocketsAMinute = 15
const forkMisses = 3
const weekMs = 604_800_000
/** Extra time to settle for a wallet that answered a code, ms. */
const settleMs = 60_000
const makesId: ReadonlySet<string> = new Set(['auth.created', 'request.sent', 'request.refused', 'pairing.created'])

/** @returns a check of each step, over successive lives of a core */
export function createTimeWatch() {
  let heard = new Set<string>()
  let opens: { at: number; effectId: string }[] = []
  let readings: { at: number; orderId: string }[] = []
  let nodeSockets: { at: number; socket: number }[] = []
  let lastPayload = 0
  /** ids of requests and proposals, made with their facts */
  const onRecord = new Set<string>()
  /** the newest change of each session, by topic */
  let updates = new Map<string, number>()
  /** consecutive looks that did not show an order, by its id */
  let misses = new Map<string, number>()
  /** answered looks at the chain, by effect */
  const looks = new Set<string>()
  let saleSlot = 0
  let saleLife: number | undefined
  /** key that answered a proposal, by its topic */
  const responders = new Map<string, string>()
  /** codes whose wallet has answered and has to settle */
  const settling = new Set<string>()
  /** expiry of codes, by topic, ms */
  const codes = new Map<string, number>()

  function watch(step: Stepped): string | undefined {
    const { input, facts, effects, model } = step
    if (input.type === 'core.boot') {
      heard = new Set()
      opens = []
      readings = []
      nodeSockets = []
      lastPayload = 0
      updates = new Map()
      misses = new Map()
      saleSlot = 0
      // Messages an earlier life did not persist were never received
      for (const topic of settling) {
        const phase = model.pairing.open[topic]?.phase
        if (phase === 'created' || phase === 'proposed') settling.delete(topic)
      }
    }
    for (const id of facts.flatMap(({ type, data }) =>
      makesId.has(type) ? [String(data.requestId ?? data.proposalId ?? data.payloadId)] : [],
    )) {
      onRecord.add(id)
      if (Number(id) <= lastPayload) return 'a request or proposal of ours has no higher id than the message before it'
      lastPayload = Number(id)
    }
    // Without the client's file no socket is opened
    if (isUnloaded(input)) opens = opens.filter(({ effectId }) => effectId !== input.to)
    for (const { id, type, data } of effects) {
      if (type === 'relay.open') opens.push({ at: input.at, effectId: id })
      const { payload } = data as { payload?: { method?: string; id: string } }
      // A recorded message may wait for its turn, and is sealed again with the same id
      if (type !== 'vault.seal' || payload?.method === undefined || onRecord.has(payload.id)) continue
      if (Number(payload.id) <= lastPayload) return 'a message of ours has no higher id than the one before it'
      lastPayload = Number(payload.id)
    }
    opens = opens.filter(({ at }) => at > input.at - minuteMs && at <= input.at)
    if (opens.length > opensAMinute) return `${opens.length} sockets are opened within a minute`
    const isToo = ofNode(step)
    if (isToo !== undefined) return isToo
    const { slot, life } = model.sale.reading ?? { slot: 0, life: undefined }
    // A reading of an earlier life is replaced by any newer reading
    if (life === saleLife && slot < saleSlot) return 'an older reading of the sale takes the place of a newer one'
    saleSlot = slot
    saleLife = life
    return ofFacts(step) ?? (input.type === 'relay.message' ? ofMessage(step) : undefined)
  }

  function ofFacts({ input, facts, model }: Stepped): string | undefined {
    if (input.type === 'chain.status') {
      const { orderId, status } = input.data as InputData<'chain.status'>
      // Each look counts once, even if its answer repeats
      const { to = '' } = input
      if (!looks.has(to)) misses.set(orderId, status === undefined ? (misses.get(orderId) ?? 0) + 1 : 0)
      looks.add(to)
    }
    for (const { type, data } of facts) {
      const topic = String(data.sessionTopic)
      if (type === 'pairing.responded') settling.add(String(data.pairingTopic))
      if (type === 'pairing.rejected') settling.delete(String(data.pairingTopic))
      if (type === 'pairing.responded') responders.set(String(data.pairingTopic), String(data.responderKey))
      const auth: AnyAuth | undefined = model.auth[String(data.authId)]
      if (type === 'auth.answered') responders.set(auth?.sent?.pairingTopic ?? '', String(data.responderKey))
      if (type === 'session.settled' && responders.get(String(data.pairingTopic)) !== data.controllerKey)
        return 'somebody settles who is not the wallet that answered'
      if (type === 'session.updated') {
        if (Number(data.order) < (updates.get(topic) ?? 0)) return 'an older change of a session undoes a newer one'
        updates.set(topic, Number(data.order))
      }
      if (type === 'session.extended' && Number(data.expiresAt) > input.at + weekMs)
        return 'a session is extended beyond the longest life there is'
      if (type === 'pairing.created') codes.set(String(data.pairingTopic), Number(data.expiresAt))
      if (type === 'pairing.expired' && isTooSoon(String(data.pairingTopic), input))
        return 'a wallet that answered has not its time to settle'
      if (type === 'session.extended' && model.session[topic]?.expiresAt !== data.expiresAt)
        return 'a session was extended and ends as if it was not'
      if (type === 'order.unseen' && (misses.get(String(data.orderId)) ?? 0) < forkMisses)
        return 'a payment counts as dropped before it was missed three times'
    }
    return undefined
  }

  /** Whether a code expires before its wallet had its time to settle; after a restart clocks may differ. */
  function isTooSoon(topic: string, { type, at }: Stepped['input']): boolean {
    return type === 'timer.fired' && settling.has(topic) && at < (codes.get(topic) ?? 0) + settleMs
  }

  function ofMessage({ input, facts, effects, model }: Stepped): string | undefined {
    const { hash, topic, payload } = input.data as InputData<'relay.message'>
    const isRepeat = heard.has(hash)
    const isFault = facts[0]?.type === 'core.faulted'
    // A deferred message is not acknowledged and may repeat; so may one that could not be opened, or that the core failed on
    const isOver = payload.kind !== 'unopened' && !isFault
    if (isOver && effects.some(({ type }) => type === 'relay.acknowledge')) heard.add(hash)
    if (isRepeat && facts.length > 0 && !isFault) return `a message that comes again leads to ${facts[0]?.type}`
    for (const { type, data } of facts) {
      if (type === 'session.settled') {
        if ((payload.expiresAt ?? 0) <= input.at) return 'a session is settled that is over'
      }
      if (type === 'pairing.responded' && payload.id !== model.pairing.open[topic]?.proposalId)
        return 'an answer to something else answers a proposal'
      if (type.startsWith('request.') && data.requestId === payload.id) {
        const request = model.request[payload.id]
        if (request?.sessionTopic !== topic) return 'an answer from another session ends a request'
        if (type !== 'request.late' || payload.signature === undefined) continue
        const order = model.order[request.purpose.slice('order:'.length)]
        // Once it is proved that nothing was paid, no search is needed
        const isOver = order === undefined || isProved(order)
        if (request.method === 'solana_signAndSendTransaction' && !isOver && orderSignatureOf(order) === undefined)
          return 'a late signature is thrown away'
      }
    }
    return undefined
  }

  /** News of a node move readings, and its sockets fail: neither may become a flood. */
  function ofNode({ input: { at }, effects }: Stepped): string | undefined {
    for (const { type, data } of effects) {
      if (type === 'chain.watch') readings.push({ at, orderId: (data as EffectData['chain.watch']).orderId })
      const { socket, to } = data as EffectData['node.listen']
      if (type === 'node.listen' && to.length > 0 && nodeSockets.at(-1)?.socket !== socket)
        nodeSockets.push({ at, socket })
    }
    readings = readings.filter(one => one.at > at - 1000 && one.at <= at)
    nodeSockets = nodeSockets.filter(one => one.at > at - minuteMs && one.at <= at)
    for (const { orderId } of readings)
      if (readings.filter(one => one.orderId === orderId).length > readingsASecond)
        return `the order ${orderId} is read more than ${readingsASecond} times in a second`
    if (nodeSockets.length > nodeSocketsAMinute)
      return `${nodeSockets.length} sockets to nodes are opened within a minute`
    return undefined
  }

  return watch
}

function isUnloaded({ type, data }: Stepped['input']): boolean {
  return type === 'effect.failed' && (data as InputData<'effect.failed'>).failure.code === 'reload_needed'
}
