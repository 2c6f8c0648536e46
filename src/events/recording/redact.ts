/**
 * Redacts a log. A field's class and scale decide: personal values and keys of the chain become tokens, measures become
 * stand-ins or are blanked, times shift by one distance, other open values stay. In an open text, a long personal value is
 * replaced by its token.
 */
import { allInputDefinitions, factDefinitions, pageFactDefinitions } from '../schema/definitions.ts'
import { feeEstimate, mostFeeOf, solDecimals } from '../values/solana/fees.ts'
import { failure } from '../schema/fields.ts'
import { earlyHeights } from './earlyHeights.ts'
import { orderLimits } from './orderLimits.ts'
import type { LogRecord } from '../../runtime/log/record.ts'
import type { Redaction } from './recordingKind.ts'
import { type Definition, type Definitions, type Field, type Fields } from '../../runtime/schema/registry.ts'
import { type Scale, scaleOf } from '../schema/scales.ts'
import { snapshotTables } from '../checkpoint/tables.ts'
import { saleBounds } from '../sale/saleBounds.ts'
import { createShift } from './shift.ts'
import { createSignedTimes } from './signedTimes.ts'
import { readingsIn } from './slotReadings.ts'
import { createStandIns, published, type Ranked } from './standIns.ts'
import { createTokens } from './tokens.ts'
import { formatAmount, parseAmount } from '../values/amount.ts'
import { type OrderMemo, parseOrderMemo } from '../sale/payments/memo.ts'
import type { Terms } from '../sale/terms/termsShape.ts'

/** `tokens`: still re-executable. `view`: measures are blanked as well, for viewing only. */
export type Policy = 'tokens' | 'view'

/** A recording header's name for each policy. */
export const redactionBy: { readonly [policy in Policy]: Redaction } = { tokens: 'standIns', view: 'blanked' }

export type Redactor = {
  /** @returns the redacted record; a checkpoint loses its scratch memory */
  record<R extends LogRecord>(record: R): R
  /** @returns data of one definition */
  data(definition: Definition, data: Record<string, unknown>): Record<string, unknown>
  /** @returns a time of this device's clock, shifted, ms */
  time(at: number): number
  /** Records whose type or version this build does not know, counted by type: their data was dropped. */
  readonly dropped: Record<string, number>
}

const tables: { [kind in 'i' | 'f' | 'p' | 'r']: Definitions } = {
  i: allInputDefinitions,
  f: factDefinitions,
  p: pageFactDefinitions,
  r: snapshotTables,
}

/** Data beside the records, such as a checkpoint's scratch memory. */
export type RedactedRecord = { definition: Definition; data: Record<string, unknown> }

/**
 * Holds the tokens, stand-ins and the shift of one log. Sees every value in a first pass and replaces in later ones; one
 * function, because every kind of value needs all of these.
 *
 * @param records all of them: a stand-in depends on all values, and a token is the same in each
 * @param settings `key` is random and used once; `beside` the records; `isExact` keeps the distances of near slots
 */
