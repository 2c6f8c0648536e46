/**
 * The socket to a node while an order is on its way. The node's news make the order's next reading happen now. Where the builder
 * named it, it serves a page that is looked at, too: news of the treasury make the sale's next reading come earlier.
 *
 * 1. Readings alone tell how an order stands, and go on as without a socket. News move the next one forward, `mostMoved` times
 *    for one order, and not twice within `gapMs`.
 * 2. Without either there is no socket; there is one at most.
 * 3. A socket that is silent for `silenceMs` is given up, with an order on its way; the next one comes later each time.
 * 4. An endpoint that knows no subscriptions, or opened no socket `unopenedTries` times, is left alone until the device is back
 *    online.
 */
import type { NodeSubscription } from '../../../events/effect.ts'
import {
  type AskedOrder,
  blockhashBlocks,
  isMismatched,
  type Order,
  orderSignatureOf,
  searchedPhases,
} from '../../../events/subjects/order/order.ts'
import { own } from '../../../runtime/schema/own.ts'
import type { Ctx, Decider } from '../../core/context.ts'
import type { NodeMemory } from '../../core/transient.ts'
import { backoff } from '../relay/backoff.ts'
import { anyVisible } from '../page.ts'
import { isUnderWay } from './underWay.ts'

/** Slots come every 400 ms; the driver reports them every few seconds. */
const silenceMs = 15_000
const gapMs = 500
/** Age of the sale's reading at which news make the next one, ms. */
const saleAgeMs = 6000
/** In place of an order's id. */
export const ofTreasury = 'treasury'
/** Looks at an order count in its proofs: news may not bring many of them forward. */
export const mostMoved = 12
const unopenedTries = 2

const levels = ['processed', 'confirmed', 'finalized'] as const
/** Levels that an order has reached, by phase. */
const reached: Partial<Record<Order['phase'], number>> = { seen: 1, confirmed: 2 }

/** An alarm waits for a person, not for the chain. */
function isOnItsWay(order: Order): order is AskedOrder {
  return searchedPhases.includes(order.phase) && !isMismatched(order)
}

/** Looks over the orders, as of the steps before this one. */
function follow(ctx: Ctx, endpoints: number): void {
  const orders = Object.values(ctx.model.order).filter(isOnItsWay)
  const treasury = treasuryOf(ctx)
  // After the last order another socket comes, without slots
  if (orders.length === 0 && (!treasury || hasOrders(ctx.transient.node))) return rest(ctx)
  const node = (ctx.transient.node ??= {
    socket: 0,
    endpoint: 0,
    phase: 'none',
    openedAt: 0,
    heardAt: 0,
    failures: 0,
    unopened: 0,
    refused: [],
    orders: [],
    moved: {},
  })
  if (node.phase === 'none') open(ctx, node, orders.length > 0 ? endpoints : 1)
  if (node.phase !== 'opening' && node.phase !== 'open') return
  const now = orders.map(order => {
    const signature = orderSignatureOf(order)
    return { orderId: order.orderId, ...(signature !== undefined && { signature }) }
  })
  if (treasury) now.push({ orderId: ofTreasury })
  if (JSON.stringify(now) === JSON.stringify(node.orders)) return
  if (node.orders.length > 0 && !hasOrders(node)) hearAgain(ctx, node)
  node.orders = now
  const to = orders.flatMap(subscriptionsOf)
  if (treasury) to.push({ orderId: ofTreasury, kind: 'account', account: treasury, everyMs: saleAgeMs })
  listen(ctx, node, to)
}

/** @returns the treasury while news of it are wanted */
function treasuryOf(ctx: Ctx): string | undefined {
  const { terms } = ctx.model.sale
  return ctx.boot.saleSocket && terms.phase === 'read' && anyVisible(ctx) ? terms.terms.treasury : undefined
}

function hasOrders(node: NodeMemory | undefined): boolean {
  return node?.orders.some(({ orderId }) => orderId !== ofTreasury) === true
}

function hearAgain(ctx: Ctx, node: NodeMemory): void {
  node.heardAt = ctx.at
  ctx.effect('timer.set', { timerId: 'node:silence', at: ctx.at + silenceMs })
}

function open(ctx: Ctx, node: NodeMemory, endpoints: number): void {
  const endpoint = [...Array(endpoints).keys()].find(place => !node.refused.includes(place))
  if (endpoint === undefined || !ctx.model.network.online) return
  Object.assign(node, {
    socket: node.socket + 1,
    endpoint,
    phase: 'opening',
    openedAt: ctx.at,
    orders: [],
  })
  hearAgain(ctx, node)
}

function listen(ctx: Ctx, { socket, endpoint }: NodeMemory, to: NodeSubscription[]): void {
  ctx.effect('node.listen', { socket, endpoint, to })
}

