/**
 * One socket to a node. It carries subscriptions and reports that something happened; the core decides what follows.
 *
 * 1. Only the newest socket reports. A closed one reports once, as `closed` or `refused`.
 * 2. Reports are few, whatever a node sends: one of a signature, one of a block's time of an account, one every few seconds of
 *    slots.
 * 3. No address is quoted: it may carry a key.
 */
import type { EffectData, NodeSubscription } from '../../../events/effect.ts'
import type { Answer, Drive } from '../../../runtime/host/driver.ts'
import {
  type NodeFrame,
  readNodeFrame,
  subscribeText,
  subscriptionKey,
  unsubscribeText,
} from '../../rpc/subscriptions.ts'
import { answered, type InputOf } from '../drive.ts'

/** Least time between two reports of slots, and of an account, ms. */
const aliveMs = 5000
const blockMs = 400

type Wanted = NodeSubscription & {
  /** the node's number of it, once it is made */
  subscription?: number
  reportedAt?: number
}

type Live = {
  socket: number
  web: WebSocket
  /** by name; those that have told all they can stay, so that they are not made again */
  wanted: Map<string, Wanted>
  /** names of the subscriptions that were asked for, by request; of slots `''` */
  asked: Map<number, string>
  slots: { subscription?: number; reportedAt?: number }
  hasSlots?: boolean
  lastId: number
}

type NodeSocketPorts = {
  urls: readonly string[]
  /** address of the first endpoint's socket, where it is not that of its calls */
  socketUrl?: string | undefined
  now(): number
  /** @throws when no core takes it any more */
  emit(input: Answer): void
}

/** @returns the driver of `node.listen`. One function, because all of it is about the one socket */
export function createNodeSocket({ urls, socketUrl, now, emit }: NodeSocketPorts): Drive {
  let live: Live | undefined

  function report(socket: number, news: InputOf<'node.heard'>['news'], orderId?: string): void {
    try {
      emit(answered({ type: 'node.heard', data: { socket, news, ...(orderId !== undefined && { orderId }) } }))
    } catch {
      drop()
    }
  }

  function drop(): void {
    const web = live?.web
    live = undefined
    if (!web) return
    web.onopen = null
    web.onclose = null
    web.onmessage = null
    web.close(1000)
  }

  function end(news: 'closed' | 'refused', { socket }: Pick<Live, 'socket'>): void {
    drop()
    report(socket, news)
  }

  function open(socket: number, endpoint: number): Live | undefined {
    drop()
    try {
      const web = new WebSocket((endpoint === 0 && socketUrl) || socketOf(urls[endpoint] ?? ''))
      const opened: Live = { socket, web, wanted: new Map(), asked: new Map(), slots: {}, lastId: 0 }
      web.onopen = () => {
        report(socket, 'opened')
        askSlots(opened)
        for (const name of opened.wanted.keys()) ask(opened, name)
      }
      web.onclose = () => end('closed', opened)
      web.onmessage = ({ data }) => hear(opened, data)
      live = opened
      return opened
    } catch {
      // The browser refuses the address itself
      end('refused', { socket })
      return undefined
    }
  }

  function send({ web }: Live, text: string): void {
    if (web.readyState === WebSocket.OPEN) web.send(text)
  }

  function ask(at: Live, name: string): void {
    const one = at.wanted.get(name)
    // Slots are one subscription for all
    if (one?.kind === 'slot' || at.web.readyState !== WebSocket.OPEN) return
    at.lastId += 1
    at.asked.set(at.lastId, name)
    send(at, subscribeText(at.lastId, one))
  }

  function askSlots(at: Live): void {
    if (at.hasSlots || ![...at.wanted.values()].some(({ kind }) => kind === 'slot')) return
    at.hasSlots = at.web.readyState === WebSocket.OPEN
    ask(at, '')
  }

  function unsubscribe(at: Live, one: NodeSubscription, subscription: number): void {
    at.lastId += 1
    send(at, unsubscribeText(at.lastId, one, subscription))
  }

  function hear(at: Live, data: unknown): void {
    let frame: NodeFrame | undefined
    try {
      frame = typeof data === 'string' ? readNodeFrame(data) : undefined
    } catch {
      return end('closed', at)
    }
    if (frame?.kind === 'made') made(at, frame)
    else if (frame) told(at, frame)
  }

  function made(at: Live, { id, subscription }: Extract<NodeFrame, { kind: 'made' }>): void {
    const name = at.asked.get(id)
    at.asked.delete(id)
    if (name === '') {
      if (subscription === undefined) return end('refused', at)
      at.slots.subscription = subscription
    }
    const one = name === undefined ? undefined : at.wanted.get(name)
    if (one && subscription !== undefined) one.subscription = subscription
  }

  function told(at: Live, { subscription, finalSlot }: Extract<NodeFrame, { kind: 'news' }>): void {
    if (subscription === at.slots.subscription) return slotTold(at, finalSlot ?? 0)
    for (const one of at.wanted.values()) {
      if (one.subscription !== subscription) continue
      if (one.kind === 'signature') delete one.subscription
      else if (!isOver(one, (one.kind === 'account' && one.everyMs) || blockMs)) return
      one.reportedAt = now()
      return report(at.socket, 'order', one.orderId)
    }
  }

  function slotTold(at: Live, finalSlot: number): void {
    if (isOver(at.slots, aliveMs)) {
      at.slots.reportedAt = now()
      report(at.socket, 'alive')
    }
    for (const one of at.wanted.values()) {
      if (one.kind !== 'slot' || one.reportedAt !== undefined || finalSlot <= one.after) continue
      one.reportedAt = now()
      report(at.socket, 'order', one.orderId)
    }
  }

  /** @returns whether this much time has passed since the last report; a clock that was set back passes it, too */
  function isOver({ reportedAt }: { reportedAt?: number }, ms: number): boolean {
    return reportedAt === undefined || Math.abs(now() - reportedAt) >= ms
  }

  return async ({ data }) => {
    const { socket, endpoint, to } = data as EffectData['node.listen']
    if (to.length === 0) return drop()
    const at = live?.socket === socket ? live : open(socket, endpoint)
    if (!at) return
    const names = new Map(to.map(one => [subscriptionKey(one), one]))
    for (const [name, one] of at.wanted) {
      if (names.has(name)) continue
      at.wanted.delete(name)
      if (one.subscription !== undefined) unsubscribe(at, one, one.subscription)
    }
    for (const [name, one] of names) {
      if (at.wanted.has(name)) continue
      at.wanted.set(name, { ...one })
      ask(at, name)
    }
    askSlots(at)
  }
}

/** @returns the address of an endpoint's socket: the same host, port, path and query */
function socketOf(url: string): string {
  return url.replace(/^http/i, 'ws')
}
