/** A sale that failed: all money goes back, and no one has tokens. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transfer } from '../../../stack/solana/programs.ts'
import { jsonOf, openPaidSale, type PaidSale, total } from './paidSale.ts'

let sale: PaidSale
beforeAll(async () => {
  sale = await openPaidSale('failed payouts', 'failed')
})
afterAll(() => sale.close())

type Refund = { payee: string | null; asset: string; units: string; reason: string; claim: string; account: string }

test('owes every accepted and every refused unit, and no token', async () => {
  const summary = await jsonOf(sale.presale(['export', '--out', sale.inFolder('books'), '--json']))
  expect(summary).toMatchObject({ code: 0, outcome: 'failed', owners: 0, tokens: '0' })
  const { allocations, merkleRoot } = sale.json('books', 'allocations.json')
  expect([allocations, merkleRoot]).toEqual([[], '0'.repeat(64)])
  const { refunds, apart } = sale.json('books', 'refunds.json') as { refunds: Refund[]; apart: Refund[] }
  const { refundsOwed, acceptedUnits } = sale.stack.operator.evaluate()
  for (const asset of ['SOL', 'USDC']) {
    const owed = (refundsOwed[asset] ?? 0n) + (acceptedUnits[asset] ?? 0n)
    expect(total([...refunds, ...apart].filter(one => one.asset === asset))).toBe(owed)
  }
  const claims = [...refunds, ...apart].map(({ claim }) => claim)
  expect(new Set(claims).size).toBe(claims.length)
  expect(refunds.filter(({ reason }) => reason === 'sale_failed').length).toBeGreaterThan(50)
})

test('has no plan for tokens', async () => {
  const reserve = ['--reserve', sale.stack.accounts.reserveTokens, ...sale.key('authority')]
  const { code, err } = await sale.presale(['plan', '--kind', 'tokens', '--tranche', '0', ...reserve])
  expect([code, err]).toEqual([1, expect.stringContaining('expected a sale that succeeded, got one that is failed')])
})

test('pays each payer back to the unit, in one transfer for each account', async () => {
  const { refunds } = sale.json('books', 'refunds.json') as { refunds: Refund[] }
  const owed = new Map<string, bigint>()
  for (const { account, units } of refunds) owed.set(account, (owed.get(account) ?? 0n) + BigInt(units))
  const before = new Map([...owed.keys()].map(account => [account, sale.held(account)]))
  const made = await jsonOf(sale.presale(['plan', '--kind', 'refunds', ...sale.key('authority'), '--json']))
  expect(made.payments).toBe(owed.size)
  const { treasury, treasuryUsdc } = sale.stack.info
  const usdc = sale.held(treasuryUsdc)
  // The filled sale's outflows left less SOL than is owed
  const dry = await jsonOf(sale.presale(['refund', '--dry-run', '--json']))
  expect([dry.code, dry.shortages]).toEqual([1, [expect.stringMatching(/expected [\d.]+ SOL for the whole plan, got/)]])
  const short = await sale.presale(['refund', ...sale.key('treasury')], { isTTY: true })
  expect([short.code, short.out]).toEqual([
    1,
    expect.stringMatching(/! batch \d+ is not paid: instruction \d+ failed with/),
  ])
  expect(short.err).toMatch(/paid \[[#.]{20}\] \d+ of \d+/)
  sale.stack.give(sale.stack.info.authority, { sol: '100' })
  const { authority } = sale.stack.accounts
  sale.stack.chain.run([transfer(authority.address, treasury, 50_000_000_000n)], [authority])
  sale.stack.chain.advance(33)
  expect(await jsonOf(sale.presale(['refund', ...sale.key('treasury'), '--json']))).toMatchObject({
    code: 0,
    unpaid: [],
  })
  for (const [account, units] of owed) expect(sale.held(account) - (before.get(account) ?? 0n)).toBe(units)
  expect(usdc - sale.held(treasuryUsdc)).toBe(BigInt(made.units.USDC))
  expect(sale.held(treasury)).toBeGreaterThan(890_880n)
  expect(sale.leaks()).toEqual([])
})
