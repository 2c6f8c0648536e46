/**
 * Announced plans and terms without a file, lost or made up by a thief of the authority's key: the ways out.
 *
 * Of a plan the operator says that it was never paid, and the chain may say otherwise.
 */
import { readFileSync, renameSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noticeMemo, payMemo } from '../../../../src/events/sale/payments/operatorMemos.ts'
import { readTerms } from '../../../../src/events/sale/terms/terms.ts'
import { keyMark, payRef, presaleRef } from '../../../../src/worker/chains/solana/references.ts'
import { ledgerSaleOf } from '../../../../src/worker/ledger/ledgerSale.ts'
import { hashText } from '../../../../src/worker/services/notices.ts'
import { laneAddress } from '../../../../scripts/presale/payouts/lanes.ts'
import { seededKeypair } from '../../../stack/solana/keys.ts'
import { memo, transfer } from '../../../stack/solana/programs.ts'
import { jsonOf, openPaidSale, type PaidSale } from './paidSale.ts'
import { changing } from './world.ts'

let sale: PaidSale
beforeAll(async () => {
  sale = await openPaidSale('ignored plan', 'closed')
})
afterAll(() => sale.close())

const planning = (...more: string[]) => sale.presale(['plan', '--kind', 'refunds', ...sale.key('authority'), ...more])
const refunding = (...more: string[]) => sale.presale(['refund', ...sale.key('treasury'), ...more])
const fileOf = (hash: string) => `${sale.state}/plans/${hash}.json`
const aside = (hash: string) => sale.inFolder(`${hash.slice(0, 8)}.aside`)
const digits = (hash: string) => hash.slice(0, 16)
const [lost, later] = [{ hash: '' }, { hash: '' }]

/** A transaction of a stranger that names a batch of a plan as its payment does. */
function strangerNames(hash: string): string {
  const { chain, info } = sale.stack
  const stranger = seededKeypair('ignored plan', 'stranger')
  sale.stack.give(stranger.address, { sol: '1' })
  const presale = keyMark(presaleRef(info.authority, 'mai-presale-1'))
  const text = payMemo({ presale, plan: digits(hash), batch: 0 })
  const signature = chain.run(
    [memo(text), transfer(stranger.address, info.treasury, 1n, [payRef(hash, 0)])],
    [stranger],
  )
  chain.advance(40)
  return signature
}