export function createRedactor(
  records: readonly LogRecord[],
  settings: { key: string; policy: Policy; beside?: readonly RedactedRecord[]; isExact?: boolean },
): Redactor {
  const { key, policy, beside = [], isExact = false } = settings
  const terms = termsIn(records)
  const shift = createShift(records, `${key} times`)
  const signedTimes = createSignedTimes(shift.time, `${key} signed times`)
  const limits = orderLimits(records)
  const readings = readingsIn(records)
  const early = earlyHeights(records)
  const standIns = createStandIns({ key, bounds: saleBounds(terms), isLoose: !isExact, limits, readings, early })
  const tokens = createTokens(key, publicsOf(records), memo => amountsOf(memo))
  const blank = policy === 'view'
  const decimals = decimalsIn(records, terms)
  /** First pass: see every value before the first is replaced. */
  let isSeeing = true
  /** priority fee, in lamports, of the transaction being redacted */
  let priority = 0n
  let dropped: Record<string, number> = {}

  function fieldsIn(fields: Fields, data: Record<string, unknown>): Record<string, unknown> {
    if (Array.isArray(data.instructions)) priority = priorityOf(data.instructions as Instruction[])
    return Object.fromEntries(
      Object.entries(data).flatMap(([name, value]) => {
        const field = Object.hasOwn(fields, name) ? fields[name] : undefined
        if (!field) return []
        // A difference quotes the blockhash in words; elsewhere it is a key
        if (data.field === 'blockhash' && name !== 'field') return [[name, tokens.of(String(value))]]
        return [[name, valueIn(field, value, assetBeside(data) ?? name)]]
      }),
    )
  }

  /** @returns the asset whose amounts stand in these data */
  function assetBeside({ asset, lamports, amount, mint = asset }: Record<string, unknown>): string | undefined {
    if (lamports === undefined && amount === undefined && typeof asset !== 'string') return undefined
    const of = lamports === undefined ? mint : undefined
    const listed = terms.at(-1)?.assets.find(one => one.mint === of)
    // A transfer names the mint of a token, listed or not
    return listed?.symbol ?? (typeof of === 'string' ? of : undefined)
  }

  /** @param of the asset of an amount, as far as it stands beside it, or the field's name */
  function valueIn(field: Field, value: unknown, of: string): unknown {
    if (field.list) {
      const { list } = field
      return (value as unknown[]).map(member => valueIn(list, member, of))
    }
    if (field.map) {
      const { map } = field
      const entries = Object.entries(value as object)
      return Object.fromEntries(entries.map(([name, one]) => [nameIn(field, name), valueIn(map, one, name)]))
    }
    if (field.parts) return fieldsIn(field.parts, value as Record<string, unknown>)
    if (field.variants) {
      const { tag, of } = field.variants
      const { [tag]: word, ...rest } = value as Record<string, unknown>
      return { [tag]: word, ...fieldsIn(of[String(word)] ?? {}, rest) }
    }
    const scale = scaleOf(field)
    if (scale !== undefined) return scaled(scale, value, of)
    if (field.cls === 'personal') return typeof value === 'string' ? personal(field, value) : undefined
    if (field.cls === 'measure') return blanked(value)
    if (field.schema === failure.schema) return failed(value)
    return typeof value === 'string' ? shift.within(tokens.within(value)) : cleaned(value)
  }

  function nameIn({ keys, areNamesChosen }: Field, name: string): string {
    if (keys) return tokens.of(name)
    return areNamesChosen ? tokens.name(name) : shift.within(name)
  }

  function scaled(scale: Scale, value: unknown, of: string): unknown {
    switch (scale) {
      case 'key':
        return tokens.of(String(value))
      case 'name':
        return typeof value === 'string' ? tokens.name(value) : value
      case 'time':
        if (isSeeing && noticesTimes.includes(of)) signedTimes.mark(Number(value))
        return shift.time(Number(value))
      case 'blank':
        return blanked(value)
      case 'stamp':
        return shift.stamp(Number(value))
      case 'signedTime':
        if (isSeeing) signedTimes.see(Number(value))
        return isSeeing ? value : signedTimes.of(Number(value))
      case 'typed':
        return typed(String(value), of)
      case 'fee':
        return blank ? '0' : feeOf(BigInt(String(value)))
      case 'compute':
        return blank || value === 0 ? 0 : allowedUnits
      case 'price':
        return blank ? '0' : String(standInFor(priority))
      case 'publishedSlot':
        return ranked('slot', value as number, published)
      case 'publishedTime':
        return ranked('chainTime', value as number, published)
      default:
        return ranked(scale, value as string | number, of)
    }
  }

  /** Redacts an amount as it was typed: the core reads the stand-in of its base units from it. */
  function typed(value: string, of: string): string {
    const digits = decimals.get(of) ?? solDecimals
    const read = parseAmount(value, digits)
    if (!read.ok) return isSeeing ? value : tokens.of(value)
    return formatAmount(String(ranked('amount', read.units, of)), digits, { group: false })
  }

  function ranked(scale: Ranked, value: string | number, of: string): string | number {
    if (isSeeing) {
      standIns.see(scale, value, nameOf(scale, of))
      return value
    }
    const isText = typeof value === 'string'
    const image = blank && scale !== 'chainTime' ? '0' : standIns.of(scale, value, nameOf(scale, of))
    return isText ? image : Number(image)
  }

  function amountsOf(memo: OrderMemo): OrderMemo {
    const { units, quoted, min, asset } = memo
    const amount = (scale: 'amount' | 'token', value: string) => String(ranked(scale, value, asset))
    return { ...memo, units: amount('amount', units), quoted: amount('token', quoted), min: amount('token', min) }
  }

  function personal({ after }: Field, value: string): string {
    if (after) {
      const colon = value.indexOf(':')
      if (!after.includes(value.slice(0, colon))) return shift.within(value)
      return value.slice(0, colon + 1) + tokens.of(value.slice(colon + 1))
    }
    const memo = parseOrderMemo(value)
    if (!memo) return tokens.of(value)
    if (!isSeeing) return blank ? tokens.of(`memo ${value}`) : tokens.of(value)
    amountsOf(memo)
    return value
  }

  /** Redacts a failure: its sentence and facts may name keys, times and amounts, true ones or stand-ins. */
  function failed(value: unknown): unknown {
    if (isSeeing) return value
    if (typeof value === 'number') return Math.abs(value) < 100_000 ? value : Number(standIn(String(value)) ?? 0)
    if (typeof value === 'string')
      return shift.within(tokens.said(value)).replace(longNumbers, run => standIn(run) ?? '…')
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, failed(member)]))
  }

  function standIn(run: string): string | undefined {
    return blank ? undefined : standIns.find(run)
  }

  /** Redacts an open value of any shape. */
  function cleaned(value: unknown): unknown {
    if (typeof value === 'string') return tokens.within(value)
    if (Array.isArray(value)) return value.map(cleaned)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cleaned(member)]))
  }

  function record<R extends LogRecord>(given: R): R {
    if (given.k === 'e') return blank ? { ...given, h: '00000000' } : given
    if (given.k === 'c') return { ...given, at: shift.time(given.at), transient: {} }
    const { type, v, data } = given
    if (isSeeing && 'at' in given && noticesRead.includes(type)) signedTimes.mark(given.at)
    const table = tables[given.k]
    const definition = Object.hasOwn(table, type) ? table[type] : undefined
    const moved = 'at' in given ? { ...given, at: shift.time(given.at) } : given
    if ('to' in moved && moved.to !== undefined) moved.to = shift.within(moved.to)
    if (definition?.version === v) return { ...moved, data: fieldsIn(definition.fields, data) }
    dropped[type] = (dropped[type] ?? 0) + 1
    return { ...moved, data: {} }
  }

  // See every measure and personal value, then replace; the terms' addresses get their tokens first
  for (const { authority, treasury, token, assets } of terms)
    for (const address of [authority, treasury, token.mint, ...assets.map(({ mint }) => mint)]) tokens.of(address ?? '')
  const all = () => {
    for (const one of records) record(one)
    for (const { definition, data } of beside) fieldsIn(definition.fields, data)
  }
  all()
  isSeeing = false
  all()
  dropped = Object.create(null) as Record<string, number>
  return {
    record,
    data: ({ fields }, data) => fieldsIn(fields, data),
    time: shift.time,
    get dropped() {
      return dropped
    },
  }
}

