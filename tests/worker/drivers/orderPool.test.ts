/**
 * Nodes of a pool that lag, lie or are flooded, called by the real driver. Each node is a script; the driver's answer
 * enters a real core where the attack ends there.
 */
import { Keypair, PublicKey, Transaction } from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import { agreedByAll, openOrder, orderKeyOf, outlivingBlocks } from '../../../src/events/subjects/order/order.ts'
import { encodeBase58 } from '../../../src/events/values/solana/base58.ts'
import { triesForSilent } from '../../../src/worker/deciders/order/proof.ts'
import { triesForFinal } from '../../../src/worker/deciders/order/watch.ts'
import { createVerify } from '../../../src/worker/drivers/walletconnect/verify.ts'
import { memoryBytes } from '../../../src/worker/drivers/bytes.ts'
import { createHttp } from '../../../src/worker/host/aloneTransport.ts'
import { createOrderAges } from '../../../src/worker/drivers/solana/order/orderAges.ts'
import { createRpc } from '../../../src/worker/drivers/solana/rpc.ts'
import { createOrdersDriver } from '../../../src/worker/drivers/solana/order/orders.ts'
import { createPurchasesDriver } from '../../../src/worker/drivers/solana/sale/purchases.ts'
import { readTransaction } from '../../../src/worker/chains/solana/wire.ts'
import type { Terms } from '../../../src/events/sale/terms/terms.ts'
import {
  budget,
  buyer,
  buyerKey,
  memo,
  memoInstruction,
  orderInstructions,
  references,
  solTransfer,
  treasury,
  withReferences,
} from '../chains/solana/exampleOrder.ts'
import { outlivedMs } from '../../../src/events/subjects/order/watchedOrder.ts'
import { account, connected, intent, placed, preparedOf, sent, signedOf, theOrder, throughGate } from '../story.ts'
import type { World } from '../world.ts'
import { answerOf } from './harness.ts'

type Call = { method: string; params: any[] }
type Script = { [method: string]: (params: any[]) => unknown }
type Line = { signature: string; slot: number; err: unknown; confirmationStatus: 'confirmed' | 'finalized' }

const genesis = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'

/**
 * A node at this finalised slot that knows these transactions; its history ends `behind` slots earlier. The newest
 * blockhash it has read is valid to height `validTo`.
 */
function node(at: {
  slot: number
  height: number
  behind?: number
  lines?: Line[]
  bytes?: Record<string, string>
  validTo?: number
}): Script {
  const { slot, height, behind = 0, lines = [], bytes = {}, validTo = 150 } = at
  const refused = { error: { code: -32016, message: 'Minimum context slot has not been reached' } }
  const known = () => lines.filter(line => line.slot <= slot - behind)
  return {
    getGenesisHash: () => genesis,
    getEpochInfo: () => ({ absoluteSlot: slot, blockHeight: height }),
    getSlot: () => slot + 32,
    getSignatureStatuses: ([list]) => ({
      context: { slot: slot + 32 - behind },
      value: list.map((id: string) => {
        const line = known().find(one => one.signature === id)
        return line
          ? { slot: line.slot, confirmations: null, err: line.err, confirmationStatus: line.confirmationStatus }
          : null
      }),
    }),
    getSignaturesForAddress: ([, { minContextSlot = 0, before, limit }]) => {
      if (minContextSlot > slot - behind) return refused
      // The worlds' orders have short names, which no list contains
      const listed = known().filter(({ signature }) => signature.length > 80)
      const from = before === undefined ? 0 : listed.findIndex(line => line.signature === before) + 1
      return before !== undefined && from === 0 ? [] : listed.slice(from, from + limit)
    },
    getTransaction: ([id]) =>
      bytes[id] === undefined ? null : { slot: 1010, transaction: [bytes[id], 'base64'], meta: { err: null } },
    isBlockhashValid: ([, { commitment, minContextSlot = 0 }]) => {
      const ahead = commitment === 'finalized' ? 0 : 32
      if (minContextSlot > slot + ahead - behind) return refused
      return { context: { slot: slot + ahead - behind }, value: height + ahead <= validTo }
    },
  }
}

