import { setImmediate as nextTask } from 'node:timers/promises'
import { type Dice, rollDice } from '../../../../simulation/runtime/dice.ts'
import { sha256 } from '../../bytes.ts'
import type { TillPlace } from './hand.ts'
import { FILLED_KINDS, type FilledKind, type FilledOrder } from './kinds.ts'
import { openTill, type Till } from './till.ts'

/** How a filled sale stands at the end: `part` of the hard cap is sold, in percent. */
const STANDS = {
  live: { part: 65n, isFull: false, result: undefined },
  'sold-out': { part: 97n, isFull: true, result: undefined },
  closed: { part: 97n, isFull: true, result: 'success' },
  failed: { part: 15n, isFull: false, result: 'failed' },
} as const

export const ENDINGS = Object.keys(STANDS) as Ending[]
export type Ending = keyof typeof STANDS

/** `orders`: about how many transactions. `allowlist`: only listed buyers may pay. `part`: another one of the hard cap, percent. */
export type Fill = { orders: number; ending?: Ending; allowlist?: boolean; part?: bigint }

/** The sale to fill, dated from `baseUnix`, when the filling ends. */
export type FillPlace = Omit<TillPlace, 'dice'> & { baseUnix: number }

const HOUR = 3_600
const CENT = 10n ** 10n
/** About: a smaller part of many transactions is accepted, so that the sale has room for them. */
const LEAST_MEAN = 1_500n * CENT
/** Buyers who fill a sale to its end pay at most this. */
const LARGE = 2_000_000n * CENT
/** Part of the transactions that the newest checkpoint judged. */
const AUDITED = 0.85

export const NAMES = Object.keys(FILLED_KINDS) as FilledKind[]
export const isAccepted = (kind: FilledKind) => FILLED_KINDS[kind].rows.some(row => row === 'accepted')
/** Come first, because others need them. */
const FIRST: FilledKind[] = ['sol', 'usdc', 'uncheckedToken', 'overRoom']

/** Fewest transactions with every kind among them. */
export const LEAST_ORDERS = 2 * NAMES.length

/**
 * Fills a new sale with transactions of all kinds that its ending allows, in blocks of up to eight. The same seed gives the same
 * ones. The terms are published; the sale has no order yet.
 *
 * @returns them in canonical order
 * @throws Error with a sentence when there are too few for all kinds
 */
export async function fillSale(place: FillPlace, fill: Fill): Promise<FilledOrder[]> {
  const { orders, ending = 'live', allowlist = false } = fill
  if (!Number.isSafeInteger(orders) || orders < LEAST_ORDERS)
    throw new Error(`a filled sale expected at least ${LEAST_ORDERS} orders, got ${orders}`)
  const { chain, operator, sale, baseUnix, seed } = place
  const { isFull, result } = STANDS[ending]
  const { part = STANDS[ending].part } = fill
  const dice = rollDice({}, Buffer.from(sha256('filled sale\0', seed)).readUInt32LE(0))
  const till = openTill({ ...place, dice })
  const target = (till.left() * part) / 100n
  const budget = target - BigInt(FILLED_KINDS.overRoom.most) * BigInt(sale.terms.maxBuyer)
  const { accepted, others } = shares(dice, { orders, budget, isFull, isClosed: result !== undefined, allowlist })
  const amounts = amountsOf(dice, BigInt(sale.terms.minOrder), { budget, count: BigInt(accepted.length) })
  const filled: FilledOrder[] = []
  const send = (kind: FilledKind, credits: bigint) => filled.push(till.send(kind, credits))
  const during = (when: string) => others.filter(kind => FILLED_KINDS[kind].when === when)
  const play = async (kinds: readonly FilledKind[], from: number, until: number) => {
    const room = { from: Math.max(from, chain.blocks.tip().time), until }
    await spread(dice, kinds, room, {
      open: time => chain.setTime(Math.max(time, chain.blocks.tip().time)),
      send: kind => send(kind, isAccepted(kind) ? amounts.next(till) : amounts.any()),
    })
  }

  const [start, end] = [sale.terms.start, baseUnix - HOUR]
  await play(during('before'), start - 6 * HOUR, start - HOUR)
  const queue = inOrder(dice, [...accepted, ...during('open')])
  const cut = Math.floor(queue.length * AUDITED)
  const late = queue.slice(cut).filter(kind => kind !== 'outflow')
  const early = [...queue.slice(0, cut), ...queue.slice(cut).filter(kind => kind === 'outflow')]
  const half = Math.floor(early.length / 2)
  const noon = start + (end - start) / 2
  await play(early.slice(0, half), start, noon)
  operator.notice('pause')
  await play(during('paused'), noon, noon + HOUR)
  operator.notice('resume')
  await play(early.slice(half), noon + HOUR, end - 2 * HOUR)
  chain.advance(40)
  operator.checkpoint()
  await play(late, end - 2 * HOUR, end)
  if (isFull) {
    while (till.left() > LARGE) await play(['sol'], end, end)
    await play(['lastPart'], end, end)
    await play(
      during('full').filter(kind => kind !== 'lastPart'),
      end,
      end + HOUR / 4,
    )
  }
  if (result) {
    operator.notice('close')
    await play(during('closed'), end + HOUR / 4, end + HOUR / 2)
  }
  till.settle()
  chain.advance(40)
  if (isFull || result) {
    operator.checkpoint()
    if (result) operator.notice('result', result)
    chain.advance(40)
  }
  chain.setTime(baseUnix)
  return filled
}