/** Times at which notices were read: of records of these types, and fields of these names. */
const noticesRead: readonly string[] = ['chain.notices', 'sale.noticesRead']
const noticesTimes: readonly string[] = ['noticesAt', 'readAt', 'since', 'toldAt']

const longNumbers = /(?<![0-9A-Za-z])[0-9]{6,}(?![0-9A-Za-z])/g

/** A transaction's compute units and the lamports for them: equal for all whose price the core accepts. */
const allowedUnits = 1_000_000
const usualLamports = 1000n
const raisedLamports = 50_000n
const dearLamports = 1_000_000n
const feePerSignature = 5000n
/** Most lamports for priority that the core accepts. */
const mostPriority = 500_000n

/** The core tells three kinds apart: near the fee that the page shows, dearer, and refused. */
function standInFor(lamports: bigint): bigint {
  if (lamports > mostPriority) return dearLamports
  return feePerSignature + lamports > mostFeeOf(feeEstimate) ? raisedLamports : usualLamports
}

function feeOf(fee: bigint): string {
  if (fee < feePerSignature) return String(fee)
  return String(feePerSignature + standInFor(fee - feePerSignature))
}

type Instruction = { kind?: string; units?: number; microLamports?: string }

/** @returns lamports paid for priority, as the chain counts them */
function priorityOf(instructions: readonly Instruction[]): bigint {
  const price = instructions.find(({ kind }) => kind === 'computePrice')?.microLamports ?? '0'
  const limit = instructions.find(({ kind }) => kind === 'computeLimit')?.units ?? 200_000 * instructions.length
  return (BigInt(Math.min(limit, 1_400_000)) * BigInt(price) + 999_999n) / 1_000_000n
}