/** Each address is a pool: every request may reach another of its nodes. */
function pools(...scripts: ((call: Call) => Script)[]) {
  const calls: Call[] = []
  let went = 0
  const answer: typeof fetch = async (url, init) => {
    const script = scripts[Number(new URL(String(url)).port)]
    const asked = JSON.parse(String(init?.body))
    const read: { id: number; method: string; params: unknown[] }[] = [asked].flat()
    const answers = read.map(({ id, method, params }) => {
      calls.push({ method, params })
      const made = script?.({ method, params })[method]
      if (!made) throw new TypeError('nobody is there')
      const result = made(params)
      return { id, ...(typeof result === 'object' && result !== null && 'error' in result ? result : { result }) }
    })
    return Response.json(Array.isArray(asked) ? answers : answers[0])
  }
  const urls = scripts.map((_, at) => `http://node.example:${at}`)
  const rpc = createRpc({ urls, http: createHttp({ fetch: answer, wait: async () => undefined }) })
  const verify = createVerify()
  const drivers = {
    ...createOrdersDriver({ rpc, bytes: memoryBytes(), verify, ages: createOrderAges(() => went) }),
    ...createPurchasesDriver({
      rpc,
      verify,
      http: createHttp({ fetch: answer }),
      termsUrl: 'http://sale.example/terms.json',
    }),
  }
  /** Advances monotonic time. */
  const pass = (ms: number) => {
    went += ms
  }
  return { calls, drivers, pass, count: (method: string) => calls.filter(call => call.method === method).length }
}
type Pools = ReturnType<typeof pools>
const one = (script: Script) => () => script

/** The core watches, these nodes answer. @returns the resulting facts */
async function looked(world: World, { drivers }: Pools): Promise<string[]> {
  world.fire(`watch:${theOrder(world).orderId}`)
  const asked = world.last('chain.watch').data
  return world.answer('chain.watch', 'chain.status', await answerOf(drivers, 'chain.watch', asked, 'chain.status'))
    .types
}

/** Watches once a second for so long; by default for five minutes, every fourth second. */
async function lookedLong(world: World, nodes: Pools, seconds?: number): Promise<void> {
  const step = seconds === undefined ? 4 : 1
  for (let second = 0; second < (seconds ?? 300) && openOrder(world.model); second += step) {
    world.wait(step * 1000)
    nodes.pass(step * 1000)
    await looked(world, nodes)
  }
}

/** Past the end of the order's blockhash, which is valid to height 150. */
const past = { slot: 1200, height: 200 }

function isAgreed(world: World): boolean {
  const order = theOrder(world)
  return order.phase === 'expired' && agreedByAll(order)
}

// The worlds' order has these names
const landed: Line[] = [{ signature: 'sig-1', slot: 1100, err: null, confirmationStatus: 'finalized' }]

function signedBytes(instructions = orderInstructions(), signer = buyer): { id: string; base64: string } {
  const transaction = new Transaction({ feePayer: signer.publicKey, blockhash: genesis, lastValidBlockHeight: 150 })
  transaction.add(...instructions)
  transaction.sign(signer)
  const bytes = Uint8Array.from(transaction.serialize())
  return {
    id: encodeBase58(readTransaction(bytes).signatures[0] ?? new Uint8Array()),
    base64: Buffer.from(bytes).toString('base64'),
  }
}

const line = (signature: string, slot = 1010, err: unknown = null): Line => ({
  signature,
  slot,
  err,
  confirmationStatus: 'finalized',
})
const orderRef = references[2] ?? ''
const watch = { orderId: 'o-1', orderRef, account: buyerKey, fromSlot: 1000, search: true }
const status = ({ drivers }: Pools, more: object = {}) =>
  answerOf(drivers, 'chain.watch', { ...watch, ...more }, 'chain.status')

