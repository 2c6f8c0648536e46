/** Limits of a run, and its figure of what it sent: all that leaves the payer, once. */
import { describe, expect, test } from 'vitest'
import { explainOutflows, rentMade } from '../../../../scripts/presale/books/outflows.ts'
import { batchOf, packed } from '../../../../scripts/presale/payouts/batch.ts'
import { laneRent } from '../../../../scripts/presale/payouts/lanes.ts'
import type { Limits } from '../../../../scripts/presale/payouts/limits.ts'
import { planCost } from '../../../../scripts/presale/payouts/makePlan.ts'
import { rentOf } from '../../../../scripts/presale/payouts/payees.ts'
import { payPlan } from '../../../../scripts/presale/payouts/payPlan.ts'
import { payMemo } from '../../../../src/events/sale/payments/operatorMemos.ts'
import { keyMark, payRef, presaleRef } from '../../../../src/worker/chains/solana/references.ts'
import { type Plan, planHash } from '../../../../src/worker/services/planFile.ts'
import { base58, sha256 } from '../../../stack/solana/bytes.ts'
import { TOKEN_2022 } from '../../../stack/solana/programs.ts'
import { callOf, changing, keyOf, memoryJournal, noLimits, openWorld, payingOf } from './world.ts'

const world = openWorld('limited payouts')
const { chain, accounts } = world
const key = keyOf(accounts.reserve)

type Given = Parameters<typeof payingOf>[1]
const pay = (given: Given, limits: Limits = noLimits()) =>
  payPlan({ ...payingOf(world, given), limits }, key, { lanes: given.plan.lanes })
const rowsOf = ({ batches }: Plan) => batches.flatMap(({ rows }) => rows)
const isPaid = (plan: Plan) => rowsOf(plan).every(({ to, units }) => world.held(to) === BigInt(units))

describe('a limit', () => {
  test('of SOL stops before the batch that would exceed it, and a higher one goes on', async () => {
    const plan = world.solPlan('limit', { count: 40, lanes: 1 })
    const journal = memoryJournal()
    const paying = payingOf(world, { plan, journal })
    const limits = { ...paying.limits, mostLamports: 40_000_000n }
    await expect(payPlan({ ...paying, limits }, key, { lanes: 1 })).rejects.toThrow(
      /batch 2 was not sent: --max-sol expected at most 0\.04 in this run, got 0\.0414\d+ with it/,
    )
    expect(rowsOf(plan).filter(({ to }) => world.held(to) > 0n)).toHaveLength(32)
    expect(await pay({ plan, journal })).toEqual({ paid: 3, unpaid: [] })
    expect(isPaid(plan)).toBe(true)
  })

  test('of tokens stops, too', async () => {
    const plan = world.tokenPlan('token limit', { count: 20, lanes: 1 })
    const paying = payingOf(world, { plan, journal: memoryJournal() })
    const limits = { ...paying.limits, mostUnits: new Map([['MAI', 8_000_000n]]) }
    await expect(payPlan({ ...paying, limits }, key, { lanes: 1 })).rejects.toThrow(
      'batch 1 was not sent: --max-tokens expected at most 0.008 in this run',
    )
    expect(rowsOf(plan).filter(({ to }) => world.held(to) > 0n)).toHaveLength(7)
  })

  test('of tokens that is just what a plan pays is enough, and one unit less is not', async () => {
    const plan = world.tokenPlan('exact tokens', { count: 2, lanes: 1 })
    const journal = memoryJournal()
    const run = (most: bigint) => pay({ plan, journal }, { ...noLimits(), mostUnits: new Map([['MAI', most]]) })
    await expect(run(2_000_000n)).rejects.toThrow(
      '--max-tokens expected at most 0.002 in this run, got 0.002000001 with it',
    )
    expect(await run(2_000_001n)).toEqual({ paid: 1, unpaid: [] })
    expect(isPaid(plan)).toBe(true)
  })
})

describe('bytes that an earlier run signed', () => {
  /** A run that ends right before it sends for the nth time. */
  async function killed(plan: Plan, last: number) {
    const journal = memoryJournal()
    let sent = 0
    const call = callOf(chain, method => {
      if (method === 'sendTransaction') sent += 1
      if (sent >= last) throw new Error('killed')
    })
    // Its blockhash is still young
    const wait = async () => {
      if (sent >= last) throw new Error('killed')
      world.pass()
    }
    await expect(pay({ plan, journal, call, wait })).rejects.toThrow('killed')
    return journal
  }

  test.each([
    ['the nonce account', 1],
    ['the batch', 2],
  ])('and never sent, of %s, count in the run that sends them', async (name, last) => {
    const plan = world.solPlan(name, { count: 3, lanes: 1 })
    const journal = await killed(plan, last)
    const held = world.held(key.address)
    const limits = { ...noLimits(), mostLamports: 1_000n }
    await expect(pay({ plan, journal }, limits)).rejects.toThrow('was not sent: --max-sol expected at most 0.000001')
    expect([limits.lamports, held - world.held(key.address)]).toEqual([0n, 0n])
    const others = noLimits()
    expect(await pay({ plan, journal }, others)).toEqual({ paid: 1, unpaid: [] })
    expect([others.lamports, isPaid(plan)]).toEqual([held - world.held(key.address), true])
  })

  test('of accounts that were closed count, too', async () => {
    const plan = closed('killed accounts', 3)
    const journal = await killed(plan, 2)
    expect(journal.lines.at(-1)?.about).toMatch(/^accounts for batch 0/)
    const limits = { ...noLimits(), mostLamports: 1_000_000n }
    await expect(pay({ plan, journal }, limits)).rejects.toThrow('accounts for batch 0')
    const held = world.held(key.address)
    const others = noLimits()
    expect(await pay({ plan, journal }, others)).toEqual({ paid: 1, unpaid: [] })
    expect(others.lamports).toBe(held - world.held(key.address))
  })

  test('that landed count in their own run alone', async () => {
    const plan = world.solPlan('landed', { count: 3, lanes: 1 })
    const journal = memoryJournal()
    await pay({ plan, journal })
    const limits = { ...noLimits(), mostLamports: 0n }
    const lines = journal.lines.filter(
      ({ kind, about }) => kind !== 'paid' && !(kind === 'ended' && /batch/.test(`${about}`)),
    )
    expect(await pay({ plan, journal: memoryJournal(lines) }, limits)).toEqual({ paid: 1, unpaid: [] })
    expect(limits.lamports).toBe(0n)
  })
})

