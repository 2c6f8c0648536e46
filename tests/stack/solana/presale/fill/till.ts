import { concat, littleEndian } from '../../bytes.ts'
import { signedTransaction } from '../../compile.ts'
import {
  associatedAccount,
  createAssociatedAccount,
  type Instruction,
  memo,
  mintTo,
  TOKEN,
  transfer,
} from '../../programs.ts'
import { readTransaction } from '../../wire.ts'
import { noticeMemo, orderMemo } from '../marks.ts'
import { makeMint } from '../setup.ts'
import { type Asset, type Draft, type Hand, openHand, type TillPlace } from './hand.ts'
import type { FilledKind, FilledOrder } from './kinds.ts'

/** Makes the transactions of a filled sale. */
export type Till = {
  /** credits that the sale still takes */
  left(): bigint
  /** sends one transaction of a kind, worth `credits` where the kind leaves it open */
  send(kind: FilledKind, credits: bigint): FilledOrder
  /** ends the filling */
  settle(): void
}

type Makers = Partial<Record<FilledKind, (credits: bigint) => Draft>>

const STRAY_DECIMALS = 6

export function openTill(place: TillPlace): Till {
  const { chain } = place
  const hand = openHand(place)
  const makers: Record<FilledKind, (credits: bigint) => Draft> = {
    ...acceptedOrders(place, hand),
    ...judgedOrders(place, hand),
    ...oddPayments(place, hand),
    ...otherTransactions(place, hand),
  }
  const land = ({ instructions, signers, fails }: Draft, kind: FilledKind): string => {
    if (!fails) return chain.run(instructions, signers)
    const { bytes, signature } = signedTransaction(instructions, signers, chain.blocks.tip().blockhash)
    const { landed, err } = chain.submit(readTransaction(bytes)).outcome
    if (!landed || err === null) throw new Error(`a ${kind} transaction expected to land and fail, got ${String(err)}`)
    return signature
  }
  return {
    left: hand.left,
    send(kind, credits) {
      const draft = makers[kind](credits)
      const signature = land(draft, kind)
      if (draft.bought) hand.count(draft.bought)
      return { kind, signature, payer: draft.signers[0].address }
    },
    settle: () => hand.crowd.settle(),
  }
}

/** Orders that are accepted whole. */
function acceptedOrders(place: TillPlace, hand: Hand) {
  const { buyerWithRoom, crowd, earlier, purchase } = hand
  const { accounts } = place
  return {
    sol: credits => purchase(credits, { asset: 'SOL' }),
    usdc: credits => purchase(credits, { asset: 'USDC' }),
    uncheckedToken(credits) {
      const draft = purchase(credits, { asset: 'USDC' })
      return { ...draft, instructions: [...draft.instructions.slice(0, -1), unchecked(draft.instructions.at(-1))] }
    },
    phone: credits => purchase(credits, { byPhone: true }),
    extraInstructions(credits) {
      const buyer = buyerWithRoom(credits)
      const { address } = buyer
      const draft = purchase(credits, { buyer })
      const extra = [
        createAssociatedAccount(address, address, accounts.usdcMint.address),
        transfer(address, address, 0n),
      ]
      return { ...draft, instructions: [...extra, ...draft.instructions] }
    },
    referred(credits) {
      return purchase(credits, { buyer: crowd.newBuyer(), changes: { referrer: earlier().buyer.address } })
    },
    ownReferrer(credits) {
      const buyer = buyerWithRoom(credits)
      return purchase(credits, { buyer, changes: { referrer: buyer.address } })
    },
    strangeReferrer: credits => purchase(credits, { changes: { referrer: crowd.newOutsider().address } }),
  } satisfies Makers
}

/** Orders that the state of the sale refuses, or accepts in part. */
function judgedOrders(place: TillPlace, hand: Hand) {
  const { budget, anyAsset, capped, crowd, curve, earlier, left, order, payment, purchase, references, terms } = hand
  const { dice } = place
  return {
    overRoom(credits) {
      const buyer = crowd.newBuyer()
      const taken = BigInt(terms.maxBuyer)
      capped.push(buyer)
      return purchase(taken + credits, { buyer, taken })
    },
    lastPart(credits) {
      const taken = left()
      return purchase(taken + credits, { buyer: crowd.newBuyer(), taken })
    },
    early: credits => order(crowd.newBuyer(), anyAsset(), credits),
    late: credits => order(crowd.newBuyer(), anyAsset(), credits),
    paused: credits => order(crowd.newBuyer(), anyAsset(), credits),
    notAllowed: credits => order(crowd.newOutsider(), anyAsset(), credits),
    duplicate() {
      const { buyer, order: named } = earlier()
      const paid = payment(buyer, named.asset as Asset, named.units, references(buyer, named))
      return { instructions: [...budget(), memo(orderMemo(named)), paid], signers: [buyer] }
    },
    soldOut: credits => order(crowd.newBuyer(), anyAsset(), credits),
    buyerCap: credits => order(dice.oneOf('capped', capped), anyAsset(), credits),
    underMin: () => order(crowd.newBuyer(), anyAsset(), BigInt(terms.minOrder) / BigInt(dice.between('part', 2, 10))),
    priceProtect: credits =>
      order(crowd.newBuyer(), anyAsset(), credits, { changes: { min: curve.tokens(0n, curve.hardCap) } }),
    unknownTerms: credits => order(crowd.newBuyer(), anyAsset(), credits, { changes: { terms: 'f'.repeat(16) } }),
  } satisfies Makers
}

