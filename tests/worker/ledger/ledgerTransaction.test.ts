import { describe, expect, test } from 'vitest'
import { readLedgerTransaction } from '../../../src/worker/ledger/ledgerTransaction.ts'
import { seededKeypair } from '../../stack/solana/keys.ts'
import { transactionJson } from '../../stack/solana/encode.ts'
import { associatedAccount, transferChecked } from '../../stack/solana/programs.ts'
import { ledgerSaleIn } from './bothLedgers.ts'
import { genesisHash, randomSale } from './randomSale.ts'
import { createRecordedChain } from './recordedChain.ts'

const given = randomSale(1, 1)
const sale = ledgerSaleIn(given)
const usdc = sale.first.terms.assets[1]?.mint ?? ''
const [, watched] = sale.watched
const buyer = seededKeypair('ledger transaction', 'buyer')
const source = associatedAccount(buyer.address, usdc)
const thief = seededKeypair('ledger transaction', 'thief').address

/** A payment of 7 micro-USDC, as a node tells it. */
function payment() {
  const chain = createRecordedChain(genesisHash, { slot: 9, time: 99 })
  const to = watched?.address ?? ''
  chain.tokens.set(source, { address: source, mint: usdc, owner: buyer.address, amount: 100n })
  chain.tokens.set(to, { address: to, mint: usdc, owner: sale.first.terms.treasury, amount: 3n })
  const move = { from: source, mint: usdc, to, authority: buyer.address, amount: 7n, decimals: 6 }
  const record = chain.land([transferChecked(move)], [buyer], { [source]: -7n, [to]: 7n })
  const json: any = transactionJson(record, { encoding: 'base64', maxVersion: 0 })
  return { signature: record.signature, answer: { slot: 9, blockTime: 99, transactionIndex: 4, ...json } }
}

describe('a transaction for the ledger', () => {
  test('has its place, time, signers and the balances of watched accounts', () => {
    const { signature, answer } = payment()
    const { transaction } = readLedgerTransaction(answer, signature, sale)
    expect(transaction).toMatchObject({ slot: 9, time: 99, index: 4, failed: false, signers: [buyer.address] })
    expect(transaction.balances).toEqual([{ asset: 'USDC', before: 3n, after: 10n }])
    expect(transaction.strays).toEqual([])
  })

  test('counts the owner before it as a token account’s, and after it where there was none', () => {
    const { signature, answer } = payment()
    const entry = answer.meta.postTokenBalances.find(({ owner }: { owner: string }) => owner === buyer.address)
    entry.owner = thief
    const ownerOf = () => readLedgerTransaction(answer, signature, sale).transaction.owners.get(source)
    expect(ownerOf()).toBe(buyer.address)
    answer.meta.preTokenBalances = null
    expect(ownerOf()).toBe(thief)
  })

  test('takes balances beyond a double’s precision when they are exact', () => {
    const { signature, answer } = payment()
    answer.meta.preBalances = answer.meta.preBalances.map(() => 2n ** 63n)
    expect(() => readLedgerTransaction(answer, signature, sale)).not.toThrow()
  })

  test.each<[string, string, (answer: any) => unknown]>([
    [
      'another transaction',
      'rpc_lying',
      answer => ({ ...answer, ...payment().answer, transaction: otherBytes(answer) }),
    ],
    ['no transaction', 'bad_response', () => ({})],
    ['no meta', 'bad_response', answer => ({ ...answer, meta: null })],
    ['more accounts than its bytes name', 'bad_response', answer => looked(answer)],
    ['an amount that is no number', 'bad_response', answer => amount(answer)],
  ])('is refused with %s', (_name, code, change) => {
    const { signature, answer } = payment()
    expect(() => readLedgerTransaction(change(answer), signature, sale)).toThrow(expect.objectContaining({ code }))
  })
})

function otherBytes({ transaction }: { transaction: [string, string] }): [string, string] {
  const bytes = Buffer.from(transaction[0], 'base64')
  bytes[5] = (bytes[5] ?? 0) ^ 1
  return [bytes.toString('base64'), 'base64']
}

function looked(answer: any): unknown {
  return { ...answer, meta: { ...answer.meta, loadedAddresses: { writable: [thief], readonly: [] } } }
}

function amount(answer: any): unknown {
  const wrong = answer.meta.postTokenBalances.map((one: object) => ({ ...one, uiTokenAmount: { amount: '1.5' } }))
  return { ...answer, meta: { ...answer.meta, postTokenBalances: wrong } }
}
