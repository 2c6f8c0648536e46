/** Errors of the local chain, compared with the shapes clients read. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { base58, base64 } from '../stack/solana/bytes.ts'
import { signedTransaction } from '../stack/solana/compile.ts'
import { seededKeypair } from '../stack/solana/keys.ts'
import {
  associatedAccount,
  computeUnitLimit,
  createAssociatedAccount,
  type Instruction,
  LOOKUP_TABLE,
  memo,
  SECP256K1_PROGRAM,
  transfer,
  transferChecked,
} from '../stack/solana/programs.ts'
import { type SolanaStack, startSolana } from '../stack/solana/server.ts'

let stack: SolanaStack
const payer = seededKeypair('errors', 'payer')
const poor = seededKeypair('errors', 'poor')
const stranger = seededKeypair('errors', 'stranger')

beforeAll(async () => {
  stack = await startSolana({ clock: 'manual', seed: 'errors' })
  stack.give(payer.address, { sol: '10' })
  stack.chain.advance(40)
})
afterAll(() => stack.close())

type Answer = {
  result?: unknown
  error?: { code: number; message: string; data?: Record<string, unknown> }
  id?: unknown
}

const post = async (body: string): Promise<string> => (await fetch(stack.url, { method: 'POST', body })).text()
const call = async (method: string, ...params: unknown[]): Promise<Answer> =>
  JSON.parse(await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })))
const tipHash = () => stack.chain.blocks.tip().blockhash
const signed = (instructions: Instruction[], blockhash = tipHash()) =>
  signedTransaction(instructions, [payer], blockhash)
const send = (bytes: Uint8Array, options: Record<string, unknown> = {}) =>
  call('sendTransaction', base64(bytes), { encoding: 'base64', ...options })

describe('requests', () => {
  test.each([
    ['text that is not JSON', 'hello', -32700],
    ['a number', '1', -32600],
    ['an empty batch', '[]', -32600],
    ['no method', '{"jsonrpc":"2.0","id":1}', -32600],
    ['another protocol version', '{"jsonrpc":"1.0","id":1,"method":"getSlot"}', -32600],
    ['an id that is a list', '{"jsonrpc":"2.0","id":[],"method":"getSlot"}', -32600],
    ['named parameters', '{"jsonrpc":"2.0","id":1,"method":"getSlot","params":{}}', -32602],
    ['a method nobody has', '{"jsonrpc":"2.0","id":1,"method":"constructor"}', -32601],
  ])('%s gets its code', async (_what, body, code) => {
    expect(JSON.parse(await post(body))).toMatchObject({ jsonrpc: '2.0', error: { code } })
  })

  test('a batch is answered in its order, notifications left out', async () => {
    const request = (id: number | undefined, method: string) => ({ jsonrpc: '2.0', id, method })
    const batch = [
      request(1, 'getHealth'),
      request(undefined, 'getSlot'),
      request(2, 'nothing'),
      request(3, 'getGenesisHash'),
    ]
    const answers = JSON.parse(await post(JSON.stringify(batch))) as Answer[]
    expect(answers.map(answer => answer.id)).toEqual([1, 2, 3])
    expect(answers.map(answer => answer.error?.code)).toEqual([undefined, -32601, undefined])
    expect(await post('[{"jsonrpc":"2.0","method":"getSlot"}]')).toBe('')
  })

  test.each([
    ['getBalance', [], '`params` should have at least 1 argument'],
    ['getBalance', ['abc'], 'Invalid param: WrongSize'],
    ['getBalance', ['0OIl'], 'Invalid param: Invalid'],
    ['getBalance', [5], 'Invalid params: invalid type: number, expected a string.'],
    ['getBalance', ['11111111111111111111111111111111', { commitment: 'soon' }], 'Invalid params: unknown commitment'],
    ['getMultipleAccounts', [Array(101).fill('11111111111111111111111111111111')], 'Too many inputs provided; max 100'],
    ['getTokenAccountBalance', ['11111111111111111111111111111112'], 'Invalid param: could not find account'],
    [
      'getTokenAccountsByOwner',
      ['11111111111111111111111111111111', { mint: '11111111111111111111111111111112' }],
      'Invalid param: could not find mint',
    ],
    ['getSignaturesForAddress', ['11111111111111111111111111111111', { limit: 1001 }], 'Invalid limit; max 1000'],
    [
      'getSignaturesForAddress',
      ['11111111111111111111111111111111', { commitment: 'processed' }],
      'Method does not support commitment below `confirmed`',
    ],
    ['getSignatureStatuses', [['abc']], 'Invalid param: WrongSize'],
    ['getMinimumBalanceForRentExemption', [1.5], 'Invalid params: expected a whole number'],
    ['requestAirdrop', ['11111111111111111111111111111112', 0], 'Invalid params: an airdrop needs at least 1 lamport'],
  ])('%s %j is refused as invalid parameters', async (method, params, sentence) => {
    const { error } = await call(method, ...params)
    expect(error?.code).toBe(-32602)
    expect(error?.message).toContain(sentence)
  })

  test('a slot beyond the newest one is refused with the newest slot', async () => {
    const { slot } = stack.chain.blocks.seen('finalized')
    const { error } = await call('getBalance', payer.address, { minContextSlot: slot + 1 })
    expect(error).toMatchObject({ code: -32016, data: { contextSlot: slot } })
    expect((await call('getBlock', slot + 1_000)).error?.code).toBe(-32004)
  })

  test('a page of any origin may call, with the header that web3.js adds', async () => {
    const answer = await fetch(stack.url, { method: 'OPTIONS' })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-headers')).toBe('content-type, solana-client')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('transactions that cannot run', () => {
  test('a program error comes with its sentence, logs and units', async () => {
    const { error } = await send(signed([transfer(payer.address, stranger.address, 10n ** 15n)]).bytes)
    expect(error?.code).toBe(-32002)
    expect(error?.message).toBe(
      'Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1',
    )
    expect(error?.data).toMatchObject({
      err: { InstructionError: [0, { Custom: 1 }] },
      accounts: null,
      innerInstructions: null,
      returnData: null,
      replacementBlockhash: null,
      unitsConsumed: 150,
    })
    expect(error?.data?.logs).toHaveLength(3)
  })

  test.each([
    ['a payer that was never funded', () => signedTransaction([memo('x')], [poor], tipHash()), 'AccountNotFound'],
    [
      'a recipient below rent',
      () => signed([transfer(payer.address, stranger.address, 1n)]),
      { InsufficientFundsForRent: { account_index: 1 } },
    ],
    ['a blockhash nobody made', () => signed([memo('x')], base58(new Uint8Array(32).fill(9))), 'BlockhashNotFound'],
  ])('%s is told by name', async (_what, build, err) => {
    const { error } = await send(build().bytes)
    expect(error).toMatchObject({ code: -32002, data: { err } })
  })

  test('a blockhash is valid for exactly 150 blocks', async () => {
    const [last, over] = [signed([memo('last')]).bytes, signed([memo('over')]).bytes]
    stack.chain.advance(150)
    expect((await send(last)).error).toBeUndefined()
    stack.chain.advance(1)
    expect((await send(over)).error?.data?.err).toBe('BlockhashNotFound')
  })

  test('sending the same bytes again is AlreadyProcessed, or the signature when preflight is skipped', async () => {
    const { bytes, signature } = signed([memo('once')])
    expect((await send(bytes)).result).toBe(signature)
    const landed = stack.chain.ledger.all().length
    expect((await send(bytes)).error).toMatchObject({
      code: -32002,
      message: 'Transaction simulation failed: This transaction has already been processed',
      data: { err: 'AlreadyProcessed' },
    })
    expect((await send(bytes, { skipPreflight: true })).result).toBe(signature)
    expect(stack.chain.ledger.all()).toHaveLength(landed)
  })

  test('without preflight, a transaction that cannot land gets its signature and no record', async () => {
    const forged = signed([memo('forged')])
    forged.bytes[1] = (forged.bytes[1] ?? 0) ^ 1
    expect((await send(forged.bytes)).error).toMatchObject({
      code: -32003,
      message: 'Transaction signature verification failure',
    })
    const signature = base58(forged.bytes.slice(1, 65))
    expect((await send(forged.bytes, { skipPreflight: true })).result).toBe(signature)
    expect((await call('getSignatureStatuses', [signature], { searchTransactionHistory: true })).result).toMatchObject({
      value: [null],
    })
  })

  test('a failing transaction sent past the preflight lands with its error and pays its fee', async () => {
    const before = stack.chain.accounts.now(payer.address)?.lamports ?? 0n
    const { bytes, signature } = signed([transfer(payer.address, stranger.address, 10n ** 15n)])
    await send(bytes, { skipPreflight: true })
    expect(stack.chain.accounts.now(payer.address)?.lamports).toBe(before - 5_000n)
    const { result } = await call('getSignatureStatuses', [signature])
    const err = { InstructionError: [0, { Custom: 1 }] }
    expect(result).toMatchObject({ value: [{ err, status: { Err: err }, confirmationStatus: 'processed' }] })
  })

  test.each([
    ['cut short', (bytes: Uint8Array) => bytes.slice(0, 100), 'failed to deserialize transaction'],
    [
      'with a byte too many',
      (bytes: Uint8Array) => Uint8Array.from([...bytes, 0]),
      'failed to deserialize transaction',
    ],
    [
      'of an unknown version',
      (bytes: Uint8Array) => Uint8Array.from([...bytes.slice(0, 65), 0x81, ...bytes.slice(65)]),
      'version 1 is not supported',
    ],
    [
      'with more signatures than its header says',
      (bytes: Uint8Array) => Uint8Array.from([2, ...bytes.slice(1, 65), ...bytes.slice(1)]),
      'invalid transaction',
    ],
    ['over the limit', () => new Uint8Array(1_233), 'too large: 1233 bytes'],
    ['empty', () => new Uint8Array(0), 'failed to deserialize transaction'],
  ])('bytes %s are refused', async (_what, spoil, sentence) => {
    const { error } = await send(spoil(signed([memo('x')]).bytes))
    expect(error?.code).toBe(-32602)
    expect(error?.message).toContain(sentence)
  })

  test('a simulation reports the outcome and changes nothing', async () => {
    const { bytes } = signed([transfer(payer.address, stranger.address, 2_000_000n)], base58(new Uint8Array(32)))
    const options = { encoding: 'base64', replaceRecentBlockhash: true, accounts: { addresses: [stranger.address] } }
    const { result } = await call('simulateTransaction', base64(bytes), options)
    expect(result).toMatchObject({
      value: { err: null, unitsConsumed: 150, accounts: [{ lamports: 2_000_000 }], replacementBlockhash: {} },
    })
    expect(stack.chain.accounts.now(stranger.address)).toBeUndefined()
    const refused = await call('simulateTransaction', base64(bytes), { encoding: 'base64' })
    expect(refused.result).toMatchObject({ value: { err: 'BlockhashNotFound', logs: [] } })
  })
})

test('four thousand mutated transactions and requests leave the chain standing', async () => {
  const native = 'So11111111111111111111111111111111111111112'
  const own = associatedAccount(payer.address, native)
  const move = { from: own, mint: native, to: own, authority: payer.address, amount: 1n, decimals: 9 }
  const reader = [{ address: payer.address, signer: true }]
  const seeds: Instruction[][] = [
    [computeUnitLimit(50_000), memo('hello'), transfer(payer.address, stranger.address, 1_000_000n)],
    [createAssociatedAccount(payer.address, payer.address, native), transferChecked(move)],
    [
      { program: SECP256K1_PROGRAM, accounts: [], data: new Uint8Array(40).fill(1) },
      { program: LOOKUP_TABLE, accounts: reader, data: new Uint8Array(20) },
      { program: 'Stake11111111111111111111111111111111111111', accounts: reader, data: new Uint8Array(20) },
    ],
  ]
  let state = 7
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % below
  }
  const whole = seeds.map(instructions => signed(instructions).bytes)
  const method = () => (random(3) === 0 ? 'sendTransaction' : 'simulateTransaction')
  const requests = Array.from({ length: 4_000 }, (_, id) => {
    const bytes = Uint8Array.from(whole[id % whole.length] ?? [])
    // Half of them preserve the signatures' bytes, so that most mutations reach the message.
    const from = id % 2 ? 0 : 65
    for (let times = 1 + random(4); times > 0; times--)
      bytes[from + random(bytes.length - from)] = random(4) > 0 ? random(256) : random(12)
    const cut = random(20) === 0 ? bytes.slice(0, random(bytes.length)) : bytes
    return {
      jsonrpc: '2.0',
      id,
      method: method(),
      params: [base64(cut), { encoding: 'base64', skipPreflight: id % 3 > 0 }],
    }
  })
  let answered = 0
  for (let at = 0; at < requests.length; at += 500) {
    const answers = JSON.parse(await post(JSON.stringify(requests.slice(at, at + 500)))) as Answer[]
    answered += answers.length
    expect(answers.filter(answer => answer.error?.code === -32603)).toEqual([])
  }
  expect(answered).toBe(4_000)
  const spoiled = JSON.stringify(requests[0])
  for (let at = 0; at < 500; at++) {
    const place = random(spoiled.length)
    await post(spoiled.slice(0, place) + String.fromCharCode(32 + random(95)) + spoiled.slice(place + 1))
  }
  expect((await call('getHealth')).result).toBe('ok')
})

describe('sockets', () => {
  const opened = async (url: string) => {
    const socket = new WebSocket(url)
    await new Promise(resolve => socket.once('open', resolve))
    const next = () => new Promise<Answer>(resolve => socket.once('message', data => resolve(JSON.parse(String(data)))))
    return { socket, next }
  }

  test('both ports take subscriptions; a level already reached is notified right after the id', async () => {
    const { bytes, signature } = signed([memo('told late')])
    await send(bytes)
    stack.chain.advance(1)
    for (const port of [stack.port, stack.port + 1]) {
      const { socket } = await opened(`ws://127.0.0.1:${port}`)
      const heard: Answer[] = []
      const two = new Promise<void>(resolve => {
        socket.on('message', data => {
          if (heard.push(JSON.parse(String(data))) === 2) resolve()
        })
      })
      const params = [signature, { commitment: 'confirmed' }]
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 'a', method: 'signatureSubscribe', params }))
      await two
      const subscription = heard[0]?.result
      expect(heard[0]).toMatchObject({ id: 'a', result: expect.any(Number) })
      expect(heard[1]).toMatchObject({
        method: 'signatureNotification',
        params: { subscription, result: { value: { err: null }, context: { slot: expect.any(Number) } } },
      })
      socket.close()
    }
  })

  test.each([
    ['not JSON', 'hello', -32700],
    ['a method of HTTP', '{"jsonrpc":"2.0","id":1,"method":"getSlot"}', -32601],
    ['a signature that is none', '{"jsonrpc":"2.0","id":1,"method":"signatureSubscribe","params":["a"]}', -32602],
    ['an id nobody has', '{"jsonrpc":"2.0","id":1,"method":"slotUnsubscribe","params":[99999]}', -32602],
  ])('%s is refused and the socket goes on', async (_what, frame, code) => {
    const { socket, next } = await opened(stack.wsUrl)
    const answer = next()
    socket.send(frame)
    expect((await answer).error?.code).toBe(code)
    const more = next()
    socket.send('{"jsonrpc":"2.0","method":"ping"}')
    socket.send('{"jsonrpc":"2.0","id":2,"method":"slotSubscribe"}')
    expect(await more).toMatchObject({ id: 2, result: expect.any(Number) })
    socket.close()
  })

  test('an account that outgrows its subscription ends the subscription, not the chain', async () => {
    const owner = seededKeypair('errors', 'token owner').address
    const account = associatedAccount(owner, stack.info.usdcMint)
    const { socket, next } = await opened(stack.wsUrl)
    const answer = next()
    const params = [account, { commitment: 'processed', encoding: 'base58' }]
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'accountSubscribe', params }))
    await answer
    stack.give(owner, { usdc: '1' })
    stack.chain.advance(1)
    expect((await call('getHealth')).result).toBe('ok')
    socket.close()
  })
})
