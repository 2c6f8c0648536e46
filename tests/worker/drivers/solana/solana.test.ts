import { PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { decodeTransaction } from '../../../../src/worker/chains/solana/decode.ts'
import { buyerRef, noticeRef, orderRef, presaleRef } from '../../../../src/worker/chains/solana/references.ts'
import { messageBytes, withSignature } from '../../../../src/worker/chains/solana/wire.ts'
import { type BytesStore, memoryBytes } from '../../../../src/worker/drivers/bytes.ts'
import type { Drive } from '../../../../src/runtime/host/driver.ts'
import { createHttp } from '../../../../src/worker/host/aloneTransport.ts'
import { createSolanaDriver, type SolanaPorts } from '../../../../src/worker/drivers/solana/solana.ts'
import type { OrderToBuild } from '../../../../src/events/effect.ts'
import { canonicalTerms, type Terms } from '../../../../src/events/sale/terms/terms.ts'
import { encodeBase58 } from '../../../../src/events/values/solana/base58.ts'
import { type Keypair, seededKeypair } from '../../../stack/solana/keys.ts'
import { memo, transfer } from '../../../stack/solana/programs.ts'
import { type SolanaStack, startSolana } from '../../../stack/solana/server.ts'
import { hashText } from '../../../../src/worker/services/notices.ts'
import { answerOf, ask, failureOf, serve } from '../harness.ts'

type Drivers = { [type: string]: Drive }

let stack: SolanaStack
let bytes: BytesStore
let drivers: Drivers
let terms: Terms
let termsHash: string
let presale: string
let buyers = 0
/** every call on the wire, in order */
const calls: { method: string; params: unknown[] }[] = []
const counting: typeof fetch = (input, init) => {
  if (init?.body) calls.push(...[JSON.parse(String(init.body)) as (typeof calls)[number]].flat())
  return fetch(input, init)
}

beforeAll(async () => {
  stack = await startSolana({ seed: 'solana driver', clock: 'manual' })
  const read = await answerOf(fresh(), 'chain.readTerms', {}, 'chain.terms')
  terms = read.terms
  termsHash = read.termsHash
  presale = read.presaleRef
})
afterAll(async () => {
  await stack?.close()
})
beforeEach(() => {
  stack.control({ faults: {}, operator: { termsFile: 'normal' } })
  bytes = memoryBytes()
  drivers = fresh()
})

/** An unsigned payment of 2 SOL to another account. */
function unsignedTo(buyer: Keypair, to: string): Uint8Array {
  const pays = new Transaction({
    feePayer: new PublicKey(buyer.address),
    blockhash: stack.info.genesisHash,
    lastValidBlockHeight: 1,
  })
  const ends = { fromPubkey: new PublicKey(buyer.address), toPubkey: new PublicKey(to) }
  pays.add(SystemProgram.transfer({ ...ends, lamports: 2_000_000_000 }))
  return Uint8Array.from(pays.serialize({ requireAllSignatures: false, verifySignatures: false }))
}

function fresh(ports: Partial<SolanaPorts> = {}): Drivers {
  return createSolanaDriver({
    rpcUrls: [stack.url],
    termsUrl: `${stack.url}/terms.json`,
    sale: { authority: stack.info.authority, id: stack.info.saleId },
    http: createHttp({ wait: async () => {}, fetch: counting }),
    bytes: bytes ?? memoryBytes(),
    now: () => 0,
    ...ports,
  })
}

function buyerWith(amounts: { sol?: string; usdc?: string }): Keypair {
  buyers += 1
  const buyer = seededKeypair('solana driver tests', `buyer ${buyers}`)
  if (amounts.sol !== undefined || amounts.usdc !== undefined) stack.give(buyer.address, amounts)
  stack.chain.advance(2)
  return buyer
}

function orderOf(buyer: Keypair, change: Partial<OrderToBuild> = {}): OrderToBuild {
  return {
    orderKey: '5b0e9d7c31f4a826',
    account: buyer.address,
    asset: 'SOL',
    units: '250000000',
    quoted: '33333333333333',
    min: '33333333333332',
    termsHash,
    presaleRef: presale,
    ...change,
  }
}

const prepare = (buyer: Keypair, change: Partial<OrderToBuild> = {}) =>
  answerOf(
    drivers,
    'chain.prepareOrder',
    { orderId: 'order1', order: orderOf(buyer, change), terms },
    'chain.orderPrepared',
  )

const refused = (buyer: Keypair, change: Partial<OrderToBuild> = {}, from: Terms = terms) =>
  failureOf(drivers, 'chain.prepareOrder', { orderId: 'order1', order: orderOf(buyer, change), terms: from })

async function signed(buyer: Keypair, bytesRef: string): Promise<{ signedRef: string; signature: string }> {
  const unsigned = await bytes.get(bytesRef)
  if (!unsigned) throw new Error('the prepared bytes are not kept')
  const signature = buyer.sign(messageBytes(unsigned))
  const signedRef = await bytes.put(withSignature(unsigned, buyer.address, signature), 'order-1')
  return { signedRef, signature: encodeBase58(signature) }
}

async function paid(buyer: Keypair, change: Partial<OrderToBuild> = {}) {
  const prepared = await prepare(buyer, change)
  const { signedRef, signature } = await signed(buyer, prepared.bytesRef)
  await answerOf(drivers, 'chain.submit', { orderId: 'order1', bytesRef: signedRef, first: true }, 'chain.submitted')
  return { ...prepared, signedRef, signature }
}

describe('the chain and its terms', () => {
  test('the genesis hash names the network', async () => {
    const { genesisHash } = stack.info
    expect(await answerOf(drivers, 'chain.identify', {}, 'chain.identified')).toEqual({
      genesisHash,
      caip2: `solana:${genesisHash.slice(0, 32)}`,
    })
  })

  test('a first endpoint that lies about its chain does not shut out the honest one behind it', async () => {
    const { genesisHash } = stack.info
    const liar = await serve((request, response) => {
      const answer = (call: { id: number }) => ({ jsonrpc: '2.0', id: call.id, result: terms.treasury })
      const body = JSON.parse(request.text)
      response.end(JSON.stringify(Array.isArray(body) ? body.map(answer) : answer(body)))
    })
    drivers = fresh({ rpcUrls: [liar.url, stack.url] })
    const identified = answerOf(drivers, 'chain.identify', {}, 'chain.identified')
    await answerOf(drivers, 'chain.readTerms', {}, 'chain.terms')
    expect(await identified).toMatchObject({ genesisHash })
    expect(await prepare(buyerWith({ sol: '2' }))).toMatchObject({ orderId: 'order1' })
    await liar.close()
  })

  test('the published terms come with their hash and the references that follow from them', async () => {
    const read = await answerOf(drivers, 'chain.readTerms', {}, 'chain.terms')
    expect(read.termsHash).toBe(stack.info.termsHash)
    expect(read.presaleRef).toBe(presaleRef(terms.authority, terms.id))
    expect(read.noticeRef).toBe(noticeRef(read.presaleRef))
  })

  test('a terms file cut in the middle is refused by name', async () => {
    stack.control({ operator: { termsFile: 'corrupt' } })
    expect(await failureOf(drivers, 'chain.readTerms', {})).toMatchObject({ code: 'terms_invalid' })
  })

  test('a web page in place of the terms is a bad response, not bad terms', async () => {
    const failure = await failureOf(fresh({ termsUrl: `${stack.url}/terms.html` }), 'chain.readTerms', {})
    expect(failure).toMatchObject({ code: 'bad_response', message: 'the presale terms expected JSON, got HTML' })
  })

  test('a changed terms file has another hash than the notice, and the answer has both', async () => {
    stack.control({ operator: { termsFile: 'changed' } })
    const read = await answerOf(drivers, 'chain.readTerms', {}, 'chain.terms')
    const notices = await answerOf(drivers, 'chain.readNotices', noticesOf(read.termsHash), 'chain.notices')
    expect(notices.termsHash).toBe(stack.info.termsHash)
    expect(read.termsHash).not.toBe(notices.termsHash)
  })

  test('a node that answers HTML is a bad response, with a sentence', async () => {
    stack.control({ faults: { getGenesisHash: { kind: 'html' } } })
    const failure = await failureOf(drivers, 'chain.identify', {})
    expect(failure.code).toBe('bad_response')
    expect(failure.message).toContain('expected JSON, got HTML')
  })

  test('a node that keeps limiting is rate limited, with the pause it requested', async () => {
    stack.control({ faults: { getGenesisHash: { kind: 'status', status: 429, retryAfter: 60 } } })
    expect(await failureOf(drivers, 'chain.identify', {})).toMatchObject({
      code: 'rate_limited',
      facts: { retryAfterMs: 60_000 },
    })
  })
})

const noticesOf = (hash: string) => ({
  noticeRef: noticeRef(presale),
  authority: terms.authority,
  presaleRef: presale,
  termsHash: hash,
})

describe('notices and the checkpoint', () => {
  test('the newest terms, the state of the sale and the signed checkpoint are read', async () => {
    const notices = await answerOf(drivers, 'chain.readNotices', noticesOf(termsHash), 'chain.notices')
    const published = JSON.parse(stack.operator.published.checkpoint ?? '{}')
    expect(notices).toEqual({
      termsHash: stack.info.termsHash,
      paused: false,
      closed: false,
      checkpoint: {
        slot: published.slot,
        time: published.time * 1000,
        balances: published.balances,
        raised: published.raised,
        pos: published.pos,
        tokens: published.tokens,
      },
      counts: { orders: published.orders, buyers: published.buyers, refundsOwed: published.refundsOwed },
      changes: [{ slot: expect.any(Number), verb: 'terms', hash: stack.info.termsHash }],
      seq: stack.operator.published.nextSeq - 1,
      held: termsHash,
    })
  })

  test('a pause counts once it is final, and so does its end', async () => {
    stack.control({ operator: { pause: true } })
    expect(await answerOf(drivers, 'chain.readNotices', noticesOf(termsHash), 'chain.notices')).toMatchObject({
      paused: false,
    })
    stack.chain.advance(40)
    expect(await answerOf(drivers, 'chain.readNotices', noticesOf(termsHash), 'chain.notices')).toMatchObject({
      paused: true,
    })
    stack.control({ operator: { resume: true }, advance: 40 })
    stack.chain.advance(40)
    expect(await answerOf(drivers, 'chain.readNotices', noticesOf(termsHash), 'chain.notices')).toMatchObject({
      paused: false,
    })
  })

  test("a stranger's pause under the sale's reference changes nothing", async () => {
    const stranger = buyerWith({ sol: '1' })
    const next = stack.operator.published.nextSeq
    const self = stranger.address
    stack.chain.run([memo(`mai1n:${next}:pause:-`), transfer(self, self, 0n, [noticeRef(presale)])], [stranger])
    stack.chain.advance(40)
    expect(await answerOf(drivers, 'chain.readNotices', noticesOf(termsHash), 'chain.notices')).toMatchObject({
      termsHash: stack.info.termsHash,
      paused: false,
    })
  })

  test('notices that are final are read from the chain once', async () => {
    await answerOf(drivers, 'chain.readNotices', noticesOf(termsHash), 'chain.notices')
    stack.control({ faults: { getTransaction: { kind: 'status', status: 400 } } })
    expect(await answerOf(drivers, 'chain.readNotices', noticesOf(termsHash), 'chain.notices')).toMatchObject({
      termsHash: stack.info.termsHash,
    })
  })

  const readCheckpoint = async () =>
    (await answerOf(drivers, 'chain.readNotices', noticesOf(termsHash), 'chain.notices')).checkpoint
  const slotOf = (text: string | null): number => JSON.parse(text ?? '{}').slot
  /** The operator's next checkpoint, of a later slot, with its notice final. */
  const nextCheckpoint = (): string => {
    stack.chain.advance(40)
    const text = stack.operator.checkpoint()
    stack.chain.advance(40)
    return text
  }

  test('a checkpoint counts once its notice is confirmed, before it is final', async () => {
    const published = slotOf(stack.operator.checkpoint())
    expect(await readCheckpoint()).toBeUndefined()
    stack.chain.advance(2)
    expect(await readCheckpoint()).toMatchObject({ slot: published })
    stack.chain.advance(40)
    expect(await readCheckpoint()).toMatchObject({ slot: published })
  })

  test('a copy of the file from before the newest notice counts', async () => {
    const kept = stack.operator.published.checkpoint
    const newer = nextCheckpoint()
    stack.operator.published.checkpoint = kept
    expect(await readCheckpoint()).toMatchObject({ slot: slotOf(kept) })
    stack.operator.published.checkpoint = newer
    expect(await readCheckpoint()).toMatchObject({ slot: slotOf(newer) })
    const newest = nextCheckpoint()
    stack.operator.published.checkpoint = kept
    expect(await readCheckpoint()).toMatchObject({ slot: slotOf(newer) })
    stack.operator.published.checkpoint = newest
  })

  test('the last valid checkpoint stays while the next one’s file is broken', async () => {
    const last = await readCheckpoint()
    expect(last).toBeDefined()
    const newer = nextCheckpoint()
    for (const broken of ['<html></html>', newer.replace('"raised":"', '"raised":"1')]) {
      stack.operator.published.checkpoint = broken
      expect(await readCheckpoint()).toEqual(last)
    }
    stack.operator.published.checkpoint = newer
    expect(await readCheckpoint()).toMatchObject({ slot: slotOf(newer) })
  })

  test('a checkpoint whose file is not the announced one is left out', async () => {
    const kept = stack.operator.published.checkpoint
    stack.operator.published.checkpoint = kept?.replace('"raised":"', '"raised":"1') ?? null
    const notices = await answerOf(drivers, 'chain.readNotices', noticesOf(termsHash), 'chain.notices')
    stack.operator.published.checkpoint = kept
    expect(notices.checkpoint).toBeUndefined()
    expect(notices.termsHash).toBe(stack.info.termsHash)
  })
})

describe('balances', () => {
  const assets = () => terms.assets.map(({ symbol, mint }) => (mint === undefined ? { symbol } : { symbol, mint }))

  test('of the sale need one call: chain time and the treasury', async () => {
    const before = callsOf('getMultipleAccounts')
    const sale = await answerOf(drivers, 'chain.readSale', { treasury: terms.treasury, assets: assets() }, 'chain.sale')
    expect(callsOf('getMultipleAccounts')).toBe(before + 1)
    expect(sale.chainTime).toBe(stack.chain.blocks.tip().time * 1000)
    expect(sale.balances.SOL).toBe(String(stack.chain.accounts.now(terms.treasury)?.lamports))
    expect(BigInt(sale.balances.USDC ?? '0')).toBeGreaterThan(0n)
  })

  test('an account without a token account has no entry for it, and no SOL is 0', async () => {
    const nobody = seededKeypair('solana driver tests', 'nobody').address
    const read = await answerOf(drivers, 'chain.readBalances', { account: nobody, assets: assets() }, 'chain.balances')
    expect(read.amounts).toEqual({ SOL: '0' })
  })

  test('an account with both shows both in base units', async () => {
    const buyer = buyerWith({ sol: '2', usdc: '12.5' })
    const ask = { account: buyer.address, assets: assets() }
    const read = await answerOf(drivers, 'chain.readBalances', ask, 'chain.balances')
    expect(read.amounts).toEqual({ SOL: '2000000000', USDC: '12500000' })
  })
})

describe('the mint', () => {
  const read = (mint: string, program: Terms['token']['program'] = 'spl-token') => ({ mint, program })

  test('of the sold token has neither authority left; that of USDC has an authority', async () => {
    const mint = terms.token.mint ?? ''
    expect(await answerOf(drivers, 'chain.readMint', read(mint), 'chain.mint')).toEqual({ mint, decimals: 9 })
    const usdc = terms.assets.find(asset => asset.symbol === 'USDC')?.mint ?? ''
    const other = await answerOf(drivers, 'chain.readMint', read(usdc), 'chain.mint')
    expect(other).toMatchObject({ mint: usdc, decimals: 6, mintAuthority: expect.stringMatching(/^\w{32,44}$/) })
  })

  test('that is missing, is no mint, or is of another program than in the terms is refused', async () => {
    const mint = terms.token.mint ?? ''
    const nobody = seededKeypair('solana driver tests', 'nobody').address
    for (const asked of [read(nobody), read(terms.treasury), read(mint, 'token-2022')])
      expect(await failureOf(drivers, 'chain.readMint', asked)).toMatchObject({ code: 'bad_response' })
  })
})

describe('preparing an order', () => {
  test('a SOL order has its instructions in order, references on the transfer, and an exact fee', async () => {
    const buyer = buyerWith({ sol: '3' })
    const prepared = await prepare(buyer)
    const unsigned = (await bytes.get(prepared.bytesRef)) ?? new Uint8Array()
    const decoded = decodeTransaction(unsigned)
    expect(unsigned.slice(0, 65)).toEqual(Uint8Array.of(1, ...new Uint8Array(64)))
    expect(prepared.decoded).toEqual(decoded)
    expect(decoded.instructions.map(one => one.kind)).toEqual(['computeLimit', 'computePrice', 'memo', 'transfer'])
    const references = [presale, buyerRef(presale, buyer.address), orderRef(presale, buyer.address, '5b0e9d7c31f4a826')]
    expect(decoded.instructions[3]).toEqual({
      kind: 'transfer',
      from: buyer.address,
      to: terms.treasury,
      lamports: '250000000',
      references,
    })
    expect(prepared.memo).toBe(
      `mai1:${termsHash.slice(0, 16)}:5b0e9d7c31f4a826:SOL:250000000:33333333333333:33333333333332`,
    )
    expect(prepared.orderRef).toBe(references[2])
    // A newer block may be of a fork that is dropped, and the wallet's bytes with it
    expect(paramsOf('getLatestBlockhash')).toEqual([{ commitment: 'confirmed' }])
    // The account that all buyers write to
    expect(paramsOf('getRecentPrioritizationFees')).toEqual([[terms.treasury]])
    const paidFee = await spentFee(buyer, prepared.bytesRef, 250_000_000n)
    expect(prepared.fee).toBe(String(paidFee))
  })

  test('an order’s keys are derived beside the built transaction', async () => {
    const buyer = buyerWith({ sol: '3', usdc: '400' })
    const references = [presale, buyerRef(presale, buyer.address), orderRef(presale, buyer.address, '5b0e9d7c31f4a826')]
    expect((await prepare(buyer)).derived).toEqual({ references })
    const { derived, decoded } = await prepare(buyer, { asset: 'USDC', units: '375000000' })
    const { source } = derived ?? {}
    expect(derived).toEqual({ references, source, destination: stack.info.treasuryUsdc })
    expect(decoded.instructions[3]).toMatchObject({ source, references })
  })

  test('a USDC order moves tokens from the own account to the treasury', async () => {
    const buyer = buyerWith({ sol: '1', usdc: '400' })
    const { decoded } = await prepare(buyer, { asset: 'USDC', units: '375000000' })
    expect(decoded.instructions[3]).toMatchObject({
      kind: 'tokenTransfer',
      mint: stack.info.usdcMint,
      destination: stack.info.treasuryUsdc,
      owner: buyer.address,
      amount: '375000000',
      decimals: 6,
    })
    expect(paramsOf('getRecentPrioritizationFees')).toEqual([[stack.info.treasuryUsdc]])
  })

  test('paying with an empty account, too little SOL, or a rest that rent forbids is refused with amounts', async () => {
    expect(await refused(buyerWith({}))).toMatchObject({ code: 'account_not_found' })
    expect(await refused(buyerWith({ sol: '0.2' }))).toMatchObject({
      code: 'insufficient_sol',
      facts: { holds: '200000000' },
    })
    // 250 000 000 + fee + 500 000 lamports: the rest lies between 0 and 890 880.
    expect(await refused(buyerWith({ sol: '0.2505' }))).toMatchObject({ code: 'rent', facts: { whose: 'buyer' } })
  })

  test('paying absent tokens is refused with amounts', async () => {
    const change = { asset: 'USDC', units: '375000000' }
    expect(await refused(buyerWith({ sol: '1' }), change)).toMatchObject({ code: 'no_token_account' })
    expect(await refused(buyerWith({ sol: '1', usdc: '300' }), change)).toMatchObject({
      code: 'insufficient_token',
      facts: { needs: '375000000', holds: '300000000', short: '75000000' },
    })
    expect(await refused(buyerWith({ sol: '0.0008909', usdc: '400' }), change)).toMatchObject({
      code: 'insufficient_sol',
    })
  })

  test('another chain, another treasury account, other decimals or other terms are refused', async () => {
    const buyer = buyerWith({ sol: '1', usdc: '400' })
    const change = { asset: 'USDC', units: '375000000' }
    expect(await refused(buyer, { termsHash: 'f'.repeat(64) })).toMatchObject({ code: 'terms_changed' })
    stack.control({ faults: { getGenesisHash: { kind: 'wrongGenesis', times: 1 } } })
    expect(await refused(buyer)).toMatchObject({ code: 'wrong_cluster' })
    stack.control({ faults: {} })
    const otherDecimals = structuredClone(terms)
    for (const asset of otherDecimals.assets) if (asset.symbol === 'USDC') asset.decimals = 9
    const hash = hashOf(otherDecimals)
    expect(await refused(buyer, { ...change, termsHash: hash }, otherDecimals)).toMatchObject({ code: 'decimals' })
    const noVault = { ...structuredClone(terms), treasury: stack.info.authority }
    expect(await refused(buyer, { ...change, termsHash: hashOf(noVault) }, noVault)).toMatchObject({
      code: 'treasury_mismatch',
    })
  })

  test('an empty answer to the simulation does not count as success', async () => {
    const buyer = buyerWith({ sol: '1' })
    stack.control({ faults: { simulateTransaction: { kind: 'null' } } })
    expect(await refused(buyer)).toMatchObject({ code: 'bad_response' })
  })

  test('a builder that lies about its bytes describes neither them nor an order’s keys', async () => {
    const buyer = buyerWith({ sol: '3' })
    const thief = seededKeypair('solana driver tests', 'thief').address
    const honest = await prepare(buyer)
    const hostile = fresh({
      loadPrepare: async () => {
        const { createPrepareDriver } = await import('../../../../src/worker/drivers/solana/order/prepare.ts')
        return means => ({
          'chain.prepareOrder': async (effect, answer) => {
            const bytesRef = await bytes.put(unsignedTo(buyer, thief), 'order-1')
            await createPrepareDriver(means)['chain.prepareOrder'](effect, given =>
              answer({ ...given, data: { ...given.data, bytesRef, derived: { references: [thief, thief, thief] } } }),
            )
          },
        })
      },
    })
    const order = { orderId: 'order1', order: orderOf(buyer), terms }
    const told = await answerOf(hostile, 'chain.prepareOrder', order, 'chain.orderPrepared')
    expect(told.decoded.instructions).toMatchObject([{ kind: 'transfer', to: thief, lamports: '2000000000' }])
    expect(told.derived).toEqual(honest.derived)
  })

  test('with the builder gone after a deployment, nothing is built', async () => {
    drivers = createSolanaDriver({
      rpcUrls: [stack.url],
      termsUrl: `${stack.url}/terms.json`,
      http: createHttp(),
      bytes,
      now: () => 0,
      loadPrepare: () => Promise.reject(new TypeError('Failed to fetch dynamically imported module')),
    })
    expect(await refused(buyerWith({ sol: '1' }))).toMatchObject({ code: 'reload_needed' })
  })
})

describe('a node that asks for a pause', () => {
  test('of 20 s fails a pressed order at once, with the pause', async () => {
    const buyer = buyerWith({ sol: '2' })
    stack.control({ faults: { getLatestBlockhash: { kind: 'status', status: 429, retryAfter: 20 } } })
    const order = { orderId: 'order1', order: orderOf(buyer), terms }
    expect(await failureOf(fresh(), 'chain.prepareOrder', order)).toMatchObject({
      code: 'rate_limited',
      facts: { retryAfterMs: 20_000 },
    })
  })
})

describe('sending and watching', () => {
  /** Data of the effect that watches this buyer's order. */
  const watchOf = (buyer: Keypair, { orderRef: ref, slot }: { orderRef: string; slot: number }) => {
    return { orderId: 'order1', orderRef: ref, account: buyer.address, fromSlot: slot, search: false }
  }

  test('an order lands, is sent twice without harm, and is followed to the final level', async () => {
    const buyer = buyerWith({ sol: '2' })
    const order = await paid(buyer)
    for (const first of [true, false]) {
      const again = { orderId: 'order1', bytesRef: order.signedRef, first }
      await answerOf(drivers, 'chain.submit', again, 'chain.submitted')
      // The node sends nothing again by itself: the core decides on that
      const options = { encoding: 'base64', skipPreflight: !first, preflightCommitment: 'confirmed', maxRetries: 0 }
      expect(paramsOf('sendTransaction')).toEqual([expect.any(String), options])
    }

    const watch = { ...watchOf(buyer, order), signature: order.signature }
    const levels: (string | undefined)[] = []
    for (const slots of [0, 1, 32]) {
      stack.chain.advance(slots)
      const status = await answerOf(drivers, 'chain.watch', watch, 'chain.status')
      levels.push(status.status)
      expect(status.proofs).toBeUndefined()
    }
    expect(levels).toEqual(['processed', 'confirmed', 'finalized'])
  })

  test('an order with an unknown signature is found by its reference', async () => {
    const buyer = buyerWith({ sol: '2' })
    const order = await paid(buyer)
    stack.chain.advance(1)
    const watch = { ...watchOf(buyer, order), search: true }
    const { landed } = await answerOf(drivers, 'chain.watch', watch, 'chain.status')
    expect(landed).toMatchObject([{ status: 'confirmed', signature: order.signature, decoded: order.decoded }])
  })

  test("a stranger's transaction with the order's reference is not taken for the order", async () => {
    const buyer = buyerWith({ sol: '2' })
    const stranger = buyerWith({ sol: '2' })
    const prepared = await prepare(buyer)
    stack.chain.run(
      [memo(prepared.memo), transfer(stranger.address, stranger.address, 0n, [presale, prepared.orderRef])],
      [stranger],
    )
    stack.chain.advance(40)
    const watch = { ...watchOf(buyer, prepared), search: true, proves: true }
    const status = await answerOf(drivers, 'chain.watch', watch, 'chain.status')
    expect(status.proofs).toMatchObject([{ unseen: true, whole: true }])
    expect([status.status, status.landed]).toEqual([undefined, undefined])
  })

  test('a wallet’s signature of another transaction is reported with its content and slot', async () => {
    const buyer = buyerWith({ sol: '2' })
    const earlier = await paid(buyer, { orderKey: '00000000000000b1' })
    stack.chain.advance(40)
    const prepared = await prepare(buyer, { orderKey: '00000000000000b3' })
    for (const search of [false, true]) {
      const watch = { ...watchOf(buyer, prepared), signature: earlier.signature, search }
      const { landed } = await answerOf(fresh(), 'chain.watch', watch, 'chain.status')
      expect(landed).toMatchObject([
        { signature: earlier.signature, decoded: { instructions: earlier.decoded.instructions } },
      ])
      expect(landed?.[0]?.slot).toBeLessThan(prepared.slot)
    }
  })

  test('the signature of a sending wallet is the order’s, in any life', async () => {
    const buyer = buyerWith({ sol: '2' })
    const order = await paid(buyer)
    stack.chain.advance(40)
    const watch = { ...watchOf(buyer, order), signature: order.signature }
    const { landed } = await answerOf(fresh(), 'chain.watch', watch, 'chain.status')
    expect(landed).toMatchObject([{ status: 'finalized', decoded: order.decoded }])
  })

  test('a proof tells how long ago its bytes were built, by monotonic time', async () => {
    const buyer = buyerWith({ sol: '2' })
    let went = 5000
    drivers = fresh({ passed: () => went })
    const known = async (watch: object) =>
      (await answerOf(drivers, 'chain.watch', { ...watch, search: true, proves: true }, 'chain.status')).knownMs
    const first = watchOf(buyer, await prepare(buyer))
    went += 7000
    expect(await known(first)).toBe(7000)
    // After a rebuild, and for a rebuild of an earlier life
    await prepare(buyer)
    expect(await known(first)).toBe(0)
    went += 3000
    expect([await known(first), await known({ ...first, orderId: 'order2' })]).toEqual([3000, 0])
  })

  test('an order that never landed shows the height past its end and no transaction', async () => {
    const buyer = buyerWith({ sol: '2' })
    const prepared = await prepare(buyer)
    const { signedRef, signature } = await signed(buyer, prepared.bytesRef)
    stack.control({ faults: { sendTransaction: { kind: 'dropTransaction', times: 1 } } })
    await answerOf(drivers, 'chain.submit', { orderId: 'order1', bytesRef: signedRef, first: true }, 'chain.submitted')
    stack.chain.advance(190)
    const watch = { ...watchOf(buyer, prepared), signature, search: true, own: true, proves: true }
    const status = await answerOf(drivers, 'chain.watch', watch, 'chain.status')
    expect(status.height).toBeGreaterThan(prepared.validUntilHeight)
    expect(status.nodeSlot).toBeGreaterThan(prepared.slot)
    const [proof] = status.proofs ?? []
    expect(proof).toMatchObject({ height: status.height, unseen: true, whole: true })
    expect(proof?.heightSlot).toBeGreaterThan(prepared.slot)
    expect(proof?.answerSlot).toBeGreaterThanOrEqual(proof?.heightSlot ?? Number.POSITIVE_INFINITY)
    expect([status.status, status.landed]).toEqual([undefined, undefined])
    expect(
      await failureOf(drivers, 'chain.submit', { orderId: 'order1', bytesRef: signedRef, first: true }),
    ).toMatchObject({ code: 'blockhash_not_found' })
  })

  test('a payment refused by the chain shows the reason', async () => {
    const buyer = buyerWith({ sol: '2' })
    const prepared = await prepare(buyer, { units: '1500000000' })
    const { signedRef, signature } = await signed(buyer, prepared.bytesRef)
    stack.chain.run([transfer(buyer.address, stack.info.authority, 1_000_000_000n)], [buyer])
    expect(
      await failureOf(drivers, 'chain.submit', { orderId: 'order1', bytesRef: signedRef, first: true }),
    ).toMatchObject({ code: 'insufficient_sol', facts: { instruction: 3, custom: 1 } })
    await answerOf(drivers, 'chain.submit', { orderId: 'order1', bytesRef: signedRef, first: false }, 'chain.submitted')
    stack.chain.advance(1)
    const watch = { ...watchOf(buyer, prepared), signature, own: true }
    expect(await answerOf(drivers, 'chain.watch', watch, 'chain.status')).toMatchObject({
      status: 'confirmed',
      error: { code: 'on_chain_error', facts: { instruction: 3, name: 'Custom', custom: 1 } },
    })
  })

  test('deleted bytes cannot be sent', async () => {
    const buyer = buyerWith({ sol: '2' })
    const { bytesRef } = await prepare(buyer)
    await bytes.forget([bytesRef])
    expect(await failureOf(drivers, 'chain.submit', { orderId: 'order1', bytesRef, first: true })).toMatchObject({
      code: 'storage_down',
    })
  })
})

describe('purchases', () => {
  test('own orders are returned with their payments; known ones and strangers’ are not', async () => {
    const buyer = buyerWith({ sol: '2', usdc: '400' })
    const first = await paid(buyer, { orderKey: '00000000000000a1' })
    stack.chain.advance(40)
    const second = await paid(buyer, { orderKey: '00000000000000a2', asset: 'USDC', units: '375000000' })
    stack.chain.advance(1)
    const stranger = buyerWith({ sol: '1' })
    stack.chain.run(
      [transfer(stranger.address, terms.treasury, 1_000_000n, [buyerRef(presale, buyer.address)])],
      [stranger],
    )
    stack.chain.advance(1)
    const ask = { account: buyer.address, presaleRef: presale, terms, known: [] as string[] }
    const { purchases } = await answerOf(drivers, 'chain.readPurchases', ask, 'chain.purchases')
    expect(purchases.map(({ signature, asset, units, status }) => ({ signature, asset, units, status }))).toEqual([
      { signature: second.signature, asset: 'USDC', units: '375000000', status: 'confirmed' },
      { signature: first.signature, asset: 'SOL', units: '250000000', status: 'final' },
    ])
    const before = callsOf('getTransaction')
    const next = { ...ask, known: [first.signature, second.signature] }
    expect((await answerOf(drivers, 'chain.readPurchases', next, 'chain.purchases')).purchases).toEqual([])
    expect(callsOf('getTransaction')).toBe(before)
  })

  test('that a node lists before it has them are read again, unless they are final', async () => {
    const buyer = buyerWith({ sol: '1' })
    await paid(buyer, { orderKey: '00000000000000a3' })
    stack.chain.advance(1)
    const without: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      if (!String(init?.body ?? '').includes('getTransaction')) return response
      const answers = [(await response.json()) as object | object[]].flat()
      const body = JSON.stringify(answers.map(one => ({ ...one, result: null })))
      return new Response(body, { headers: { 'content-type': 'application/json' } })
    }
    const lagging = fresh({ http: createHttp({ wait: async () => {}, fetch: without }) })
    const ask = { account: buyer.address, presaleRef: presale, terms, known: [] }
    const read = () => answerOf(lagging, 'chain.readPurchases', ask, 'chain.purchases')
    expect(await read()).toEqual({ account: buyer.address, purchases: [], more: 'unread' })
    stack.chain.advance(40)
    expect(await read()).toEqual({ account: buyer.address, purchases: [] })
  })
})