/** Payments that are no order of the one who pays. */
function oddPayments(place: TillPlace, hand: Hand) {
  const { crowd, odd, orderOf, other, outsiderPays, payment, references, tokens, unitsOf } = hand
  const { watched } = place.sale
  return {
    noMemo: credits => outsiderPays(credits),
    otherMemo: credits => outsiderPays(credits, memo('Thank you!')),
    twoOrders: credits =>
      odd(credits, (buyer, named, asset) => [
        memo(orderMemo(named)),
        memo(orderMemo(orderOf(asset, credits))),
        payment(buyer, asset, named.units),
      ]),
    twoPayments: credits =>
      odd(credits, (buyer, named, asset) => [
        memo(orderMemo(named)),
        payment(buyer, asset, named.units / 2n),
        payment(buyer, asset, named.units - named.units / 2n),
      ]),
    bothAssets: credits =>
      odd(credits, (buyer, named, asset) => [
        memo(orderMemo(named)),
        payment(buyer, other(asset), unitsOf(other(asset), credits)),
        payment(buyer, asset, named.units),
      ]),
    brokenMemo: credits =>
      odd(credits, (buyer, named, asset) => [
        memo(orderMemo(named).replace('mai1:', 'mai1:0x')),
        payment(buyer, asset, named.units),
      ]),
    wrongUnits: credits =>
      odd(credits, (buyer, named, asset) => [
        memo(orderMemo({ ...named, units: named.units + 1n })),
        payment(buyer, asset, named.units),
      ]),
    wrongAsset: credits =>
      odd(credits, (buyer, named, asset) => [
        memo(orderMemo({ ...named, asset: other(asset) })),
        payment(buyer, asset, named.units),
      ]),
    delegated(credits) {
      const [owner, delegate] = [crowd.newOutsider(), crowd.newBuyer()]
      const named = orderOf('USDC', credits)
      crowd.delegate(owner.address, delegate.address, named.units)
      const marked = references(delegate, named)
      const paid = tokens(crowd.usdcOf(owner.address), delegate.address, named.units, marked)
      return { instructions: [memo(orderMemo(named)), paid], signers: [delegate] }
    },
    closedAccount() {
      const payer = crowd.newOutsider()
      crowd.fund(payer.address, 'USDC', 0n)
      const closed = closeAccount(crowd.usdcOf(payer.address), watched.treasury, payer.address)
      return { instructions: [closed], signers: [payer] }
    },
    batched(credits) {
      const payer = crowd.newOutsider()
      return { instructions: [batch(payment(payer, 'USDC', unitsOf('USDC', credits)))], signers: [payer] }
    },
  } satisfies Makers
}

/** Transactions that are no payments of a buyer. */
function otherTransactions(place: TillPlace, hand: Hand) {
  const { crowd, earlier, orderOf, references, selfTransfer, tokens, unitsOf } = hand
  const { accounts, chain, operator } = place
  const { marks, watched, authority } = place.sale
  return {
    funding: credits => ({
      instructions: [transfer(authority.address, watched.treasury, unitsOf('SOL', credits))],
      signers: [authority],
    }),
    outflow: credits => ({
      instructions: [transfer(watched.treasury, authority.address, unitsOf('SOL', credits))],
      signers: [accounts.treasury],
    }),
    failed(credits) {
      const buyer = crowd.newBuyer()
      const named = orderOf('USDC', credits)
      crowd.fund(buyer.address, 'USDC', named.units - 1n)
      const paid = tokens(crowd.usdcOf(buyer.address), buyer.address, named.units, references(buyer, named))
      return { instructions: [memo(orderMemo(named)), paid], signers: [buyer], fails: true }
    },
    unlistedToken() {
      const maker = crowd.newOutsider()
      const mint = crowd.newOutsider()
      crowd.fund(maker.address, 'SOL', 1_000_000_000n)
      makeMint(chain, maker, mint, STRAY_DECIMALS)
      const account = associatedAccount(watched.treasury, mint.address)
      return {
        instructions: [
          createAssociatedAccount(maker.address, watched.treasury, mint.address),
          mintTo(mint.address, account, maker.address, 1_000_000n),
        ],
        signers: [maker],
      }
    },
    spam() {
      const { buyer } = earlier()
      return selfTransfer(crowd.newOutsider(), 'Free tokens', [marks.presale, marks.buyer(buyer.address)])
    },
    noticeOutOfTurn() {
      const text = noticeMemo({ seq: operator.published.nextSeq + 7, verb: 'close', arg: '-' })
      return selfTransfer(authority, text, [marks.notice])
    },
    foreignNotice() {
      const text = noticeMemo({ seq: operator.published.nextSeq, verb: 'close', arg: '-' })
      return selfTransfer(crowd.newOutsider(), text, [marks.notice])
    },
  } satisfies Makers
}

/** The same payment by Transfer in place of TransferChecked: no mint, no decimals. */
function unchecked(checked: Instruction | undefined): Instruction {
  const { accounts = [], data = new Uint8Array(0), program = TOKEN } = checked ?? {}
  return {
    program,
    accounts: accounts.filter((_account, place) => place !== 1),
    data: concat(Uint8Array.of(3), data.slice(1, 9)),
  }
}

/** CloseAccount: the account's lamports go to `to`. */
const closeAccount = (account: string, to: string, owner: string): Instruction => ({
  program: TOKEN,
  accounts: [
    { address: account, writable: true },
    { address: to, writable: true },
    { address: owner, signer: true },
  ],
  data: Uint8Array.of(9),
})

/** Batch: the token program runs another instruction of its own. */
const batch = ({ accounts, data }: Instruction): Instruction => ({
  program: TOKEN,
  accounts,
  data: concat(Uint8Array.of(255), littleEndian(accounts.length, 1), littleEndian(data.length, 1), data),
})
