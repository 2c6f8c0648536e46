import { describe, expect, test } from 'vitest'
import { createVerify } from '../../../src/worker/drivers/walletconnect/verify.ts'
import { addTransaction } from '../../../src/worker/ledger/ledger.ts'
import { emptyLedger } from '../../../src/worker/ledger/ledgerState.ts'
import { ledgerSaleOf } from '../../../src/worker/ledger/ledgerSale.ts'
import { boardOf, readNotice } from '../../../src/worker/services/notices.ts'
import { signedTransaction } from '../../stack/solana/compile.ts'
import { addressBytes, seededKeypair } from '../../stack/solana/keys.ts'
import { exampleTerms, exampleTermsHash } from '../../events/values/exampleTerms.ts'
import { base64, concat } from '../../stack/solana/bytes.ts'
import type { TransactionRecord } from '../../stack/solana/ledger.ts'
import type { Marks } from '../../stack/solana/presale/marks.ts'
import { meaningsOf } from '../../stack/solana/presale/payments.ts'
import { type Instruction, MEMO, memo, SYSTEM, transfer } from '../../stack/solana/programs.ts'
import { readTransaction } from '../../stack/solana/wire.ts'

const authority = seededKeypair('notices', 'authority')
const stranger = seededKeypair('notices', 'stranger')
const noticeRef = '8kyiMfQWSLCH1VXS2QcstArTxoa5riSF5t4zkYJeuVMG'
const blockhash = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
const from = { authority: authority.address, noticeRef }
const verify = createVerify()
const self = (key = authority) => transfer(key.address, key.address, 0n, [noticeRef])
const bytesOf = (instructions: Instruction[], signer = authority) =>
  signedTransaction(instructions, [signer], blockhash).bytes

/** The notice as the second implementation has it; `noticeRef` is all that a lookup table holds. */
function countedTwice(bytes: Uint8Array) {
  const addresses = [...readTransaction(bytes).addresses, noticeRef]
  const record = { err: null, bytes: base64(bytes), addresses, tokensBefore: [], tokensAfter: [] }
  const watched = { treasury: stranger.address, authority: authority.address, accounts: [] }
  return meaningsOf(record as unknown as TransactionRecord, watched, { notice: noticeRef } as Marks)
}

describe('a notice', () => {
  test('is read from a transaction the authority signed', async () => {
    expect(await readNotice(bytesOf([memo('mai1n:3:pause:-'), self()]), from, verify)).toEqual({
      seq: 3,
      verb: 'pause',
    })
  })

  test('signed by a stranger is refused', async () => {
    expect(await readNotice(bytesOf([memo('mai1n:3:pause:-'), self(stranger)], stranger), from, verify)).toBeUndefined()
  })

  test('naming the authority without its signature is refused', async () => {
    const bytes = bytesOf([memo('mai1n:3:pause:-'), self()])
    const forged = Uint8Array.from(bytes)
    forged[5] = (forged[5] ?? 0) ^ 1
    expect(await readNotice(forged, from, verify)).toBeUndefined()
    expect(await readNotice(Uint8Array.from(bytes).fill(0, 1, 65), from, verify)).toBeUndefined()
  })

  test('with a text changed by the node is refused', async () => {
    const bytes = bytesOf([memo('mai1n:3:resume:-'), self()])
    const place = Buffer.from(bytes).indexOf('resume')
    const forged = Uint8Array.from(bytes)
    forged.set(Buffer.from('pause:'), place)
    expect(await readNotice(forged, from, verify)).toBeUndefined()
  })

  const pause = memo('mai1n:3:pause:-')
  const { address } = authority

  test.each([
    ['without its reference', [pause, transfer(address, address, 0n)]],
    ['without its form', [memo('mai1n:03:pause:-'), self()]],
    ['without an argument', [memo('mai1n:3:pause:'), self()]],
    ['without a text', [self()]],
    ['with two texts', [pause, memo('mai1n:4:close:-'), self()]],
    ['on a transfer that moves money', [pause, transfer(address, address, 1n, [noticeRef])]],
    ['on a transfer to somebody else', [pause, transfer(address, stranger.address, 0n, [noticeRef])]],
  ])('%s is none, and told where the authority signed it', async (_name, calls) => {
    expect(await readNotice(bytesOf(calls), from, verify)).toBe('malformed')
    const forged = bytesOf(calls)
    forged[5] = (forged[5] ?? 0) ^ 1
    expect(await readNotice(forged, from, verify)).toBeUndefined()
    expect(countedTwice(bytesOf(calls))).toEqual([])
  })

  const signing = { ...pause, accounts: [{ address, signer: true }] }
  const writable = self()
  writable.accounts = writable.accounts.map(one => (one.address === noticeRef ? { ...one, writable: true } : one))

  test.each([
    ['whose text is signed by an account', [signing, self()]],
    ['whose reference is writable', [pause, writable]],
    ['after other calls', [transfer(address, stranger.address, 5n), pause, self()]],
  ])('%s counts, also in the second implementation', async (_name, calls) => {
    expect(await readNotice(bytesOf(calls), from, verify)).toEqual({ seq: 3, verb: 'pause' })
    expect(countedTwice(bytesOf(calls))).toEqual([{ kind: 'notice', notice: { seq: 3, verb: 'pause', arg: '-' } }])
  })

  test('whose reference comes from a lookup table counts in neither: the signed bytes do not contain it', async () => {
    const message = concat(
      Uint8Array.of(0x80, 1, 0, 2, 3),
      ...[address, MEMO, SYSTEM, blockhash].map(addressBytes),
      Uint8Array.of(2, 1, 0, pause.data.length),
      pause.data,
      Uint8Array.of(2, 3, 0, 0, 3, 12, 2, ...new Uint8Array(11)),
      Uint8Array.of(1),
      addressBytes(stranger.address),
      Uint8Array.of(0, 1, 0),
    )
    const bytes = concat(Uint8Array.of(1), authority.sign(message), message)
    expect(await readNotice(bytes, from, verify)).toBe('malformed')
    expect(countedTwice(bytes)).toEqual([])
  })

  test.each([[new Uint8Array()], [Uint8Array.of(1, 2, 3)], [new Uint8Array(1300)]])(
    'without a transaction is refused',
    async bytes => {
      expect(await readNotice(bytes, from, verify)).toBeUndefined()
    },
  )
})

