/** Wrong keys, chains and orders of the operator's verbs, and transactions for a wallet to sign. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { messageBytes, readTransaction, withSignature } from '../../../src/worker/chains/solana/wire.ts'
import { base58 } from '../../stack/solana/bytes.ts'
import { seededKeypair } from '../../stack/solana/keys.ts'
import { transfer } from '../../stack/solana/programs.ts'
import { type SolanaStack, startSolana } from '../../stack/solana/server.ts'
import { asThePage, operatorWorld, type OperatorWorld, secretsOf, writeKey } from './operatorWorld.ts'

let stack: SolanaStack
let world: OperatorWorld
beforeAll(async () => {
  stack = await startSolana({ clock: 'manual', seed: 'operator refusals' })
  world = await operatorWorld(stack, 'refused-sale')
})
afterAll(async () => {
  world.close()
  await stack.close()
})
const publishing = () => ['publish', '--reserve', stack.accounts.reserveTokens]
const verbs = ['init', 'publish', 'pause', 'resume', 'close', 'checkpoint', 'result'] as const
const words = (verb: string) => (verb === 'result' ? [verb, 'failed'] : [verb])

describe('before the sale is published', () => {
  test.each(verbs)('%s without a key names the key it expects', async verb => {
    const { code, err, out } = await world.run(words(verb))
    expect(err).toBe(`expected --keypair FILE or - with the key of ${world.authority.address}, got none\n`)
    expect([code, out]).toEqual([2, ''])
  })

  test.each(verbs)('%s with another key is refused before anything else', async verb => {
    const foreign = seededKeypair('operator refusals', 'foreign')
    writeKey(world.at('foreign.key'), foreign)
    const { code, err } = await world.run([...words(verb), '--keypair', world.at('foreign.key')])
    expect(err).toBe(
      `--keypair expected the key of the authority ${world.authority.address}, got that of ${foreign.address}\n`,
    )
    expect([code, existsSync(world.state)]).toEqual([2, false])
    for (const secret of secretsOf(foreign)) expect(err).not.toContain(secret)
  })

  test.each(verbs)('%s of another chain is refused', async verb => {
    stack.control({ faults: { getGenesisHash: { kind: 'wrongGenesis' } } })
    const { code, err } = await world.signed(words(verb))
    stack.control({ faults: {} })
    expect(err).toMatch(/expected chain \w+ \(localnet\), got \w+/)
    expect([code, existsSync(world.state)]).toEqual([1, false])
  })

  test.each(verbs)('%s has a help with examples', async verb => {
    const { code, out } = await world.run([verb, '--help'])
    expect(out).toMatch(/Examples:\n {2}npm run presale -- /)
    for (const option of ['--keypair', '--state', '--dry-run', '--export-unsigned', '--json'])
      expect(out).toContain(option)
    expect(code).toBe(0)
  })

  test.each(['pause', 'resume', 'close'])('%s expects published terms', async verb => {
    const { code, err } = await world.signed([verb])
    expect(err).toContain(`${verb} expected published terms, got none: run "publish" first`)
    expect([code, world.notices()]).toEqual([1, []])
  })

  test('a checkpoint expects published terms, and status tells that there are none', async () => {
    const { code, err } = await world.signed(['checkpoint'])
    expect(err).toContain('a checkpoint expected published terms, got none')
    expect(code).toBe(1)
    const future = await world.run(['ledger', '--slot', '999999999'])
    expect([future.code, future.err]).toEqual([1, expect.stringContaining('slot 999999999 expected to be final, got')])
    expect((await world.run(['status'])).out).toContain('state         not published')
  })

  test('a payer without SOL is named, and nothing is journalled', async () => {
    const poor = seededKeypair('operator refusals', 'poor')
    writeKey(world.at('poor.key'), poor)
    const { code, err } = await world.signed(['init', '--payer', world.at('poor.key')])
    expect(err).toContain(`AccountNotFound: ${poor.address}, who pays, may lack SOL. Nothing was sent`)
    expect(code).toBe(1)
    expect(world.journal()).not.toContain('signed')
  })

  test('two keys from standard input, and two ways not to send, are refused', async () => {
    const twice = await world.run(['init', '--keypair', '-', '--payer', '-'], { input: '[]' })
    expect(twice.err).toBe('expected one key from standard input, got - more than once\n')
    const both = await world.signed(['init', '--dry-run', '--export-unsigned', world.at('file')])
    expect(both.err).toBe('expected --dry-run or --export-unsigned, got both\n')
    expect([twice.code, both.code]).toEqual([2, 2])
  })

  test('a broken key is refused without its content', async () => {
    const text = JSON.stringify([...world.authority.secretKey]).slice(0, -1)
    const { code, err } = await world.run(['init', '--keypair', '-'], { input: text })
    expect(err).toContain('--keypair from standard input expected a key')
    expect(code).toBe(2)
  })
})

describe('at work', () => {
  test('a key from standard input signs', async () => {
    const input = base58(world.authority.secretKey)
    expect((await world.run(['init', '--keypair', '-'], { input })).code).toBe(0)
    expect((await world.run([...publishing(), '--keypair', '-'], { input })).code).toBe(0)
    expect((await asThePage(stack, world)).board.seq).toBe(2)
  })

  test('a second command is refused while the first one works', async () => {
    let second: Promise<{ code: number; err: string }> | undefined
    const wait = async () => {
      second ??= world.signed(['resume'])
      await second
      stack.chain.advance(16)
    }
    expect((await world.signed(['pause'], { wait })).code).toBe(0)
    const { code, err } = (await second) ?? { code: 0, err: '' }
    expect(err).toContain(`expected no other command at work, got process ${process.pid}`)
    expect(code).toBe(1)
  })

  test('of two machines with one number, one notice counts, and the other machine is told', async () => {
    const machine = ['--state', world.beside('second-machine')]
    let other: Promise<{ code: number; err: string }> | undefined
    const wait = async () => {
      stack.chain.advance(1)
      other ??= world.signed(['resume', ...machine])
      await other
      stack.chain.advance(16)
    }
    expect((await world.signed(['resume'], { wait })).code).toBe(0)
    const { code, err } = (await other) ?? { code: 0, err: '' }
    expect(err).toContain('notice 4 (resume): expected to count, got another notice with its number before it')
    expect(code).toBe(1)
    const again = await world.signed(['resume', ...machine, '--json'])
    expect(JSON.parse(again.out)).toMatchObject({ outcome: 'unchanged', seq: 4 })
    expect((await asThePage(stack, world)).board).toMatchObject({ seq: 4, paused: false })
  })

  test('a stranger’s transactions under the notices’ reference change nothing', async () => {
    const stranger = seededKeypair('operator refusals', 'stranger')
    stack.give(stranger.address, { sol: '1' })
    const spam = transfer(stranger.address, stranger.address, 0n, [world.marks.notice])
    for (let at = 0; at < 5; at += 1) stack.chain.run([spam], [stranger])
    stack.chain.advance(40)
    const { out } = await world.signed(['pause', '--json'])
    expect(JSON.parse(out)).toMatchObject({ outcome: 'sent', seq: 5 })
  })

  test('a state directory of another sale is refused', async () => {
    const other = await operatorWorld(stack, 'other-sale')
    const { code, err } = await other.signed(['init', '--state', world.state])
    other.close()
    expect(err).toContain('give each sale its own --state')
    expect(code).toBe(2)
  })

  test('a state directory in the folder of the terms or of the published files is refused', async () => {
    const refused = async (args: string[], folder: string, state: string) => {
      const { code, err } = await world.signed(['init', '--dry-run', ...args])
      const said = `expected a place outside of ${folder}, which is published, got ${state}: name another with --state`
      expect([code, err]).toEqual([2, expect.stringContaining(said)])
    }
    const [terms, out] = [world.beside('sale'), world.beside('out')]
    for (const state of [terms, world.at('journal'), world.at('not/there/yet')])
      await refused(['--state', state], terms, state)
    symlinkSync(terms, world.beside('link'))
    await refused(['--state', world.beside('link/journal')], terms, world.beside('link/journal'))
    await refused(['--out', out, '--state', join(out, 'journal')], out, join(out, 'journal'))
    await refused(['--out', world.folder], world.folder, world.state)
    for (const made of [out, world.at('journal')]) expect(existsSync(made)).toBe(false)
  })

  test('a state directory that an earlier version made beside the terms has to be moved first', async () => {
    const former = world.at('refused-sale.state')
    mkdirSync(former)
    const { code, err } = await world.run(['status'])
    rmdirSync(former)
    expect(err).toContain(`got ${former} of an earlier version: move it to ${world.state}`)
    expect(code).toBe(2)
  })

  test('a node that stops answering ends the command, and the next one goes on', async () => {
    stack.control({ faults: { getSignatureStatuses: { kind: 'status', status: 503 } } })
    const first = await world.signed(['resume'])
    stack.control({ faults: {} })
    expect(first.err).toMatch(/expected to answer getSignatureStatuses, got HTTP status 503/)
    expect(JSON.parse((await world.run(['status', '--json'])).out).unfinished).toHaveLength(1)
    const second = await world.signed(['resume'])
    expect([first.code, second.code]).toEqual([1, 0])
    expect((await asThePage(stack, world)).board).toMatchObject({ seq: 6, paused: false, ignored: 0 })
  })

  test('a folder that cannot be made is named before anything is sent', async () => {
    writeFileSync(world.at('file'), '')
    const { code, err } = await world.signed(['pause', '--out', world.at('file/below')])
    expect(err).toMatch(/cannot make the folder of the published files .*file\/below: ENOTDIR/)
    expect([code, (await asThePage(stack, world)).board.seq]).toEqual([2, 6])
  })
})

describe('--export-unsigned', () => {
  test('writes a transaction that a wallet signs and sends, and that counts', async () => {
    const path = world.at('unsigned.txt')
    const { code, out } = await world.run(['pause', '--export-unsigned', path, '--json'])
    expect(JSON.parse(out)).toMatchObject({ outcome: 'exported', seq: 7 })
    expect(code).toBe(0)
    const bytes = new Uint8Array(Buffer.from(readFileSync(path, 'utf8'), 'base64'))
    const { accountKeys, signatures } = readTransaction(bytes)
    expect(accountKeys[0]).toBe(world.authority.address)
    expect(signatures).toEqual([new Uint8Array(64)])
    const signed = withSignature(bytes, world.authority.address, world.authority.sign(messageBytes(bytes)))
    const params = [Buffer.from(signed).toString('base64'), { encoding: 'base64' }]
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sendTransaction', params })
    const headers = { 'content-type': 'application/json' }
    expect(await (await fetch(stack.url, { method: 'POST', headers, body })).json()).toHaveProperty('result')
    stack.chain.advance(40)
    const again = await world.signed(['pause', '--json'])
    expect(JSON.parse(again.out)).toMatchObject({ outcome: 'unchanged', seq: 7, files: ['notices.json'] })
    expect((await asThePage(stack, world)).board).toMatchObject({ seq: 7, paused: true })
  })

  test('of a checkpoint needs the key, for its text alone', async () => {
    const path = world.at('checkpoint.txt')
    stack.give(world.authority.address, { sol: '1' })
    stack.chain.run([transfer(world.authority.address, world.treasury, 5n)], [world.authority])
    stack.chain.advance(40)
    const without = await world.run(['checkpoint', '--export-unsigned', path])
    expect(without.err).toContain('expected --keypair with the authority’s key: a checkpoint is a text that it signs')
    const { out } = await world.signed(['checkpoint', '--export-unsigned', path, '--json'])
    expect(JSON.parse(out)).toMatchObject({ outcome: 'exported', seq: 8 })
    expect([without.code, existsSync(path), world.notices().length]).toEqual([2, true, 13])
  })
})

test('no key is in the folders, the state or any output', () => {
  const all = world.everything()
  for (const secret of secretsOf(world.authority)) expect(all).not.toContain(secret)
})
