/** A purchase with a page in small, from the press to the end. */
import { failureOf } from '../../../src/events/subjects/order/order.ts'
import type { Model } from '../../../src/events/app.ts'
import { quotePaying } from '../../../src/events/sale/quote.ts'
import { baseline, readSale } from '../../../src/events/sale/sale.ts'
import type { Stack } from '../../stack/start.ts'
import type { KitWallet } from '../../stack/wallet/kit.ts'
import { chainOf, type TestPage } from './page.ts'

/** The part of a page that a purchase needs. */
export type BuyingPage = Pick<TestPage, 'command' | 'until'>

/** Connects this wallet by a code. @param codeOf the code of a pairing */
export async function connectKit(
  page: BuyingPage,
  wallet: KitWallet,
  codeOf: (pairingTopic: string) => Promise<string | undefined>,
): Promise<void> {
  await chainOf(page)
  await page.command({
    type: 'connection.connectWalletConnect',
    data: { wallet: { walletId: 'walletConnect', name: 'WalletConnect' } },
  })
  const topic = await page.until('a pairing', ({ pairing }) => {
    const shown = pairing.shown === null ? undefined : pairing.open[pairing.shown]
    return shown?.phase === 'proposed' && shown.pairingTopic
  })
  await wallet.pair((await codeOf(topic)) ?? '')
  await page.until('a connection', model => model.connection.active !== null)
}

/** @returns the account's balance at the chain's node */
export async function lamportsOf(stack: Pick<Stack, 'solana'>, address: string): Promise<bigint> {
  const params = [address, { commitment: 'processed' }]
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getBalance', params })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(stack.solana.url, { method: 'POST', body, headers })
  return BigInt(((await answer.json()) as { result: { value: number } }).result.value)
}

let presses = 0
/** @returns an order key of its own for each press, as a page draws it */
export function freshKey(): string {
  return (++presses).toString(16).padStart(16, '0')
}

/** Presses buy; @returns once the core has the press. */
export async function place(page: BuyingPage, units: string): Promise<void> {
  const { terms, sale } = await page.until('the sale', (model: Model) => {
    const { terms, reading, notices, legal } = model.sale
    if (terms.phase !== 'read' || !reading || !notices || legal?.phase !== 'read') return undefined
    const sale = readSale(terms.terms, notices.checkpoint ?? baseline({}), reading.balances, reading.chainTime, notices)
    return { terms, sale }
  })
  const quote = quotePaying(terms.terms, { pos: sale.pos, time: sale.time }, 'SOL', units)
  await page.command({
    type: 'order.place',
    data: {
      orderKey: freshKey(),
      asset: 'SOL',
      units,
      quoted: quote.tokens,
      min: quote.min,
      termsHash: terms.termsHash,
      acknowledged: terms.terms.legal.acknowledge,
    },
  })
}

export const theOrder = (model: Model) =>
  Object.values(model.order).find(order => failureOf(order)?.code !== 'core_lost')

/** Waits until an installed wallet is asked. A press that a slow machine made too old is given again, as a person does. */
export async function untilAsked(page: BuyingPage, orderId?: string): Promise<void> {
  const step = () =>
    page.until('the wallet to be asked', model => {
      const order = orderId === undefined ? theOrder(model) : model.order[orderId]
      return order?.phase === 'pressAwaited' ? order : order?.phase === 'awaitingSignature'
    })
  for (let order = await step(); order !== true; order = await step())
    await page.command({ type: 'order.continue', data: { orderId: order.orderId } })
}

/** Continues until the payment is final. */
export async function finish(page: BuyingPage, { solana }: Pick<Stack, 'solana'>): Promise<void> {
  await page.until('the payment to be seen', model => {
    const order = theOrder(model)
    const failure = order && failureOf(order)
    if (failure) throw new Error(`the order ended with ${JSON.stringify(failure)}`)
    return order && ['seen', 'confirmed', 'finalised'].includes(order.phase)
  })
  solana.chain.advance(2)
  await page.until('confirmation', model => ['confirmed', 'finalised'].includes(theOrder(model)?.phase ?? ''))
  solana.chain.advance(40)
  await page.until('finality', model => theOrder(model)?.phase === 'finalised')
}