describe('a purchase by code', () => {
  test('is in the wallet’s own list, which is read with the payouts, in the same calls', async () => {
    const buyer = buyerWith({ sol: '9' })
    const own = await paid(buyer, { orderKey: '00000000000000b1' })
    const text = `mai1:${termsHash.slice(0, 16)}:00000000000000b2:SOL:2000000000:1:1`
    const byCode = (to: string) => {
      stack.chain.advance(1)
      return stack.chain.run([memo(text), transfer(buyer.address, to, 2_000_000_000n, [presale])], [buyer])
    }
    const signature = byCode(terms.treasury)
    byCode(stack.info.authority)
    stack.chain.advance(40)
    const asked = { account: buyer.address, presaleRef: presale, terms, known: [own.signature] }
    const readBy = async (data: object) => {
      const before = callsOf('getSignaturesForAddress')
      const { purchases } = await answerOf(drivers, 'chain.readPurchases', { ...asked, ...data }, 'chain.purchases')
      return { found: purchases, lists: callsOf('getSignaturesForAddress') - before }
    }
    expect(await readBy({})).toEqual({ found: [], lists: 1 })
    const plans = ['5'.repeat(64)]
    const { found, lists } = await readBy({ plans })
    expect(found).toMatchObject([{ signature, orderId: '00000000000000b2', units: '2000000000', status: 'final' }])
    // The wallet, its account of USDC and, once there is a mint, that of the token
    expect(lists).toBe(terms.token.mint === null ? 3 : 4)
    const reads = callsOf('getTransaction')
    expect((await readBy({ plans, known: [own.signature, signature] })).found).toEqual([])
    expect(callsOf('getTransaction')).toBe(reads)
  })
})

