/** Batches by their bytes, and the file of a plan. */
import { describe, expect, test } from 'vitest'
import { batchInstructions, packed } from '../../../../scripts/presale/payouts/batch.ts'
import { messageOf } from '../../../../scripts/presale/payouts/message.ts'
import { type Plan, planHash, planText, readPlan } from '../../../../src/worker/services/planFile.ts'
import { readTransaction as readWire } from '../../../../src/worker/chains/solana/wire.ts'
import { payRef } from '../../../../src/worker/chains/solana/references.ts'
import { base58, canonicalJson, concat, hex, littleEndian, sha256 } from '../../../stack/solana/bytes.ts'
import { signedTransaction } from '../../../stack/solana/compile.ts'
import { addressBytes } from '../../../stack/solana/keys.ts'
import { openWorld } from './world.ts'

const world = openWorld('plans')
const blockhash = base58(sha256('a nonce'))

/** Bytes of a batch's signed transaction. */
function bytesOf(plan: Plan, batch: number): number {
  const hashed = { plan, hash: planHash(plan) }
  const instructions = batchInstructions(hashed, batch, { nonce: base58(sha256('lane')), limit: 1_400_000, price: 1n })
  return 1 + 64 + messageOf(plan.payer, instructions, blockhash).length
}

const sizes = ({ batches }: Plan) => batches.map(({ rows }) => rows.length)

describe('a batch', () => {
  const existing = (plan: Plan): Plan => {
    const rows = plan.batches.flatMap(batch => batch.rows).map(({ create: _, ...row }) => row)
    return { ...plan, batches: packed(plan, 'MAI', { rows, first: 0 }) }
  }

  test.each([
    ['7 new token accounts', world.tokenPlan('new', { count: 21, lanes: 2 }), 7],
    ['15 token accounts that exist', existing(world.tokenPlan('old', { count: 45, lanes: 2 })), 15],
    ['16 wallets', world.solPlan('sol', { count: 48, lanes: 2 }), 16],
  ])('holds %s, and one more would exceed 1232 bytes', (_name, plan, size) => {
    expect(sizes(plan)).toEqual([size, size, size])
    const [first, second] = plan.batches
    if (!first || !second?.rows[0]) throw new Error('expected two batches')
    const [{ rows, asset }] = [first]
    expect(bytesOf(plan, 0)).toBeLessThanOrEqual(1232)
    expect(bytesOf({ ...plan, batches: [{ asset, rows: [...rows, second.rows[0]] }] }, 0)).toBeGreaterThan(1232)
  })

  test('has nonce, compute budget and memo before the payments, and its key on the first alone', () => {
    const plan = world.solPlan('order', { count: 3, lanes: 1 })
    const hash = planHash(plan)
    const instructions = batchInstructions({ plan, hash }, 0, { nonce: blockhash, limit: 1, price: 0n })
    const message = messageOf(plan.payer, instructions, blockhash)
    const wire = readWire(concat(Uint8Array.of(1), new Uint8Array(64), message))
    const { authority, id } = world.sale.first.terms
    const presale = hex(sha256('mai1/presale\0', addressBytes(authority), id)).slice(0, 16)
    const [, , , memo] = wire.instructions
    expect(Buffer.from(memo?.data ?? []).toString()).toBe(`maid1:${presale}:${hash.slice(0, 16)}:0`)
    const key = base58(sha256('mai1/pay\0', Buffer.from(hash, 'hex'), littleEndian(0, 4)))
    expect(payRef(hash, 0)).toBe(key)
    const naming = wire.instructions.map(({ accounts }) => accounts.some(at => wire.accountKeys[at] === key))
    expect(naming).toEqual([false, false, false, false, true, false, false])
    expect(wire.header).toMatchObject({ signers: 1, readonlySigners: 0 })
  })

  test.each([
    ['tokens', world.tokenPlan('bytes', { count: 5, lanes: 2 })],
    ['SOL', world.solPlan('bytes', { count: 5, lanes: 2 })],
  ])('of %s has the message that another compiler makes of the same instructions', (_name, plan) => {
    const hashed = { plan, hash: planHash(plan) }
    const instructions = batchInstructions(hashed, 0, { nonce: blockhash, limit: 70_000, price: 3n })
    const message = messageOf(plan.payer, instructions, blockhash)
    const copy = instructions.map(({ accounts, ...one }) => ({ ...one, accounts: [...accounts] }))
    const { bytes } = signedTransaction(copy, [world.accounts.reserve], blockhash)
    expect(hex(bytes.slice(65))).toBe(hex(message))
  })
})

describe('a plan’s file', () => {
  const plan = world.tokenPlan('file', { count: 20, lanes: 2 })

  test('is read back as it was written, and named by the hash of its bytes', () => {
    expect(readPlan(planText(plan), 'plan.json')).toEqual(plan)
    expect(planHash(plan)).toBe(hex(sha256(planText(plan))))
  })

  const [first] = plan.batches
  const row = first?.rows[0]
  if (!first || !row) throw new Error('expected a row')
  const withRow = (change: object) => ({ ...plan, batches: [{ ...first, rows: [{ ...row, ...change }] }] })

  test.each<[string, unknown, string]>([
    ['a float', withRow({ units: 1.5 }), 'expected whole numbers'],
    ['an amount of 0', withRow({ units: '0' }), 'units: expected'],
    ['an amount beyond 64 bits', withRow({ units: String(2n ** 64n) }), 'units: expected'],
    ['no address', withRow({ to: 'me' }), 'to: expected'],
    ['no claim', withRow({ of: [] }), 'of: expected'],
    ['an unknown field', { ...plan, fee: '1' }, 'expected'],
    ['an asset that it does not describe', { ...plan, assets: {} }, 'expected batches of its assets'],
    ['one claim twice', { ...plan, batches: [first, first] }, 'expected each claim once'],
    ['no lanes', { ...plan, lanes: 0 }, 'lanes: expected'],
  ])('with %s is refused', (_name, changed, sentence) => {
    expect(() => readPlan(canonicalJson(changed), 'plan.json')).toThrow(sentence)
  })

  test('in another form is refused: its hash would be another one', () => {
    expect(() => readPlan(`${planText(plan)}\n`, 'plan.json')).toThrow('byte for byte')
    expect(() => readPlan('{"format":', 'plan.json')).toThrow('plan.json expected JSON')
  })
})