describe('a payment that landed is not declared impossible', () => {
  test('by a pool whose history is 400 slots behind its height, and its answer says so', async () => {
    const behind = node({ ...past, behind: 400, lines: landed })
    const world = sent()
    await lookedLong(world, pools(one(behind)))
    expect(theOrder(world).phase).toBe('sending')
  })

  test('by a pool in which height and status come from different nodes', async () => {
    const tip = node({ ...past, lines: landed })
    const old = node({ slot: 1050, height: 50 })
    const world = sent()
    const nodes = pools(({ method }) => (method === 'getEpochInfo' || method === 'getSlot' ? tip : old))
    await lookedLong(world, nodes)
    expect(theOrder(world).phase).toBe('sending')
  })

  test('by one lying height, before a minute has passed', async () => {
    const world = sent()
    await lookedLong(world, pools(one(node({ slot: 1001, height: 10_000_000 }))), 59)
    expect(theOrder(world).phase).toBe('sending')
  })

  test.each([[0], [1]])('by one of two endpoints that lies, whichever it is: %i', async liar => {
    const honest = one(node({ slot: 1201, height: 201, lines: landed }))
    const lying = one(node(past))
    const world = sent()
    const nodes = liar === 0 ? pools(lying, honest) : pools(honest, lying)
    await lookedLong(world, nodes)
    expect(theOrder(world).phase).toBe('finalised')
  })

  test.each([
    ['of the height', 'getEpochInfo'],
    ['of the list', 'getSignaturesForAddress'],
    ['of the blockhash', 'isBlockhashValid'],
  ])('while the second endpoint refuses its word %s as of a node that is behind', async (_name, method) => {
    const refused = { error: { code: -32016, message: 'Minimum context slot has not been reached' } }
    const behind = { ...node({ ...past, ...(method === 'getEpochInfo' ? { height: 50 } : {}) }) }
    if (method !== 'getEpochInfo') behind[method] = () => refused
    const world = sent()
    await lookedLong(world, pools(one(node(past)), one(behind)))
    expect(theOrder(world).phase).toBe('sending')
    expect(theOrder(world)).not.toHaveProperty('silent')
  })

  test('by an endpoint whose second is behind', async () => {
    const world = sent()
    await lookedLong(world, pools(one(node(past)), one(node({ slot: 1050, height: 50 }))))
    expect(theOrder(world).phase).toBe('sending')
  })
})

describe('a second endpoint that does not answer', () => {
  const noMethod = () => ({ error: { code: -32601, message: 'Method not found' } })
  const silent: [string, Script][] = [
    ['cannot be reached', { getGenesisHash: () => genesis }],
    ['knows no such list', { ...node(past), getSignaturesForAddress: noMethod }],
    ['lacks the question for a blockhash', { ...node(past), isBlockhashValid: noMethod }],
  ]

  test.each(silent)('for it %s is named, delays an end for some tries, and not for ever', async (_name, script) => {
    for (const which of [0, 1]) {
      const scripts = [one(script), one(node(past))]
      const nodes = pools(...(which === 0 ? scripts : scripts.reverse()))
      const world = sent()
      await lookedLong(world, nodes, 60 + triesForSilent)
      expect(theOrder(world)).toMatchObject({ phase: 'sending', silent: [`node.example:${which}`] })
      await lookedLong(world, nodes, 10)
      expect(theOrder(world)).toMatchObject({
        phase: 'expired',
        proof: { providers: 1 },
        silent: [`node.example:${which}`],
      })
      expect(isAgreed(world)).toBe(false)
    }
  })

  test('delays it no longer after an answer, and the tries begin anew when it is silent again', async () => {
    const [, cut] = silent[0] ?? ['', {}]
    let script: Script = cut
    const nodes = pools(one(node(past)), () => script)
    const world = sent()
    await lookedLong(world, nodes, 60 + triesForSilent)
    script = node({ ...past, height: 149 })
    await lookedLong(world, nodes, 2)
    expect(theOrder(world)).not.toHaveProperty('silent')
    script = cut
    await lookedLong(world, nodes, triesForSilent - 1)
    expect(theOrder(world)).toMatchObject({ phase: 'sending', silent: ['node.example:1'] })
    script = node(past)
    await lookedLong(world, nodes, 2)
    expect(theOrder(world)).toMatchObject({ phase: 'expired', proof: { providers: 2 } })
    expect(isAgreed(world)).toBe(true)
  })

  test('about the blockhash, but shows the payment, is believed', async () => {
    const world = sent()
    const shows = { ...node({ ...past, lines: landed }), isBlockhashValid: noMethod }
    await lookedLong(world, pools(one(node(past)), one(shows)))
    expect(theOrder(world).phase).toBe('finalised')
  })

  test('is not replaced by one that calls the blockhash still valid', async () => {
    const world = sent()
    await lookedLong(world, pools(one(node({ ...past, validTo: 100_000 })), one({ getGenesisHash: () => genesis })))
    expect(theOrder(world).phase).toBe('sending')
  })

  test('beside a first one that reports the blockhash: no end can be proved, and the page gives the reason', async () => {
    const [, , lacking] = silent
    const world = sent()
    await lookedLong(world, pools(one(lacking?.[1] ?? {})))
    expect(theOrder(world)).toMatchObject({ phase: 'sending', silent: ['node.example:0'] })
  })
})