describe('a series of notices', () => {
  const hash = 'a'.repeat(64)

  test.each([
    ['in turn', 8, { seq: 3, paused: false, ignored: 0 }],
    ['out of turn', 6, { seq: 2, paused: true, ignored: 1 }],
  ])('counts in the order of slots, and inside a slot in that of its block: %s', (_name, place, expected) => {
    const placed = [
      { slot: 9, place: 7, notice: { seq: 2, verb: 'pause' } },
      { slot: 9, place, notice: { seq: 3, verb: 'resume' } },
      { slot: 5, notice: { seq: 1, verb: 'terms', hash: exampleTermsHash } },
    ] as const
    const board = boardOf(placed)
    expect(board).toMatchObject({ ...expected, terms: exampleTermsHash })
    // The ledger gets them in this order
    const sale = ledgerSaleOf([{ terms: exampleTerms(), hash: exampleTermsHash }])
    const state = emptyLedger(sale)
    const plain = { time: 1, failed: false, signers: [], instructions: [], balances: [], owners: new Map(), strays: [] }
    const [pauses, resumes, first] = placed
    for (const { slot, notice } of place > 7 ? [first, pauses, resumes] : [first, resumes, pauses])
      addTransaction(sale, state, { ...plain, signature: '', slot, notice })
    expect(board).toMatchObject(state.board)
  })

  test('with a gap stops before the gap', () => {
    const board = boardOf([
      { slot: 5, notice: { seq: 1, verb: 'terms', hash } },
      { slot: 9, notice: { seq: 3, verb: 'close' } },
    ])
    expect(board).toMatchObject({ seq: 1, closed: false, ignored: 1 })
    expect(board).not.toHaveProperty('unlisted')
  })

  const terms = { slot: 5, notice: { seq: 1, verb: 'terms', hash } } as const
  const close = { slot: 20, notice: { seq: 6, verb: 'close' } } as const

  test.each([
    ['between two notices', { placed: [terms, { ...close, notice: { ...close.notice, seq: 4 } }], seq: 4 }, [5, 20]],
    ['before the first', { placed: [close], seq: 6 }, [0, 20]],
    ['up to the newest', { placed: [terms], seq: 5 }, [5, 20]],
    ['up to the newest, and nothing follows', { placed: [terms], seq: 7 }, [5, undefined]],
  ])('left out of the list %s are told by where they can stand', (_, listed, [from, to]) => {
    const board = boardOf([close], listed as Parameters<typeof boardOf>[1])
    expect(board.unlisted).toEqual(to === undefined ? { from } : { from, to })
  })
})