type Share = { orders: number; budget: bigint; isFull: boolean; isClosed: boolean; allowlist: boolean }

function shares(dice: Dice<never>, { orders, budget, isFull, isClosed, allowlist }: Share) {
  const possible = NAMES.filter(kind => {
    const { when, allowlist: needsList } = { allowlist: false, ...FILLED_KINDS[kind] }
    return (when !== 'full' || isFull) && (when !== 'closed' || isClosed) && (!needsList || allowlist)
  })
  return sharesOf(dice, possible, { orders, budget })
}

/** The kinds of all transactions: most are accepted, and each other kind comes as often. */
export function sharesOf(
  dice: Dice<never>,
  possible: readonly FilledKind[],
  { orders, budget }: { orders: number; budget: bigint },
) {
  const bought = possible.filter(isAccepted)
  const rest = possible.filter(kind => !isAccepted(kind))
  const count = Math.min(Math.floor(orders * 0.8), orders - rest.length, Number(budget / LEAST_MEAN))
  const weighted: FilledKind[] = [...bought, ...repeated('sol', 10), ...repeated('usdc', 10), ...repeated('phone', 3)]
  const accepted = Array.from({ length: count }, (_, place) => bought[place] ?? dice.oneOf('kind', weighted))
  const others: FilledKind[] = []
  for (let round = 0; others.length < orders - count; round++)
    for (const kind of rest) {
      const { most } = { most: Number.POSITIVE_INFINITY, ...FILLED_KINDS[kind] }
      if (round < most && others.length < orders - count) others.push(kind)
    }
  return { accepted, others }
}

const repeated = (kind: FilledKind, times: number): FilledKind[] => Array.from({ length: times }, () => kind)

/** Amounts in whole cents: those of accepted orders use up the budget. */
export function amountsOf(dice: Dice<never>, least: bigint, given: { budget: bigint; count: bigint }) {
  let { budget, count } = given
  const between = (from: bigint, to: bigint) => {
    const cents = (to - from) / CENT
    return from + (cents > 0n ? BigInt(dice.between('cents', 0, Number(cents))) : 0n) * CENT
  }
  return {
    any: () => between(least, 20n * least),
    /** @returns the credits of the next accepted order; after the last planned one a large one that the sale has room for */
    next(till: Till): bigint {
      if (count <= 0n) return LARGE
      const mean = budget / count
      const highest = 2n * mean - least
      const credits = between(least, highest < LARGE ? highest : LARGE)
      budget -= credits
      count--
      return credits < till.left() ? credits : least
    },
  }
}

/** Shuffled, but for the first. */
export function inOrder(dice: Dice<never>, kinds: readonly FilledKind[]): FilledKind[] {
  const rest = [...kinds]
  for (const kind of FIRST) rest.splice(rest.indexOf(kind), 1)
  for (let place = rest.length - 1; place > 0; place--) {
    const other = dice.between('shuffle', 0, place)
    ;[rest[place], rest[other]] = [rest[other] as FilledKind, rest[place] as FilledKind]
  }
  return [...FIRST, ...rest]
}

/** Sends transactions over a span of time, up to eight in a slot. */
export async function spread(
  dice: Dice<never>,
  kinds: readonly FilledKind[],
  { from, until }: { from: number; until: number },
  { open, send }: { open: (time: number) => void; send: (kind: FilledKind) => void },
): Promise<void> {
  for (let place = 0; place < kinds.length; ) {
    open(from + Math.floor(((until - from) * place) / kinds.length))
    const next = place + dice.between('in a slot', 1, 8)
    for (const kind of kinds.slice(place, next)) send(kind)
    place = next
    // The VM's results are native memory, which is freed between tasks only
    await nextTask()
  }
}