describe('one endpoint’s report that an order is final', () => {
  const says = (confirmationStatus: Line['confirmationStatus']) =>
    one(node({ slot: 1090, height: 90, behind: -32, lines: [{ ...line('sig-1', 1100), confirmationStatus }] }))
  const final = says('finalized')

  test('is believed once the second says so, too, for one more look at each', async () => {
    let second = says('confirmed')
    const nodes = pools(final, () => second())
    const world = sent()
    await lookedLong(world, nodes, 5)
    expect(theOrder(world).phase).toBe('confirmed')
    second = final
    await lookedLong(world, nodes, 1)
    expect(theOrder(world)).toMatchObject({ phase: 'finalised' })
    expect(theOrder(world)).not.toHaveProperty('finalBy')
  })

  test('costs one call at each endpoint, and none where there is one', async () => {
    for (const [scripts, calls] of [
      [[final], 1],
      [[final, final], 3],
    ] as const) {
      const nodes = pools(...scripts)
      const world = sent()
      await lookedLong(world, nodes, 2)
      expect(theOrder(world).phase).toBe('finalised')
      expect(nodes.count('getSignatureStatuses')).toBe(calls)
    }
  })

  test.each([
    ['never says so', one(node({ slot: 1090, height: 90 }))],
    ['cannot be reached', one({ getGenesisHash: () => genesis })],
  ])('is told as its word where the second %s, and the key of the order stays', async (_name, second) => {
    const world = sent()
    await lookedLong(world, pools(final, second), triesForFinal)
    expect(theOrder(world).phase).toBe('confirmed')
    await lookedLong(world, pools(final, second), 1)
    expect(theOrder(world)).toMatchObject({ phase: 'finalised', finalBy: 1 })
    const paid = theOrder(world)
    world.command('order.dismiss', { orderId: paid.orderId })
    const press = () => world.command('order.place', intent(world, { orderKey: 'ffffffffffffffff' }))
    press()
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { facts: { rule: 'PAID_UNSURE' } } })
    // No transaction of its blockhash can land any more
    world.wait(outlivedMs + 1000)
    press()
    expect(orderKeyOf(theOrder(world))).toBe('ffffffffffffffff')
  })
})

describe('the minute since the blockhash was read', () => {
  test('is not over because the device’s clock was set forward, by less than counts as a jump', async () => {
    const world = sent()
    const nodes = pools(one(node(past)))
    await looked(world, nodes)
    world.wait(59_000)
    await lookedLong(world, nodes, 59)
    expect(theOrder(world).phase).toBe('sending')
    await lookedLong(world, nodes, 3)
    expect(theOrder(world).phase).toBe('expired')
  })
})

describe('a last valid height that is told too high', () => {
  test('does not keep an order from its end: a height that outgrows any blockhash is past it', async () => {
    const world = connected()
    world.command('order.place', intent(world))
    const asked = world.last('chain.prepareOrder').data
    world.answer('chain.prepareOrder', 'chain.orderPrepared', preparedOf(asked, { validUntilHeight: 1_000_000 }))
    world.answer('wallet.signTransaction', 'wallet.signed', signedOf(world))
    throughGate(world)
    let height = 20
    const nodes = pools(...[0, 1].map(() => () => node({ slot: 1000 + height, height })))
    const grownTo = async (last: number) => {
      for (; height < last && openOrder(world.model); height += 2) await lookedLong(world, nodes, 1)
    }
    await grownTo(20 + outlivingBlocks)
    expect(theOrder(world).phase).toBe('sending')
    await grownTo(1000)
    expect(theOrder(world)).toMatchObject({ phase: 'expired', proof: { providers: 2 } })
  })
})

