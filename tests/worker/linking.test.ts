/**
 * A stranger with a redacted recording looks for its buyer. The chain is public: every payment of the sale with its payer,
 * slot, time, blockhash, memo, amounts, balances and fee, the terms and the checkpoints. A buyer is found when no more than
 * a few payers fit.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { LogRecord } from '../../src/runtime/log/record.ts'
import { readRecording } from '../../src/events/recording/readRecording.ts'
import { nextRandom, seeded } from '../../src/runtime/core/generator.ts'
import { parseOrderMemo } from '../../src/events/sale/payments/memo.ts'
import type { Terms } from '../../src/events/sale/terms/terms.ts'
import { everyCase } from '../everyCase.ts'
import { deciders } from '../../src/worker/deciders/index.ts'
import { redactRecording } from '../../src/worker/replay/redactRecording.ts'

const folder = join(import.meta.dirname, '../replay/recordings')
const sha256 = async (text: string) => createHash('sha256').update(text).digest('hex')

/** A payment as public on the chain; amounts in base units, times in ms. */
type Payment = {
  payer: string
  signature: string
  asset: string
  slot: number
  time: number
  /** the same by device clocks: the local chain has a clock of its own */
  clock: number
  blockhash: string
  /** slots from the blockhash to the landing */
  age: number
  memoId: string
  units: string
  quoted: string
  min: string
  references: string[]
  before: string
  after: string
  fee: string
  consumed: number
  price: string
  /** balance of the treasury after it */
  treasury: string
  /** number of the newest notice then; undefined before the first */
  notice: number | undefined
}

type Sale = {
  terms: Terms
  termsHash: string
  authority: string
  treasury: string
  checkpointSlot: number
  checkpointTime: number
}

/** Fitting payers up to which a recording counts as leading to its buyer. */
const few = 5
const payers = 500

function facts(records: readonly LogRecord[], type: string): Record<string, any>[] {
  return records.flatMap(record =>
    record.k === 'f' && record.type === type ? [record.data as Record<string, any>] : [],
  )
}

function inputs(records: readonly LogRecord[], type: string): Record<string, any>[] {
  return records.flatMap(record =>
    record.k === 'i' && record.type === type ? [record.data as Record<string, any>] : [],
  )
}

function atOf(records: readonly LogRecord[], data: object): number {
  for (const record of records) if (record.k === 'f' && record.data === data) return record.at
  return 0
}

/** The true payment of a recording that has one, from the chain. */
function paymentIn(records: readonly LogRecord[]): Payment | undefined {
  const [final] = facts(records, 'order.finalised')
  const built = facts(records, 'order.built')
    .filter(({ orderId }) => orderId === final?.orderId)
    .at(-1)
  const drafted = facts(records, 'order.drafted').find(({ orderId }) => orderId === final?.orderId)
  const purchase = inputs(records, 'chain.purchases')
    .flatMap(({ purchases }) => purchases as Record<string, any>[])
    .find(({ slot }) => slot === final?.slot)
  const prepared = inputs(records, 'chain.orderPrepared')
    .filter(({ orderId }) => orderId === final?.orderId)
    .at(-1)
  if (!final || !built || !drafted || !purchase || !prepared) return undefined
  const memo = parseOrderMemo(built.memo)
  const balances = facts(records, 'balance.read').map(({ amounts }) => amounts[drafted.asset] ?? '0')
  return {
    payer: drafted.account,
    signature: purchase.signature,
    asset: drafted.asset,
    slot: final.slot,
    time: purchase.paidAt,
    clock: atOf(records, final),
    blockhash: built.blockhash,
    age: final.slot - built.slot,
    memoId: memo?.id ?? '',
    units: drafted.units,
    quoted: memo?.quoted ?? '',
    min: memo?.min ?? '',
    references: built.transfer.references,
    before: balances.find(amount => amount !== '0') ?? '',
    after: balances.at(-1) ?? '',
    fee: built.fee,
    consumed: prepared.unitsConsumed,
    price: '0',
    treasury: facts(records, 'sale.read').at(-1)?.balances[drafted.asset] ?? '0',
    notice: numbersOf(records)[0],
  }
}

function numbersOf(records: readonly LogRecord[]): number[] {
  return facts(records, 'sale.noticesRead').flatMap(({ seq }) => (typeof seq === 'number' ? [seq] : []))
}

