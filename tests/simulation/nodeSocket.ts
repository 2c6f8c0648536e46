/** The socket to a node: it refuses, closes, falls silent and lies. Honest news follow the chain. */
import type { EffectData, NodeSubscription } from '../../src/events/effect.ts'
import { ofTreasury } from '../../src/worker/deciders/order/nodeSocket.ts'
import type { Answered, Chain } from './chain.ts'
import type { Dice } from './dice.ts'
import type { Queue } from './runtime/queue.ts'

type Ports = {
  queue: Queue
  dice: Dice
  chain: Chain
  online(): boolean
  take(input: Answered): void
  wrong(what: string): void
  endpoints: number
}

type Live = { socket: number; to: NodeSubscription[]; told: Map<string, number>; isHalfOpen: boolean; ticks: number }

const blockMs = 400
const aliveEvery = 12
/** Blocks on top of a transaction at each level. */
const blocksAt = { processed: 0, confirmed: 2, finalized: 32 }

export function createNodeSocket({ queue, dice, chain, online, take, wrong, endpoints }: Ports) {
  let live: Live | undefined

  function tell({ socket }: Live, news: string, orderId?: string): void {
    take({ type: 'node.heard', data: { socket, news, ...(orderId !== undefined && { orderId }) } })
  }

  function end(at: Live, news: 'closed' | 'refused'): void {
    live = undefined
    tell(at, news)
  }

  /** @returns how much there is to tell of it so far */
  function known(one: NodeSubscription): number {
    if (one.kind === 'slot') return Number(chain.height() - blocksAt.finalized > one.after)
    if (one.kind === 'account')
      return [...chain.landed.values()].filter(({ order }) => order.account === one.account).length
    const landed = chain.landed.get(one.signature)
    return Number(landed !== undefined && chain.height() - landed.height >= blocksAt[one.level])
  }

  function tick(at: Live): void {
    if (live !== at) return
    if (!online() || dice.strikes('socket.halfOpens')) at.isHalfOpen = true
    if (dice.strikes('socket.drops')) return end(at, 'closed')
    if (!at.isHalfOpen) tellAll(at, dice.strikes('socket.lies'))
    at.ticks += 1
    queue.after(blockMs, 'worker', () => tick(at))
  }

  function tellAll(at: Live, lies: boolean): void {
    if (at.ticks % aliveEvery === 0) tell(at, 'alive')
    for (const one of at.to) {
      const name = JSON.stringify(one)
      const now = known(one)
      if (!lies && now <= (at.told.get(name) ?? 0)) continue
      at.told.set(name, now)
      tell(at, 'order', one.orderId)
    }
  }

  return {
    /** Whether news of an order are wanted. */
    isListening: () => live?.to.some(({ orderId }) => orderId !== ofTreasury) === true,
    listen({ socket, endpoint, to }: EffectData['node.listen']): void {
      if (endpoint >= endpoints) wrong(`the node ${endpoint} is listened to, there are ${endpoints}`)
      if (to.length === 0) {
        live = undefined
        return
      }
      if (live?.socket === socket) {
        live.to = to
        return
      }
      const at: Live = { socket, to, told: new Map(), isHalfOpen: false, ticks: 0 }
      live = at
      queue.after(60, 'worker', () => {
        if (live !== at) return
        if (!online() || dice.strikes('socket.refuses')) return end(at, 'closed')
        tell(at, 'opened')
        if (dice.strikes('socket.knowsNothing')) return end(at, 'refused')
        tick(at)
      })
    },
  }
}