describe('an endpoint that lies about a transaction', () => {
  const stranger = Keypair.fromSeed(new Uint8Array(32).fill(67))
  const spam = signedBytes([withReferences(solTransfer(1, stranger.publicKey))], stranger)
  const paid = signedBytes()
  const unsigned = new Transaction({ feePayer: new PublicKey(account), blockhash: genesis, lastValidBlockHeight: 150 })
  const forged = unsigned.add(memoInstruction()).serialize({ requireAllSignatures: false })
  forged.fill(7, 1, 65)
  /** Only strangers' transactions carry the order's reference; no payment does. */
  const listed = { ...past, lines: [line(spam.id)], bytes: { [spam.id]: spam.base64 } }
  const honest = node(listed)
  const answers = (value: unknown): Script => ({ ...honest, getTransaction: () => value })
  const found = (base64: string) => ({ slot: 1010, transaction: [base64, 'base64'], meta: { err: null } })
  const lies: [string, Script][] = [
    ['gives another transaction', answers(found(paid.base64))],
    ['gives no transaction', answers({ slot: 'seven' })],
    ['gives what is no base64', answers(found('AAA'))],
    ['gives too few bytes', answers(found('AAAA'))],
    [
      'lists a payment that the buyer never signed',
      {
        ...honest,
        getSignaturesForAddress: () => [line(encodeBase58(Uint8Array.from(forged.subarray(1, 65))))],
        getTransaction: () => found(forged.toString('base64')),
      },
    ],
    ['gives no list', { ...honest, getSignaturesForAddress: () => ({ value: [] }) }],
  ]
  /** The signature is unknown, so the driver searches the list. */
  const silent = () => {
    const world = connected(['signAndSendTransaction'])
    placed(world)
    throughGate(world)
    world.fire(`silence:${theOrder(world).orderId}`)
    return world
  }

  test.each(lies)('that %s proves nothing alone, and is reported', async (_name, lying) => {
    const world = silent()
    await lookedLong(world, pools(one(lying)))
    expect(theOrder(world)).toMatchObject({ phase: 'unknown', lying: 1 })
  })

  test.each(lies)('that %s neither proves nor holds back what another one proves', async (_name, lying) => {
    for (const order of [
      [one(lying), one(honest)],
      [one(honest), one(lying)],
    ]) {
      const world = silent()
      await lookedLong(world, pools(...order))
      expect(theOrder(world)).toMatchObject({ phase: 'expired', proof: { providers: 1 }, lying: 1 })
    }
  })

  test.each(lies)('that %s does not hide a payment shown by another one', async (_name, lying) => {
    const shows = node({
      ...listed,
      lines: [line(spam.id), line(paid.id)],
      bytes: { ...listed.bytes, [paid.id]: paid.base64 },
    })
    const told = await status(pools(one(lying), one(shows)), { proves: true })
    expect(told.landed).toMatchObject([{ signature: paid.id }])
  })

  test('is not believed by its status beside an honest one; its claimed sighting delays the end', async () => {
    const lying: Script = {
      ...node({ ...listed, lines: [line(spam.id), line(paid.id)] }),
      getTransaction: () => found(forged.toString('base64')),
    }
    const told = await status(pools(one(lying), one(honest)), { signature: paid.id, own: true, proves: true })
    expect(told).not.toHaveProperty('status')
    expect(told).toMatchObject({
      lying: 1,
      proofs: [
        { unseen: false, whole: false },
        { unseen: true, whole: true },
      ],
    })
  })

  test('about the signature named by a wallet, with a claimed sighting, delays the end, too', async () => {
    const named = { ...node({ ...past, lines: [line(paid.id)] }), getSignaturesForAddress: () => [] }
    const lying = { ...named, getTransaction: () => found(spam.base64) }
    const told = await status(pools(one(lying), one(honest)), { signature: paid.id, proves: true })
    expect(told).toMatchObject({ lying: 1, proofs: [{ unseen: false }, { unseen: true }] })
    expect(told).not.toHaveProperty('landed')
  })

  test('is asked again, and believed when it tells the truth: another one’s report does not help it', async () => {
    let isLying = true
    const nodes = pools(() => (isLying ? answers(found(paid.base64)) : honest), one(honest))
    expect(await status(nodes, { proves: true })).toMatchObject({ lying: 1, proofs: [{}] })
    expect(await status(nodes, { proves: true })).toMatchObject({ lying: 1, proofs: [{}] })
    isLying = false
    const told = await status(nodes, { proves: true })
    expect(told).not.toHaveProperty('lying')
    expect(told.proofs).toMatchObject([{ whole: true }, { whole: true }])
  })

  test('is none that lacks the transaction: its list is incomplete, but it did not lie', async () => {
    const without = { ...honest, getTransaction: () => ({ error: { code: -32009, message: 'Slot was skipped' } }) }
    const told = await status(pools(one(without), one(honest)), { proves: true })
    expect(told).not.toHaveProperty('lying')
    expect(told.proofs).toMatchObject([{ whole: false }, { whole: true }])
  })
})

