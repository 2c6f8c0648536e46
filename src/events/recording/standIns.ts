/**
 * Stand-ins for measures: random values that keep of the true ones only what the core decides by.
 *
 * 1. Equal values have equal stand-ins, and values of one kind keep their order.
 * 2. An amount keeps nothing else but its side of each limit of the terms, alone or with the account's others. A sold-out sale
 *    stays so, and a price that rose during an order rises.
 * 3. Slots, heights and chain times near each other keep their distances; far ones are drawn anew. Slot readings whose growth
 *    fits the time between them fit again, and those whose growth exceeds it exceed it again. Heights that came too early for
 *    an order's watch keep their distance to the order's end.
 * 4. Published values keep only their order among the others, because their true value is known.
 * 5. Zero means nothing, and stays.
 */
import { greater, lesser } from '../values/amount.ts'
import type { OrderLimits } from './orderLimits.ts'
import { lowSpan, priceRise } from '../sale/priceRise.ts'
import type { Scale } from '../schema/scales.ts'
import type { SaleBounds } from '../sale/saleBounds.ts'
import type { EarlyHeight } from './earlyHeights.ts'
import { acrossGap } from './slotReadings.ts'
import { betweenMarks, spread } from './spread.ts'
import { nextRandom, seeded } from '../../runtime/core/generator.ts'
import { shortestSlotMs, type SlotReading, slackSlots } from '../sale/slots.ts'

/** Scales whose stand-ins depend on all values. */
export type Ranked = Extract<Scale, 'amount' | 'token' | 'sale' | 'noticeNumber' | 'slot' | 'height' | 'chainTime'>

type StandIns = {
  /** Learns a value; all are seen before the first `of`. `of` is its asset, or its field of a sale's total. */
  see(scale: Ranked, value: string | number, of?: string): void
  /** @returns the stand-in; '0' for an unseen value. An amount without its asset gets that of an equal one */
  of(scale: Ranked, value: string | number, of?: string): string
  /** @returns the stand-in of a number in a sentence, whatever its scale; undefined for an unseen one */
  find(value: string): string | undefined
}

/** In place of the asset: marks a slot or chain time as published. */
export const published = 'published'

/** Values further apart are drawn anew: ten minutes, in the units of each scale. */
const near = { slot: 1500, height: 1500, chainTime: 600_000 }
const far = { slot: 1_000_000, chainTime: 86_400_000 }
const secondMs = 1000
/** Distances of this many blocks matter to the core only where a height came too early. */
const wideBlocks = 60
const hourMs = 3_600_000
const years = 365 * 24 * hourMs
const u64 = 2n ** 64n - 1n

/**
 * Holds the values seen and each scale's stand-ins, made when first used. One function, because scales share the seeded state,
 * the sale's bounds and each other's stand-ins.
 *
 * @param settings `key` is the seed; `isLoose` moves near slots and heights, too, where no decision depends on them; `limits`
 *   that orders met; `readings` of slots, in their order; `early` heights
 */
