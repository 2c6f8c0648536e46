import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faucetCommand, stackNote } from '../../scripts/faucetCommand.ts'
import { emphasisFor, nextText } from '../../scripts/startText.ts'
import { type Stack, startStack } from '../stack/start.ts'

const root = mkdtempSync(join(tmpdir(), 'mai-faucet-'))
const address = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
let stack: Stack
beforeAll(async () => {
  const cacheDir = join(import.meta.dirname, '../../node_modules/.cache/wallet-page')
  stack = await startStack({ clock: 'manual', seed: 'faucet', cacheDir })
  mkdirSync(join(root, '.stack'))
  writeFileSync(join(root, '.stack', stackNote), `${stack.solana.url}\n`)
}, 90_000)
afterAll(async () => {
  rmSync(root, { recursive: true })
  await stack.close()
})

async function faucet(args: string[], at = root) {
  const told = { out: '', err: '' }
  const code = await faucetCommand(args, {
    out: text => (told.out += text),
    err: text => (told.err += text),
    root: at,
  })
  return { code, ...told }
}

async function lamports(): Promise<number> {
  const answer = await fetch(stack.solana.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'getBalance',
      params: [address, { commitment: 'processed' }],
    }),
  })
  return ((await answer.json()) as { result: { value: number } }).result.value
}

describe('npm run faucet', () => {
  test('gives money of the noted stack', async () => {
    expect(await faucet([address, '--sol', '1.5'])).toEqual({ code: 0, out: `Gave 1.5 SOL to ${address}.\n`, err: '' })
    expect(await lamports()).toBe(1_500_000_000)
    expect((await faucet([address])).out).toBe(`Gave 10 SOL and 500 USDC to ${address}.\n`)
    expect(await lamports()).toBe(11_500_000_000)
  })

  test.each([
    [[], 2, 'expected one address, got none'],
    [['ADDRESS'], 2, 'expected a Solana address in base58, got ADDRESS'],
    [[address, '--sol', 'much'], 2, '--sol expected an amount such as 1.5, got much'],
    [[address, '--eth', '1'], 2, "Unknown option '--eth'"],
    [[address, '--sol', '0'], 1, 'The faucet refused: faucet expected sol, usdc or mai above zero, got none.'],
    [[address, '--usdc', '0.0000001'], 1, 'The faucet refused: usdc expected a decimal amount with at most 6 digits'],
    [[address, '--url', 'http://127.0.0.1:1'], 1, 'http://127.0.0.1:1 does not answer: is the stack still running?'],
  ])('%j is refused in a sentence', async (args, code, sentence) => {
    const told = await faucet(args)
    expect(told).toMatchObject({ code, out: '' })
    expect(told.err).toContain(sentence)
  })

  test('tells how to start a stack where none runs', async () => {
    const { code, err } = await faucet([address], tmpdir())
    expect(code).toBe(1)
    expect(err).toBe('No local stack is running here. Start one with npm start, or name its Solana RPC with --url.\n')
  })

  test('is what npm start names, beside both installed wallets', () => {
    const text = nextText(' --url http://127.0.0.1:9', emphasisFor(false, {}))
    expect(text).toContain('npm run faucet -- ADDRESS --url http://127.0.0.1:9\n')
    expect(text).toContain('take Quill or Heron')
    expect(emphasisFor(true, {})('x')).toBe('\u001b[1mx\u001b[22m')
    expect(emphasisFor(true, { NO_COLOR: '1' })('x')).toBe('x')
  })
})
