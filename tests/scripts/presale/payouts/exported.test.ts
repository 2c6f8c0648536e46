/** Exports of a payout for a wallet that signs: what cannot be paid holds up nothing else. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { packed } from '../../../../scripts/presale/payouts/batch.ts'
import { exportUnsigned } from '../../../../scripts/presale/payouts/exportUnsigned.ts'
import { openLane } from '../../../../scripts/presale/payouts/lanes.ts'
import { payPlan } from '../../../../scripts/presale/payouts/payPlan.ts'
import type { Plan } from '../../../../src/worker/services/planFile.ts'
import { messageBytes, withSignature } from '../../../../src/worker/chains/solana/wire.ts'
import { seededKeypair } from '../../../stack/solana/keys.ts'
import { land } from '../../../stack/solana/methods/send.ts'
import { base58, concat, fromBase58, sha256 } from '../../../stack/solana/bytes.ts'
import { readTransaction } from '../../../stack/solana/wire.ts'
import { keyOf, memoryJournal, noLimits, openWorld, payingOf } from './world.ts'

const world = openWorld('exported payouts')
const { chain, accounts } = world
const key = keyOf(accounts.reserve)
let folder = ''
const folders: string[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mai-exported-'))
  folders.push(folder)
})
afterAll(() => folders.forEach(one => rmSync(one, { recursive: true })))

const exportOf = (plan: Plan, limits = noLimits()) =>
  exportUnsigned({ ...payingOf(world, { plan, journal: memoryJournal() }), limits }, folder)

/** Signs and sends every file, as a wallet does, and empties the folder. @returns names without the plan's */
function signAll(): string[] {
  const names = readdirSync(folder).sort()
  for (const name of names) {
    const bytes = new Uint8Array(Buffer.from(readFileSync(join(folder, name), 'utf8'), 'base64'))
    land(chain, readTransaction(withSignature(bytes, key.address, key.sign(messageBytes(bytes)))))
    rmSync(join(folder, name))
  }
  // Confirmed, and not final yet
  chain.advance(2)
  return names.map(name => name.slice(17, -4))
}

/** A plan of whose batches the first can never be paid. */
function withFirstTooLarge(name: string): Plan {
  const plan = world.solPlan(name, { count: 60, lanes: 2 })
  const [first, ...others] = plan.batches
  const rows = (first?.rows ?? []).map(row => ({ ...row, units: String(10n ** 18n) }))
  return { ...plan, batches: [{ asset: 'SOL', rows }, ...others] }
}

test('a batch that cannot be paid holds up neither its lane nor the next one, and is told', async () => {
  const plan = withFirstTooLarge('unpayable')
  for (const lane of [0, 1]) await openLane(payingOf(world, { plan, journal: memoryJournal() }), lane, key)
  const told = [expect.stringMatching(/^batch 0 expected to pass its simulation, but instruction 4 failed/)]
  expect(await exportOf(plan)).toMatchObject({ failing: told, exported: [{ about: 'batch 2' }, { about: 'batch 1' }] })
  expect(signAll()).toEqual(['batch-1', 'batch-2'])
  expect(await exportOf(plan)).toMatchObject({ failing: told, exported: [{ about: 'batch 3' }] })
  expect(signAll()).toEqual(['batch-3'])
  world.pass()
  expect(await exportOf(plan)).toEqual({ failing: told, exported: [] })
})

test('what landed and is not final yet is waited for: nonce accounts, then batches', async () => {
  const plan = world.solPlan('before it is final', { count: 40, lanes: 2 })
  const signed: string[][] = []
  for (let round = 0; round < 4; round += 1) {
    const { failing, fault } = await exportOf(plan)
    expect([failing, fault]).toEqual([[], undefined])
    signed.push(signAll())
  }
  expect(signed).toEqual([['lane-0', 'lane-1'], ['batch-0', 'batch-1'], ['batch-2'], []])
  for (const { to, units } of plan.batches.flatMap(({ rows }) => rows)) expect(world.held(to)).toBe(BigInt(units))
})