describe('a plan', () => {
  test('stops plans and payouts until it is ignored by name, which takes neither a known file nor another hash', async () => {
    lost.hash = (await jsonOf(planning('--json'))).hash
    expect(await planning('--ignore-plan', digits(lost.hash))).toMatchObject({
      code: 2,
      err: expect.stringContaining(`--ignore-plan expected a plan without its file, got one at ${fileOf(lost.hash)}`),
    })
    renameSync(fileOf(lost.hash), aside(lost.hash))
    for (const run of [planning(), refunding()])
      expect(await run).toMatchObject({ code: 2, err: expect.stringContaining('expected every announced plan') })
    expect(await planning('--ignore-plan', '0123456789abcdef')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--ignore-plan expected the first 16 digits of an announced plan, got 0123'),
    })
  })

  test('gives its claims to a new plan, which is paid with a warning that names what strangers say', async () => {
    const signature = strangerNames(lost.hash)
    const ignoring = ['--ignore-plan', digits(lost.hash)]
    const made = await planning('--json', ...ignoring)
    later.hash = JSON.parse(made.out).hash
    expect(later.hash).toMatch(/^[0-9a-f]{64}$/)
    const dry = await refunding('--dry-run', ...ignoring)
    const paid = await refunding(...ignoring)
    for (const { code, err } of [made, dry, paid])
      expect([code, err]).toEqual([
        0,
        expect.stringContaining(
          `warning: plan ${lost.hash} is ignored, as you say that it was never paid; if it was or ever is, its claims are paid twice; ${signature} names it`,
        ),
      ])
    expect(await refunding('--plan', aside(lost.hash), ...ignoring)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--ignore-plan expected another plan than'),
    })
  })

  test('is not paid when its file comes back', async () => {
    renameSync(aside(lost.hash), fileOf(lost.hash))
    const { code, err } = await refunding('--plan', fileOf(lost.hash))
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(
        new RegExp(`claim \\S+ expected no payment yet, got \\w+ of plan ${later.hash}, made while plan ${lost.hash}`),
      ),
    ])
  })

  test('is not ignored once it was paid, as journal, nonce accounts and transactions say', async () => {
    const { chain, info } = sale.stack
    renameSync(fileOf(later.hash), aside(later.hash))
    const refused = async (sign: string, call?: typeof fetch) => {
      const args = ['refund', '--dry-run', '--ignore-plan', digits(later.hash)]
      expect(await sale.presale(args, call && { call })).toMatchObject({
        code: 1,
        err: expect.stringContaining(`plan ${later.hash} expected no payment, as --ignore-plan says, got ${sign}`),
      })
    }
    await refused('a line of the journal about it (')
    renameSync(`${sale.state}/journal.jsonl`, sale.inFolder('journal.aside'))
    const lane = (number: number) => laneAddress({ plan: { payer: info.treasury }, hash: later.hash }, number)
    await refused(`its nonce account ${lane(0)}`)
    const lanes = new Set(Array.from({ length: 32 }, (_, number) => lane(number)))
    const call = changing(chain, (method, [addresses], result) => {
      if (method !== 'getMultipleAccounts') return result
      const { value, ...rest } = result as { value: unknown[] }
      return { ...rest, value: value.map((one, at) => (lanes.has((addresses as string[])[at] ?? '') ? null : one)) }
    })
    await refused('payment ', call)
  })
})

test('terms stop the books, which --slot reads up to the slot before them, as the error says', async () => {
  const { chain, accounts } = sale.stack
  const { authority } = accounts
  renameSync(aside(later.hash), fileOf(later.hash))
  renameSync(fileOf(lost.hash), aside(lost.hash))
  const before = await jsonOf(sale.presale(['status', '--json']))
  const { terms, canonical } = readTerms(readFileSync(sale.inFolder('sale', 'terms.json'), 'utf8'))
  const { noticeRef } = ledgerSaleOf([{ terms, hash: hashText(canonical) }])
  const notice = noticeMemo({ seq: before.notices.length + 1, verb: 'terms', hash: 'ab'.repeat(32) })
  chain.run([memo(notice), transfer(authority.address, authority.address, 0n, [noticeRef])], [authority])
  const { slot } = chain.blocks.tip()
  chain.advance(40)
  const wayOut = `--slot ${slot - 1}, the last one before them, reads the sale by`
  const dry = ['refund', '--dry-run', '--ignore-plan', digits(lost.hash)]
  for (const verb of [['status'], ['prove', authority.address], dry])
    expect(await sale.presale(verb)).toMatchObject({ code: 1, err: expect.stringContaining(wayOut) })
  expect(await sale.presale([...dry, '--trust-plan'])).toMatchObject({ code: 0 })
  const upTo = ['--json', '--slot', String(slot - 1)]
  const { code, ledgerHash, payouts } = await jsonOf(sale.presale(['status', ...upTo]))
  expect({ code, ledgerHash, payouts }).toEqual({ code: 0, ledgerHash: before.ledgerHash, payouts: before.payouts })
  const [{ owner }] = JSON.parse(readFileSync(fileOf(later.hash), 'utf8')).batches[0].rows
  const proved = await jsonOf(sale.presale(['prove', owner, ...upTo]))
  expect(proved).toMatchObject({ code: 0, slot: slot - 1, ledgerHash: before.ledgerHash })
  expect(proved.payments.some(({ signature }: { signature: string | null }) => signature !== null)).toBe(true)
})
