/** `npm run presale:fill`, and the tokens for a sale of one's own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fillCommand } from '../../scripts/fillCommand.ts'
import { associatedAccount } from '../stack/solana/programs.ts'
import { type SolanaStack, startSolana } from '../stack/solana/server.ts'
import { readTokenAccount } from '../stack/solana/tokens.ts'
import { type OperatorWorld, operatorWorlds } from './presale/operatorWorld.ts'

const folder = mkdtempSync(join(tmpdir(), 'mai-fill-'))
let stack: SolanaStack
let worlds: ReturnType<typeof operatorWorlds>
let world: OperatorWorld
beforeAll(async () => {
  stack = await startSolana({ clock: 'manual', seed: 'fill command' })
  worlds = operatorWorlds(stack)
  world = await worlds.published()
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  worlds.close()
  await stack.close()
})

async function fill(...args: string[]) {
  const told = { out: '', err: '' }
  const out = (text: string) => (told.out += text)
  const code = await fillCommand(args, { out, err: text => (told.err += text), root: folder })
  return { code, ...told }
}
const own = (...more: string[]) => fill('--terms', world.at('terms.json'), '--url', stack.url, ...more)
const totals = async () => {
  stack.chain.advance(40)
  return JSON.parse((await world.run(['status', '--json'])).out)
}

describe('a sale of somebody else', () => {
  test('meets payments of all kinds, which its ledger judges; none has the operator’s keys', async () => {
    const { code, out } = await own('--orders', '120')
    expect([code, out]).toEqual([0, expect.stringMatching(/^120 payments, final in 13 s:\n/)])
    const { statuses, orders } = await totals()
    expect(orders).toBeGreaterThan(80)
    expect(Object.keys(statuses)).toEqual(
      expect.arrayContaining([
        'accepted',
        'partial',
        'no_memo',
        'inner',
        'malformed',
        'mismatch',
        'delegated',
        'duplicate',
        'buyer_cap',
        'under_min',
      ]),
    )
    expect([statuses.funding, statuses.outflow]).toEqual([1, undefined])
  })

  test('goes on from the price that it has reached', async () => {
    const before = (await totals()).statuses
    expect((await own('--orders', '60')).code).toBe(0)
    const { statuses } = await totals()
    // A quote of an earlier price would be refused
    expect(statuses.price_protect - before.price_protect).toBeLessThanOrEqual(2)
    expect(statuses.accepted).toBeGreaterThan(before.accepted + 30)
  })

  test('is met while it is paused, and after it was closed', async () => {
    await world.signed(['pause'])
    expect((await own('--orders', '5', '--when', 'paused')).code).toBe(0)
    await world.signed(['resume'])
    await world.signed(['close'])
    expect((await own('--orders', '7', '--when', 'closed')).code).toBe(0)
    expect((await totals()).statuses).toMatchObject({ paused: 5, late: 7 })
  })
})

test.each<[string[], number, string]>([
  [[], 2, 'expected --terms FILE with the published terms, got none'],
  [['--terms', 'nowhere.json'], 2, '--terms expected a file with JSON, got none at nowhere.json'],
  [['--terms', 'x', '--orders', 'many'], 2, '--orders expected a whole number, got many'],
  [['--terms', 'x', '--url', 'x'], 2, '--url expected an address such as http://127.0.0.1:8899, got x'],
  [['--from', 'x'], 2, "Unknown option '--from'"],
])('%j is refused in a sentence', async (args, code, sentence) => {
  const told = await fill(...args)
  expect([told.code, told.err]).toEqual([code, expect.stringContaining(sentence)])
})

test('a sale of another chain, too few payments, and another state are refused by the stack', async () => {
  const other = join(folder, 'other.json')
  writeFileSync(other, JSON.stringify({ ...world.terms, cluster: { name: 'localnet', genesisHash: 'x' } }))
  const refused = async (...args: string[]) => {
    const { code, err } = await fill('--url', stack.url, ...args)
    return [code, err]
  }
  expect(await refused('--terms', other)).toEqual([1, expect.stringContaining('fill expected terms of this chain')])
  const terms = ['--terms', world.at('terms.json')]
  expect(await refused(...terms, '--orders', '9')).toEqual([
    1,
    expect.stringMatching(/expected at least \d+ orders, got 9/),
  ])
  expect(await refused(...terms, '--when', 'later')).toEqual([
    1,
    'The stack refused: when expected open, paused, closed, got "later".\n',
  ])
  const silent = await fill(...terms, '--url', 'http://127.0.0.1:1')
  expect([silent.code, silent.err]).toEqual([1, expect.stringContaining('does not answer')])
  expect((await fill(...terms)).err).toContain('No local stack is running here.')
  expect((await fill('--help')).out).toContain('Usage: npm run presale:fill')
})

test('the faucet gives tokens for a reserve, and says when the chain’s own has too few', () => {
  const { address } = world.payer
  stack.give(address, { mai: '5.5' })
  const account = associatedAccount(address, stack.info.saleMint)
  expect(readTokenAccount(stack.chain.accounts.now(account))?.amount).toBe(5_500_000_000n)
  expect(() => stack.give(address, { mai: '1500000000' })).toThrow(
    'mai expected at most the 1499999994 that this chain’s reserve has left',
  )
})