test('token accounts that were closed are created by a file of their own, and then their batch is paid', async () => {
  const made = world.tokenPlan('closed and exported', { count: 8, lanes: 1 })
  const rows = made.batches.flatMap(batch => batch.rows).map(({ create: _, ...row }) => row)
  const plan = { ...made, batches: packed(made, 'MAI', { rows, first: 0 }) }
  await openLane(payingOf(world, { plan, journal: memoryJournal() }), 0, key)
  const signed: string[][] = []
  for (let round = 0; round < 4; round += 1) {
    const { failing, fault } = await exportOf(plan)
    expect([failing, fault]).toEqual([[], undefined])
    signed.push(signAll())
    world.pass()
  }
  // Six creations fit a transaction
  expect(signed).toEqual([['accounts-0'], ['accounts-0'], ['batch-0'], []])
  for (const { to, units } of rows) expect(world.held(to)).toBe(BigInt(units))
})

describe('a batch that was exported whole, and then without a payment', () => {
  test.each([
    ['whole', 'shortened'],
    ['shortened', 'whole'],
  ])('lands once, when both are signed: the %s one', async (...order) => {
    const plan = world.tokenPlan(`both ways ${order[0]}`, { count: 5, lanes: 1 })
    const rows = plan.batches.flatMap(batch => batch.rows)
    const { to, owner } = rows[2] ?? { to: '', owner: '' }
    const own = (address: string) => {
      const account = chain.accounts.now(accounts.reserveTokens)
      if (!account) throw new Error('expected the reserve')
      const data = concat(
        account.data.slice(0, 32),
        fromBase58(address) ?? new Uint8Array(),
        new Uint8Array(8),
        account.data.slice(72),
      )
      chain.accounts.place(to, { ...account, data })
      world.pass()
    }
    await openLane(payingOf(world, { plan, journal: memoryJournal() }), 0, key)
    const files = new Map<string, Uint8Array>()
    const keep = async (name: string, leavesOut: boolean) => {
      await exportUnsigned({ ...payingOf(world, { plan, journal: memoryJournal() }), leavesOut }, folder)
      const [file = ''] = readdirSync(folder)
      files.set(name, new Uint8Array(Buffer.from(readFileSync(join(folder, file), 'utf8'), 'base64')))
      rmSync(join(folder, file))
    }
    await keep('whole', false)
    own(base58(sha256('another owner')))
    await keep('shortened', true)
    expect(files.get('whole')).not.toEqual(files.get('shortened'))
    own(owner)
    for (const name of order) {
      const bytes = files.get(name) ?? new Uint8Array()
      land(chain, readTransaction(withSignature(bytes, key.address, key.sign(messageBytes(bytes)))))
      world.pass()
    }
    const isWhole = order[0] === 'whole'
    expect(rows.map(one => world.held(one.to))).toEqual(
      rows.map(({ units }, at) => (at === 2 && !isWhole ? 0n : BigInt(units))),
    )
    const journal = memoryJournal()
    const done = await payPlan({ ...payingOf(world, { plan, journal }), leavesOut: true }, key, { lanes: 1 })
    expect([done, journal.lines.map(({ kind, leftOut }) => [kind, leftOut])]).toEqual([
      { paid: 1, unpaid: [] },
      [['paid', isWhole ? undefined : [2]]],
    ])
  })
})

test('a payer without SOL for its nonce accounts is told for each lane, without a wait', async () => {
  const plan = {
    ...world.solPlan('no money', { count: 20, lanes: 2 }),
    payer: seededKeypair('exports', 'no money').address,
  }
  const { exported, failing } = await exportOf(plan)
  expect([exported, failing]).toEqual([
    [],
    [expect.stringContaining('lane 0 of plan'), expect.stringContaining('may lack SOL')],
  ])
})

test('a limit keeps the files that were written before it', async () => {
  const plan = world.solPlan('limited export', { count: 40, lanes: 2 })
  const { exported, fault } = await exportOf(plan, { ...noLimits(), mostLamports: 2_000_000n })
  expect([exported.length, String(fault)]).toEqual([1, expect.stringContaining('--max-sol expected at most 0.002')])
})
