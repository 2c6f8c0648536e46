/** A small sale on the local chain, from `check` to the last payment, with a recording of each command. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { presaleCommand } from '../../../../scripts/presale/command.ts'
import type { PresaleIo } from '../../../../scripts/presale/verb.ts'
import { seededKeypair } from '../../../stack/solana/keys.ts'
import { fillOwn } from '../../../stack/solana/presale/fill/fillOwn.ts'
import { type SolanaStack, startSolana } from '../../../stack/solana/server.ts'
import { operatorWorld, type OperatorWorld, writeKey } from '../operatorWorld.ts'
import { callOf } from '../payouts/world.ts'
import type { KilledRun } from './killed.ts'

export const recordedFolder = fileURLToPath(new URL('../recorded/', import.meta.url))

/** Parts of the nodes' addresses that are keys to them. */
export const accessKeys = ['0f3a77c1d2e94b6688aa5b1c', 'b7c9e1f02d3a4b5c6d7e8f90']

type Sale = { stack: SolanaStack; world: OperatorWorld; folder: string; keys: Record<string, string> }
type Way = { call?: typeof fetch; input?: string; code?: number }

/** @param folder loses the recordings that it has */
export async function recordSale(folder = recordedFolder): Promise<string[]> {
  const stack = await startSolana({ clock: 'manual', seed: 'recorded sale' })
  const world = await operatorWorld(stack, 'recorded')
  try {
    mkdirSync(folder, { recursive: true })
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
    const sale = { stack, world, folder, keys: keysOf(stack, world) }
    await sell(sale)
    await refundAll(sale)
    await deliver(sale)
    return readdirSync(folder).sort()
  } finally {
    world.close()
    await stack.close()
  }
}

/** Key files beside the folder of the terms. */
function keysOf(stack: SolanaStack, world: OperatorWorld): Record<string, string> {
  const pairs = {
    authority: world.authority,
    treasury: seededKeypair('operator world', 'recorded treasury'),
    reserve: stack.accounts.reserve,
  }
  return Object.fromEntries(
    Object.entries(pairs).map(([name, pair]) => {
      writeKey(world.beside(`${name}.key`), pair)
      return [name, world.beside(`${name}.key`)]
    }),
  )
}

function commandOf({ world, folder }: Sale, name: string, args: string[]): string[] {
  const place = ['--terms', world.at('terms.json'), '--rpc', `https://node.test/${accessKeys[0]}`]
  return [...args, ...place, '--record', join(folder, `${name}.jsonl`)]
}

async function run(sale: Sale, name: string, args: string[], { call, input, code = 0 }: Way = {}): Promise<void> {
  const { chain } = sale.stack
  const told = { out: '', err: '' }
  const io: PresaleIo = {
    out: { write: text => (told.out += text) },
    err: { write: text => (told.err += text) },
    directory: sale.world.folder,
    call: call ?? callOf(chain),
    wait: async () => chain.advance(16),
    random: below => below >> 1,
    ...(input !== undefined && { input: () => input }),
  }
  const got = await presaleCommand(commandOf(sale, name, args), io)
  if (got !== code) throw new Error(`${name} expected exit code ${code}, got ${got}:\n${told.out}${told.err}`)
}

/** In a process of its own, which is killed when the node has taken so many transactions. */
async function runKilled(sale: Sale, name: string, args: string[], sends: number): Promise<void> {
  const { stack, world } = sale
  const order: KilledRun = { args: commandOf(sale, name, args), directory: world.folder, url: stack.url, sends }
  const program = fileURLToPath(new URL('killed.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', program, JSON.stringify(order)])
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()))
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  if (signal !== 'SIGKILL') throw new Error(`${name} expected to be killed, got exit code ${code}:\n${said}`)
}

/** A node that limits, fails, falls silent, and then answers. */
function restless(chain: SolanaStack['chain']): typeof fetch {
  const bad = [
    () => new Response('slow down', { status: 429, headers: { 'retry-after': '1' } }),
    () => new Response(`no service for ${accessKeys[0]}`, { status: 503 }),
    () => {
      throw new TypeError('fetch failed')
    },
  ]
  return async (url, init) => (bad.length > 0 ? bad.shift()?.() : undefined) ?? callOf(chain)(url, init)
}

