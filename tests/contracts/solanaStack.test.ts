/** Starting, driving, filling, disturbing and persisting the local chain. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { base64 } from '../stack/solana/bytes.ts'
import { signedTransaction } from '../stack/solana/compile.ts'
import { seededKeypair } from '../stack/solana/keys.ts'
import { associatedAccount, memo } from '../stack/solana/programs.ts'
import { type SolanaStack, startSolana } from '../stack/solana/server.ts'
import { missingBindingSentence } from '../stack/solana/vm.ts'

const person = seededKeypair('stack', 'person')

let stack: SolanaStack

beforeAll(async () => {
  stack = await startSolana({ clock: 'manual', seed: 'stack' })
})
afterAll(() => stack.close())
afterEach(() => stack.control({ faults: {} }))

type Answer = { result?: any; error?: { code: number; message: string } }

const ask = (method: string, ...params: unknown[]): Promise<Response> =>
  fetch(stack.url, { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) })
const call = async (method: string, ...params: unknown[]): Promise<Answer> =>
  (await ask(method, ...params)).json() as Promise<Answer>
const door = async (path: string, body: unknown) => {
  const answer = await fetch(stack.url + path, { method: 'POST', body: JSON.stringify(body) })
  return { status: answer.status, body: (await answer.json()) as Record<string, any> }
}
const noted = (text: string) => signedTransaction([memo(text)], [person], stack.chain.blocks.tip().blockhash)
const sendNoted = async (text: string) => {
  const { bytes, signature } = noted(text)
  return { signature, answer: await call('sendTransaction', base64(bytes), { encoding: 'base64' }) }
}

describe('starting', () => {
  test('the same seed gives the same addresses, signatures and state; another seed gives others', async () => {
    const [again, other] = await Promise.all(['stack', 'another'].map(seed => startSolana({ clock: 'manual', seed })))
    const bare = ({ info }: SolanaStack) => ({ ...info, url: '', wsUrl: '', termsUrl: '' })
    const signatures = (of: SolanaStack) => of.chain.ledger.all().map(record => record.signature)
    expect(bare(again as SolanaStack)).toEqual(bare(stack))
    expect(signatures(again as SolanaStack)).toEqual(
      signatures(stack).slice(0, signatures(again as SolanaStack).length),
    )
    expect(signatures(other as SolanaStack)).not.toContain(signatures(stack)[0])
    expect(other?.info.genesisHash).not.toBe(stack.info.genesisHash)
    await Promise.all([again?.close(), other?.close()])
  })

  test('a taken port fails with its error code', async () => {
    await expect(startSolana({ clock: 'manual', seed: 'x', port: stack.port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    })
  })

  test.each([
    ['win32', 'x64', 'inside WSL'],
    ['linux', 'x64', 'npm ci'],
    ['freebsd', 'x64', 'use linux or darwin'],
  ])('a missing binding on %s-%s fails with the remedy', (platform, arch, cure) => {
    expect(missingBindingSentence(platform, arch)).toContain(`litesvm has no binding for ${platform}-${arch}`)
    expect(missingBindingSentence(platform, arch)).toContain(cure)
  })

  test('ending closes sockets with code 1000, so that web3.js does not reconnect for ever', async () => {
    const short = await startSolana({ clock: 'manual', seed: 'short' })
    const sockets = [short.port, short.port + 1].map(port => new WebSocket(`ws://127.0.0.1:${port}`))
    await Promise.all(sockets.map(socket => new Promise(resolve => socket.once('open', resolve))))
    const codes = Promise.all(sockets.map(socket => new Promise(resolve => socket.once('close', resolve))))
    await short.close()
    expect(await codes).toEqual([1000, 1000])
  })

  test('with a real clock chain time is now and the sale is dated from today', async () => {
    const from = Math.floor(Date.now() / 1000)
    const real = await startSolana({ clock: 'real', seed: 'real' })
    const blocks = (['finalized', 'processed'] as const).map(commitment => real.chain.blocks.seen(commitment).time)
    const terms = (await (await fetch(real.info.termsUrl)).json()) as { start: number; end: number }
    const to = Math.ceil(Date.now() / 1000)
    const finalityS = 32 * 0.4
    const times = [from - finalityS - 1, ...blocks, to]
    expect([...times].sort((a, b) => a - b)).toEqual(times)
    expect(from <= terms.start + 86_400 && terms.start + 86_400 <= to).toBe(true)
    expect(terms.end - terms.start).toBe(31 * 86_400)
    await real.close()
  })
})

describe('the clock', () => {
  test('stands still until it is advanced, then moves 0.4 s a slot', async () => {
    const before = { ...stack.chain.blocks.tip() }
    await call('getSlot')
    const { body } = await door('/control', { advance: 10 })
    expect(body).toMatchObject({ slot: before.slot + 10, height: before.height + 10, time: before.time + 4 })
  })

  test('jumps forward but never back', async () => {
    const { time } = stack.chain.blocks.tip()
    expect((await door('/control', { advanceSeconds: 3_600 })).body.time).toBe(time + 3_600)
    const back = await door('/control', { setTime: 1_600_000_000 })
    expect(back).toMatchObject({ status: 400, body: { error: expect.stringContaining('cannot go back') } })
    const clock = await call('getAccountInfo', 'SysvarC1ock11111111111111111111111111111111', {
      commitment: 'processed',
      encoding: 'base64',
    })
    expect(Buffer.from(clock.result.value.data[0], 'base64').readBigInt64LE(32)).toBe(BigInt(time + 3_600))
  })
})

describe('the faucet', () => {
  test('gives SOL and USDC by real transactions and makes the token account', async () => {
    const { address } = seededKeypair('stack', 'faucet guest')
    const { status, body } = await door('/faucet', { address, sol: '1.25', usdc: 40.5 })
    expect(status).toBe(200)
    expect(body.signatures).toHaveLength(2)
    stack.chain.advance(1)
    const at = { commitment: 'confirmed' }
    expect((await call('getBalance', address, at)).result.value).toBe(1_250_000_000)
    const account = associatedAccount(address, stack.info.usdcMint)
    expect((await call('getTokenAccountBalance', account, at)).result.value.amount).toBe('40500000')
    expect((await door('/faucet', { address, usdc: '40.5' })).status).toBe(200)
    expect((await door('/faucet', { address, usdc: '40.5' })).status).toBe(200)
    stack.chain.advance(1)
    expect((await call('getTokenAccountBalance', account, at)).result.value.amount).toBe('121500000')
  })

  test.each([
    ['no address', { sol: '1' }, 'address expected base58 of 32 bytes'],
    ['a short address', { address: 'abc', sol: '1' }, 'address expected base58 of 32 bytes'],
    ['nothing to give', { address: person.address }, 'faucet expected sol, usdc or mai above zero'],
    ['an exponent', { address: person.address, sol: '1e3' }, 'sol expected a decimal amount'],
    ['a negative number', { address: person.address, sol: -1 }, 'sol expected a decimal amount'],
    [
      'too many digits',
      { address: person.address, usdc: '0.0000001' },
      'usdc expected a decimal amount with at most 6 digits',
    ],
    ['less than rent', { address: person.address, sol: '0.0001' }, 'insufficient funds for rent'],
    ['a list', [], 'address expected base58'],
    ['null', null, 'address expected base58'],
  ])('%s gets a sentence', async (_what, order, sentence) => {
    const { status, body } = await door('/faucet', order)
    expect(status).toBe(400)
    expect(body.error).toContain(sentence)
  })
})

describe('faults', () => {
  test('a status with its retry hint, as often as asked, then the answer', async () => {
    await door('/control', { faults: { getSlot: { kind: 'status', status: 429, retryAfter: 1, times: 2 } } })
    const answers = [await ask('getSlot'), await ask('getSlot'), await ask('getSlot')]
    expect(answers.map(answer => answer.status)).toEqual([429, 429, 200])
    expect(answers[0]?.headers.get('retry-after')).toBe('1')
    expect((await ask('getHealth')).status).toBe(200)
  })

  test('a dropped connection, a page of HTML, a null result', async () => {
    stack.control({ faults: { getSlot: { kind: 'drop' }, getHealth: { kind: 'html' }, getVersion: { kind: 'null' } } })
    await expect(ask('getSlot')).rejects.toThrow()
    const page = await ask('getHealth')
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html'])
    expect((await call('getVersion')).result).toBeNull()
  })

  test('a stale node answers for the past, a lying one for nothing', async () => {
    const { address } = seededKeypair('stack', 'lag guest')
    stack.give(address, { sol: '1' })
    stack.chain.advance(5)
    const read = async () => {
      const slot = (await call('getSlot', { commitment: 'processed' })).result
      return { slot, lamports: (await call('getBalance', address, { commitment: 'processed' })).result.value }
    }
    const now = await read()
    stack.control({ faults: { getSlot: { kind: 'lag', slots: 8 }, getBalance: { kind: 'lag', slots: 8 } } })
    expect(await read()).toEqual({ slot: now.slot - 8, lamports: 0 })
    stack.control({
      faults: { getMultipleAccounts: { kind: 'lie', lamports: 7 }, getGenesisHash: { kind: 'wrongGenesis' } },
    })
    const how = { encoding: 'base64', commitment: 'confirmed' }
    const { result } = await call('getMultipleAccounts', [address, stack.info.saleMint], how)
    expect(result.value[0]?.lamports).toBe(7)
    expect(result.value[1]?.lamports).toBe(1_461_600)
    expect((await call('getGenesisHash')).result).not.toBe(stack.info.genesisHash)
  })

  test('a transaction is swallowed, or held until it is released', async () => {
    stack.give(person.address, { sol: '1' })
    const landed = (signature: string) => stack.chain.ledger.get(signature) !== undefined
    stack.control({ faults: { sendTransaction: { kind: 'dropTransaction', times: 1 } } })
    const swallowed = await sendNoted('swallowed')
    expect(swallowed.answer.result).toBe(swallowed.signature)
    expect(landed(swallowed.signature)).toBe(false)
    stack.control({ faults: { sendTransaction: { kind: 'hold' } } })
    const held = await sendNoted('held')
    expect([held.answer.result, landed(held.signature)]).toEqual([held.signature, false])
    await door('/control', { release: true })
    expect(landed(held.signature)).toBe(true)
  })

  test('sockets are cut, or stay open and say nothing more', async () => {
    const opened = async () => {
      const socket = new WebSocket(stack.wsUrl)
      await new Promise(resolve => socket.once('open', resolve))
      return socket
    }
    const subscribe = '{"jsonrpc":"2.0","id":1,"method":"slotSubscribe"}'
    stack.control({ faults: { slotSubscribe: { kind: 'silent', times: 1 } } })
    const silent = await opened()
    const heard: string[] = []
    silent.on('message', data => heard.push(String(data)))
    silent.send(subscribe)
    await new Promise(resolve => silent.once('message', resolve))
    stack.chain.advance(3)
    const other = await opened()
    other.send(subscribe)
    await new Promise(resolve => other.once('message', resolve))
    expect(heard).toHaveLength(1)
    const codes = Promise.all([silent, other].map(socket => new Promise(resolve => socket.once('close', resolve))))
    stack.control({ sockets: 'drop' })
    expect(await codes).toEqual([1006, 1006])
  })

  test.each([
    [{ faults: { getSlot: { kind: 'explode' } } }, 'fault of getSlot expected kind latency'],
    [{ faults: { getSlot: { kind: 'status', status: 99 } } }, 'expected a status from 200 to 599'],
    [{ faults: { getSlot: { kind: 'latency' } } }, 'expected ms as a whole number'],
    [{ faults: [] }, 'faults expected a record'],
    [{ advance: -1 }, 'advance expected a whole number'],
    [{ explode: true }, 'control knows advance'],
    [{ operator: { explode: true } }, 'operator knows checkpoint'],
    [{ operator: { termsFile: 'gone' } }, 'termsFile expected normal, corrupt, changed'],
    [7, 'control expected a JSON record'],
  ])('the order %j gets a sentence', async (order, sentence) => {
    const { status, body } = await door('/control', order)
    expect(status).toBe(400)
    expect(body.error).toContain(sentence)
  })
})

describe('persistence', () => {
  const folder = mkdtempSync(join(tmpdir(), 'local-solana-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const options = { clock: 'manual', seed: 'kept', stateDir: folder } as const

  test('a restarted chain continues exactly as one without a restart', async () => {
    const [kept, straight] = await Promise.all([startSolana(options), startSolana({ clock: 'manual', seed: 'kept' })])
    const half = (of: SolanaStack) => {
      of.give(person.address, { sol: '3', usdc: '10' })
      of.chain.advance(50)
      of.control({ operator: { pause: true } })
    }
    const rest = (of: SolanaStack) => {
      of.control({ operator: { resume: true } })
      of.give(person.address, { sol: '3', usdc: '10' })
      of.chain.advance(40)
      of.control({ operator: { checkpoint: true } })
    }
    half(kept)
    half(straight)
    await kept.close()
    const again = await startSolana(options)
    expect(again.info.genesisHash).toBe(straight.info.genesisHash)
    rest(again)
    rest(straight)
    expect(again.chain.snapshot().ledger).toEqual(straight.chain.snapshot().ledger)
    expect(again.chain.snapshot().accounts.sort(byAddress)).toEqual(straight.chain.snapshot().accounts.sort(byAddress))
    expect(again.operator.published).toEqual(straight.operator.published)
    await Promise.all([again.close(), straight.close()])
  })

  test.each([
    ['of another seed', (text: string) => text.replace('"seed":"kept"', '"seed":"lost"')],
    ['cut in the middle', (text: string) => text.slice(0, 5_000)],
    ['that is something else', () => '{"format":"other"}'],
    ['without its blocks', (text: string) => JSON.stringify({ ...JSON.parse(text), chain: {} })],
  ])('a stored file %s is refused with the remedy', async (_what, spoil) => {
    const file = join(folder, 'chain.json')
    const good = readFileSync(file, 'utf8')
    writeFileSync(file, spoil(good))
    await expect(startSolana(options)).rejects.toThrow('start with --fresh')
    writeFileSync(file, good)
  })
})

const byAddress = (a: { address: string }, b: { address: string }) => (a.address < b.address ? -1 : 1)
