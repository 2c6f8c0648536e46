/** Export, plan, refund, distribute and prove over filled sales of the local chain. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { presaleCommand } from '../../../../scripts/presale/command.ts'
import { type SolanaStack, startSolana } from '../../../stack/solana/server.ts'
import { readTokenAccount } from '../../../stack/solana/tokens.ts'
import { callOf } from './world.ts'

const folder = mkdtempSync(join(tmpdir(), 'mai-payouts-'))
let stack: SolanaStack
let said = ''

beforeAll(async () => {
  stack = await startSolana({ clock: 'manual', seed: 'payout verbs', fill: { orders: 150, ending: 'closed' } })
  writeFileSync(join(folder, 'terms.json'), await (await fetch(`${stack.url}/terms.json`)).text())
  for (const name of ['authority', 'treasury', 'reserve'] as const) {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify([...stack.accounts[name].secretKey]), { mode: 0o600 })
  }
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await stack.close()
})

async function presale(verb: string, ...more: string[]) {
  const told = { out: '', err: '' }
  const terms = ['--terms', join(folder, 'terms.json'), '--rpc', stack.url]
  const code = await presaleCommand([verb, ...more, ...terms], {
    out: { write: text => (told.out += text) },
    err: { write: text => (told.err += text) },
    call: callOf(stack.chain),
    wait: async () => stack.chain.advance(33),
  })
  said += told.out + told.err
  return { code, ...told }
}
const keyFile = (name: string) => ['--keypair', join(folder, `${name}.json`)]
const held = (address: string) => {
  const account = stack.chain.accounts.now(address)
  return readTokenAccount(account)?.amount ?? account?.lamports ?? 0n
}

test('x', async () => {
  let r = await presale('export', '--out', join(folder, 'books'))
  console.log(r)
  r = await presale('plan', '--kind', 'refunds', '--dry-run')
  console.log(r)
  r = await presale('plan', '--kind', 'refunds', ...keyFile('authority'))
  console.log(r)
  r = await presale('refund', '--dry-run')
  console.log(r)
  r = await presale('refund', ...keyFile('treasury'))
  console.log(r)
  r = await presale('refund', ...keyFile('treasury'))
  console.log(r)
  r = await presale('plan', '--kind', 'refunds', ...keyFile('authority'))
  console.log(r)
  r = await presale(
    'plan',
    '--kind',
    'tokens',
    '--tranche',
    '0',
    '--reserve',
    stack.accounts.reserveTokens,
    ...keyFile('authority'),
  )
  console.log(r)
  r = await presale('distribute', ...keyFile('reserve'))
  console.log(r)
  stack.chain.setTime(stack.chain.blocks.tip().time + 40 * 86400)
  stack.chain.advance(40)
  r = await presale('distribute', ...keyFile('reserve'))
  console.log(r)
})