export function createStandIns(settings: {
  key: string
  bounds: SaleBounds
  isLoose: boolean
  limits: OrderLimits
  readings: readonly SlotReading[]
  early: readonly EarlyHeight[]
}): StandIns {
  const { key, bounds, isLoose, limits, readings, early } = settings
  /** values by their asset or field */
  const seen: { [scale in Ranked]: Map<string, Set<string>> } = {
    amount: new Map(),
    token: new Map(),
    sale: new Map(),
    noticeNumber: new Map(),
    slot: new Map(),
    height: new Map(),
    chainTime: new Map(),
  }
  const made = new Map<Ranked, Images>()
  const rise = priceRise(bounds, limits)

  /** Seeded anew for each scale, so that their order of use does not matter. */
  let state = seeded(key)
  const draw = (below: number) => nextRandom(state) % below
  const share = () => (draw(2 ** 31) * 2 ** 21 + draw(2 ** 21)) / 2 ** 52

  /** Draws `count` distinct whole numbers from `least` to `most`, ascending, as often small as large. */
  function drawn(count: number, least: bigint, most: bigint): bigint[] {
    const low = Math.log(Number(least))
    const high = Math.log(Number(most))
    const found = Array.from({ length: count }, () => BigInt(Math.round(Math.exp(low + (high - low) * share()))))
    found.sort(ascending)
    let last = least - 1n
    return found.map(value => {
      last = value > last ? value : last + 1n
      return last
    })
  }

  /** Maps the members of each range to its stand-ins' range. */
  function ranked(values: readonly bigint[], ranges: readonly Range[]): [string, string][] {
    return ranges.flatMap(({ from, to, least, most, isKept }) => {
      const members = values.filter(value => value >= from && value <= to)
      const images = members.length === 0 ? [] : isKept ? members : drawn(members.length, least, most)
      return members.map((value, at): [string, string] => [String(value), String(images[at])])
    })
  }

  function amounts(scale: 'amount' | 'token' | 'sale' | 'noticeNumber', rangesOf: (name: string) => Range[]): Images {
    const images = [...seen[scale]].map(([name, members]): [string, Map<string, string>] => {
      const isElsewhere = (value: string) =>
        name === '' && [...seen[scale]].some(([of, all]) => of !== '' && all.has(value))
      const values = [...members].flatMap(value => (value === '0' || isElsewhere(value) ? [] : [BigInt(value)]))
      return [name, new Map(ranked(values.sort(ascending), rangesOf(name)))]
    })
    return new Map(images)
  }

  function paidRanges(symbol: string): Range[] {
    const { least, most } = bounds.paid.get(symbol) ?? { least: 1n, most: 10n ** 12n }
    // Several orders of one account count together against the most it may pay
    const together = greater(16n, BigInt(limits.payments))
    const usual = lesser(greater(most / together, lesser(least * 4n, most)), most)
    // Together with the least that any other order pays it exceeds the limit again
    const tooMuch = limits.overLimit.get(symbol) ?? most + 1n
    const nearMost = greater(most - least / 2n, usual + 1n)
    return [
      { from: 1n, to: least - 1n, least: 1n, most: greater(least - 1n, 1n) },
      { from: least, to: lesser(tooMuch - 1n, most), least, most: usual },
      { from: greater(tooMuch, least), to: most, least: nearMost, most },
      { from: most + 1n, to: 10n ** 39n, least: most + 1n, most: lesser(greater(most * 4n, most + 1n), u64) },
    ]
  }

  function numbers(scale: 'slot' | 'height' | 'chainTime', of = ''): number[] {
    return [...(seen[scale].get(of) ?? [])]
      .map(Number)
      .filter(value => value > 0)
      .sort((a, b) => a - b)
  }

  /** Draws published values anew, between the stand-ins of their neighbours and the given edges. */
  function addPublished(scale: 'slot' | 'chainTime', images: Map<string, string>, edges: readonly number[] = []): void {
    const known = new Map(edges.map(edge => [edge, edge]))
    for (const value of numbers(scale)) known.set(value, Number(images.get(String(value))))
    const marks = numbers(scale, published).filter(mark => !images.has(String(mark)))
    for (const { values, below, above } of betweenMarks(
      marks,
      [...known.keys()].sort((a, b) => a - b),
    )) {
      const low = below === undefined ? 0 : (known.get(below) ?? 0)
      const most = above === undefined ? low + 2 * far[scale] : (known.get(above) ?? 0)
      const least = low > 0 ? low : Math.max(0, most - far[scale])
      const placed = spread(values.length, least, most, share)
      values.forEach((value, at) => images.set(String(value), String(placed[at])))
    }
  }

  function blocks(scale: 'slot' | 'height'): Map<string, string> {
    const images = new Map<string, string>()
    const marks = scale === 'slot' ? numbers(scale, published) : []
    let last: number | undefined
    let image = 0
    for (const value of numbers(scale)) {
      const from = last
      const room = from === undefined ? 0 : marks.filter(mark => mark > from && mark < value).length + 1
      if (from === undefined) image = 100_000_000 + draw(200_000_000)
      else image += Math.max(room, distance(scale, from, value))
      last = value
      images.set(String(value), String(image))
    }
    if (scale === 'slot') addPublished(scale, images)
    return images
  }

  function distance(scale: 'slot' | 'height', from: number, to: number): number {
    const gap = to - from
    if (gap > near[scale]) return near[scale] + 1 + (scale === 'slot' ? beyond(from, to) : draw(1_000_000))
    if (!isLoose) return gap
    // Slots grow no faster than they did; the only far height is the one at which a transaction expires
    if (scale === 'slot') return gap - draw(Math.floor(gap / 4) + 1)
    const isEarly = early.some(({ height, end }) => height <= from && to <= end)
    return gap < wideBlocks || isEarly ? gap : gap + draw(100)
  }

  /** @returns the slots by which a far gap exceeds `near`: accepted growth fits its time again, other growth does not */
  function beyond(from: number, to: number): number {
    const { fits, exceeds } = acrossGap(readings, from, to)
    const over = to - from - near.slot - 1
    if (fits) return exceeds ? over : draw(Math.min(over, 1_000_000) + 1)
    if (!exceeds) return draw(1_000_000)
    const times = readings.map(({ readAt }) => readAt)
    const longest = times.reduce((a, b) => Math.max(a, b)) - times.reduce((a, b) => Math.min(a, b))
    return slackSlots + Math.ceil(longest / shortestSlotMs) + draw(1_000_000)
  }

  function chainTimes(): Map<string, string> {
    const images = new Map<string, string>()
    const values = numbers('chainTime')
    const { times } = bounds
    const first = Math.min(times[0] ?? 3e12, values[0] ?? 3e12)
    const edges = [first - years, ...times, Math.max(times.at(-1) ?? 0, values.at(-1) ?? 0) + years]
    for (const [index, edge] of edges.slice(0, -1).entries()) {
      const end = edges[index + 1] ?? edge
      const members = values.filter(value => value >= edge && value < end)
      placed(members, edge, end).forEach((image, at) => images.set(String(members[at]), String(image)))
    }
    addPublished('chainTime', images, times)
    return images
  }

  /** Moves the times within a stage: groups of near ones together, by whole seconds, in their order. */
  function placed(values: readonly number[], edge: number, end: number): number[] {
    const groups: number[][] = []
    for (const value of values) {
      const group = groups.at(-1)
      if (group && value - (group.at(-1) ?? 0) <= near.chainTime) group.push(value)
      else groups.push([value])
    }
    // Readings on both sides of an edge stay in place: they tell the time to the second
    const before = groups.length > 0 && isCrossed(edge) ? (groups.shift() ?? []) : []
    const after = groups.length > 0 && isCrossed(end) ? (groups.pop() ?? []) : []
    const from = (before.at(-1) ?? edge) + secondMs
    const to = after[0] ?? end
    const spans = groups.map(group => (group.at(-1) ?? 0) - (group[0] ?? 0) + secondMs)
    const room = to - from - spans.reduce((sum, span) => sum + span, 0)
    if (room <= 0) return [...values]
    // The clock runs on from the last reading, and must not run into the next stage
    const free = Math.max(0, room - Math.min(hourMs, Math.floor(room / 4)))
    const places = groups.map(() => Math.floor(free * share())).sort((a, b) => a - b)
    let taken = 0
    const moved = groups.flatMap((group, at) => {
      const start = wholeSeconds(from + (places[at] ?? 0) + taken - (group[0] ?? 0))
      taken += spans[at] ?? 0
      return group.map(value => value + start)
    })
    return [...before, ...moved, ...after]
  }

  function isCrossed(edge: number): boolean {
    const all = numbers('chainTime')
    const isNear = (value: number) => Math.abs(value - edge) <= near.chainTime
    return all.some(value => value < edge && isNear(value)) && all.some(value => value >= edge && isNear(value))
  }

  function imagesOf(scale: Ranked): Images {
    const known = made.get(scale)
    if (known) return known
    state = seeded(`${key} ${scale}`)
    const images = make(scale)
    made.set(scale, images)
    return images
  }

  function make(scale: Ranked): Images {
    switch (scale) {
      case 'amount':
        return amounts('amount', paidRanges)
      case 'token':
        return tokens()
      case 'sale':
        return amounts('sale', saleRanges)
      case 'noticeNumber':
        return amounts('noticeNumber', () => [all(1000n, 1_000_000n)])
      case 'chainTime':
        return new Map([['', chainTimes()]])
      default:
        return new Map([['', blocks(scale)]])
    }
  }

  function saleRanges(name: string): Range[] {
    const total = bounds.totals.get(name) ?? 10n ** 12n
    const end = 10n ** 39n
    const soldOut = name === 'pos' ? (bounds.soldOutAt ?? end) : end
    const rose = rise?.name === name ? lesser(rise.from, soldOut) : soldOut
    const low = rise ? lowSpan(total) : { least: greater(total / 8n, 1n), most: greater(total / 4n, 1n) }
    return [
      { from: 1n, to: rose - 1n, ...low },
      ...(rise && rose < soldOut ? [{ from: rose, to: soldOut - 1n, least: rise.least, most: rise.most }] : []),
      { from: soldOut, to: end, ...low, isKept: true },
    ]
  }

  /** Tokens for any order that the sale accepts; fewer, again, for an order it refused. */
  function tokens(): Images {
    const { leastTokens } = bounds
    const moved = new Map<string, string>()
    for (const order of rise ? limits.movedQuotes : []) {
      const told = rise?.quoteOf(order, BigInt(imagesOf('amount').get(order.asset)?.get(order.units) ?? '0'))
      moved.set(order.quoted, String(told?.quoted)).set(order.min, String(told?.min))
    }
    // Drawing amounts has used up the state of this scale
    state = seeded(`${key} token`)
    const images = amounts('token', () => [all(greater(leastTokens / 2n, 1n), greater(leastTokens, 1n))])
    const refused = new Map(ranked([...limits.refusedQuotes].map(BigInt).sort(ascending), [all(2n ** 62n, 2n ** 63n)]))
    return new Map([...images].map(([name, known]) => [name, new Map([...known, ...refused, ...moved])]))
  }

  return {
    see(scale, value, of = '') {
      const known = seen[scale].get(of)
      if (known) known.add(String(value))
      else seen[scale].set(of, new Set([String(value)]))
    },
    of(scale, value, of = '') {
      const images = imagesOf(scale)
      const text = String(value)
      return images.get(of)?.get(text) ?? anyOf(images, text) ?? '0'
    },
    find(value) {
      for (const scale of rankedScales) {
        const found = anyOf(imagesOf(scale), value)
        if (found !== undefined) return found
      }
      return undefined
    },
  }
}

/** Stand-ins of one scale, by asset or field. */
type Images = ReadonlyMap<string, ReadonlyMap<string, string>>

function anyOf(images: Images, value: string): string | undefined {
  for (const known of images.values()) {
    const image = known.get(value)
    if (image !== undefined) return image
  }
  return undefined
}

function all(least: bigint, most: bigint): Range {
  return { from: 1n, to: 10n ** 39n, least, most }
}

function ascending(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

const rankedScales: readonly Ranked[] = ['amount', 'token', 'sale', 'slot', 'height', 'chainTime']

/** Values from `from` to `to` get stand-ins from `least` to `most`, or stay with `isKept`. */
type Range = { from: bigint; to: bigint; least: bigint; most: bigint; isKept?: true }

function wholeSeconds(ms: number): number {
  return Math.floor(ms / secondMs) * secondMs
}
