import { describe, expect, test } from 'vitest'
import { onChainFailure, readTransactionError, refusedFault } from '../../../src/worker/rpc/transactionErrors.ts'

const refusal = (err: unknown, kind: 'native' | 'spl') => {
  const error = readTransactionError(err)
  if (!error) throw new Error('the error reads as success')
  return refusedFault(error, kind)
}

describe("a transaction's error", () => {
  test('null is success', () => {
    expect(readTransactionError(null)).toBeUndefined()
    expect(readTransactionError(undefined)).toBeUndefined()
  })

  test('has custom numbers with the paying program’s meaning', () => {
    const custom = (number: number) => ({ InstructionError: [3, { Custom: number }] })
    expect(refusal(custom(1), 'native').code).toBe('insufficient_sol')
    expect(refusal(custom(1), 'spl').code).toBe('insufficient_token')
    expect(refusal(custom(18), 'spl').code).toBe('decimals')
    expect(refusal(custom(18), 'native').code).toBe('simulation_failed')
  })

  test('has a code for each validator name', () => {
    expect(refusal('AccountNotFound', 'native').code).toBe('account_not_found')
    expect(refusal('InsufficientFundsForFee', 'spl').code).toBe('insufficient_sol')
    expect(refusal('BlockhashNotFound', 'native').code).toBe('blockhash_not_found')
    expect(refusal({ InsufficientFundsForRent: { account_index: 1 } }, 'native')).toMatchObject({
      code: 'rent',
      facts: { account: 1 },
    })
    expect(refusal({ InstructionError: [2, 'ComputationalBudgetExceeded'] }, 'spl')).toMatchObject({
      code: 'compute',
      facts: { instruction: 2 },
    })
  })

  test.each([[7], [[]], [{}], [{ InstructionError: 'x' }], ['<script>'], [{ __proto__: null, constructor: 1 }]])(
    'of another form (%j) is a failure all the same',
    err => {
      expect(refusal(err, 'native').code).toBe('simulation_failed')
    },
  )

  test('of a landed transaction names the instruction and the number', () => {
    const error = readTransactionError({ InstructionError: [3, { Custom: 1 }] })
    expect(error && onChainFailure(error)).toEqual({
      code: 'on_chain_error',
      message: 'the transaction landed, but instruction 3 failed with Custom 1',
      facts: { name: 'Custom', instruction: 3, custom: 1 },
    })
  })
})
