/** The page's reading of a payment beside the ledger's, over the same transactions. */
import { describe, expect, test } from 'vitest'
import { readTransaction } from '../../../src/worker/chains/solana/wire.ts'
import { landedIn } from '../../../src/worker/drivers/solana/history.ts'
import { findingsIn } from '../../../src/worker/ledger/findings.ts'
import { type LedgerTransaction, readLedgerTransaction } from '../../../src/worker/ledger/ledgerTransaction.ts'
import { paymentIn, topLevelOf } from '../../../src/worker/services/purchases.ts'
import { concat } from '../../stack/solana/bytes.ts'
import { transactionJson } from '../../stack/solana/encode.ts'
import { seededKeypair } from '../../stack/solana/keys.ts'
import type { TransactionRecord } from '../../stack/solana/ledger.ts'
import { orderMemo } from '../../stack/solana/presale/marks.ts'
import { type Instruction, memo, TOKEN, transfer, transferChecked } from '../../stack/solana/programs.ts'
import { ledgerSaleIn } from './bothLedgers.ts'
import { randomSale } from './randomSale.ts'
import { createRecordedChain } from './recordedChain.ts'

const given = randomSale(1, 1)
const sale = ledgerSaleIn(given)
const { terms } = sale.first
const { treasury } = terms
const usdc = terms.assets[1]?.mint ?? ''
const treasuryUsdc = sale.watched[1]?.address ?? ''
const key = (name: string) => seededKeypair('page findings', name)
const [buyer, other] = [key('buyer'), key('other')]
const [source, otherSource, mark] = [key('source').address, key('other source').address, key('mark').address]

type Answer = ReturnType<typeof answerTo>

function answerTo(record: TransactionRecord): any {
  return {
    slot: record.slot,
    blockTime: record.time,
    ...(transactionJson(record, { encoding: 'base64', maxVersion: 0 }) as object),
  }
}

/** Findings of the ledger, and for each signer the payment of the page. */
function bothOf(signature: string, answer: Answer, of = sale) {
  const { transaction } = readLedgerTransaction(answer, signature, of)
  const landed = landedIn(answer, signature)
  if (!landed) throw new Error('a node expected its own transaction')
  const topLevel = topLevelOf(landed)
  const page = (account: string) => paymentIn(topLevel, { account, terms: of.first.terms })
  return { transaction, findings: findingsIn(transaction, of), page }
}

/** @returns whether a finding is the page's to tell: the ledger's others need balances or owners, a node's word */
const isOfBytes = (status: string) => ['no_memo', 'malformed', 'mismatch'].includes(status)

describe('random sales', () => {
  test('have no fault that is not the ledger’s, and no order that the page misses', () => {
    const seen = { faults: new Set<string>(), orders: 0 }
    for (let seed = 1; seed <= 8; seed += 1) {
      const random = randomSale(seed, 120)
      const of = ledgerSaleIn(random)
      for (const record of random.chain.records.filter(({ err }) => err === null)) {
        const { transaction, findings, page } = bothOf(record.signature, answerTo(record), of)
        for (const account of transaction.signers) compare(transaction, findings, page(account), account)
      }
    }
    expect([...seen.faults].sort()).toEqual(['malformed', 'mismatch', 'no_memo'])
    expect(seen.orders).toBeGreaterThan(200)

    function compare(
      { balances, signature }: LedgerTransaction,
      findings: ReturnType<typeof findingsIn>,
      payment: ReturnType<typeof paymentIn>,
      account: string,
    ) {
      const refused = findings.flatMap(one => (one.kind === 'refused' ? [one] : []))
      if (payment?.fault) {
        seen.faults.add(payment.fault)
        const same = refused.find(({ asset, status }) => asset === payment.asset && status === payment.fault)
        expect([signature, payment.fault, same?.status]).toEqual([signature, payment.fault, payment.fault])
      }
      for (const one of findings) {
        if (!('buyer' in one) || one.buyer !== account) continue
        if (one.kind === 'order') {
          seen.orders += 1
          expect(payment).toEqual({ asset: one.asset, units: one.units.toString(), memo: one.memo })
        }
        expect(payment).toBeDefined()
        if (one.kind === 'refused' && isOfBytes(one.status) && payment?.fault === undefined) {
          // More came from inside a program than the transfer says
          const change = balances.find(({ asset }) => asset === one.asset)
          expect(BigInt(payment?.units ?? 0)).toBeLessThan((change?.after ?? 0n) - (change?.before ?? 0n))
        }
      }
    }
  })
})

const text = (asset: string, units: bigint) =>
  orderMemo({ terms: sale.first.hash.slice(0, 16), id: '5b0e9d7c31f4a826', asset, units, quoted: 1n, min: 1n })
const sol = (units = 500n) => transfer(buyer.address, treasury, units, [mark])
const token = transferChecked({
  from: source,
  mint: usdc,
  to: treasuryUsdc,
  authority: buyer.address,
  amount: 7n,
  decimals: 6,
})
/** Token Transfer, which names no mint. */
const plain: Instruction = {
  program: TOKEN,
  accounts: token.accounts.filter(({ address }) => address !== usdc),
  data: concat(Uint8Array.of(3), token.data.subarray(1, 9)),
}
const longer = (call: Instruction): Instruction => ({ ...call, data: concat(call.data, Uint8Array.of(1, 2, 3)) })
const withUse = (call: Instruction, use: { signer?: true; writable?: true }, address = mark): Instruction => ({
  ...call,
  accounts: [...call.accounts.filter(one => one.address !== address), { address, ...use }],
})
const signedMemo = (content: string): Instruction => withUse(memo(content), { signer: true }, buyer.address)

