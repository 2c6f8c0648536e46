/**
 * Number 3: the calls of a visitor. A poll reads the sale in one call and one request, however many orders it has, and the history of a
 * buyer costs one list and one call for each payment that is new.
 */
import { readTerms, type Terms } from '../../../../src/events/sale/terms/terms.ts'
import type { Answer } from '../../../../src/runtime/host/driver.ts'
import { buyerRef, presaleRef } from '../../../../src/worker/chains/solana/references.ts'
import { memoryBytes } from '../../../../src/worker/drivers/bytes.ts'
import { createSolanaDriver } from '../../../../src/worker/drivers/solana/solana.ts'
import { createHttp } from '../../../../src/worker/host/aloneTransport.ts'
import { callOf } from '../payouts/world.ts'
import { type FilledSale, filledSale, leastOrders } from './filledSale.ts'
import type { OnDone, ProofReport } from './report.ts'

type PollsAsked = { seed: number; orders: number; more?: number; onDone?: OnDone | undefined }
type Counted = { transactions: number; calls: number; requests: number; again: number; first: number; payments: number }

/**
 * Polls a small sale and a large one.
 *
 * @param asked `more`: calls that are counted on top, so that a test sees a poll that costs more
 */
export async function provePolls({ seed, orders, more = 0, onDone }: PollsAsked): Promise<ProofReport> {
  const sizes = [...new Set([leastOrders, orders])]
  const sales: Counted[] = []
  for (const [at, size] of sizes.entries()) {
    sales.push(await polled(await filledSale(`polls proof ${seed} ${size}`, size), more))
    onDone?.(at + 1, sizes.length)
  }
  const isOne = ({ calls, requests }: Counted) => calls === 1 && requests === 1
  const isOwn = ({ first, again, payments }: Counted) => first === 1 + payments && again === 1 && payments > 0
  return {
    proof: 'polls',
    number: 3,
    holds: sales.every(sale => isOne(sale) && isOwn(sale)),
    figures: { seed, sales },
    lines: sales.map(
      ({ transactions, calls, requests, payments, first, again }) =>
        `${transactions} transactions: ${calls} call in ${requests} request a poll; a buyer of ${payments} payments: ${first} calls, ${again} when none is new`,
    ),
  }
}

async function polled({ chain, termsText }: FilledSale, more: number): Promise<Counted> {
  const { terms } = readTerms(termsText)
  const count = { calls: 0, requests: 0 }
  const node = callOf(chain, () => void (count.calls += 1))
  const drivers = createSolanaDriver({
    rpcUrls: ['http://chain.test'],
    termsUrl: 'http://sale.test/terms.json',
    sale: { authority: terms.authority, id: terms.id },
    http: createHttp({
      wait: async () => {},
      fetch: (url, init) => {
        count.requests += 1
        return node(url, init)
      },
    }),
    bytes: memoryBytes(),
    now: () => 0,
  })
  const ask = (type: 'chain.readSale' | 'chain.readPurchases', data: object): Promise<Answer['data']> => {
    Object.assign(count, { calls: more, requests: 0 })
    return new Promise((told, failed) => {
      void drivers[type]?.({ id: 'e1.1.1', data: data as never }, ({ type: named, data: answer }) =>
        named === 'effect.failed' ? failed(new Error(`${type}: ${JSON.stringify(answer)}`)) : told(answer),
      )
    })
  }
  const assets = terms.assets.map(({ symbol, mint }) => (mint === undefined ? { symbol } : { symbol, mint }))
  await ask('chain.readSale', { treasury: terms.treasury, assets })
  const { calls, requests } = count
  const presale = presaleRef(terms.authority, terms.id)
  const { buyer, listed } = buyerIn(chain, terms)
  const history = { account: buyer, presaleRef: presale, terms, known: [] as string[] }
  const { purchases } = (await ask('chain.readPurchases', history)) as { purchases: { signature: string }[] }
  const first = count.calls
  await ask('chain.readPurchases', { ...history, known: purchases.map(({ signature }) => signature) })
  const transactions = chain.ledger.all().length
  return { transactions, calls, requests, first, again: count.calls, payments: listed }
}

/** A buyer whose mark names own final orders alone, as nothing of a stranger's is among them, and how many these are. */
function buyerIn(
  { ledger }: FilledSale['chain'],
  { treasury, authority, id }: Terms,
): { buyer: string; listed: number } {
  const presale = presaleRef(authority, id)
  for (const { addresses } of ledger.mentioning(treasury)) {
    const [buyer = ''] = addresses
    const marked = ledger.mentioning(buyerRef(presale, buyer))
    const isOwn = marked.every(one => one.err === null && one.addresses[0] === buyer && one.memo?.includes('mai1:'))
    if (marked.length > 0 && isOwn) return { buyer, listed: marked.length }
  }
  throw new Error('a filled sale expected a buyer with own orders alone, got none')
}
