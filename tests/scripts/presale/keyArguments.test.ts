/** A key on the command line, in place of its file: it stands in no output, in no file and in no file's name. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { presaleCommand } from '../../../scripts/presale/command.ts'
import { readKey } from '../../../scripts/presale/keys.ts'
import { base58, hex } from '../../stack/solana/bytes.ts'
import { seededKeypair } from '../../stack/solana/keys.ts'

const folder = mkdtempSync(join(tmpdir(), 'mai-key-arguments-'))
afterAll(() => rmSync(folder, { recursive: true }))

const { secretKey, address } = seededKeypair('key arguments', 'one')
const seed = secretKey.slice(0, 32)
const twelve = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
/** A form of the key, and the arguments that a shell makes of it. */
const secrets: [string, string[]][] = [
  ['a list of 64 numbers', [JSON.stringify([...secretKey])]],
  ['a list of 32 numbers', [JSON.stringify([...seed])]],
  ['a list with spaces, in quotes', [[...secretKey].join(', ')]],
  ['a list with spaces, split', `[${[...seed].join(', ')}]`.split(' ')],
  ['base58 of the key', [base58(secretKey)]],
  ['base58 of the key in quotes', [`"${base58(secretKey)}"`]],
  ['hexadecimal of the key', [hex(secretKey)]],
  ['hexadecimal of the seed', [hex(seed)]],
  ['hexadecimal with its mark', [`0x${hex(seed).toUpperCase()}`]],
  ['12 words in quotes', [twelve]],
  ['24 words in quotes', [`${twelve} ${twelve}`]],
  ['12 words, split', twelve.split(' ')],
]
/** Has the form of an address, which some arguments are. */
const seedText: [string, string[]] = ['base58 of the seed', [base58(seed)]]

const refusal = 'expected a file or -, got a key or an address: a key is in your shell’s history now, so replace it\n'
/** Every run of letters and digits of a secret that is long enough to know it by. */
const partsOf = (secret: readonly string[]) =>
  secret.flatMap(one => one.match(/[a-z]{4,}|\d{1,3}(?:, ?\d{1,3}){3}|\w{12}/gi) ?? [])
const namesIn = (place: string) => readdirSync(place, { recursive: true, encoding: 'utf8' })

async function expectRefused(args: readonly string[], secret: readonly string[], about = '') {
  const before = [namesIn(folder), readdirSync('.')]
  let told = ''
  const write = (text: string) => (told += text)
  const code = await presaleCommand(args, { out: { write }, err: { write }, input: () => '[]', directory: folder })
  expect([code, told]).toEqual([2, about === '' ? expect.stringMatching(refusal) : `${about} ${refusal}`])
  for (const part of partsOf(secret)) expect(told).not.toContain(part)
  expect([namesIn(folder), readdirSync('.')]).toEqual(before)
}

const record = ['--record', join(folder, 'run.jsonl')]
const keyed = ['check', 'status', 'pause', 'init', 'plan', 'distribute', 'refund']

describe.each([...secrets, seedText])('%s', (_name, secret) => {
  test.each(keyed.filter(verb => !['check', 'status'].includes(verb)))(
    'as the key of %s is refused, recorded or not',
    async verb => {
      await expectRefused([verb, '--keypair', ...secret], secret)
      await expectRefused([verb, '--keypair', ...secret, ...record], secret)
      await expectRefused([verb, `--keypair=${secret.join(' ')}`, ...record], secret)
    },
  )

  test.each(keyed)('as a word or a file of %s is refused, recorded or not', async verb => {
    await expectRefused([verb, ...secret, ...record], secret)
    await expectRefused([verb, '--terms', ...secret], secret)
    await expectRefused([verb, '--record', ...secret], secret)
  })

  test('as a key file makes no file of this name', async () => {
    await expectRefused(['key', ...secret], secret)
    await expectRefused(['key', ...secret, '--new'], secret)
  })

  test('as a recording, a verb or an option is refused', async () => {
    await expectRefused(['replay', ...secret], secret)
    await expectRefused(secret, secret)
    await expectRefused(['pause', `--${secret.join(' ')}`], secret)
  })
})

test.each(secrets)('%s in place of a wallet, a payee or a mint is refused', async (_name, secret) => {
  await expectRefused(['prove', ...secret, ...record], secret)
  await expectRefused(['plan', '--approve', `${secret.join(' ')}=${address}`, ...record], secret)
  await expectRefused(['key', 'one.json', '--mint', ...secret], secret)
})

test('the refusal names the option whose value it is', async () => {
  await expectRefused(['pause', '--keypair', base58(seed)], [base58(seed)], '--keypair')
  const io = { err: { write: () => true } }
  expect(() => readKey('--payer', base58(secretKey), io)).toThrow(`--payer ${refusal.trim()}`)
})

test('an address, a signature and a path are no keys', async () => {
  const signature = base58(new Uint8Array(64).map((_, at) => at + 1))
  const given = [
    ['prove', address],
    ['prove', signature],
    ['export', '--approve', `${signature}=${address}`],
    ['plan', '--payer', address, '--reserve', address],
    ['pause', '--keypair', `./${address}`],
  ]
  for (const args of given) {
    let told = ''
    const code = await presaleCommand(args, { out: { write: () => true }, err: { write: text => (told += text) } })
    expect([code, told]).toEqual([2, 'expected --terms FILE with the published terms, got none\n'])
  }
  expect(existsSync(record[1] ?? '')).toBe(false)
})
