import { describe, expect, test } from 'vitest'
import type { Terms } from '../../../src/events/sale/terms/terms.ts'
import type { DecodedInstruction } from '../../../src/events/values/solana/transaction.ts'
import { associatedTokenAddress } from '../../../src/worker/chains/solana/ata.ts'
import { paymentIn } from '../../../src/worker/services/purchases.ts'
import { undecoded } from './undecoded.ts'

// Keys, references and memo of the reference "Presale", §16.
const buyer = '2xiXgcbXRt31ToWT6KSudLTgjCPMeem8DFY64xM88C3f'
const stranger = '6NHBtZjnVhcsp6P4USe7icFZVBtxHsjTLbAWDutvcad3'
const treasury = '8YiSCNNh1SEDn4C3LHuABytuVSdtkrYVL4GRfKLtWSDa'
const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const references = [
  '6TP5qTcH47bvuewpv43TfHgrCU8hKAGKuXY6bHsCEXVr',
  'At8cGsPmPkuvcvNe4wtbxSiqNtUxw43Kqa6XWXKEGeQv',
  'FDCPLBDvXwCwLnxokbB1FuTQD4MvpE1JHJoJWdemNEyT',
]
const memo = 'mai1:0c1754de9a252f45:5b0e9d7c31f4a826:SOL:2500000000:416666666666667:416666666666666'
const terms = {
  treasury,
  assets: [
    { symbol: 'SOL', kind: 'native', decimals: 9, creditsPerUnit: '160000' },
    { symbol: 'USDC', kind: 'spl', mint: usdc, decimals: 6, creditsPerUnit: '1000000' },
  ],
} as unknown as Terms

const text = (content = memo): DecodedInstruction => ({ kind: 'memo', text: content })
const pays = (change: object = {}): DecodedInstruction => {
  return { kind: 'transfer', from: buyer, to: treasury, lamports: '2500000000', references, ...change }
}
const paysTokens = (change: object = {}): DecodedInstruction => ({
  kind: 'tokenTransfer',
  source: associatedTokenAddress(buyer, usdc),
  mint: usdc,
  destination: associatedTokenAddress(treasury, usdc),
  owner: buyer,
  amount: '375000000',
  decimals: 6,
  references,
  ...change,
})
const of = (...instructions: DecodedInstruction[]) => undecoded({ feePayer: buyer, instructions })
const usdcMemo = memo.replace('SOL:2500000000', 'USDC:375000000')
const sale = { account: buyer, terms }

describe('a payment', () => {
  test('of one inflow and one memo that agree is an order', () => {
    const sol = paymentIn(of(text(), pays()), sale)
    expect(sol).toMatchObject({ asset: 'SOL', units: '2500000000', memo: { id: '5b0e9d7c31f4a826' } })
    expect(sol).not.toHaveProperty('fault')
    expect(paymentIn(of(text(usdcMemo), paysTokens()), sale)).toMatchObject({ asset: 'USDC', units: '375000000' })
  })

  test.each([
    ['mismatch', 'of another amount than its memo says', of(text(), pays({ lamports: '2499999999' })), '2499999999'],
    ['mismatch', 'in another asset than its memo says', of(text(usdcMemo), pays()), '2500000000'],
    ['mismatch', 'in an asset the terms do not list', of(text(memo.replace('SOL', 'ETH')), pays()), '2500000000'],
    ['no_memo', 'without a memo', of(pays()), '2500000000'],
    ['no_memo', 'with a memo of another program', of(text('hello'), pays()), '2500000000'],
    ['malformed', 'with an order outside the grammar', of(text(`${memo}:`), pays()), '2500000000'],
    ['malformed', 'with two order memos', of(text(), text(), pays()), '2500000000'],
    ['malformed', 'in two parts', of(text(), pays(), pays()), '5000000000'],
    ['malformed', 'in two assets', of(text(), pays(), paysTokens()), '2500000000'],
    ['malformed', 'beside a stranger’s', of(text(), pays(), pays({ from: stranger })), '2500000000'],
  ])('is %s %s', (fault, _, transaction, units) => {
    expect(paymentIn(transaction, sale)).toMatchObject({ fault, units, asset: 'SOL' })
  })

  test.each([
    ['signed by another', of(text(), pays({ from: stranger }))],
    ['to somebody else', of(text(), pays({ to: stranger }))],
    ['by tokens of another owner', of(text(usdcMemo), paysTokens({ owner: stranger }))],
    ['without any payment', of(text())],
  ])('of this account is not a transaction %s', (_, transaction) => {
    expect(paymentIn(transaction, sale)).toBeUndefined()
  })
})
