/** A visitor connects a wallet and buys, in a world where the worker can be killed at any step. */
import { type CoreModel, emptyCoreModel } from '../../../src/events/app.ts'
import { versionOf } from '../../../src/events/codec.ts'
import { type EffectData, type EffectType, pageEffectTypes } from '../../../src/events/effect.ts'
import type { Effect, FactRecord, InputRecord } from '../../../src/events/record.ts'
import { isDead, type Order } from '../../../src/events/subjects/order.ts'
import { createCore } from '../../../src/worker/core.ts'
import { deciders } from '../../../src/worker/deciders/index.ts'
import { intent, lantern, walletConnect } from '../story.ts'
import { bootData, noon } from '../world.ts'
import { createChain } from './chain.ts'
import { createPage } from './page.ts'
import { createQueue } from './queue.ts'
import { createRelay, type Style } from './relay.ts'

export type Way = 'installed sign' | 'installed signAndSend' | `WalletConnect ${Style}`

/**
 * Where the worker dies: after its `step`th input. `done`: everything that followed was released; `stored`: on disk, but
 * what waited for the disk was not released; `unstored`: not on disk. `start`: the page goes with it.
 */
export type Kill = { step: number; how: 'done' | 'stored' | 'unstored'; cause: 'lost' | 'start' }

export type Outcome = {
  steps: number
  prompts: number
  payments: number
  order: Order | undefined
  facts: FactRecord[]
  inputs: InputRecord[]
  model: CoreModel
  minutes: number
}

const longestMs = 20 * 60_000
const latency: { [type: string]: number } = { 'vault.seal': 3, 'relay.open': 40 }

export function visit(way: Way, ...kills: Kill[]): Outcome {
  const queue = createQueue(noon)
  const chain = createChain(queue.now)
  const isInstalled = way.startsWith('installed')
  const style = (isInstalled ? 'sign' : way.slice('WalletConnect '.length)) as Style
  const hands = way === 'installed signAndSend' ? 'signAndSendTransaction' : 'signTransaction'

  let core = createCore(deciders, emptyCoreModel())
  let isUp = false
  let life = 0
  let n = 0
  let stored: FactRecord[] = []
  const inputs: InputRecord[] = []
  let timers = new Map<string, () => void>()

  const relay = createRelay(queue, chain, style, data => void take('relay.message', data))
  const page = createPage(queue, chain, hands, (to, { type, data }, tab) => isUp && take(type, data, { to, tab }))

  /** @returns whether the input is on disk */
  function take(type: string, data: Record<string, unknown>, given: { to?: string; tab?: string } = {}): boolean {
    if (!isUp) return false
    n += 1
    const input: InputRecord = { k: 'i', n, at: queue.now(), type, v: versionOf('i', type), data, ...given }
    inputs.push(input)
    const { facts, effects } = core.step(input)
    const dies = kills.find(kill => kill.step === inputs.length)
    if (dies?.how !== 'unstored') stored.push(...facts)
    for (const effect of effects) if (effect.after !== 'stored') carry(effect)
    if (!dies || dies.how === 'done') for (const effect of effects) if (effect.after === 'stored') carry(effect)
    if (dies) die(dies)
    return dies?.how !== 'unstored'
  }

  function carry({ id: to, type, data, tab = page.tab() }: Effect<EffectType>): void {
    if (pageEffectTypes.has(type)) {
      if (tab === page.tab()) page.perform(to, type, data as never)
      return
    }
    if (type === 'timer.set' || type === 'timer.clear') {
      const { timerId, at } = data as EffectData['timer.set']
      timers.get(timerId)?.()
      if (type === 'timer.clear') return
      const fire = () => void take('timer.fired', { timerId }, { to })
      timers.set(timerId, queue.after(at - queue.now(), 'worker', fire))
      return
    }
    const kept = relay.carry(type, data as never)
    if (kept) queue.after(latency[type] ?? 10, 'worker', () => void take(kept.type, kept.data, { to }))
    else if (type === 'chain.submit') {
      // What has left the device lands, whatever becomes of the worker
      const answer = chain.answer(type, data as never)
      if (answer) queue.after(60, 'worker', () => void take(answer.type, answer.data, { to }))
    } else if (type.startsWith('chain.')) {
      queue.after(60, 'worker', () => {
        const answer = chain.answer(type, data as never)
        if (answer) take(answer.type, answer.data, { to })
      })
    }
  }

  function begin(cause: 'lost' | 'start'): void {
    core = createCore(deciders, emptyCoreModel())
    for (const fact of stored) core.recall(fact)
    n = Math.max(n, stored.at(-1)?.n ?? 0)
    isUp = true
    life += 1
    take('core.boot', bootData(life, { cause }))
    queue.after(30, 'worker', () => {
      if (take('page.attached', page.hello(), { tab: page.tab() })) page.redeliver()
    })
  }

  function die({ cause }: Kill): void {
    isUp = false
    timers = new Map()
    relay.drop()
    queue.drop('worker')
    if (cause === 'start') {
      queue.drop('page')
      page.reload()
    }
    queue.after(200, 'outside', () => begin(cause))
  }

  const newest = () => Object.values(core.model.order).at(-1)
  /** The person looks now and then, and does the next thing. */
  function look(): void {
    queue.after(300, 'outside', look)
    if (!isUp) return
    const { connection, pairing, sale, network } = core.model
    const command = (type: string, data: Record<string, unknown>) => take(type, data, { tab: page.tab() })
    const active = connection.active === null ? undefined : connection.made[connection.active]
    if (!isInstalled && pairing.shown !== null) relay.scan(pairing.shown)
    if (!active) {
      if (connection.attempt.phase === 'asking' || network.phase !== 'identified') return
      if (isInstalled) command('connection.connectInstalled', { walletKey: 'k1', wallet: lantern })
      else command('connection.connectWalletConnect', { wallet: walletConnect })
      return
    }
    const order = newest()
    if (order?.phase === 'pressAwaited') command('order.continue', { orderId: order.orderId })
    if (order || active.phase !== 'live' || !sale.reading || !sale.notices) return
    command('order.place', intent({ model: core.model, at: queue.now() } as never))
  }

  const isOver = (order: Order | undefined) =>
    order !== undefined &&
    (order.phase === 'finalised' || (isDead(order) && (!order.ask || order.proved || isFinal(order))))
  const isFinal = ({ phase }: Order) => phase === 'expired' || phase === 'failedOnChain'

  begin('start')
  look()
  while (!isOver(isUp ? newest() : undefined) && queue.next(noon + longestMs));
  // Whatever else were to come would come now
  const end = queue.now() + 5000
  while (queue.next(end));

  return {
    steps: inputs.length,
    prompts: isInstalled ? page.prompts.length : relay.prompts.length,
    payments: chain.landed.size,
    order: newest(),
    facts: stored,
    inputs,
    model: core.model,
    minutes: (queue.now() - noon) / 60_000,
  }
}