describe('a blockhash that may still be valid', () => {
  // The endpoint that gave the blockhash told too low a height
  const valid = { ...past, validTo: 100_000 }

  test.each([[0], [1]])('delays the end of its order, when one of two endpoints says so: %i', async which => {
    const world = sent()
    const [knows, not] = [one(node(valid)), one(node(past))]
    await lookedLong(world, which === 0 ? pools(knows, not) : pools(not, knows))
    expect(theOrder(world).phase).toBe('sending')
  })

  test('is checked at every endpoint, at the newest and at the finalised block past the height, when all else holds', async () => {
    const world = sent()
    const nodes = pools(one(node(past)), one(node({ slot: 1230, height: 230 })))
    await lookedLong(world, nodes)
    expect(theOrder(world).phase).toBe('expired')
    const asked = nodes.calls.filter(({ method }) => method === 'isBlockhashValid')
    const inOrder = asked.sort((a, b) => a.params[1].minContextSlot - b.params[1].minContextSlot)
    expect(inOrder.map(({ params: [hash, options] }) => [hash, options.commitment, options.minContextSlot])).toEqual([
      ['hash-1', 'processed', 1200],
      ['hash-1', 'finalized', 1200],
      ['hash-1', 'processed', 1230],
      ['hash-1', 'finalized', 1230],
    ])
  })

  const says = (isBlockhashValid: Script[string]): Script => ({ ...node(past), isBlockhashValid })
  test.each<[string, Script]>([
    ['is told of a block that is older than the height', says(() => ({ context: { slot: 1199 }, value: false }))],
    ['is not told', says(() => ({ error: { code: -32601, message: 'Method not found' } }))],
    ['is told in another form', says(() => ({ context: { slot: 5000 }, value: 'no' }))],
    [
      'is still valid at the newest block',
      says(([, { commitment }]) => ({ context: { slot: 5000 }, value: commitment === 'processed' })),
    ],
    [
      'is still valid at the finalised block',
      says(([, { commitment }]) => ({ context: { slot: 5000 }, value: commitment === 'finalized' })),
    ],
  ])('is no proof where it %s', async (_name, script) => {
    const world = sent()
    await lookedLong(world, pools(one(script)))
    expect(theOrder(world).phase).toBe('sending')
    expect(world.last('chain.watch').data.blockhash).toBe('hash-1')
  })
})

describe('a payment that never landed', () => {
  test('is proved gone by two endpoints, each by its own complete answer', async () => {
    const world = sent()
    const nodes = pools(one(node(past)), one(node({ slot: 1230, height: 230 })))
    await lookedLong(world, nodes)
    expect(world.said('order.expired')).toMatchObject([{ providers: 2 }])
    const lists = nodes.calls.filter(call => call.method === 'getSignaturesForAddress')
    expect(
      lists
        .slice(-2)
        .map(({ params }) => params[1].minContextSlot)
        .sort(),
    ).toEqual([1200, 1230])
  })

  test('is proved gone by a single endpoint, with that in the fact', async () => {
    const world = sent()
    await lookedLong(world, pools(one(node(past))))
    expect(world.said('order.expired')).toMatchObject([{ providers: 1 }])
  })

  test('is proved by endpoints of this chain: an endpoint of another is skipped', async () => {
    const world = sent()
    const other = { ...node(past), getGenesisHash: () => treasury }
    await lookedLong(world, pools(one(node(past)), one(other)))
    expect(world.said('order.expired')).toMatchObject([{ providers: 1 }])
  })

  test('keeps its watch where a node refuses its history: the status is reported', async () => {
    const confirmed = node({ slot: 1090, height: 90, behind: -32, lines: landed })
    const refusing = { ...confirmed, getSignaturesForAddress: () => ({ error: { code: -32016, message: 'behind' } }) }
    expect(await status(pools(one(refusing)), { signature: 'sig-1', own: true })).toMatchObject({ status: 'finalized' })
  })
})

