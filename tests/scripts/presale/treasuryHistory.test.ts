/** Payments to the treasury before its sale is announced: `check`, `init` and `publish` warn, as the ledger counts them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Finding } from '../../../scripts/presale/check.ts'
import { seededKeypair } from '../../stack/solana/keys.ts'
import { transfer } from '../../stack/solana/programs.ts'
import { type SolanaStack, startSolana } from '../../stack/solana/server.ts'
import { methodOf, type OperatorWorld, operatorWorlds } from './operatorWorld.ts'

let stack: SolanaStack
let worlds: ReturnType<typeof operatorWorlds>
beforeAll(async () => {
  stack = await startSolana({ clock: 'manual', seed: 'treasury history' })
  worlds = operatorWorlds(stack)
})
afterAll(async () => {
  worlds.close()
  await stack.close()
})

/** @returns the finding about the treasury's history, undefined when there is none */
async function checked(world: OperatorWorld, way?: Parameters<OperatorWorld['run']>[1]) {
  const { out } = await world.run(['check', '--json'], way)
  const findings: Finding[] = JSON.parse(out)
  return findings.find(({ about }) => about === 'treasury’s history')
}
const donor = seededKeypair('treasury history', 'donor')
function donate(world: OperatorWorld): void {
  stack.give(donor.address, { sol: '100' })
  stack.chain.run([transfer(donor.address, world.treasury, 50_000_000_000n)], [donor])
  stack.chain.advance(40)
}

describe('a treasury that was paid before its sale', () => {
  const owed = 'expected no payment before the terms are announced, got 50 SOL, which the ledger counts as owed back'
  let world: OperatorWorld
  beforeAll(async () => {
    world = await worlds.fresh()
    donate(world)
  })

  test('is a warning of check with the amounts, and init tells it', async () => {
    const finding = await checked(world)
    expect(finding).toMatchObject({ code: 'TERMS_TREASURY_HISTORY', level: 'warning' })
    expect(finding?.text).toContain(owed)
    const { code, err } = await world.signed(['init'])
    expect([code, err]).toEqual([0, expect.stringContaining(`warning  treasury’s history: ${owed}`)])
  })

  test('is published by consent alone, and then the ledger owes what the warning said', async () => {
    const stopped = await world.signed(worlds.publishing)
    expect([stopped.code, stopped.err]).toEqual([2, expect.stringContaining(owed)])
    expect(world.notices()).toEqual([])
    const consented = await world.signed([...worlds.publishing, '--accept-warnings'])
    expect([consented.code, consented.err]).toEqual([0, expect.stringContaining(owed)])
    const { out } = await world.run(['ledger', '--json', '--out', world.at('ledger.jsonl')])
    expect(JSON.parse(out)).toMatchObject({ refundsOwed: { SOL: '50000000000' }, statuses: { no_memo: 1 } })
    expect(await checked(world)).toBeUndefined()
  })

  test('is one also when the money is gone, and for an amount of each asset', async () => {
    const other = await worlds.fresh()
    await other.signed(['init'])
    stack.give(other.treasury, { usdc: '7' })
    donate(other)
    const treasury = seededKeypair('operator world', `${String(other.terms.id)} treasury`)
    stack.chain.run([transfer(treasury.address, donor.address, 49_000_000_000n)], [treasury])
    stack.chain.advance(40)
    expect((await checked(other))?.text).toContain('got 7 USDC, 50 SOL, which')
  })
})

describe('a fresh treasury', () => {
  test('is as it should be, before and after init', async () => {
    const world = await worlds.fresh()
    const good = { level: 'good', text: 'no payment before the terms are announced' }
    expect(await checked(world)).toMatchObject(good)
    const { code, err } = await world.signed(['init'])
    expect([code, err]).toEqual([0, expect.not.stringContaining('warning')])
    expect(await checked(world)).toMatchObject(good)
  })
})

test('a treasury whose history a node has in part is an error, as no ledger could be', async () => {
  const world = await worlds.fresh()
  donate(world)
  donate(world)
  const call: typeof fetch = async (url, init) => {
    const answer = await fetch(url, init)
    if (methodOf(init) !== 'getSignaturesForAddress') return answer
    const body = await answer.json()
    return Response.json({ ...body, result: body.result.slice(0, 1) })
  }
  const finding = await checked(world, { call })
  expect(finding).toMatchObject({ code: 'TERMS_TREASURY_HISTORY', level: 'error' })
  expect(finding?.text).toMatch(/the balance of SOL expected 0 before .*, got 50000000000/)
})
