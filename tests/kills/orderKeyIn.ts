import { readWalletTransaction } from '../stack/wallet/transaction.ts'

const memo = /mai1:[0-9a-f]{16}:([0-9a-f]{16}):/

/**
 * @param transaction wire bytes of a payment
 * @returns the order key in its memo
 * @throws Error when it names no order
 */
export function orderKeyIn(transaction: Uint8Array): string {
  const decoder = new TextDecoder()
  for (const { data } of readWalletTransaction(transaction).instructions) {
    const key = memo.exec(decoder.decode(data))?.[1]
    if (key !== undefined) return key
  }
  throw new Error('a transaction to sign expected the memo of an order, it has none')
}
