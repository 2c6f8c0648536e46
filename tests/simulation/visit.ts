/** A visitor connects a wallet and buys, in a calm world where the worker can be killed at any step. */
import type { CoreModel } from '../../src/events/app.ts'
import type { FactRecord, InputRecord } from '../../src/runtime/log/record.ts'
import { isAsked, isDead, isProved, type Order } from '../../src/events/subjects/order/order.ts'
import { lantern, walletConnect } from '../worker/story.ts'
import { noon } from '../worker/world.ts'
import { calmly, type Kill } from './calm.ts'
import { noDice } from './runtime/dice.ts'
import { orderOf } from './person.ts'
import type { Style } from './walletApp.ts'
import { createSimulatedWorld } from './world.ts'

export type Way = 'installed sign' | 'installed signAndSend' | `WalletConnect ${Style}`

export type Outcome = {
  steps: number
  prompts: number
  payments: number
  order: Order | undefined
  facts: FactRecord[]
  inputs: InputRecord[]
  model: CoreModel
  minutes: number
  lives: number
}

const longestMs = 20 * 60_000

export function visit(way: Way, ...kills: Kill[]): Outcome {
  const isInstalled = way.startsWith('installed')
  const style = (isInstalled ? 'sign' : way.slice('WalletConnect '.length)) as Style
  const { kept, setting } = calmly(kills)
  const world = createSimulatedWorld({
    ...setting,
    dice: noDice(),
    style,
    hands: way === 'installed signAndSend' ? 'signAndSendTransaction' : 'signTransaction',
  })
  const { queue, browser, chain, app, relay } = world

  const newest = () => Object.values(kept.model.order).at(-1)
  let presses = 0
  /** The person looks regularly and takes the next action. */
  function look(): void {
    queue.after(300, 'outside', look)
    const seen = world.model()
    const tab = browser.first()
    if (!seen || !tab) return
    const { connection, pairing, sale, network } = seen
    const press = (type: string, data: Record<string, unknown>) =>
      world.command(tab.name, type, data, `${tab.name}.c${++presses}`)
    const active = connection.active === null ? undefined : connection.made[connection.active]
    if (!isInstalled && pairing.shown !== null) relay.readFrom(pairing.shown)
    if (!active) {
      if (connection.attempt.phase === 'asking' || network.phase !== 'identified') return
      if (isInstalled) press('connection.connectInstalled', { walletKey: 'k1', wallet: lantern })
      else press('connection.connectWalletConnect', { wallet: walletConnect })
      return
    }
    const order = newest()
    if (order?.phase === 'pressAwaited') press('order.continue', { orderId: order.orderId })
    if (order || active.phase !== 'live' || !sale.reading || !sale.notices) return
    press('order.place', orderOf({ model: seen, at: world.now() }, 'SOL', '2500000000'))
  }

  const isOver = (order: Order | undefined) =>
    order !== undefined &&
    (order.phase === 'finalised' || (isDead(order) && (!isAsked(order) || isProved(order) || isFinal(order))))
  const isFinal = ({ phase }: Order) => phase === 'expired' || phase === 'failedOnChain'

  world.start()
  look()
  while (!isOver(world.model() ? newest() : undefined) && queue.next(noon + longestMs));
  // Any further event would come now
  const end = queue.now() + 5000
  while (queue.next(end));

  return {
    steps: kept.inputs.length,
    prompts: isInstalled ? browser.prompts.length : app.prompts.length,
    payments: chain.landed.size,
    order: newest(),
    facts: world.log().facts,
    inputs: kept.inputs,
    model: kept.model,
    minutes: (queue.now() - noon) / 60_000,
    lives: world.log().head.life,
  }
}