describe('a second node', () => {
  test('it is called when the first cannot be reached for this call', async () => {
    const closed = 'http://127.0.0.1:9'
    const both = fresh({ rpcUrls: [closed, stack.url] })
    expect(await answerOf(both, 'chain.identify', {}, 'chain.identified')).toMatchObject({
      genesisHash: stack.info.genesisHash,
    })
  })

  test('it is not called when it serves another chain', async () => {
    const other = await startSolana({ seed: 'another chain', clock: 'manual' })
    const both = fresh({ rpcUrls: [stack.url, other.url] })
    await answerOf(both, 'chain.identify', {}, 'chain.identified')
    stack.control({ faults: { '*': { kind: 'status', status: 400 } } })
    const answer = await ask(both, 'chain.readBalances', { account: terms.treasury, assets: [{ symbol: 'SOL' }] })
    await other.close()
    expect(answer.type).toBe('effect.failed')
  })
})

function hashOf(document: Terms): string {
  return hashText(canonicalTerms(document))
}

/** Sends the prepared order and sees what left the account beyond the payment. */
async function spentFee(buyer: Keypair, bytesRef: string, units: bigint): Promise<bigint> {
  const before = stack.chain.accounts.now(buyer.address)?.lamports ?? 0n
  const { signedRef } = await signed(buyer, bytesRef)
  await answerOf(drivers, 'chain.submit', { orderId: 'order1', bytesRef: signedRef, first: true }, 'chain.submitted')
  return before - (stack.chain.accounts.now(buyer.address)?.lamports ?? 0n) - units
}

function callsOf(method: string): number {
  return calls.filter(called => called.method === method).length
}

/** @returns parameters of the newest call */
function paramsOf(method: string): unknown[] | undefined {
  return calls.filter(called => called.method === method).at(-1)?.params
}

test('solana driver: the sale’s result is read once its notice is final, and only from the authority', async () => {
  const notices = () => answerOf(drivers, 'chain.readNotices', noticesOf(termsHash), 'chain.notices')
  const stranger = buyerWith({ sol: '1' })
  const self = stranger.address
  const { nextSeq } = stack.operator.published
  stack.chain.run([memo(`mai1n:${nextSeq}:result:failed`), transfer(self, self, 0n, [noticeRef(presale)])], [stranger])
  stack.chain.advance(40)
  expect(await notices()).not.toHaveProperty('result')
  stack.operator.notice('result', 'success')
  expect(await notices()).not.toHaveProperty('result')
  stack.chain.advance(40)
  expect(await notices()).toMatchObject({ result: 'success' })
})