async function buy({ stack, world }: Sale, orders: number, when: string): Promise<void> {
  await fillOwn(stack, { terms: JSON.parse(readFileSync(world.at('terms.json'), 'utf8')), orders, when })
  // So old that the next ledger is stored whole
  stack.chain.advance(100)
}

async function sell(sale: Sale): Promise<void> {
  const { stack, world, keys } = sale
  const [reserve, signed] = [
    ['--reserve', stack.accounts.reserveTokens],
    ['--keypair', keys.authority ?? ''],
  ]
  await run(sale, '01-check', ['check', ...reserve])
  await run(sale, '02-init-dry-run', ['init', '--dry-run'])
  await run(sale, '03-init', ['init', ...signed])
  await run(sale, '04-publish', ['publish', ...reserve, ...signed])
  const second = ['--rpc2', `https://second.test/?api-key=${accessKeys[1]}`]
  await run(sale, '05-ledger-compared', ['ledger', ...second])
  await buy(sale, 36, 'open')
  await run(sale, '06-ledger', ['ledger', '--out', world.beside('ledger.jsonl')])
  await run(sale, '07-checkpoint', ['checkpoint', ...signed])
  await run(sale, '08-pause-refused', ['pause', '--keypair', keys.treasury ?? ''], { code: 2 })
  await run(sale, '09-pause', ['pause', ...signed], { call: restless(stack.chain) })
  await buy(sale, 2, 'paused')
  await run(sale, '10-resume', ['resume', '--keypair', '-'], { input: readFileSync(keys.authority ?? '', 'utf8') })
  await run(sale, '11-close-unsigned', ['close', '--export-unsigned', world.beside('close.txt')])
  await run(sale, '12-close', ['close', ...signed, '--json'])
  await buy(sale, 2, 'closed')
  await run(sale, '13-result', ['result', 'success', ...signed])
  await run(sale, '14-ledger-checked', ['ledger', '--checkpoint', world.at('checkpoint.json'), '--json'])
}

async function refundAll(sale: Sale): Promise<void> {
  const { world, keys } = sale
  await run(sale, '15-export', ['export', '--out', world.beside('books')])
  const [, unknown = ''] = readFileSync(world.beside('books/refunds-apart.csv'), 'utf8').split('\n')
  const approved = ['--approve', `${unknown.split(',')[4]}=${world.authority.address}`]
  const signed = ['--keypair', keys.authority ?? '']
  await run(sale, '16-plan-refunds', ['plan', '--kind', 'refunds', '--lanes', '2', ...approved, ...signed])
  await run(sale, '17-refund-dry-run', ['refund', '--dry-run'])
  const paying = ['refund', '--keypair', keys.treasury ?? '']
  await runKilled(sale, '18-refund-killed', [...paying, '--lanes', '1'], 2)
  const second = ['--rpc2', `https://second.test/?api-key=${accessKeys[1]}`]
  await run(sale, '19-refund-resumed', [...paying, ...second, '--max-sol', '100000'])
  await run(sale, '20-prove', ['prove', world.authority.address])
}

async function deliver(sale: Sale): Promise<void> {
  const { stack, world, keys } = sale
  const tokens = [
    'plan',
    '--kind',
    'tokens',
    '--tranche',
    '0',
    '--reserve',
    stack.accounts.reserveTokens,
    '--lanes',
    '2',
  ]
  await run(sale, '21-plan-tokens', [...tokens, '--keypair', keys.authority ?? ''])
  stack.control({ advanceSeconds: 3_283_200 })
  stack.chain.advance(40)
  await run(sale, '22-distribute-unsigned', ['distribute', '--export-unsigned', world.beside('unsigned')])
  await run(sale, '23-distribute', ['distribute', '--keypair', keys.reserve ?? ''])
  await run(sale, '24-status', ['status', '--json'])
}
