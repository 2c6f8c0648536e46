/** Payouts whose money's owner signs without paying fees: a vault or a custody wallet, beside a key that pays. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { messageBytes, readTransaction, withSignature } from '../../../../src/worker/chains/solana/wire.ts'
import { concat } from '../../../stack/solana/bytes.ts'
import { addressBytes, type Keypair, seededKeypair } from '../../../stack/solana/keys.ts'
import { associatedAccount, SYSTEM } from '../../../stack/solana/programs.ts'
import { jsonOf, openPaidSale, type PaidSale, readPurchases } from './paidSale.ts'
import { callOf } from './world.ts'

let sale: PaidSale
let payer: Keypair
beforeAll(async () => {
  sale = await openPaidSale('fee payer', 'closed')
  payer = seededKeypair('fee payer', 'payer')
  sale.stack.give(payer.address, { sol: '10' })
  sale.stack.chain.advance(40)
  writeFileSync(sale.inFolder('payer.json'), JSON.stringify([...payer.secretKey]), { mode: 0o600 })
})
afterAll(() => sale.close())

const payerKey = () => ['--payer', sale.inFolder('payer.json')]
const rowsOf = (path: string) =>
  (
    JSON.parse(readFileSync(path, 'utf8')).batches as { asset: string; rows: { to: string; units: string }[] }[]
  ).flatMap(({ asset, rows }) => rows.map(row => ({ asset, ...row })))
async function send(bytes: Uint8Array): Promise<Record<string, unknown>> {
  const params = [Buffer.from(bytes).toString('base64'), { encoding: 'base64' }]
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sendTransaction', params })
  return (await callOf(sale.stack.chain)('', { body })).json() as Promise<Record<string, unknown>>
}
const signedBy = (bytes: Uint8Array, ...keys: Keypair[]) =>
  keys.reduce((all, { address, sign }) => withSignature(all, address, sign(messageBytes(all))), bytes)

describe('refunds with another payer of fees', () => {
  let plan: Record<string, any>

  test('are planned with it, in the plan’s file and hash', async () => {
    const planning = ['plan', '--kind', 'refunds', '--json']
    const dry = async (...more: string[]) => jsonOf(sale.presale([...planning, '--dry-run', ...more]))
    const [alone, own] = [await dry(), await dry('--payer', sale.stack.info.treasury)]
    expect([own.hash, own.feePayer]).toEqual([alone.hash, undefined])
    plan = await jsonOf(sale.presale([...planning, '--payer', payer.address, ...sale.key('authority')]))
    expect(plan).toMatchObject({
      code: 0,
      payer: sale.stack.info.treasury,
      feePayer: payer.address,
      units: alone.units,
    })
    expect(plan.hash).not.toBe(alone.hash)
    expect(BigInt(plan.cost.fees)).toBeGreaterThan(BigInt(alone.cost.fees))
  })

  test('need both keys, and no other', async () => {
    const refused = async (...args: string[]) => {
      const { code, err } = await sale.presale(['refund', ...args])
      return [code, err.trim()]
    }
    expect(await refused(...sale.key('treasury'))).toEqual([
      2,
      `expected --payer FILE or - with the key of ${payer.address}, got none`,
    ])
    expect(await refused(...payerKey())).toEqual([
      2,
      `expected --keypair FILE or - with the key of ${sale.stack.info.treasury}, got none`,
    ])
    expect(await refused(...sale.key('treasury'), '--payer', sale.inFolder('reserve.json'))).toEqual([
      2,
      `--payer expected the key of the payer ${payer.address}, got that of ${sale.stack.accounts.reserve.address}`,
    ])
    expect(await refused('--keypair', '-', '--payer', '-')).toEqual([
      2,
      'expected one key from standard input, got - more than once',
    ])
  })

  test('take from the treasury what is owed and nothing else, whatever call was the last of a run', async () => {
    const { treasury, treasuryUsdc } = sale.stack.info
    const before = new Map(rowsOf(plan.plan).map(({ to }) => [to, sale.held(to)]))
    const [sol, usdc, fees] = [treasury, treasuryUsdc, payer.address].map(sale.held)
    expect(await jsonOf(sale.presale(['refund', '--dry-run', '--json']))).toMatchObject({ code: 0, failing: [] })
    for (const last of [5, 12, 20]) {
      let calls = 0
      const serve = callOf(sale.stack.chain)
      const call: typeof fetch = (url, init) => {
        calls += 1
        if (calls > last) throw new Error('killed')
        return serve(url, init)
      }
      expect(
        (await sale.presale(['refund', '--trust-plan', ...sale.key('treasury'), ...payerKey()], { call })).code,
      ).toBe(1)
    }
    const done = await jsonOf(sale.presale(['refund', ...sale.key('treasury'), ...payerKey(), '--json']))
    expect(done).toMatchObject({ code: 0, unpaid: [], paid: plan.batches })
    for (const { to, units } of rowsOf(plan.plan)) expect(sale.held(to) - (before.get(to) ?? 0n)).toBe(BigInt(units))
    expect((sol ?? 0n) - sale.held(treasury)).toBe(BigInt(plan.units.SOL))
    expect((usdc ?? 0n) - sale.held(treasuryUsdc)).toBe(BigInt(plan.units.USDC))
    expect((fees ?? 0n) - sale.held(payer.address)).toBeGreaterThanOrEqual(
      BigInt(plan.cost.fees) + BigInt(plan.cost.nonceAccounts),
    )
    const { to = '', asset = '', units = '' } = rowsOf(plan.plan)[0] ?? {}
    // A visitor's page finds the refund, though another account pays its fee
    expect((await readPurchases(sale, to)).payouts).toContainEqual(
      expect.objectContaining({ asset, units, status: 'final' }),
    )
    const { payouts, outflows } = await jsonOf(sale.presale(['status', '--json']))
    expect(payouts).toMatchObject([{ batches: { paid: plan.batches }, left: {} }])
    expect(outflows.ofPlans).toBe(plan.batches)
  })
})

describe('tokens of a vault', () => {
  let plan: Record<string, any>

  test('are exported for both signers, the payer of fees first, and land with both signatures alone', async () => {
    const { accounts, chain, info } = sale.stack
    const { reserve } = accounts
    const asked = ['plan', '--kind', 'tokens', '--tranche', '0', '--reserve', accounts.reserveTokens]
    plan = await jsonOf(sale.presale([...asked, '--payer', payer.address, '--json', ...sale.key('authority')]))
    expect(plan).toMatchObject({ code: 0, payer: reserve.address, feePayer: payer.address })
    chain.setTime(chain.blocks.tip().time + 40 * 86_400)
    chain.advance(40)
    const lamports = sale.held(reserve.address)
    const folder = sale.inFolder('unsigned')
    const exported = async () =>
      (await jsonOf(sale.presale(['distribute', '--export-unsigned', folder, '--json']))).exported as { path: string }[]
    let files = await exported()
    expect(files.length).toBeGreaterThan(0)
    for (; files.length > 0; files = await exported()) {
      for (const { path } of files) {
        const bytes = new Uint8Array(Buffer.from(readFileSync(path, 'utf8'), 'base64'))
        const { accountKeys, header, signatures } = readTransaction(bytes)
        const signers = accountKeys.slice(0, header.signers)
        // A lane's nonce account is the fee payer's alone
        expect(signers).toEqual(path.includes('lane') ? [payer.address] : [payer.address, reserve.address])
        expect(signatures).toEqual(signers.map(() => new Uint8Array(64)))
        if (signers.length > 1) expect(await send(signedBy(bytes, payer))).toHaveProperty('error')
        const keys = signers.length > 1 ? [payer, reserve] : [payer]
        expect(await send(signedBy(bytes, ...keys))).toHaveProperty('result')
      }
      chain.advance(33)
    }
    for (const { to, units } of rowsOf(plan.plan)) expect(sale.held(to)).toBe(BigInt(units))
    expect(rowsOf(plan.plan)[0]?.to).toBe(
      associatedAccount(JSON.parse(readFileSync(plan.plan, 'utf8')).batches[0].rows[0].owner, info.saleMint),
    )
    expect(sale.held(reserve.address)).toBe(lamports)
    const { payouts } = await jsonOf(sale.presale(['status', '--json']))
    expect(payouts[1]).toMatchObject({ batches: { paid: plan.batches }, left: {} })
  })

  test('of a plan whose owner pays the fees take no other payer', async () => {
    const asked = ['plan', '--kind', 'tokens', '--tranche', '1', '--reserve', sale.stack.accounts.reserveTokens]
    expect((await sale.presale([...asked, ...sale.key('authority')])).code).toBe(0)
    sale.stack.chain.setTime(sale.stack.chain.blocks.tip().time + 40 * 86_400)
    sale.stack.chain.advance(40)
    const { code, err } = await sale.presale(['distribute', ...sale.key('reserve'), ...payerKey()])
    expect([code, err]).toEqual([
      2,
      `the plan expected no --payer: ${sale.stack.accounts.reserve.address} pays its fees, got one\n`,
    ])
    const wrong = await sale.presale([...asked, '--payer', 'me', ...sale.key('authority')])
    expect([wrong.code, wrong.err]).toEqual([2, '--payer expected an address in base58, got me\n'])
  })
})

describe('a plan of an account without a key, such as a multisig program’s vault, is refused before its notice', () => {
  const refused = async (sentence: string, run: Promise<{ code: number; err: string }>) => {
    const { code, err } = await run
    expect([code, err]).toEqual([2, expect.stringContaining(sentence)])
  }
  const seq = () => sale.json('sale', 'notices.json').seq
  let vault: string
  let before: number
  beforeAll(() => {
    vault = associatedAccount(sale.stack.info.treasury, sale.stack.info.saleMint)
    before = seq()
  })
  afterAll(() => expect(seq()).toBe(before))
  const tokens = (reserve: string) => ['plan', '--kind', 'tokens', '--tranche', '2', '--reserve', reserve]

  test('as the owner of the reserve', async () => {
    const { chain, accounts, info } = sale.stack
    const account = chain.accounts.now(accounts.reserveTokens)
    if (!account) throw new Error('expected the reserve')
    const reserve = associatedAccount(vault, info.saleMint)
    const data = concat(account.data.slice(0, 32), addressBytes(vault), account.data.slice(64))
    chain.accounts.place(reserve, { ...account, data })
    chain.advance(40)
    await refused(
      `--reserve expected a token account whose owner signs with a key, got one of ${vault}, which has none`,
      sale.presale([...tokens(reserve), ...sale.key('authority')]),
    )
  })

  test('as the payer of fees', async () => {
    for (const payer of [vault, SYSTEM])
      for (const planned of [['plan', '--kind', 'refunds'], tokens(sale.stack.accounts.reserveTokens)])
        await refused(
          `--payer expected an address that signs with a key, got ${payer}, which has none`,
          sale.presale([...planned, '--payer', payer, ...sale.key('authority')]),
        )
  })

  test('as the treasury', async () => {
    const terms = sale.inFolder('vault', 'terms.json')
    mkdirSync(sale.inFolder('vault'))
    writeFileSync(terms, JSON.stringify({ ...sale.json('sale', 'terms.json'), treasury: vault }))
    const more = ['--terms', terms, '--rpc', sale.stack.url]
    await refused(
      `a plan for refunds expected a treasury that signs with a key, got ${vault}, which has none`,
      sale.alone(['plan', '--kind', 'refunds', ...more, ...sale.key('authority')]),
    )
  })
})

test('no key is in any output or file', () => {
  expect(sale.leaks()).toEqual([])
})
