/** The trial of the operator's guide, run as it is written: a whole sale on the local chain, from keys to payouts. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tranchesOf } from '../../../../src/events/sale/vesting.ts'
import { readTerms } from '../../../../src/events/sale/terms/terms.ts'
import { associatedAccount } from '../../../stack/solana/programs.ts'
import { readTokenAccount } from '../../../stack/solana/tokens.ts'
import { type SolanaStack, startSolana } from '../../../stack/solana/server.ts'

const orders = '200'
let stack: SolanaStack
let folder: string
let commands: ChildProcess
let port: string
let log = ''
beforeAll(async () => {
  stack = await startSolana({ clock: 'manual', seed: 'guide' })
  folder = mkdtempSync(join(tmpdir(), 'mai-guide-'))
  const server = fileURLToPath(new URL('server.ts', import.meta.url))
  commands = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), server, stack.url, orders], {
    cwd: folder,
  })
  commands.stderr?.on('data', (part: Buffer) => (log += part.toString()))
  const [first] = (await once(commands.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  port = first.toString().trim()
})
afterAll(async () => {
  commands.kill()
  rmSync(folder, { recursive: true })
  await stack.close()
})

/** The shell's blocks of the trial, after the one that starts the stack. */
function blocks(): string[] {
  const guide = readFileSync(fileURLToPath(new URL('../../../../docs/operator.md', import.meta.url)), 'utf8')
  const trial = guide.split('## A sale on the local chain')[1]?.split('\n## ')[0] ?? ''
  return [...trial.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text).slice(1)
}

/** `npm` and `sleep` as the guide uses them. */
const prelude = () => `set -euo pipefail
npm() {
  local name="$3" input=/dev/null
  shift 4
  for one in "$@"; do if [ "$one" = - ]; then input=/dev/stdin; fi; done
  { printf '%s\\0' "$@"; printf '\\0'; cat "$input"; } |
    curl -sS -D .headers -o .out --data-binary @- "http://127.0.0.1:${port}/$name"
  cat .out
  return "$(sed -n 's/^x-code: //p' .headers | tr -d '\\r')"
}
sleep() { curl -sS ${stack.url}/control -d '{"advance": 40}' -o /dev/null; }
`

async function shell(script: string): Promise<{ code: number; out: string; err: string }> {
  const run = spawn('bash', ['-c', prelude() + script.replaceAll('http://127.0.0.1:8899', stack.url)], { cwd: folder })
  const told = { out: '', err: '' }
  run.stdout.on('data', (part: Buffer) => (told.out += part.toString()))
  run.stderr.on('data', (part: Buffer) => (told.err += part.toString()))
  const [code] = (await once(run, 'close')) as [number]
  return { code, ...told }
}

const json = (...names: string[]) => JSON.parse(readFileSync(join(folder, ...names), 'utf8'))

test('the guide’s trial, run as it is written, pays each refund and each buyer to the unit', async () => {
  const { code, out, err } = await shell(`${blocks().join('\n')}
echo "status-json $(npm run -s presale -- status $SALE --json)"`)
  expect([code, err], log.slice(-2_000)).toEqual([0, ''])

  const status = JSON.parse(/^status-json (.*)$/m.exec(out)?.[1] ?? '')
  expect(status).toMatchObject({ state: 'over, announced: success', unfinished: [], outOfTurn: [] })
  expect(status.statuses).toMatchObject({ paused: 20, late: 20, accepted: expect.any(Number) })
  expect(status.outflows.unexplained).toEqual([])
  const [refunds, tokens] = status.payouts
  for (const { batches, recipients, left } of [refunds, tokens]) {
    expect(batches.paid).toBe(batches.all)
    expect(recipients.paid).toBe(recipients.all)
    expect(left).toEqual({})
  }
  expect(refunds.paid.SOL).toMatch(/^\d+$/)

  const { terms } = readTerms(readFileSync(join(folder, 'sale/terms.json'), 'utf8'))
  const { allocations } = json('books', 'allocations.json')
  const held = (owner: string) =>
    readTokenAccount(stack.chain.accounts.now(associatedAccount(owner, stack.info.saleMint)))?.amount
  expect(allocations.length).toBeGreaterThan(50)
  for (const { owner, tokens: all } of allocations) expect(held(owner)).toBe(tranchesOf(terms, BigInt(all))[0]?.tokens)

  expect(log).toMatch(/calls +\d+; \d+ saved by the ledger stored up to slot \d+/)
})
