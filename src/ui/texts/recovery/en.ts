import type { Area } from '../language.tsx'

const english = {
  notDrawn: 'This page could not be drawn',
  noOrder: 'No order is under way. Nothing was paid or lost by this.',
  orderAsked: (wallet: string) => `Your order continues: ${wallet} has been asked to sign it.`,
  orderSending: 'Your order continues: the payment is being sent. Do not pay again.',
  orderSeen: 'Your payment has arrived and is becoming final. Do not pay again.',
  orderUnknown: 'It is not known yet whether your payment was sent. Do not pay again before this page says so.',
  orderPrepared: 'Your order is being prepared; nothing is paid yet.',
}

export type RecoveryTexts = typeof english
/** Texts of a page that cannot be drawn, and about its report. */
export const recoveryArea: Area<RecoveryTexts> = { name: 'recovery', english }
