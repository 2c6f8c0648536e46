/** A purchase with a page in small, from the press to the end. */
import type { Model } from '../../../src/events/app.ts'
import { quotePaying } from '../../../src/events/sale/quote.ts'
import { baseline, readSale } from '../../../src/events/sale/sale.ts'
import type { Stack } from '../../stack/start.ts'
import type { TestPage } from './page.ts'

/** Presses buy; @returns when the core has the press. */
export async function place(page: TestPage, units: string): Promise<void> {
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
      orderKey: '00112233445566ff',
      asset: 'SOL',
      units,
      quoted: quote.tokens,
      min: quote.min,
      termsHash: terms.termsHash,
      acknowledged: terms.terms.legal.acknowledge,
    },
  })
}

export const theOrder = (model: Model) => Object.values(model.order).find(order => order.failure?.code !== 'core_lost')

/** Goes on until the chain is sure of the payment. */
export async function finish(page: TestPage, { solana }: Pick<Stack, 'solana'>): Promise<void> {
  await page.until('the payment to be seen', model => {
    const order = theOrder(model)
    if (order?.failure) throw new Error(`the order ended with ${JSON.stringify(order.failure)}`)
    return order && ['seen', 'confirmed', 'finalised'].includes(order.phase)
  })
  solana.chain.advance(2)
  await page.until('confirmation', model => ['confirmed', 'finalised'].includes(theOrder(model)?.phase ?? ''))
  solana.chain.advance(40)
  await page.until('finality', model => theOrder(model)?.phase === 'finalised')
}