/** Other payments of a sale of four weeks, in both assets, with common and individual values. */
function others(seed: string, buyer: Payment, { terms }: Sale): Payment[] {
  const state = seeded(seed)
  const draw = (below: number) => nextRandom(state) % below
  const key = () =>
    createHash('sha256')
      .update(`${seed} ${draw(2 ** 31)} ${draw(2 ** 31)}`)
      .digest('hex')
  return Array.from({ length: payers }, (_, index) => {
    const seconds = draw(terms.end - terms.start)
    const [asset, unit] = index % 2 === 0 ? ['SOL', 1_000_000] : ['USDC', 10_000]
    // Half of them pay round amounts
    const units = (BigInt(unit) * BigInt(index % 4 < 2 ? 100 * (1 + draw(400)) : 1000 + draw(80_000))).toString()
    const before = String(BigInt(units) + BigInt(draw(2 ** 31)))
    return {
      ...buyer,
      payer: key(),
      signature: key(),
      asset: String(asset),
      slot: buyer.slot + Math.floor(((terms.start + seconds) * 1000 - buyer.time) / 400),
      time: (terms.start + seconds) * 1000,
      clock: buyer.clock + (terms.start + seconds) * 1000 - buyer.time,
      blockhash: key(),
      // A wallet answers within 24 s
      age: draw(60),
      memoId: key().slice(0, 16),
      units,
      quoted: String(BigInt(units) * 133_333n + BigInt(draw(1000))),
      min: String(BigInt(units) * 133_000n + BigInt(draw(1000))),
      references: [buyer.references[0] ?? '', key(), key()],
      before,
      after: String(BigInt(before) - BigInt(units)),
      consumed: 700 + draw(100),
      price: String(draw(50_000)),
      treasury: String(BigInt(draw(2 ** 31)) * 500n),
      // A checkpoint an hour
      notice:
        buyer.notice === undefined
          ? undefined
          : buyer.notice + Math.floor(((terms.start + seconds) * 1000 - buyer.time) / 3_600_000),
    }
  })
}

/** All texts and all numbers of a file. */
function valuesIn(text: string): { all: Set<string>; text: string; records: LogRecord[] } {
  const all = new Set<string>()
  const take = (value: unknown): void => {
    if (typeof value === 'string') for (const part of [value, ...value.split(':')]) all.add(part)
    else if (typeof value === 'number') all.add(String(value))
    else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        all.add(name)
        take(member)
      }
    }
  }
  const lines = text.trimEnd().split('\n').slice(1, -1)
  const records = lines.map(line => JSON.parse(line) as LogRecord)
  records.forEach(take)
  return { all, text, records }
}

type File = ReturnType<typeof valuesIn>
/** @returns whether a payment fits the file */
type Clue = (file: File, sale: Sale) => (payment: Payment) => boolean

/** The file contains this number or text of the payment unchanged. */
const same =
  (of: (payment: Payment) => string | number): Clue =>
  ({ all }) =>
  payment =>
    all.has(String(of(payment)))

const firstOf = (records: LogRecord[], type: string, name: string) => Number(facts(records, type)[0]?.[name])
const checkpointOf = (records: LogRecord[]) => facts(records, 'sale.noticesRead')[0]?.checkpoint as Record<string, any>

const clues: Record<string, Clue> = {
  payer: same(({ payer }) => payer),
  signature: same(({ signature }) => signature),
  'slot of the landing': same(({ slot }) => slot),
  'time of the landing': same(({ time }) => time),
  blockhash: same(({ blockhash }) => blockhash),
  "order's id in the memo": same(({ memoId }) => memoId),
  'tokens quoted': same(({ quoted }) => quoted),
  'fewest tokens': same(({ min }) => min),
  'amount paid': ({ records }) => {
    const paid = facts(records, 'order.drafted').map(({ units }) => units as string)
    return ({ units }) => paid.includes(units)
  },
  'balance before': same(({ before }) => before),
  'balance after': same(({ after }) => after),
  'reference of the buyer': same(({ references }) => references[1] ?? ''),
  'reference of the order': same(({ references }) => references[2] ?? ''),
  'compute units used, price and amount': file => payment =>
    file.all.has(String(payment.consumed)) && file.all.has(payment.price) && file.all.has(payment.units),
  "treasury's balance": same(({ treasury }) => treasury),
  'amount in the share of the balance': ({ records }) => {
    const paid = Number(facts(records, 'order.drafted')[0]?.units)
    const asset = String(facts(records, 'order.drafted')[0]?.asset)
    const held = facts(records, 'balance.read').map(({ amounts }) => Number(amounts[asset] ?? 0))
    return ({ units, before }) =>
      held.some(one => one > 0 && Math.abs(paid / one - Number(units) / Number(before)) < 1e-6)
  },
  'price of a token': ({ records }) => {
    const share = firstOf(records, 'order.quoted', 'quoted') / firstOf(records, 'order.drafted', 'units')
    return ({ quoted, units }) => Math.abs(Number(quoted) / Number(units) / share - 1) < 1e-6
  },
  'slot counted from the checkpoint': ({ records }, sale) => {
    const by = sale.checkpointSlot - Number(checkpointOf(records)?.slot)
    const slots = facts(records, 'order.finalised').map(({ slot }) => Number(slot) + by)
    return ({ slot }) => slots.some(one => Math.abs(one - slot) <= 2)
  },
  'time counted from the checkpoint': ({ records }, sale) => {
    const by = sale.checkpointTime - Number(checkpointOf(records)?.time)
    const times = inputs(records, 'chain.sale').map(({ chainTime }) => Number(chainTime) + by)
    return ({ time }) => times.some(one => Math.abs(one - time) <= 5000)
  },
  'time counted from the beginning of the sale': ({ records }, sale) => {
    const read = facts(records, 'sale.termsRead')[0]?.terms as Terms | undefined
    const by = (sale.terms.start - (read?.start ?? 0)) * 1000
    const times = inputs(records, 'chain.sale').map(({ chainTime }) => Number(chainTime) + by)
    return ({ time }) => times.some(one => Math.abs(one - time) <= 5000)
  },
  'number of the newest notice': ({ records }) => {
    const numbers = numbersOf(records)
    return ({ notice }) => notice !== undefined && numbers.includes(notice)
  },
  'clock of this device': ({ records }) => {
    const times = records.flatMap(record => (record.k === 'f' && record.type === 'order.finalised' ? [record.at] : []))
    return ({ clock }) => times.some(one => Math.abs(one - clock) <= 300_000)
  },
}

