/** Readers of accounts that anyone may have written: whatever stands there, they end in an answer or a named refusal. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseAmount } from '../../../src/events/values/amount.ts'
import { Fault } from '../../../src/runtime/failure.ts'
import { programs } from '../../../src/worker/chains/solana/programs.ts'
import {
  checkAddress,
  checkOddities,
  checkRecipient,
  checkToken,
  readEitherTokenAccount,
} from '../../../src/worker/rpc/sendable.ts'

const owners = [programs.system, programs.token, programs.token2022, programs.memo]
/** Mint-like data: of a mint's length, or with extensions of any kind and length behind it. */
const data = fc.oneof(
  fc.uint8Array({ maxLength: 400 }),
  fc
    .tuple(fc.uint8Array({ minLength: 165, maxLength: 165 }), fc.uint8Array({ maxLength: 200 }))
    .map(([before, behind]) => {
      const mint = Uint8Array.from([...before, 1, ...behind])
      mint[44] = 6
      mint[45] = 1
      return mint
    }),
)
const accounts = fc.record({ lamports: fc.nat(), owner: fc.constantFrom(...owners), data }).map(account => ({
  ...account,
  data: [Buffer.from(account.data).toString('base64'), 'base64'] as [string, 'base64'],
}))

/** @returns the rule or code of the refusal; undefined when there was none */
function ruleOf(read: () => unknown): string | undefined {
  try {
    read()
    return undefined
  } catch (cause) {
    if (cause instanceof Fault) return String(cause.facts?.rule ?? cause.code)
    throw cause
  }
}

describe('an account that anyone may have written', () => {
  test('is a recipient only when the system owns it and it holds no data', () => {
    fc.assert(
      fc.property(accounts, account => {
        const rule = ruleOf(() => checkRecipient(account as never))
        const isWallet = account.owner === programs.system && account.data[0] === ''
        expect(rule === undefined).toBe(isWallet)
      }),
    )
  })

  test('is read as a token to the end, or refused by a rule', () => {
    fc.assert(
      fc.property(accounts, fc.boolean(), (account, isNew) => {
        const token = { program: account.owner, decimals: 6 }
        const rule = ruleOf(() => {
          const rent = checkToken(account as never, token, isNew)
          expect(rent).toBeGreaterThanOrEqual(2_039_280n)
        })
        if (rule !== undefined) expect(rule).toMatch(/^(TOKEN_[A-Z_]+|decimals)$/)
        readEitherTokenAccount(account as never, account.owner)
      }),
    )
  })
})

describe('a typed text', () => {
  test('is an address of 32 bytes, or refused', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80, unit: 'binary' }), text => {
        expect(ruleOf(() => checkAddress(text))).toBe('RECIPIENT')
      }),
    )
    expect(ruleOf(() => checkAddress(programs.memo))).toBeUndefined()
  })

  test('is an amount that writes the same number again, or no amount', () => {
    const typed = fc.oneof(
      fc.string({ maxLength: 40, unit: 'binary' }),
      fc.stringMatching(/^[0-9.,e+-]{0,40}$/),
      fc.constantFrom('1e9', ',5', '00', '٣', '１', '1_000', '0x10', 'Infinity', '-0'),
    )
    fc.assert(
      fc.property(typed, fc.integer({ min: 0, max: 255 }), (text, decimals) => {
        const read = parseAmount(text, decimals)
        if (!read.ok) return
        const [whole = '', fraction = ''] = text.split('.')
        expect(BigInt(read.units)).toBe(BigInt(whole + fraction.padEnd(decimals, '0')))
      }),
    )
  })

  test('looks like a known address by its first and last four characters alone', () => {
    const known = 'FDCPLBDvXwCwLnxokbB1FuTQD4MvpE1JHJoJWdemNEyT'
    const alike = `FDCP${'1'.repeat(36)}NEyT`
    expect(ruleOf(() => checkOddities(alike, [known], ['offCurve']))).toBe('RECIPIENT_LOOKS_ALIKE')
    expect(ruleOf(() => checkOddities(known, [known], ['offCurve']))).toBeUndefined()
    expect(ruleOf(() => checkOddities(alike, [], ['offCurve']))).toBeUndefined()
  })
})
