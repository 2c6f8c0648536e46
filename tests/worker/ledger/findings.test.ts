import { describe, expect, test } from 'vitest'
import { findingsIn } from '../../../src/worker/ledger/findings.ts'
import { ledgerSaleOf } from '../../../src/worker/ledger/ledgerSale.ts'
import type { LedgerTransaction } from '../../../src/worker/ledger/ledgerTransaction.ts'
import { readTerms } from '../../../src/events/sale/terms/terms.ts'
import { seededKeypair } from '../../stack/solana/keys.ts'
import {
  createAccount,
  type Instruction,
  MEMO_V1,
  memo,
  transfer,
  transferChecked,
} from '../../stack/solana/programs.ts'
import { exampleTermsHash, exampleTermsText } from '../../events/values/exampleTerms.ts'

const { terms } = readTerms(exampleTermsText)
const sale = ledgerSaleOf([{ terms, hash: exampleTermsHash }])
const { authority, treasury } = terms
const [sol, usdc] = sale.watched.map(({ address }) => address) as [string, string]
const buyer = seededKeypair('findings', 'buyer').address
const other = seededKeypair('findings', 'other').address
const source = seededKeypair('findings', 'source').address
const mint = terms.assets[1]?.mint ?? ''

const order = (asset = 'SOL', units = '5000', terms = '0c1754de9a252f45') =>
  `mai1:${terms}:5b0e9d7c31f4a826:${asset}:${units}:1:1`
const pay = (units = 5_000n, from = buyer) => transfer(from, treasury, units)
const payUsdc = (units = 5_000n, by = buyer) =>
  transferChecked({ from: source, mint, to: usdc, authority: by, amount: units, decimals: 6 })

type Given = { sol?: bigint; usdc?: bigint; signers?: string[]; owner?: string; failed?: boolean }

function found(instructions: Instruction[], { signers = [buyer], owner = buyer, failed = false, ...moved }: Given) {
  const balances = [
    { asset: 'SOL', before: 10_000n, after: 10_000n + (moved.sol ?? 0n) },
    { asset: 'USDC', before: 10_000n, after: 10_000n + (moved.usdc ?? 0n) },
  ]
  const transaction: LedgerTransaction = {
    signature: 'signature',
    slot: 1,
    time: 1,
    failed,
    signers,
    instructions: instructions.map(({ program, accounts, data }) => ({
      program,
      accounts: accounts.map(({ address }) => address),
      data,
    })),
    balances,
    owners: new Map([[source, owner]]),
    strays: [],
  }
  return findingsIn(transaction, sale).map(finding =>
    finding.kind === 'notice'
      ? 'notice'
      : `${finding.kind === 'refused' ? finding.status : finding.kind} ${finding.units} ${finding.asset}` +
        ('buyer' in finding
          ? ` of ${finding.buyer === buyer ? 'buyer' : finding.buyer === other ? 'other' : 'unknown'}`
          : ''),
  )
}