/** Assets are in capitals, fields are not; an amount without an asset gets the stand-in of an equal one. */
function nameOf(scale: Ranked, of: string): string {
  if (scale === 'sale' || of === published) return of
  return scale === 'amount' && /^[A-Z0-9]/.test(of) ? of : ''
}

function blanked(value: unknown): unknown {
  return typeof value === 'number' ? 0 : '0'
}

/** @returns the terms that were read, in their order */
function termsIn(records: readonly LogRecord[]): Terms[] {
  return records.flatMap(record => {
    if (record.k !== 'i' && record.k !== 'f' && record.k !== 'r') return []
    if (record.type === 'chain.terms' || record.type === 'sale.termsRead') return [record.data.terms as Terms]
    if (record.type !== 'sale.restated') return []
    const view = record.data.terms as { phase: string; terms?: Terms }
    return view.terms ? [view.terms] : []
  })
}

/** @returns the decimals of the tokens that accounts hold, by their asset's name in this file */
function decimalsIn(records: readonly LogRecord[], terms: readonly Terms[]): Map<string, number> {
  const held = records.flatMap(record => {
    if (record.k !== 'i' && record.k !== 'f' && record.k !== 'r') return []
    const { tokens, balance } = record.data as { tokens?: Held[]; balance?: { tokens?: Held[] } }
    if (record.type === 'balance.restated') return balance?.tokens ?? []
    return record.type === 'chain.balances' || record.type === 'balance.read' ? (tokens ?? []) : []
  })
  const nameOfMint = (mint: string) => terms.at(-1)?.assets.find(one => one.mint === mint)?.symbol ?? mint
  return new Map(held.map(({ mint, decimals }) => [nameOfMint(mint), decimals]))
}
type Held = { mint: string; decimals: number }

/** Public values that the core compares with: the links of wallets that the host lists, and the chain. */
function publicsOf(records: readonly LogRecord[]): Set<string> {
  const publics = new Set<string>()
  const take = (value: unknown): void => {
    if (typeof value === 'string') publics.add(value)
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(take)
  }
  for (const record of records) {
    if (record.k === 'e') continue
    const { links, genesisHash } = bootIn(record) ?? {}
    take(links)
    take(genesisHash)
    if (record.k === 'i' && record.type === 'chain.identified') take(record.data)
  }
  publics.delete('')
  return publics
}

/** The boot of a core, from its own input or from a checkpoint's scratch memory. */
function bootIn(record: LogRecord): Record<string, unknown> | undefined {
  if (record.k === 'c') return record.transient.boot as Record<string, unknown> | undefined
  return record.k === 'i' && record.type === 'core.boot' ? record.data : undefined
}
