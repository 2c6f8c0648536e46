/** Tokens that the treasury holds and no ledger counts, as `ledger` and `status` tell them. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { programs } from '../../../../src/worker/chains/solana/programs.ts'
import { concat } from '../../../stack/solana/bytes.ts'
import { giveToken, plainMint } from '../../../stack/solana/anyToken.ts'
import { addressBytes, seededKeypair } from '../../../stack/solana/keys.ts'
import {
  associatedAccount,
  createAccount,
  createAssociatedAccount,
  mintTo,
  transfer,
  transferChecked,
} from '../../../stack/solana/programs.ts'
import { type SolanaStack, startSolana } from '../../../stack/solana/server.ts'
import { methodOf, operatorWorlds, type OperatorWorld } from '../operatorWorld.ts'

const wrappedSol = 'So11111111111111111111111111111111111111112'
let stack: SolanaStack
let world: OperatorWorld
let worlds: ReturnType<typeof operatorWorlds>
beforeAll(async () => {
  stack = await startSolana({ clock: 'manual', seed: 'uncounted' })
  worlds = operatorWorlds(stack)
  world = await worlds.published()
})
afterAll(async () => {
  worlds.close()
  await stack.close()
})

type Way = Parameters<OperatorWorld['run']>[1]
async function ledger(way?: Way) {
  const asked = ['ledger', '--out', world.at('ledger.jsonl')]
  const { out } = await world.run([...asked, '--json'], way)
  const rows = readFileSync(world.at('ledger.jsonl'), 'utf8')
  return { ...JSON.parse(out), rows, text: (await world.run(asked, way)).out }
}
async function status(way?: Way) {
  const { code, out } = await world.run(['status', '--json'], way)
  return { code, ...JSON.parse(out), text: (await world.run(['status'], way)).out }
}
const key = (name: string) => seededKeypair('uncounted', name)

describe('a token that is no asset of the sale', () => {
  test('is told by its account, though its transfer names neither the treasury nor the sale', async () => {
    const mint = plainMint(stack.chain, key('mint'), programs.token)
    const account = giveToken(stack.chain, world.treasury, mint, programs.token, 5n)
    stack.chain.advance(40)
    const before = await ledger()
    expect(before).toMatchObject({ otherTokens: [{ mint, units: '5' }], uncounted: [{ mint, account, units: '5' }] })
    // One line, with the transaction by which they came
    const [{ signature }] = before.otherTokens
    const own = before.text.split('\n').filter((line: string) => line.includes(mint))
    expect(own).toEqual([
      `  ! the treasury holds 5 base units of unlisted token ${mint} in ${account}: the ledger does not count them; came by ${signature}`,
    ])
    stack.chain.run([mintTo(mint, account, stack.chain.faucet.address, 7_000_000n)], [stack.chain.faucet])
    stack.chain.advance(40)
    const after = await ledger()
    const held = [{ mint, account, units: '7000005' }]
    const note = `! the treasury holds 7000005 base units of unlisted token ${mint} in ${account}: the ledger does not count them`
    expect(after).toMatchObject({ transactions: before.transactions, uncounted: held })
    expect(after.text).toContain(note)
    expect([after.rows, after.ledgerHash]).toEqual([before.rows, before.ledgerHash])
    const told = await status()
    expect(told).toMatchObject({ uncounted: held })
    expect(told.text).toContain(note)
  })

  test('of Token-2022 is told, too, and so is the sale’s own', async () => {
    const mint = plainMint(stack.chain, key('newer mint'), programs.token2022)
    const account = giveToken(stack.chain, world.treasury, mint, programs.token2022, 9n)
    stack.give(world.treasury, { mai: '2' })
    stack.chain.advance(40)
    const { uncounted, text } = await ledger()
    expect(uncounted).toContainEqual({ mint, account, units: '9' })
    expect(text).toContain(`2000000000 base units of MAI ${stack.info.saleMint} in `)
  })
})

describe('money of a listed asset beside the accounts of the sale', () => {
  test('is told: wrapped SOL, and dollars in an account of their own', async () => {
    const { chain, info } = stack
    const { faucet, vm } = chain
    const wrapped = associatedAccount(world.treasury, wrappedSol)
    chain.run([transfer(faucet.address, wrapped, 3_000_000_000n)], [faucet])
    chain.run([createAssociatedAccount(faucet.address, world.treasury, wrappedSol)], [faucet])
    const own = key('own account')
    const shape = { lamports: vm.minimumRent(165), space: 165, owner: programs.token }
    const begun = {
      program: programs.token,
      accounts: [{ address: own.address, writable: true }, { address: info.usdcMint }],
      data: concat(Uint8Array.of(18), addressBytes(world.treasury)),
    }
    chain.run([createAccount(faucet.address, own.address, shape), begun], [faucet, own])
    const from = key('payer')
    const source = associatedAccount(from.address, info.usdcMint)
    stack.give(from.address, { sol: '1', usdc: '40' })
    const move = { from: source, mint: info.usdcMint, to: own.address, authority: from.address, decimals: 6 }
    chain.run([transferChecked({ ...move, amount: 40_000_000n })], [from])
    chain.advance(40)
    const { text, uncounted, refundsOwed } = await ledger()
    const units = String(3_000_000_000n - vm.minimumRent(165))
    expect(uncounted).toContainEqual({ mint: wrappedSol, account: wrapped, units })
    expect(text).toContain(`${units} base units of wrapped SOL ${wrappedSol} in ${wrapped}`)
    expect(text).toContain(`40000000 base units of USDC ${info.usdcMint} in ${own.address}`)
    expect(refundsOwed).toEqual({})
  })
})

test('SOL that came to a sale of dollars alone is told', async () => {
  const dollars = await worlds.fresh()
  const assets = dollars.terms.assets as { symbol: string }[]
  const refund = { minUnits: { USDC: '10000' }, withinDays: 14 }
  dollars.vary('terms.json', { assets: assets.filter(({ symbol }) => symbol === 'USDC'), refund })
  await dollars.signed(['init'])
  await dollars.signed(worlds.publishing)
  const told = async () => {
    const { out, err } = await dollars.run(['ledger', '--json'])
    return { ...JSON.parse(err.slice(err.indexOf('{"'))), rows: out, text: (await dollars.run(['status'])).out }
  }
  const before = await told()
  expect(before).toMatchObject({ uncounted: [] })
  const payer = key('payer of SOL')
  stack.give(payer.address, { sol: '3' })
  stack.chain.run([transfer(payer.address, dollars.treasury, 2_000_000_000n)], [payer])
  stack.chain.advance(40)
  const after = await told()
  expect(after.uncounted).toEqual([{ mint: null, account: dollars.treasury, units: '2000000000' }])
  expect(after.text).toContain('! the treasury holds 2 SOL, which the sale does not take: the ledger does not')
  expect([after.rows, after.ledgerHash]).toEqual([before.rows, before.ledgerHash])
})

test('a node that does not list the tokens of an account leaves the ledger as it is, with a note', async () => {
  const call: typeof fetch = async (url, init) => {
    if (methodOf(init) !== 'getTokenAccountsByOwner') return fetch(url, init)
    const { id } = JSON.parse(String(init?.body))
    return Response.json({
      jsonrpc: '2.0',
      id,
      error: { code: -32010, message: 'excluded from account secondary indexes' },
    })
  }
  const known = await ledger()
  const { uncounted, text, rows } = await ledger({ call })
  expect([uncounted, rows]).toEqual([null, known.rows])
  expect(text).toMatch(/! tokens of the treasury beside the sale’s accounts are not known: .*getTokenAccountsByOwner/)
  expect(await status({ call })).toMatchObject({ code: 0, uncounted: null })
})
