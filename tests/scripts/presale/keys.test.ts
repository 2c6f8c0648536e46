/** Signing keys from files and standard input. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { presaleCommand } from '../../../scripts/presale/command.ts'
import { readKey } from '../../../scripts/presale/keys.ts'
import { associatedTokenAddress } from '../../../src/worker/chains/solana/ata.ts'
import { associatedAccount, TOKEN_2022 } from '../../stack/solana/programs.ts'
import { base58 } from '../../stack/solana/bytes.ts'
import { seededKeypair, verifySignature } from '../../stack/solana/keys.ts'
import { secretsOf, writeKey } from './operatorWorld.ts'

const folder = mkdtempSync(join(tmpdir(), 'mai-keys-'))
afterAll(() => rmSync(folder, { recursive: true }))
const pair = seededKeypair('keys', 'one')
const path = join(folder, 'one.key')
let told = ''
beforeEach(() => {
  told = ''
  writeKey(path, pair)
})
const err = { write: (text: string) => (told += text) }
const read = (from: string, input?: string) =>
  readKey('--keypair', from, { err, ...(input !== undefined && { input: () => input }) })
const messageOf = (work: () => unknown): string => {
  try {
    work()
  } catch (fault) {
    return (fault as Error).message
  }
  return 'nothing was thrown'
}

test('a list of numbers, base58 and standard input give the same key', () => {
  const message = new TextEncoder().encode('a message')
  const asText = join(folder, 'text.key')
  writeFileSync(asText, `${base58(pair.secretKey)}\n`, { mode: 0o600 })
  for (const key of [read(path), read(asText), read('-', JSON.stringify([...pair.secretKey]))]) {
    expect(key.address).toBe(pair.address)
    expect(verifySignature(pair.publicKey, message, key.sign(message))).toBe(true)
  }
  expect(told).toBe('')
})

test('a file that others may read causes a warning that names it and its mode', () => {
  chmodSync(path, 0o644)
  expect(read(path).address).toBe(pair.address)
  expect(told).toBe(`warning: --keypair ${path} is open to other users of this machine (mode 644): run chmod 600\n`)
})

test('another public half than the secret’s is refused', () => {
  const mixed = Uint8Array.from([...pair.secretKey.subarray(0, 32), ...seededKeypair('keys', 'two').publicKey])
  expect(() => read('-', base58(mixed))).toThrow('expected the public half of its secret half in the last 32 bytes')
})

const list = [...pair.secretKey]
const seed = base58(pair.secretKey.subarray(0, 32))
const broken: [string, string][] = [
  ['cut off', JSON.stringify(list).slice(0, -4)],
  ['63 numbers', JSON.stringify(list.slice(1))],
  ['a number above 255', JSON.stringify([...list.slice(1), 256])],
  ['a fraction', JSON.stringify([...list.slice(1), 1.5])],
  ['a text among the numbers', JSON.stringify([...list.slice(1), '1'])],
  ['an object', JSON.stringify({ ...list })],
  ['the seed alone', seed],
  ['base58 with a wrong letter', `0${base58(pair.secretKey)}`],
  ['base58 after a word', `secret ${base58(pair.secretKey)}`],
  ['nothing', ''],
  ['much text', 'z'.repeat(100_000)],
]
test.each(broken)('%s is refused without a word of its content', (_, text) => {
  const message = messageOf(() => read('-', text))
  expect(message).toBe(
    '--keypair from standard input expected a key: a JSON list of 64 numbers, or base58 of 64 bytes, got something else',
  )
  for (const secret of secretsOf(pair)) expect(message).not.toContain(secret)
})

test('a missing file and a folder are named', () => {
  expect(messageOf(() => read(join(folder, 'none')))).toContain('there is no such file')
  expect(messageOf(() => read(folder))).toContain('it is a folder')
})

test('a key prints neither its secret nor its seed', () => {
  const printed = `${JSON.stringify(read(path))} ${String(Object.values(read(path)))}`
  for (const secret of secretsOf(pair)) expect(printed).not.toContain(secret)
})

test('npm run presale -- key makes a key that its owner alone reads, once, and prints its address alone', async () => {
  const made = join(folder, 'made.key')
  let out = ''
  const io = { out: { write: (text: string) => (out += text) }, err }
  expect(await presaleCommand(['key', made, '--new'], io)).toBe(0)
  expect(statSync(made).mode & 0o777).toBe(0o600)
  const content = readFileSync(made, 'utf8')
  expect(out).toBe(`${read(made).address}\n`)
  expect(await presaleCommand(['key', made], io)).toBe(0)
  expect(await presaleCommand(['key', made, '--new'], io)).toBe(2)
  expect(told).toBe(`cannot make ${made}: it exists already\n`)
  expect(readFileSync(made, 'utf8')).toBe(content)
  const mint = seededKeypair('keys', 'mint').address
  const accountOf = async (...more: string[]) => {
    out = ''
    expect(await presaleCommand(['key', made, '--mint', mint, ...more], io)).toBe(0)
    return out.trim()
  }
  const { address } = read(made)
  expect(await accountOf()).toBe(associatedAccount(address, mint))
  expect(await accountOf('--program', 'spl-token')).toBe(associatedAccount(address, mint))
  expect(await accountOf('--program', 'token-2022')).toBe(associatedTokenAddress(address, mint, TOKEN_2022))
  expect(await presaleCommand(['key', made, '--mint', mint, '--program', 'token'], io)).toBe(2)
  expect(told).toContain('--program expected spl-token or token-2022, got token')
  expect(await presaleCommand(['key', made, '--program', 'token-2022'], io)).toBe(2)
  expect(told).toContain('--program expected --mint with a token, got none')
  expect(await presaleCommand(['key', '-', '--new'], io)).toBe(2)
  expect(told).toContain('--new expected a file, got - for standard input')
})
