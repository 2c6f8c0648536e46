import { describe, expect, test } from 'vitest'
import type { Terms } from '../../../src/events/sale/terms/terms.ts'
import type { DecodedInstruction } from '../../../src/events/values/solana/transaction.ts'
import { associatedTokenAddress } from '../../../src/worker/chains/solana/ata.ts'
import { programs } from '../../../src/worker/chains/solana/programs.ts'
import { paidAccounts, payoutIn } from '../../../src/worker/services/payouts.ts'
import { exampleTerms } from '../../events/values/exampleTerms.ts'

const terms = exampleTerms()
const owner = '2xiXgcbXRt31ToWT6KSudLTgjCPMeem8DFY64xM88C3f'
const stranger = '6TP5qTcH47bvuewpv43TfHgrCU8hKAGKuXY6bHsCEXVr'
const reserve = 'At8cGsPmPkuvcvNe4wtbxSiqNtUxw43Kqa6XWXKEGeQv'
const usdc = terms.assets[1]?.mint ?? ''
const { mint } = terms.token as { mint: string }
const { treasury } = terms
const [mark, plan] = ['0f'.repeat(8), '9c'.repeat(32)]
const sale = { mark, treasury, plans: ['7a'.repeat(32), plan] }
const accounts = paidAccounts(owner, terms)
/** The one that `memo()` names. */
const batch = { plan, batch: 3 }

const memo = (text = `maid1:${mark}:${plan.slice(0, 16)}:3`): DecodedInstruction => ({ kind: 'memo', text })
const gives = (from: string, lamports: string, to = owner): DecodedInstruction => {
  return { kind: 'transfer', from, to, lamports, references: [] }
}
const moves = (from: string, amount: string, of = usdc): DecodedInstruction => ({
  kind: 'tokenTransfer',
  source: associatedTokenAddress(from, of),
  mint: of,
  destination: associatedTokenAddress(owner, of),
  owner: from,
  amount,
  decimals: 6,
  references: [],
})
const found = (feePayer: string, ...instructions: DecodedInstruction[]) =>
  payoutIn({ feePayer, blockhash: usdc, instructions }, accounts, sale)

describe('a payout', () => {
  test('reaches the wallet and its default accounts of each asset and of the token, in Token-2022 another one', () => {
    expect(accounts).toEqual([
      { asset: 'SOL', address: owner },
      { asset: 'USDC', address: associatedTokenAddress(owner, usdc) },
      { address: associatedTokenAddress(owner, mint) },
    ])
    const token = { ...terms.token, program: 'token-2022' as const }
    const [, , last] = paidAccounts(owner, { ...terms, token })
    expect(last).toEqual({ address: associatedTokenAddress(owner, mint, programs.token2022) })
    expect(paidAccounts(owner, { ...terms, token: { ...token, mint: null } } as unknown as Terms)).toHaveLength(2)
  })

  test('is a refund from the treasury, the sum of its transfers to the account', () => {
    expect(
      found(treasury, memo(), gives(treasury, '900'), gives(treasury, '5', stranger), gives(treasury, '100')),
    ).toEqual({ paid: { asset: 'SOL', units: '1000' }, batch })
    expect(found(treasury, memo(), moves(treasury, '250'))).toEqual({ paid: { asset: 'USDC', units: '250' }, batch })
  })

  test('counts beside another account that pays the fee, where its own sender signed', () => {
    const by = (signers: string[], ...instructions: DecodedInstruction[]) =>
      payoutIn({ feePayer: stranger, signers, blockhash: usdc, instructions }, accounts, sale)
    const both = [stranger, treasury]
    expect(by(both, memo(), gives(treasury, '9'), gives(stranger, '5'))).toEqual({
      paid: { asset: 'SOL', units: '9' },
      batch,
    })
    expect(by([stranger, reserve], memo(), moves(reserve, '77', mint))).toEqual({ paid: { tokens: '77' }, batch })
    expect(by([stranger], memo(), gives(treasury, '9'))).toBeUndefined()
    expect(by(both, memo(), gives(stranger, '9'))).toBeUndefined()
  })

  test('is a delivery of the token by an announced plan, from whichever account holds the tokens', () => {
    expect(found(reserve, memo(), moves(reserve, '77', mint))).toEqual({ paid: { tokens: '77' }, batch })
  })

  test.each<[string, ReturnType<typeof found>]>([
    ['without a memo', found(treasury, gives(treasury, '9'))],
    ['with two', found(treasury, memo(), memo(), gives(treasury, '9'))],
    ['of another sale', found(treasury, memo(`maid1:${'ab'.repeat(8)}:${plan.slice(0, 16)}:3`), gives(treasury, '9'))],
    [
      'of a plan that is not announced',
      found(reserve, memo(`maid1:${mark}:${'ab'.repeat(8)}:3`), moves(reserve, '9', mint)),
    ],
    ['that a stranger pays as a refund', found(stranger, memo(), gives(stranger, '9'))],
    ['that a stranger pays as a refund in tokens', found(stranger, memo(), moves(stranger, '9'))],
    ['moved by another than its signers', found(treasury, memo(), gives(stranger, '9'))],
    ['of tokens moved by another than its signers', found(reserve, memo(), moves(stranger, '9', mint))],
    ['to others alone', found(treasury, memo(), gives(treasury, '9', stranger))],
    ['of nothing', found(treasury, memo(), gives(treasury, '0'))],
  ])('is none %s', (_, payout) => {
    expect(payout).toBeUndefined()
  })

  test('from the treasury counts when its plan left the list of announced ones', () => {
    expect(found(treasury, memo(`maid1:${mark}:${'ab'.repeat(8)}:3`), gives(treasury, '9'))).toEqual({
      paid: { asset: 'SOL', units: '9' },
    })
  })
})