describe('a transaction of a sale', () => {
  test('with one transfer and its order is an order', () => {
    expect(found([memo(order()), pay()], { sol: 5_000n })).toEqual(['order 5000 SOL of buyer'])
    expect(found([memo(order('USDC')), payUsdc()], { usdc: 5_000n })).toEqual(['order 5000 USDC of buyer'])
  })

  test('that failed, or changed no watched account, is ignored', () => {
    expect(found([memo(order()), pay()], { sol: 5_000n, failed: true })).toEqual([])
    expect(found([memo(order()), pay()], {})).toEqual([])
  })

  test('that takes money out is an outflow', () => {
    expect(found([], { sol: -4_000n })).toEqual(['outflow 4000 SOL'])
    expect(found([memo(order()), pay()], { sol: -10n, usdc: -3n })).toEqual(['outflow 10 SOL', 'outflow 3 USDC'])
  })

  test('signed by the authority is funding, and with an order a payment', () => {
    const signers = [buyer, authority]
    expect(found([pay()], { sol: 5_000n, signers })).toEqual(['funding 5000 SOL'])
    expect(found([], { usdc: 5_000n, signers })).toEqual(['funding 5000 USDC'])
    expect(found([memo(order()), pay()], { sol: 5_000n, signers })).toEqual(['order 5000 SOL of buyer'])
  })

  test('without an order is for the manual list', () => {
    expect(found([pay()], { sol: 5_000n })).toEqual(['no_memo 5000 SOL of buyer'])
    expect(found([memo('deposit 77'), pay()], { sol: 5_000n })).toEqual(['no_memo 5000 SOL of buyer'])
    expect(found([{ ...memo(order()), program: MEMO_V1 }, pay()], { sol: 5_000n })).toEqual([
      'no_memo 5000 SOL of buyer',
    ])
  })

  test('with two transfers is malformed, and each payer is owed what they paid', () => {
    const signers = [buyer, other]
    const two = [memo(order()), pay(), pay(70n, other)]
    expect(found(two, { sol: 5_070n, signers })).toEqual(['malformed 5000 SOL of buyer', 'malformed 70 SOL of other'])
    expect(found(two, { sol: 5_071n, signers })).toEqual(['malformed 5071 SOL of buyer'])
    expect(found([memo(order()), pay(), payUsdc()], { sol: 5_000n, usdc: 5_000n })).toEqual([
      'malformed 5000 SOL of buyer',
      'malformed 5000 USDC of buyer',
    ])
  })

  test('with two orders, or one that cannot be read, is malformed', () => {
    expect(found([memo(order()), memo(order()), pay()], { sol: 5_000n })).toEqual(['malformed 5000 SOL of buyer'])
    expect(found([memo('mai1:x'), pay()], { sol: 5_000n })).toEqual(['malformed 5000 SOL of buyer'])
    expect(found([memo(`${order()}:0`), pay()], { sol: 5_000n })).toEqual(['malformed 5000 SOL of buyer'])
  })

  test('whose order says another amount or asset, or whose balance changed by another amount, is a mismatch', () => {
    expect(found([memo(order('SOL', '5001')), pay()], { sol: 5_000n })).toEqual(['mismatch 5000 SOL of buyer'])
    expect(found([memo(order('USDC')), pay()], { sol: 5_000n })).toEqual(['mismatch 5000 SOL of buyer'])
    expect(found([memo(order()), pay()], { sol: 5_001n })).toEqual(['mismatch 5001 SOL of buyer'])
    expect(found([memo(order('SOL', '5001')), pay()], { sol: 5_001n })).toEqual(['mismatch 5001 SOL of buyer'])
  })

  test('of a delegate, or of an owner who did not sign, is delegated', () => {
    const given = { usdc: 5_000n }
    expect(found([memo(order('USDC')), payUsdc()], { ...given, owner: other })).toEqual([
      'delegated 5000 USDC of buyer',
    ])
    expect(found([memo(order('USDC')), payUsdc(5_000n, other)], { ...given, owner: other })).toEqual([
      'delegated 5000 USDC of other',
    ])
  })

  test('whose money came inside another program is for the manual list', () => {
    expect(found([memo(order())], { sol: 5_000n })).toEqual(['inner 5000 SOL of unknown'])
    const made = createAccount(buyer, sol, { lamports: 5_000n, space: 0, owner: other })
    expect(found([memo(order()), made], { sol: 5_000n })).toEqual(['inner 5000 SOL of unknown'])
    expect(found([memo(order()), pay()], { sol: 5_000n, usdc: 9n })).toEqual([
      'order 5000 SOL of buyer',
      'inner 9 USDC of unknown',
    ])
  })

  test('with a transfer of nothing beside its payment is an order', () => {
    expect(found([memo(order()), pay(0n), pay()], { sol: 5_000n })).toEqual(['order 5000 SOL of buyer'])
  })

  test('with an order of unknown terms is left to the evaluation', () => {
    expect(found([memo(order('SOL', '5000', 'f'.repeat(16))), pay()], { sol: 5_000n })).toEqual([
      'order 5000 SOL of buyer',
    ])
  })
})
