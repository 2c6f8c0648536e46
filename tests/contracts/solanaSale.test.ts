/**
 * The sale on the local chain: its published files and notices, read with the product's own readers. The stack writes them
 * independently of those readers, so that each checks the other.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkCheckpoint, readCheckpoint } from '../../src/events/sale/notices/checkpoint.ts'
import { parseOrderMemo } from '../../src/events/sale/payments/memo.ts'
import { parseNotice } from '../../src/events/sale/payments/operatorMemos.ts'
import { emptyBoard, pinNotice } from '../../src/events/sale/notices/notices.ts'
import { readSale } from '../../src/events/sale/sale.ts'
import { readTerms } from '../../src/events/sale/terms/terms.ts'
import { fromBase58, hex, sha256 } from '../stack/solana/bytes.ts'
import { addressBytes, type Keypair, seededKeypair, verifySignature } from '../stack/solana/keys.ts'
import { marksOf, orderMemo } from '../stack/solana/presale/marks.ts'
import { memo, transfer } from '../stack/solana/programs.ts'
import { type SolanaStack, startSolana } from '../stack/solana/server.ts'

let stack: SolanaStack

beforeAll(async () => {
  stack = await startSolana({ clock: 'manual', seed: 'sale' })
})
afterAll(() => stack.close())

const file = async (path: string) => (await fetch(stack.url + path)).text()
const call = async (method: string, ...params: unknown[]): Promise<any> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return ((await (await fetch(stack.url, { method: 'POST', body })).json()) as { result: unknown }).result
}
const marks = () => marksOf(stack.info.authority, 'mai-presale-1')
const memosOf = async (reference: string): Promise<string[]> => {
  const list = (await call('getSignaturesForAddress', reference, { limit: 1_000 })) as { memo: string }[]
  return list.map(entry => entry.memo.replace(/^\[\d+\] /, '')).reverse()
}
const board = async () =>
  (await memosOf(marks().notice)).reduce((pinned, text) => {
    const notice = parseNotice(text)
    return notice ? pinNotice(pinned, notice) : pinned
  }, emptyBoard())

/** The treasury's balances and chain time (ms), read in one call like a visitor. */
async function visitorReads(commitment = 'confirmed') {
  const addresses = ['SysvarC1ock11111111111111111111111111111111', stack.info.treasury, stack.info.treasuryUsdc]
  const { value } = await call('getMultipleAccounts', addresses, { encoding: 'base64', commitment })
  const clock = Buffer.from(value[0].data[0], 'base64')
  const usdc = Buffer.from(value[2].data[0], 'base64').readBigUInt64LE(64)
  return {
    time: Number(clock.readBigInt64LE(32)) * 1000,
    balances: { SOL: String(value[1].lamports), USDC: `${usdc}` },
  }
}

async function sale() {
  const { terms } = readTerms(await file('/terms.json'))
  const { checkpoint } = readCheckpoint(await file('/checkpoint.json'))
  const { time, balances } = await visitorReads()
  const { paused, closed } = await board()
  return readSale(terms, { ...checkpoint, time: checkpoint.time * 1000 }, balances, time, { paused, closed })
}

/** A purchase like the page's, by a freshly funded buyer; lands in the next slot. */
function buy(
  name: string,
  order: { lamports: bigint; min?: bigint; id?: string },
): { buyer: Keypair; signature: string } {
  const buyer = seededKeypair('sale', name)
  const { lamports, min = 0n, id = 'a1'.repeat(8) } = order
  stack.give(buyer.address, { sol: '2000' })
  const terms = stack.info.termsHash.slice(0, 16)
  const text = orderMemo({ terms, id, asset: 'SOL', units: lamports, quoted: min, min })
  const { presale } = marks()
  const references = [presale, marks().buyer(buyer.address), marks().order(buyer.address, id)]
  const signature = stack.chain.run(
    [memo(text), transfer(buyer.address, stack.info.treasury, lamports, references)],
    [buyer],
  )
  return { buyer, signature }
}

