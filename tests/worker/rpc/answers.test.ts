import { describe, expect, test } from 'vitest'
import { encodeBase58 } from '../../../src/events/values/solana/base58.ts'
import { programs } from '../../../src/worker/chains/solana/programs.ts'
import { readClock, readMint, readMintDecimals, readTokenAccount } from '../../../src/worker/rpc/accountData.ts'
import { accounts, genesisHash, readAnswer, signatures, statuses } from '../../../src/worker/rpc/answers.ts'
import { toBase64 } from '../../../src/worker/walletconnect/crypto/encoding.ts'

const sysvar = 'Sysvar1111111111111111111111111111111111111'
const account = (owner: string, bytes: Uint8Array) => {
  return { lamports: 1, owner, data: [toBase64(bytes), 'base64'] as [string, 'base64'] }
}
const code = (name: string) => expect.objectContaining({ code: name })

describe('an answer', () => {
  test('may have additional fields', () => {
    const value = { context: { slot: 5, apiVersion: 'x' }, value: [null] }
    expect(readAnswer(accounts, value, 'getMultipleAccounts').context.slot).toBe(5)
  })

  test.each([
    [accounts, { context: { slot: 5 }, value: [{ lamports: 2 ** 53, owner: sysvar, data: ['', 'base64'] }] }],
    [accounts, { context: { slot: -1 }, value: [] }],
    [accounts, { context: {}, value: [] }],
    [accounts, { context: { slot: 1 }, value: [{ lamports: 1, owner: sysvar, data: ['', 'base58'] }] }],
    [accounts, null],
    [genesisHash, 'short'],
    [genesisHash, 7],
    [signatures, [{ signature: 'x', slot: 1, err: null }]],
    [statuses, { context: { slot: 1 }, value: [{ slot: 1.5, confirmations: null, err: null }] }],
  ])('of another shape is refused by the wrong field (%#)', (schema, value) => {
    expect(() => readAnswer(schema as typeof genesisHash, value, 'the method')).toThrow(code('bad_response'))
  })
})

describe('the Clock', () => {
  const clock = (seconds: bigint) => {
    const bytes = new Uint8Array(40)
    new DataView(bytes.buffer).setBigInt64(32, seconds, true)
    return bytes
  }

  test('tells chain time in milliseconds', () => {
    expect(readClock(account(sysvar, clock(1_798_848_000n)))).toBe(1_798_848_000_000)
  })

  test.each([
    ['absent', null],
    ["another program's", account(programs.system, clock(1n))],
    ['cut off', account(sysvar, clock(1n).subarray(0, 39))],
    ['before 1970', account(sysvar, clock(-1n))],
    ['past all sense', account(sysvar, clock(1n << 60n))],
  ])('that is %s is a lie', (_, given) => {
    expect(() => readClock(given)).toThrow(code('rpc_lying'))
  })
})

describe('token accounts', () => {
  const bytes = (state: number) => {
    const data = new Uint8Array(165)
    data.fill(1, 0, 32).fill(2, 32, 64)
    new DataView(data.buffer).setBigUint64(64, 2n ** 64n - 1n, true)
    data[108] = state
    return data
  }

  test('hold up to 2^64 - 1 base units', () => {
    expect(readTokenAccount(account(programs.token, bytes(1)), 'it')).toMatchObject({
      amount: 2n ** 64n - 1n,
      frozen: false,
    })
    expect(readTokenAccount(account(programs.token, bytes(2)), 'it')?.frozen).toBe(true)
  })

  test('are absent where nothing, something else, or something not yet set up stands', () => {
    expect(readTokenAccount(null, 'it')).toBeUndefined()
    expect(readTokenAccount(account(programs.system, bytes(1)), 'it')).toBeUndefined()
    expect(readTokenAccount(account(programs.token, bytes(0)), 'it')).toBeUndefined()
  })

  test('of another length are a lie', () => {
    expect(() => readTokenAccount(account(programs.token, new Uint8Array(10)), 'it')).toThrow(code('rpc_lying'))
  })

  test('a mint has its decimals at byte 44', () => {
    const mint = new Uint8Array(82)
    mint[44] = 6
    expect(readMintDecimals(account(programs.token, mint))).toBe(6)
    expect(readMintDecimals(account(programs.token, bytes(1)))).toBeUndefined()
    expect(readMintDecimals(null)).toBeUndefined()
  })
})

describe('a mint', () => {
  const mint = (change: (data: Uint8Array) => void = () => {}) => {
    const data = new Uint8Array(82)
    data[44] = 9
    data[45] = 1
    change(data)
    return data
  }
  /** Of Token-2022: the mint, padding, the kind of the account, and an extension. */
  const extended = (kind: number) => {
    const data = new Uint8Array(234)
    data.set(mint(base => base.fill(1, 0, 1).fill(7, 4, 36)))
    return data.fill(kind, 165, 166).fill(18, 166, 167)
  }
  const key = (byte: number) => encodeBase58(new Uint8Array(32).fill(byte))

  test('whose authorities were given up has none, whatever their bytes still say', () => {
    const given = mint(data => data.fill(7, 4, 36).fill(8, 50, 82))
    expect(readMint(account(programs.token, given), programs.token, 'it')).toEqual({ decimals: 9 })
  })

  test('with extensions of Token-2022 is read like one without', () => {
    expect(readMint(account(programs.token2022, extended(1)), programs.token2022, 'it')).toEqual({
      mintAuthority: key(7),
      decimals: 9,
    })
  })

  test.each([
    ['minting', 0, { mintAuthority: key(7), decimals: 9 }],
    ['freezing', 46, { freezeAuthority: key(7), decimals: 9 }],
  ])('names who rules %s', (_name, at, expected) => {
    const given = mint(data => data.fill(1, at, at + 1).fill(7, at + 4, at + 36))
    expect(readMint(account(programs.token, given), programs.token, 'it')).toEqual(expected)
  })

  test.each([
    ['absent', null],
    ["another program's", account(programs.system, mint())],
    ['of the other token program', account(programs.token2022, mint())],
    ['a token account', account(programs.token, new Uint8Array(165))],
    ['a longer account without the mark of a mint', account(programs.token, new Uint8Array(234))],
    ['an extended token account', account(programs.token, extended(2))],
    [
      'not set up',
      account(
        programs.token,
        mint(data => data.fill(0, 45, 46)),
      ),
    ],
    [
      'marked by neither 0 nor 1',
      account(
        programs.token,
        mint(data => data.fill(2, 46, 47)),
      ),
    ],
  ])('that is %s is refused', (_name, given) => {
    expect(() => readMint(given, programs.token, 'it')).toThrow(code('bad_response'))
  })
})