describe('transactions under an order’s reference', () => {
  const thief = Keypair.fromSeed(new Uint8Array(32).fill(66))
  const shown = (made: { id: string; base64: string }[], lines = made.map(({ id }) => line(id))) =>
    pools(one(node({ ...past, lines, bytes: Object.fromEntries(made.map(({ id, base64 }) => [id, base64])) })))

  test('are reported with their content when the order’s account signed them', async () => {
    const paid = signedBytes()
    const told = await status(shown([paid]))
    expect(told.landed).toMatchObject([{ signature: paid.id, status: 'finalized', slot: 1010 }])
    expect(told.landed?.[0]?.decoded?.instructions.at(-1)).toMatchObject({ kind: 'transfer', lamports: '2500000000' })
    const again = await status(shown([paid]), { judged: [paid.id] })
    expect(again.landed?.[0]).not.toHaveProperty('decoded')
  })

  test('are reported when they pay another account, so that the core can warn', async () => {
    const stolen = signedBytes([
      ...budget(),
      memoInstruction(),
      withReferences(solTransfer()),
      solTransfer(9, buyer.publicKey, thief.publicKey.toBase58()),
    ])
    expect((await status(shown([stolen]))).landed).toHaveLength(1)
  })

  test('are ignored when a stranger signed them, with our memo and reference', async () => {
    const foreign = signedBytes([memoInstruction(memo), withReferences(solTransfer(1, thief.publicKey))], thief)
    const told = await status(shown([foreign]), { proves: true })
    expect(told.landed).toBeUndefined()
    expect(told.proofs).toMatchObject([{ whole: true }])
  })

  test('prove nothing when a node invents them: bytes whose signature does not fit, or of another signature', async () => {
    const paid = signedBytes()
    const bytes = Buffer.from(paid.base64, 'base64')
    bytes.fill(7, 1, 65)
    const invented = { id: encodeBase58(Uint8Array.from(bytes.subarray(1, 65))), base64: bytes.toString('base64') }
    const renamed = { id: encodeBase58(new Uint8Array(64).fill(9)), base64: paid.base64 }
    for (const lie of [invented, renamed]) {
      const told = await status(shown([lie]), { proves: true })
      expect(told.landed).toBeUndefined()
      expect(told).toMatchObject({ proofs: [], lying: 1 })
    }
  })

  test('by the signature named by a wallet are judged by the same rule', async () => {
    const bare = signedBytes([solTransfer(9, buyer.publicKey, thief.publicKey.toBase58())])
    const foreign = signedBytes([solTransfer(9, thief.publicKey)], thief)
    const nodes = pools(
      one({
        ...node({
          ...past,
          lines: [line(bare.id), line(foreign.id)],
          bytes: { [bare.id]: bare.base64, [foreign.id]: foreign.base64 },
        }),
        getSignaturesForAddress: () => [],
      }),
    )
    expect((await status(nodes, { signature: bare.id })).landed).toMatchObject([{ signature: bare.id }])
    const told = await status(nodes, { signature: foreign.id, proves: true })
    expect(told.landed).toBeUndefined()
    expect(told.proofs).toMatchObject([{ unseen: true }])
  })
})

describe('a flooded reference', () => {
  const stranger = Keypair.fromSeed(new Uint8Array(32).fill(67))
  const spam = signedBytes([withReferences(solTransfer(1, stranger.publicKey))], stranger)
  const bytesOf = Buffer.from(spam.base64, 'base64')
  /** Strangers' transactions, `count` of them, newest first, each with its own signature. */
  const flood = (count: number, slot: number) =>
    Array.from({ length: count }, (_, at) => {
      const bytes = Buffer.from(bytesOf)
      bytes.writeUInt32LE(at + 1, 1)
      return {
        base64: bytes.toString('base64'),
        line: line(encodeBase58(Uint8Array.from(bytes.subarray(1, 65))), slot),
      }
    })

  test('costs a fixed number of calls a watch, and every transaction is read once', async () => {
    const strangers = flood(120, 1010)
    const bytes = Object.fromEntries(strangers.map(one => [one.line.signature, one.base64]))
    const nodes = pools(one(node({ ...past, lines: strangers.map(one => one.line), bytes })))
    const reads: number[] = []
    let told = await status(nodes, { proves: true })
    for (; told.proofs?.[0]?.whole === false; told = await status(nodes, { proves: true }))
      reads.push(nodes.count('getTransaction'))
    expect(reads).toEqual([50, 100])
    expect(nodes.count('getTransaction')).toBe(120)
    await status(nodes, { proves: true })
    expect(nodes.count('getTransaction')).toBe(120)
  })

  test('is read back to the order’s build, no further', async () => {
    const strangers = flood(60, 999)
    const nodes = pools(one(node({ ...past, lines: strangers.map(one => one.line) })))
    expect((await status(nodes, { proves: true })).proofs).toMatchObject([{ whole: true }])
    expect([nodes.count('getTransaction'), nodes.count('getSignaturesForAddress')]).toEqual([0, 1])
  })

  test('does not hide the payment behind it', async () => {
    const paid = signedBytes()
    const strangers = flood(120, 1020)
    const bytes = {
      ...Object.fromEntries(strangers.map(one => [one.line.signature, one.base64])),
      [paid.id]: paid.base64,
    }
    const nodes = pools(one(node({ ...past, lines: [...strangers.map(one => one.line), line(paid.id, 1010)], bytes })))
    let told = await status(nodes)
    for (let look = 0; look < 3 && !told.landed; look += 1) told = await status(nodes)
    expect(told.landed).toMatchObject([{ signature: paid.id }])
  })

  test('does not count as complete where a node cannot continue it', async () => {
    const strangers = flood(120, 1010)
    const bytes = Object.fromEntries(strangers.map(one => [one.line.signature, one.base64]))
    const whole = node({ ...past, lines: strangers.map(one => one.line), bytes })
    const lost = node(past)
    const nodes = pools(({ method, params }) =>
      method === 'getSignaturesForAddress' && params[1].before ? lost : whole,
    )
    for (let look = 0; look < 6; look += 1)
      expect((await status(nodes, { proves: true })).proofs).toMatchObject([{ whole: look >= 4 }])
  })

  test('ends an order with an unknown signature as expired all the same', async () => {
    const strangers = flood(400, 1010)
    const bytes = Object.fromEntries(strangers.map(one => [one.line.signature, one.base64]))
    const nodes = pools(one(node({ ...past, lines: strangers.map(one => one.line), bytes })))
    const world = connected(['signAndSendTransaction'])
    placed(world)
    throughGate(world)
    world.fire(`silence:${theOrder(world).orderId}`)
    await lookedLong(world, nodes)
    expect(theOrder(world).phase).toBe('expired')
  })
})

