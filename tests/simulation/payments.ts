/** Payments of a simulated world: purchases, and transfers to a person. */
import type { EffectData } from '../../src/events/effect.ts'
import type { DecodedTransaction } from '../../src/events/values/solana/transaction.ts'
import type { Terms } from '../../src/events/sale/terms/termsShape.ts'
import { decodedSend } from '../worker/deciders/order/sendStory.ts'
import { decodedOf } from '../worker/story.ts'

export type PurchaseToPay = EffectData['chain.prepareOrder']['order']
/** `isNew`: it creates the recipient's token account. */
export type SendToPay = EffectData['chain.prepareSend']['send'] & { isNew: boolean }
export type OrderToPay = PurchaseToPay | SendToPay

export function isSendToPay(order: OrderToPay): order is SendToPay {
  return 'to' in order
}

/** @returns the key by which the chain finds its transactions */
export function referenceOf(order: OrderToPay): string {
  return `${isSendToPay(order) ? 'send' : 'order'}-${order.orderKey}`
}

/** @returns content of the payment's bytes */
export function contentOf(order: OrderToPay, blockhash: string, of: Pick<Terms, 'treasury'>): DecodedTransaction {
  return isSendToPay(order) ? decodedSend(order, blockhash, order.isNew) : decodedOf(order, blockhash, of)
}