/** A plan whose accounts were there when it was made. */
function closed(name: string, count: number): Plan {
  const made = world.tokenPlan(name, { count, lanes: 1 })
  const rows = rowsOf(made).map(({ create: _, ...row }) => row)
  return { ...made, batches: packed(made, 'MAI', { rows, first: 0 }) }
}

test('priority fees and the creations of closed accounts are in the figure', async () => {
  const call = changing(chain, (method, _, result) =>
    method === 'getRecentPrioritizationFees' ? [{ slot: 1, prioritizationFee: 2_000_000 }] : result,
  )
  const plan = closed('dear', 13)
  const [limits, held] = [noLimits(), world.held(key.address)]
  expect(await pay({ plan, journal: memoryJournal(), call }, limits)).toEqual({ paid: 1, unpaid: [] })
  expect(limits.lamports).toBe(held - world.held(key.address))
  expect(limits.lamports).toBeGreaterThan(laneRent + 13n * noLimits().rent + 5n * 5_000n)
})

describe('a new account of a Token-2022 mint', () => {
  const mintOf = (name: string, extensions: number[]) => {
    const mint = base58(sha256('extended ', name))
    const account = chain.accounts.now(accounts.saleMint.address)
    if (!account) throw new Error('expected the sale’s mint')
    const data = Uint8Array.from([...account.data, ...new Uint8Array(165 - account.data.length), 1, ...extensions])
    chain.accounts.place(mint, { ...account, owner: TOKEN_2022, data })
    return mint
  }
  const made = world.tokenPlan('extended', { count: 3, lanes: 1 })
  const costOf = async (mint: string) => {
    const plan = { ...made, assets: { MAI: { decimals: 9, mint, program: TOKEN_2022, source: 'any' } } }
    const { node } = payingOf(world, { plan, journal: memoryJournal() }).sending
    world.pass()
    return planCost(plan, await rentOf(node, plan)).rents
  }
  // Extension 26, pausable: an authority of 32 bytes, and whether it is paused
  const pausable = [26, 0, 33, 0, ...new Uint8Array(33)]

  test('costs more, and more again with its extensions', async () => {
    expect([await costOf(mintOf('plain', [])), await costOf(mintOf('pausable', pausable))]).toEqual([
      3n * 2_074_080n,
      3n * 2_101_920n,
    ])
  })

  test('that the treasury pays the rent of is explained by the books', async () => {
    // Extension 1, a fee of transfers, which is nothing here: two authorities, what is withheld, and the fee before and after
    const feeAndPause = [1, 0, 108, 0, ...new Uint8Array(108), ...pausable]
    const mint = mintOf('fee and pausable', feeAndPause)
    const rent = (await costOf(mint)) / 3n
    const [{ terms, hash: termsHash }, plan] = [world.sale.first, world.tokenPlan('large', { count: 7, lanes: 1 })]
    const token = { ...terms.token, mint, program: 'token-2022' as const }
    const sale = { ...world.sale, first: { hash: termsHash, terms: { ...terms, token } } }
    const { node } = payingOf(world, { plan, journal: memoryJournal() }).sending
    const [{ rows }, hash] = [batchOf(plan, 0), planHash(plan)]
    const presale = keyMark(presaleRef(terms.authority, terms.id))
    const out = {
      memo: payMemo({ presale, plan: hash.slice(0, 16), batch: 0 }),
      moves: rows.map(({ to, units }) => ({ from: accounts.reserveTokens, to, units, refs: [payRef(hash, 0)] })),
      made: rows.map(({ to }) => to),
      strange: false,
    }
    const explained = async (beside: bigint) => {
      const units = 7n * rent + beside
      const outflow = { signature: 'a payment', slot: 1, account: terms.treasury, asset: 'SOL', units, out }
      const outflows = explainOutflows(sale, [{ hash, plan }], [outflow], await rentMade(node, sale, [outflow]))
      return outflows.map(one => one.explained?.batch ?? one.why)
    }
    // The treasury pays fees and rents of the reserve's payment, and no more
    expect(await explained(10_000n)).toEqual([0])
    expect(await explained(600_000n)).toEqual([expect.stringContaining(' left, its own transfers are 0')])
  })
})