describe('published files', () => {
  test('the terms are accepted, canonical, and hash to the first notice’s announcement', async () => {
    const text = await file('/terms.json')
    const { terms, canonical } = readTerms(text)
    expect(canonical).toBe(text)
    expect(hex(sha256(text))).toBe(stack.info.termsHash)
    expect((await board()).terms).toBe(stack.info.termsHash)
    expect(terms.cluster).toEqual({ name: 'localnet', genesisHash: stack.info.genesisHash })
    expect(terms.legal.sha256).toBe(hex(sha256(await file('/terms.html'))))
  })

  test('the checkpoint is accepted, signed by the authority, and announced by its hash', async () => {
    const text = await file('/checkpoint.json')
    const { checkpoint, signedText } = readCheckpoint(text)
    const { terms } = readTerms(await file('/terms.json'))
    const { published, checkpoints, seq, ignored } = await board()
    checkCheckpoint(checkpoint, { terms, presale: marks().presale, publishedTerms: published })
    const signature = fromBase58(checkpoint.sig) ?? new Uint8Array(0)
    expect(verifySignature(addressBytes(terms.authority), Buffer.from(signedText), signature)).toBe(true)
    expect(checkpoints.at(-1)).toBe(hex(sha256(text)))
    expect([seq, ignored]).toEqual([3, 0])
  })

  test('a visitor reads 262 840.00 USD audited, 23 572.50 received since, in the second stage', async () => {
    const read = await sale()
    expect(read).toMatchObject({
      state: 'live',
      audited: '262840000000000000',
      received: '23572500000000000',
      sold: '344033333333333333',
      softCapReached: true,
    })
    expect(read.stage).toMatchObject({ index: 1, filled: '112840000000000000' })
  })

  test('every seeded purchase is found by the mark of the sale and by the mark of its buyer', async () => {
    const orders = (await memosOf(marks().presale)).map(text => parseOrderMemo(text))
    expect(orders).toHaveLength(15)
    expect(orders.every(order => order?.terms === stack.info.termsHash.slice(0, 16))).toBe(true)
    const buyer = seededKeypair(stack.info.genesisHash, 'buyer 3').address
    expect(await memosOf(marks().buyer(buyer))).toHaveLength(2)
  })

  test('MAI has no mint or freeze authority, and the whole supply is in the reserve', async () => {
    const { value } = await call('getAccountInfo', stack.info.saleMint, { encoding: 'jsonParsed' })
    expect(value.data.parsed.info).toEqual({
      decimals: 9,
      freezeAuthority: null,
      isInitialized: true,
      mintAuthority: null,
      supply: '1500000000000000000',
    })
    const reserve = await call('getTokenAccountBalance', stack.accounts.reserveTokens)
    expect(reserve.value.amount).toBe('1500000000000000000')
  })

  test('the display content carries a whole supply and questions with answers', async () => {
    const content = JSON.parse(await file('/content.json'))
    const sum = content.tokenomics.rows.reduce(
      (total: bigint, row: { tokens: string }) => total + BigInt(row.tokens),
      0n,
    )
    expect(String(sum)).toBe(content.tokenomics.supply)
    expect(content.questions).toHaveLength(5)
  })

  test('a corrupt file cannot be read, a changed one has another hash', async () => {
    stack.control({ operator: { termsFile: 'corrupt' } })
    const corrupt = await file('/terms.json')
    expect(() => readTerms(corrupt)).toThrow('presale terms')
    stack.control({ operator: { termsFile: 'changed' } })
    const changed = await file('/terms.json')
    expect(readTerms(changed).terms.stages[0]?.price).toBe('1200000000')
    expect(hex(sha256(changed))).not.toBe(stack.info.termsHash)
    stack.control({ operator: { termsFile: 'normal' } })
  })
})

describe('the operator', () => {
  test('a purchase is live at once and audited by the next checkpoint after it is final', async () => {
    buy('early buyer', { lamports: 10_000_000_000n })
    stack.chain.advance(1)
    expect(await sale()).toMatchObject({ audited: '262840000000000000', received: '25172500000000000' })
    stack.chain.advance(31)
    expect(stack.operator.hasNews()).toBe(true)
    stack.control({ operator: { checkpoint: true } })
    stack.chain.advance(32)
    expect(stack.operator.hasNews()).toBe(false)
    expect(await sale()).toMatchObject({ audited: '288012500000000000', received: '0' })
  })

  test('unacceptable payments are owed back and not raised', async () => {
    const owed = () => stack.operator.evaluate()
    const before = owed()
    buy('too small', { lamports: 1_000_000_000n / 160n })
    buy('too picky', { lamports: 1_000_000_000n, min: 10n ** 18n })
    buy('too much', { lamports: 200_000_000_000n })
    const { buyer } = buy('twice', { lamports: 1_000_000_000n })
    stack.chain.advance(1)
    buy('twice', { lamports: 1_000_000_000n })
    stack.give(buyer.address, { sol: '1' })
    stack.chain.advance(40)
    const after = owed()
    const grown = Object.entries(after.statuses).filter(([status, count]) => count !== before.statuses[status])
    expect(Object.fromEntries(grown)).toEqual({
      accepted: 17,
      duplicate: 1,
      partial: 1,
      price_protect: 1,
      under_min: 1,
    })
    const refunds = (after.refundsOwed.SOL ?? 0n) - (before.refundsOwed.SOL ?? 0n)
    expect(refunds).toBe(6_250_000n + 1_000_000_000n + 43_750_000_000n + 1_000_000_000n)
    expect(after.raised - before.raised).toBe((156_250_000_000n + 1_000_000_000n) * 160_000n)
  })

  test('pause, resume and close are notices without gaps, and apply to later payments', async () => {
    stack.control({ operator: { pause: true } })
    buy('while paused', { lamports: 1_000_000_000n })
    stack.chain.advance(1)
    stack.control({ operator: { resume: true } })
    stack.chain.advance(40)
    expect(await board()).toMatchObject({ paused: false, closed: false, ignored: 0, seq: 6 })
    expect(stack.operator.evaluate().statuses.paused).toBe(1)
    stack.control({ operator: { close: true } })
    stack.chain.advance(40)
    expect((await sale()).state).not.toBe('live')
    expect((await board()).closed).toBe(true)
  })
})