/** Weak traits, which the page admits or which fit many payments alone. */
const weak: Record<string, Clue> = {
  asset: ({ records }) => {
    const [drafted] = facts(records, 'order.drafted')
    return ({ asset }) => asset === drafted?.asset
  },
  'slots from the blockhash to the landing': ({ records }) => {
    const age = firstOf(records, 'order.finalised', 'slot') - firstOf(records, 'order.built', 'slot')
    return payment => Math.abs(payment.age - age) <= 2
  },
}

function found(names: readonly string[], list: readonly Payment[], file: File, sale: Sale, buyer: Payment): boolean {
  const fits = names.map(name => (clues[name] ?? weak[name])?.(file, sale) ?? (() => true))
  const candidates = list.filter(payment => fits.every(fit => fit(payment)))
  return candidates.length > 0 && candidates.length <= few && candidates.includes(buyer)
}

const recordings = await Promise.all(
  readdirSync(folder)
    .filter(name => name.endsWith('.jsonl'))
    .map(async name => ({ name, recording: await readRecording(readFileSync(join(folder, name), 'utf8'), sha256) })),
)
const bought = recordings.flatMap(({ name, recording }) => {
  const records = recording.records.map(({ record }) => record)
  const buyer = paymentIn(records)
  const [read] = facts(records, 'sale.termsRead')
  const checkpoint = checkpointOf(records)
  if (!buyer || !read || !checkpoint) return []
  const terms = read.terms as Terms
  const sale = {
    terms,
    termsHash: String(read.termsHash),
    authority: terms.authority,
    treasury: terms.treasury,
    checkpointSlot: Number(checkpoint.slot),
    checkpointTime: Number(checkpoint.time),
  }
  const asItLies = valuesIn(['', ...recording.records.map(({ line }) => line), '', ''].join('\n'))
  return [{ name, recording, buyer, sale, asItLies, list: [buyer, ...others(name, buyer, sale)] }]
})

test('linking: payments in both assets are among the recordings', () => {
  expect(bought.length).toBeGreaterThan(8)
  expect(new Set(bought.map(({ buyer }) => buyer.asset))).toEqual(new Set(['SOL', 'USDC']))
})

test.each(Object.keys(clues))('linking: an unredacted recording leads to its buyer by the %s', clue => {
  const leading = bought.filter(({ asItLies, list, buyer, sale }) => found([clue], list, asItLies, sale, buyer))
  expect(leading.length).toBeGreaterThan(bought.length / 2)
})

describe.each(bought)('$name', ({ recording, buyer, sale, list }) => {
  const redact = async (key: string, policy: 'tokens' | 'view') => {
    const settings = { policy, key, build: recording.header.coreBuild, deciders }
    return valuesIn((await redactRecording(recording, settings, sha256)).text)
  }

  test.each(['tokens', 'view'] as const)(
    'with %s leads to no payer by any clue, nor by all weak ones',
    async policy => {
      for (const key of everyCase ? ['one', 'two', 'three'] : ['one']) {
        const file = await redact(key, policy)
        const leading = Object.keys(clues).filter(clue => found([clue], list, file, sale, buyer))
        expect(leading).toEqual([])
        expect(found(['asset', 'slots from the blockhash to the landing'], list, file, sale, buyer)).toBe(false)
      }
    },
  )

  test('with tokens names no address of the sale, which would list its buyers', async () => {
    const { text } = await redact('one', 'tokens')
    const { authority, treasury, termsHash } = sale
    for (const key of [authority, treasury, termsHash, termsHash.slice(0, 16), ...buyer.references])
      expect(text.includes(key), key).toBe(false)
  })
})
