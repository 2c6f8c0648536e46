/** A visitor in a hurry: chooses the next press by the model. For the page and the Node process alike. */
import type { Command } from '../../src/events/command.ts'
import type { Model } from '../../src/events/app.ts'
import { activeConnection } from '../../src/events/subjects/wallet/activeConnection.ts'
import { isDead, type Order, openOrder } from '../../src/events/subjects/order/order.ts'
import { quotePaying } from '../../src/events/sale/quote.ts'
import { baseline, readSale } from '../../src/events/sale/sale.ts'
import type { Chance } from './chance.ts'

/** Name of the only wallet. */
export const walletName = 'Hasty'
/** Amount of an order, in lamports: 0.1 SOL. */
export const lamports = '100000000'

/** Seed word of a visitor's wallet, so that many share one chain. */
export const walletWord = (seed: string, visit: string) => `kills ${seed} ${visit}`

/** @param walletKey the wallet's key in this page @returns a command allowed now */
export function nextCommand(model: Model, chance: Chance, walletKey: string): Command {
  const wanted = chance.below(3) === 0 ? undefined : (connecting(model, walletKey) ?? buying(model, chance))
  return wanted ?? looking(model, chance)
}

function connecting(model: Model, walletKey: string): Command | undefined {
  const { attempt } = model.connection
  const active = activeConnection(model)
  if (active?.connection.phase === 'live' || attempt.phase === 'asking') return undefined
  if (active?.connection.phase === 'restoring') return undefined
  return {
    type: 'connection.connectInstalled',
    data: { walletKey, wallet: { walletId: walletKey, name: walletName } },
  }
}

function buying(model: Model, chance: Chance): Command | undefined {
  if (activeConnection(model)?.connection.phase !== 'live') return undefined
  const open = openOrder(model)
  if (open) return open.phase === 'pressAwaited' ? about(open, 'order.continue') : undefined
  const ended = Object.values(model.order).find(order => isDead(order) && order.dismissed !== true)
  return ended ? about(ended, 'order.dismiss') : placing(model, chance)
}

function about({ orderId }: Order, type: 'order.continue' | 'order.dismiss'): Command {
  return { type, data: { orderId } }
}

function placing({ sale: { terms, reading, notices } }: Model, chance: Chance): Command | undefined {
  if (terms.phase !== 'read' || !reading || !notices) return undefined
  const sale = readSale(terms.terms, notices.checkpoint ?? baseline({}), reading.balances, reading.chainTime, notices)
  const quote = quotePaying(terms.terms, { pos: sale.pos, time: sale.time }, 'SOL', lamports)
  return {
    type: 'order.place',
    data: {
      orderKey: orderKeyBy(chance),
      asset: 'SOL',
      units: lamports,
      quoted: quote.tokens,
      min: quote.min,
      termsHash: terms.termsHash,
      acknowledged: terms.terms.legal.acknowledge,
    },
  }
}

/** A distinct key per order; a repeated one would be another payment of the same order. */
function orderKeyBy(chance: Chance): string {
  const half = () => chance.below(0x100000000).toString(16).padStart(8, '0')
  return half() + half()
}

function looking({ listing }: Model, chance: Chance): Command {
  switch (chance.below(12)) {
    case 0:
      return { type: 'listing.read', data: { page: listing.all.pages + 1, search: '' } }
    case 1:
      return { type: 'listing.read', data: { page: 1, search: `w${chance.below(1000)}` } }
    case 2:
      return { type: 'sale.refresh', data: {} }
    default:
      return { type: 'balance.refresh', data: {} }
  }
}
