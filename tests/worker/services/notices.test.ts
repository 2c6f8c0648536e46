import { describe, expect, test } from 'vitest'
import { createVerify } from '../../../src/worker/drivers/walletconnect/verify.ts'
import { boardOf, readNotice } from '../../../src/worker/services/notices.ts'
import { signedTransaction } from '../../stack/solana/compile.ts'
import { seededKeypair } from '../../stack/solana/keys.ts'
import { type Instruction, memo, transfer } from '../../stack/solana/programs.ts'

const authority = seededKeypair('notices', 'authority')
const stranger = seededKeypair('notices', 'stranger')
const noticeRef = '8kyiMfQWSLCH1VXS2QcstArTxoa5riSF5t4zkYJeuVMG'
const blockhash = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
const from = { authority: authority.address, noticeRef }
const verify = createVerify()
const self = (key = authority) => transfer(key.address, key.address, 0n, [noticeRef])
const bytesOf = (instructions: Instruction[], signer = authority) =>
  signedTransaction(instructions, [signer], blockhash).bytes

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

  test('without its reference, without its form, or with two texts is refused', async () => {
    const { address } = authority
    expect(
      await readNotice(bytesOf([memo('mai1n:3:pause:-'), transfer(address, address, 0n)]), from, verify),
    ).toBeUndefined()
    expect(await readNotice(bytesOf([memo('mai1n:03:pause:-'), self()]), from, verify)).toBeUndefined()
    expect(
      await readNotice(bytesOf([memo('mai1n:3:pause:-'), memo('mai1n:4:close:-'), self()]), from, verify),
    ).toBeUndefined()
  })

  test('on a transfer that moves money, or goes to somebody else, is refused', async () => {
    const { address } = authority
    for (const call of [
      transfer(address, address, 1n, [noticeRef]),
      transfer(address, stranger.address, 0n, [noticeRef]),
    ])
      expect(await readNotice(bytesOf([memo('mai1n:3:pause:-'), call]), from, verify)).toBeUndefined()
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

  test('counts in the order of slots, and inside a slot in its own', () => {
    const board = boardOf([
      { slot: 9, notice: { seq: 3, verb: 'resume' } },
      { slot: 9, notice: { seq: 2, verb: 'pause' } },
      { slot: 5, notice: { seq: 1, verb: 'terms', hash } },
    ])
    expect(board).toMatchObject({ seq: 3, paused: false, terms: hash, ignored: 0 })
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