function land(calls: Instruction[], moves: Record<string, bigint>, signers = [buyer]) {
  const chain = createRecordedChain(given.evaluated.terms.cluster.genesisHash, { slot: 9, time: 99 })
  for (const [address, owner] of [
    [source, buyer.address],
    [otherSource, other.address],
    [treasuryUsdc, treasury],
  ] as const)
    chain.tokens.set(address, { address, mint: usdc, owner, amount: 1000n })
  return chain.land(calls, signers as [typeof buyer], moves)
}

describe('a payment that no page would make', () => {
  const inSol = { [treasury]: 500n }
  const inUsdc = { [treasuryUsdc]: 7n }
  test.each<[string, Instruction[], Record<string, bigint>, string, (typeof buyer)[]?]>([
    ['with its buyer as the memo’s signer', [signedMemo(text('SOL', 500n)), sol()], inSol, 'order'],
    ['beside a transfer of nothing', [memo(text('SOL', 500n)), sol(0n), sol()], inSol, 'order'],
    ['by a transfer without a mint', [memo(text('USDC', 7n)), plain], inUsdc, 'order'],
    ['with a writable reference', [memo(text('SOL', 500n)), withUse(sol(), { writable: true })], inSol, 'order'],
    [
      'with a signing reference',
      [memo(text('SOL', 500n)), withUse(sol(), { signer: true })],
      inSol,
      'order',
      [buyer, key('mark')],
    ],
    ['with bytes after its lamports', [memo(text('SOL', 500n)), longer(sol())], inSol, 'order'],
    ['with bytes after its tokens', [memo(text('USDC', 7n)), longer(token)], inUsdc, 'order'],
    [
      'with a second one of another kind',
      [memo(text('SOL', 500n)), sol(), plain],
      { ...inSol, ...inUsdc },
      'malformed',
    ],
    [
      'with a second order that its buyer signed',
      [memo(text('SOL', 500n)), signedMemo(text('SOL', 500n)), sol()],
      inSol,
      'malformed',
    ],
    ['of bytes that are no text', [{ ...memo(''), data: Uint8Array.of(0xff, 0xfe) }, sol()], inSol, 'no_memo'],
    ['of another amount, and bytes after it', [memo(text('SOL', 501n)), longer(sol())], inSol, 'mismatch'],
  ])('%s is the same to both', (_name, calls, moves, is, signers) => {
    const record = land(calls, moves, signers)
    const { findings, page } = bothOf(record.signature, answerTo(record))
    const [first] = findings
    expect(first?.kind === 'refused' ? first.status : first?.kind).toBe(is)
    const payment = page(buyer.address)
    expect(payment).toMatchObject({
      asset: first && 'asset' in first ? first.asset : '',
      units: moves[treasury] ? '500' : '7',
    })
    expect(payment?.fault).toBe(is === 'order' ? undefined : is)
  })

  test('to accounts from a lookup table is the same to both', () => {
    const calls = [memo(text('SOL', 500n)), sol()]
    for (const [is, all, moves] of [
      ['order', calls, inSol],
      ['malformed', [...calls, sol(8n)], { [treasury]: 508n }],
    ] as const) {
      const record = land([...all], moves)
      const answer = answerTo(record)
      const { bytes, signature } = lookedUp(record, treasury)
      const accounts = record.addresses
      const order = [...accounts.filter(one => one !== treasury), treasury]
      const moved = (list: unknown[]) => order.map(one => list[accounts.indexOf(one)])
      const { preBalances, postBalances } = answer.meta
      const looked = {
        ...answer,
        transaction: [Buffer.from(bytes).toString('base64'), 'base64'],
        meta: {
          ...answer.meta,
          preBalances: moved(preBalances),
          postBalances: moved(postBalances),
          loadedAddresses: { writable: [treasury], readonly: [] },
        },
      }
      const { findings, page } = bothOf(signature, looked)
      expect(findings[0]?.kind === 'refused' ? findings[0].status : findings[0]?.kind).toBe(is)
      expect(page(buyer.address)?.fault).toBe(is === 'order' ? undefined : is)
    }
  })
})

/** The transaction in version 0, with one writable account of it in a table. */
function lookedUp({ bytes: base64, signature }: TransactionRecord, address: string) {
  const wire = readTransaction(Buffer.from(base64, 'base64'))
  const { accountKeys, header, instructions, messageAt } = wire
  const at = accountKeys.indexOf(address)
  const last = accountKeys.length - 1
  const placed = (index: number) => (index === at ? last : index > at ? index - 1 : index)
  const message = Buffer.from(base64, 'base64').subarray(messageAt)
  const keyBytes = (index: number) => message.subarray(4 + index * 32, 36 + index * 32)
  const hashAt = 4 + accountKeys.length * 32
  const bytes = concat(
    Buffer.from(base64, 'base64').subarray(0, messageAt),
    Uint8Array.of(0x80, header.signers, header.readonlySigners, header.readonlyOthers, last),
    ...accountKeys.flatMap((_, index) => (index === at ? [] : [keyBytes(index)])),
    message.subarray(hashAt, hashAt + 32),
    Uint8Array.of(instructions.length),
    ...instructions.flatMap(({ program, accounts, data }) => [
      Uint8Array.of(placed(program), accounts.length, ...accounts.map(placed)),
      // Below 128 a length is one byte
      Uint8Array.of(data.length),
      data,
    ]),
    Uint8Array.of(1),
    keyBytes(0),
    Uint8Array.of(1, 0, 0),
  )
  return { bytes, signature }
}
