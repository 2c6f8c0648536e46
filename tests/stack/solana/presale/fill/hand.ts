import type { Dice } from '../../../../simulation/runtime/dice.ts'
import { hex, sha256 } from '../../bytes.ts'
import type { Chain } from '../../chain.ts'
import type { Keypair } from '../../keys.ts'
import {
  computeUnitLimit,
  computeUnitPrice,
  type Instruction,
  memo,
  transfer,
  transferChecked,
} from '../../programs.ts'
import { curveOf, rateOf } from '../curve.ts'
import { type OrderMemo, orderMemo } from '../marks.ts'
import type { Operator, Sale } from '../operator.ts'
import type { SaleAccounts } from '../saleAccounts.ts'
import { openCrowd } from './crowd.ts'

/** The sale to fill, and all chance in it. */
export type TillPlace = {
  chain: Chain
  accounts: SaleAccounts
  sale: Sale
  operator: Operator
  seed: string
  dice: Dice<never>
  /** credits sold before; absent: none */
  pos?: bigint
}

export type Asset = 'SOL' | 'USDC'
type Signers = [Keypair, ...Keypair[]]
/** `bought`: an order and its accepted credits. `fails`: it lands and is refused by a program. */
export type Draft = {
  instructions: Instruction[]
  signers: Signers
  bought?: { buyer: Keypair; order: OrderMemo; credits: bigint }
  fails?: true
}

/** Makes orders at the position that the sale has reached; one closure, as each part reads that position. */
export type Hand = ReturnType<typeof openHand>

export function openHand({ chain, accounts, sale, seed, dice, pos: before = 0n }: TillPlace) {
  const { terms, marks, watched } = sale
  const curve = curveOf(terms)
  const crowd = openCrowd(chain, accounts.usdcMint.address, seed)
  const spent = new Map<string, bigint>()
  const accepted: { buyer: Keypair; order: OrderMemo }[] = []
  const capped: Keypair[] = []
  let [pos, orders] = [before, 0]

  const room = ({ address }: Keypair) => BigInt(terms.maxBuyer) - (spent.get(address) ?? 0n)
  const unitsOf = (asset: Asset, credits: bigint) => credits / rateOf(terms, asset)
  const anyAsset = (): Asset => dice.oneOf('asset', ['SOL', 'USDC'])
  const other = (asset: Asset): Asset => (asset === 'SOL' ? 'USDC' : 'SOL')
  const earlier = () => dice.oneOf('earlier', accepted)
  const buyerWithRoom = (credits: bigint): Keypair => {
    if (accepted.length < 4 || dice.chance('new buyer', 0.3)) return crowd.newBuyer()
    const { buyer } = earlier()
    return room(buyer) >= credits ? buyer : crowd.newBuyer()
  }
  const orderOf = (asset: Asset, credits: bigint, changes: Partial<OrderMemo> = {}): OrderMemo => {
    orders++
    const inside = credits < curve.hardCap - pos ? credits : curve.hardCap - pos
    const quoted = curve.tokens(pos, inside)
    return {
      terms: sale.termsHash.slice(0, 16),
      id: hex(sha256('filled order\0', seed, '\0', String(orders))).slice(0, 16),
      asset,
      units: unitsOf(asset, credits),
      quoted,
      min: quoted - quoted / 200n,
      ...changes,
    }
  }
  const references = ({ address }: Keypair, { id }: OrderMemo) => [
    marks.presale,
    marks.buyer(address),
    marks.order(address, id),
  ]
  const payment = (payer: Keypair, asset: Asset, units: bigint, marked: string[] = []): Instruction => {
    crowd.fund(payer.address, asset, units)
    if (asset === 'SOL') return transfer(payer.address, watched.treasury, units, marked)
    return tokens(crowd.usdcOf(payer.address), payer.address, units, marked)
  }
  const tokens = (from: string, owner: string, amount: bigint, marked: string[] = []): Instruction =>
    transferChecked({
      from,
      mint: accounts.usdcMint.address,
      to: accounts.treasuryUsdc,
      authority: owner,
      amount,
      decimals: 6,
      references: marked,
    })
  const budget = () => [computeUnitLimit(60_000), computeUnitPrice(BigInt(dice.between('price', 0, 20_000)))]
  /** An order as the page makes it, or as a phone makes it: without mark of the buyer and without compute budget. */
  const order = (
    buyer: Keypair,
    asset: Asset,
    credits: bigint,
    { changes = {}, byPhone = false }: { changes?: Partial<OrderMemo>; byPhone?: boolean } = {},
  ): Draft & { named: OrderMemo } => {
    const named = orderOf(asset, credits, changes)
    const marked = references(buyer, named)
    const paid = payment(
      buyer,
      asset,
      unitsOf(asset, credits),
      byPhone ? marked.filter((_mark, place) => place !== 1) : marked,
    )
    return { instructions: [...(byPhone ? [] : budget()), memo(orderMemo(named)), paid], signers: [buyer], named }
  }
  /** One that the ledger accepts, up to `taken`. */
  const purchase = (
    credits: bigint,
    options: { asset?: Asset; buyer?: Keypair; changes?: Partial<OrderMemo>; byPhone?: boolean; taken?: bigint } = {},
  ): Draft => {
    const { asset = anyAsset(), buyer = buyerWithRoom(credits), taken = credits, ...rest } = options
    const { named, ...draft } = order(buyer, asset, credits, rest)
    return { ...draft, bought: { buyer, order: named, credits: taken } }
  }
  /** A payment with an order memo and something else. */
  const odd = (credits: bigint, make: (buyer: Keypair, named: OrderMemo, asset: Asset) => Instruction[]): Draft => {
    const buyer = crowd.newBuyer()
    const asset = anyAsset()
    return { instructions: make(buyer, orderOf(asset, credits), asset), signers: [buyer] }
  }
  const outsiderPays = (credits: bigint, ...before: Instruction[]): Draft => {
    const payer = crowd.newOutsider()
    const asset = anyAsset()
    return { instructions: [...before, payment(payer, asset, unitsOf(asset, credits))], signers: [payer] }
  }
  const selfTransfer = (payer: Keypair, text: string, marked: string[]): Draft => {
    crowd.fund(payer.address, 'SOL', 0n)
    return { instructions: [memo(text), transfer(payer.address, payer.address, 0n, marked)], signers: [payer] }
  }
  return {
    crowd,
    curve,
    terms,
    unitsOf,
    anyAsset,
    other,
    earlier,
    buyerWithRoom,
    orderOf,
    references,
    payment,
    tokens,
    budget,
    order,
    purchase,
    odd,
    outsiderPays,
    selfTransfer,
    /** credits that the sale still takes */
    left: () => curve.hardCap - pos,
    /** buyers whose cap is reached */
    capped,
    /** counts an order that landed */
    count({ buyer, order: named, credits }: NonNullable<Draft['bought']>): void {
      pos += credits
      spent.set(buyer.address, (spent.get(buyer.address) ?? 0n) + credits)
      if (unitsOf(named.asset as Asset, credits) === named.units) accepted.push({ buyer, order: named })
    },
  }
}