function subscriptionsOf(order: AskedOrder): NodeSubscription[] {
  const { orderId, account, built, phase } = order
  const signature = orderSignatureOf(order)
  const expiry = { orderId, kind: 'slot', after: built.slot + blockhashBlocks } as const
  // A wallet that sends by itself, and has not told its signature, changes the account that pays
  if (signature === undefined) return [{ orderId, kind: 'account', account }, expiry]
  const ahead = levels.slice(reached[phase] ?? 0)
  return [...ahead.map(level => ({ orderId, kind: 'signature', signature, level }) as const), expiry]
}

/** No order is on its way. */
function rest(ctx: Ctx): void {
  const { node } = ctx.transient
  if (!node || node.phase === 'none') return
  if (node.phase !== 'waiting') listen(ctx, node, [])
  ctx.effect('timer.clear', { timerId: node.phase === 'waiting' ? 'node:open' : 'node:silence' })
  Object.assign(node, { phase: 'none', failures: 0, orders: [], moved: {} })
}

/** The socket is of no use any more. */
function lose(ctx: Ctx, node: NodeMemory, isRefused: boolean): void {
  node.failures += 1
  if (node.phase === 'opening' && ctx.model.network.online) node.unopened += 1
  node.phase = 'waiting'
  ctx.effect('timer.clear', { timerId: 'node:silence' })
  ctx.effect('timer.set', { timerId: 'node:open', at: ctx.at + backoff(ctx, node.failures) })
  if (!isRefused && node.unopened < unopenedTries) return
  node.refused.push(node.endpoint)
  node.unopened = 0
}

function moveSale(ctx: Ctx): void {
  const { reading } = ctx.model.sale
  if (!reading || ctx.transient.sale.failures > 0 || isUnderWay(ctx, 'chain.readSale', '')) return
  const ageMs = ctx.at - reading.readAt
  // A reading of later than now was made before the clock was set back
  const isOld = ageMs < 0 || ageMs >= saleAgeMs
  ctx.effect('timer.set', { timerId: 'sale:poll', at: isOld ? ctx.at : reading.readAt + saleAgeMs })
}

/** Moves the order's next reading forward; one that is under way may be too old. */
function moveReading(ctx: Ctx, { moved }: NodeMemory, orderId: string): void {
  const order = own(ctx.model.order, orderId)
  if (!order || !isOnItsWay(order)) return
  const known = (moved[orderId] ??= { at: 0, times: 0 })
  if (known.times >= mostMoved || known.at > ctx.at) return
  if (isUnderWay(ctx, 'chain.watch', orderId)) {
    known.again = true
    return
  }
  delete known.again
  known.at = Math.max(ctx.at, known.at + gapMs)
  known.times += 1
  ctx.effect('timer.set', { timerId: `watch:${orderId}`, at: known.at })
}

function checkSilence(ctx: Ctx, node: NodeMemory): void {
  if (!hasOrders(node)) return
  const until = node.heardAt + silenceMs
  if (until > ctx.at) return void ctx.effect('timer.set', { timerId: 'node:silence', at: until })
  listen(ctx, node, [])
  lose(ctx, node, false)
}

export const nodeSocket: Decider = {
  'node.heard': (ctx, { socket, news, orderId }) => {
    const { node } = ctx.transient
    if (!node || node.socket !== socket || (node.phase !== 'opening' && node.phase !== 'open')) return
    if (news === 'closed' || news === 'refused') return lose(ctx, node, news === 'refused')
    Object.assign(node, { phase: 'open', heardAt: ctx.at, unopened: 0 })
    if (ctx.at - node.openedAt > silenceMs) node.failures = 0
    if (orderId === ofTreasury) moveSale(ctx)
    else if (orderId !== undefined) moveReading(ctx, node, orderId)
  },
  'chain.status': (ctx, { orderId }) => {
    const { node } = ctx.transient
    if (node && own(node.moved, orderId)?.again) moveReading(ctx, node, orderId)
  },
  'page.online': ({ transient: { node } }, { online }) => {
    if (online && node) node.refused = []
  },
  // Times that the core has noted are of the clock before
  'clock.jumped': ({ transient: { node } }, { byMs }) => {
    if (byMs >= 0 || !node) return
    node.openedAt += byMs
    node.heardAt += byMs
    for (const one of Object.values(node.moved)) one.at += byMs
  },
  timers: {
    node: (ctx, id) => {
      const { node } = ctx.transient
      // The orders are looked over at the end of this step
      if (id === 'open' && node?.phase === 'waiting') node.phase = 'none'
      if (id === 'silence' && (node?.phase === 'opening' || node?.phase === 'open')) checkSilence(ctx, node)
    },
  },
  stepped: ctx => {
    const { nodeSockets } = ctx.boot
    if (nodeSockets !== undefined && ctx.input.type === 'timer.fired') follow(ctx, nodeSockets)
  },
}