describe('a transaction of an unread newer version', () => {
  const newer = {
    error: { code: -32015, message: 'Transaction version (1) is not supported by the requesting client' },
  }
  const named = (count: number) =>
    Array.from({ length: count }, (_, at) => line(encodeBase58(new Uint8Array(64).fill(7).fill(at + 1, 0, 1))))
  const attached = (lines: Line[]): Script => ({ ...node({ ...past, lines }), getTransaction: () => newer })

  test.each([[1], [120]])(
    'is a stranger’s under the reference, %i of them: an order ends all the same',
    async count => {
      const world = connected(['signAndSendTransaction'])
      placed(world)
      throughGate(world)
      world.fire(`silence:${theOrder(world).orderId}`)
      const nodes = pools(one(attached(named(count))))
      await lookedLong(world, nodes)
      expect(theOrder(world)).toMatchObject({ phase: 'expired' })
      expect(theOrder(world)).not.toHaveProperty('lying')
    },
  )

  test('does not hide the payment behind it', async () => {
    const paid = signedBytes()
    const lines = [...named(120), line(paid.id)]
    const shows = node({ ...past, lines, bytes: { [paid.id]: paid.base64 } })
    const given = shows.getTransaction
    const nodes = pools(one({ ...shows, getTransaction: params => given?.(params) ?? newer }))
    let told = await status(nodes)
    for (let look = 0; look < 3 && !told.landed; look += 1) told = await status(nodes)
    expect(told.landed).toMatchObject([{ signature: paid.id }])
  })

  test('is a lie where the order’s own bytes stand, and holds back the end where its wallet named it', async () => {
    const [mine = line('')] = named(1)
    const script = attached([mine])
    const nodes = pools(one(script))
    const own = { signature: mine.signature, own: true, proves: true }
    // The same answer passed while the signature was unknown
    expect(await status(nodes, { proves: true })).not.toHaveProperty('lying')
    expect(await status(nodes, own)).toMatchObject({ lying: 1, proofs: [{ unseen: false }] })
    expect(await status(pools(one(script)), own)).toMatchObject({ lying: 1, proofs: [{ unseen: false }] })
    const told = await status(nodes, { signature: mine.signature, proves: true })
    expect(told).toMatchObject({ proofs: [{ unseen: false, whole: false }] })
    expect(told).not.toHaveProperty('lying')
  })
})

test('order pool: a purchase needs its buyer’s signature: invented bytes are none', async () => {
  const paid = signedBytes()
  const bytes = Buffer.from(paid.base64, 'base64')
  bytes.fill(7, 1, 65)
  const invented = encodeBase58(Uint8Array.from(bytes.subarray(1, 65)))
  const terms = {
    treasury,
    token: { symbol: 'MAI', decimals: 9, mint: null },
    assets: [{ symbol: 'SOL', kind: 'native', decimals: 9, creditsPerUnit: '160000' }],
  } as unknown as Terms
  const content = { [paid.id]: paid.base64, [invented]: bytes.toString('base64') }
  const timed = {
    ...node({ ...past, lines: [line(invented), line(paid.id)], bytes: content }),
    getBlockTime: () => 1_799_000_000,
  }
  const { drivers } = pools(one(timed))
  const asked = { account: buyerKey, presaleRef: references[0] ?? '', terms, known: [] }
  const { purchases } = await answerOf(drivers, 'chain.readPurchases', asked, 'chain.purchases')
  expect(purchases.map(({ signature }) => signature)).toEqual([paid.id])
})
