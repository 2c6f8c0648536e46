import { rollDice } from '../../../../simulation/runtime/dice.ts'
import { canonicalJson, hex, sha256 } from '../../bytes.ts'
import type { Chain } from '../../chain.ts'
import { seededKeypair } from '../../keys.ts'
import { associatedAccount } from '../../programs.ts'
import { curveOf } from '../curve.ts'
import { evaluate } from '../evaluate.ts'
import { marksOf } from '../marks.ts'
import type { Operator, Sale } from '../operator.ts'
import type { SaleAccounts } from '../saleAccounts.ts'
import type { Terms } from '../terms.ts'
import { amountsOf, inOrder, isAccepted, NAMES, sharesOf, spread } from './fill.ts'
import { FILLED_KINDS, type FilledKind } from './kinds.ts'
import { openTill } from './till.ts'

/** Parts of a sale that its operator switches between. */
const WHENS = ['open', 'paused', 'closed'] as const
type Phase = (typeof WHENS)[number]

/** Made with keys of the operator, which the chain does not have. */
const OPERATORS: readonly FilledKind[] = ['funding', 'outflow', 'noticeOutOfTurn', 'foreignNotice']
/** Part of what is left that accepted orders take, in percent: any number of them reaches the local sale's soft cap. */
const PART = 65n
const MOST_ORDERS = 100_000

type Asked = { terms: Terms; orders: number; when: Phase }

/**
 * Fills a sale that somebody else runs on this chain with transactions of all kinds that its state allows, now, in blocks of up to
 * eight. Nothing that needs its operator's keys is among them.
 *
 * @param order `{ terms, orders, when }`
 * @returns how many came of each kind
 * @throws Error with a sentence when the sale is not this chain's, or there are too few for all kinds
 */
export async function fillOwn(
  { chain, accounts }: { chain: Chain; accounts: SaleAccounts },
  order: unknown,
): Promise<Record<string, number>> {
  const { terms, orders, when } = askedIn(order, chain)
  const sale = saleOf(terms, accounts)
  const { slot } = chain.blocks.tip()
  const seed = [accounts.authority.address, terms.authority, terms.id, when, slot].join(' ')
  const dice = rollDice({}, Buffer.from(sha256('own sale\0', seed)).readUInt32LE(0))
  const { pos } = evaluate(chain.ledger.all(), sale)
  const treasuryUsdc = sale.watched.accounts.find(({ asset }) => asset === 'USDC')?.address ?? ''
  const operator = { published: { nextSeq: 1, checkpoint: null, slot } } as Partial<Operator> as Operator
  const till = openTill({ chain, accounts: { ...accounts, treasuryUsdc }, sale, operator, seed, dice, pos })
  const possible = NAMES.filter(kind => {
    return FILLED_KINDS[kind].when === when && !('allowlist' in FILLED_KINDS[kind]) && !OPERATORS.includes(kind)
  })
  const least = possible.length
  if (orders < least) throw new Error(`a sale that is ${when} expected at least ${least} orders, got ${orders}`)
  const budget = (till.left() * PART) / 100n - BigInt(FILLED_KINDS.overRoom.most) * BigInt(terms.maxBuyer)
  if (when === 'open' && budget < (curveOf(terms).hardCap * PART) / 1_000n)
    throw new Error('a sale that is open expected room for the orders, got too little')
  const { accepted, others } = sharesOf(dice, possible, { orders, budget })
  const amounts = amountsOf(dice, BigInt(terms.minOrder), { budget, count: BigInt(accepted.length) })
  const each = (place: number) => possible[place % possible.length] as FilledKind
  const queue =
    when === 'open'
      ? inOrder(dice, [...accepted, ...others])
      : Array.from({ length: orders }, (_, place) => each(place))
  const kinds: Record<string, number> = {}
  await spread(
    dice,
    queue,
    { from: 0, until: 0 },
    {
      open: () => chain.advance(1),
      send(kind) {
        till.send(kind, isAccepted(kind) ? amounts.next(till) : amounts.any())
        kinds[kind] = (kinds[kind] ?? 0) + 1
      },
    },
  )
  till.settle()
  return kinds
}

function askedIn(order: unknown, chain: Chain): Asked {
  const { terms, orders, when = 'open' } = (order ?? {}) as Partial<Asked>
  if (typeof terms !== 'object' || terms.cluster?.genesisHash !== chain.genesisHash)
    throw new Error(`fill expected terms of this chain, whose genesis hash is ${chain.genesisHash}`)
  if (!Number.isSafeInteger(orders) || Number(orders) > MOST_ORDERS)
    throw new Error(`orders expected a whole number up to ${MOST_ORDERS}, got ${JSON.stringify(orders)}`)
  if (!WHENS.includes(when)) throw new Error(`when expected ${WHENS.join(', ')}, got ${JSON.stringify(when)}`)
  return { terms, orders: Number(orders), when }
}

/** The sale without its operator's keys. */
function saleOf(terms: Terms, accounts: SaleAccounts): Sale {
  const { authority, treasury } = terms
  return {
    terms,
    termsHash: hex(sha256(canonicalJson(terms))),
    marks: marksOf(authority, terms.id),
    authority: seededKeypair('own sale', 'no operator'),
    watched: {
      treasury,
      authority,
      accounts: [
        { asset: 'SOL', address: treasury },
        { asset: 'USDC', address: associatedAccount(treasury, accounts.usdcMint.address) },
      ],
    },
  }
}
