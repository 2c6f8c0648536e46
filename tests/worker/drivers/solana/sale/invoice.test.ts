/** Payments by codes, found under a reference key that anyone can write under. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { transferRequest } from '../../../../../src/events/sale/payments/transferRequest.ts'
import { encodeBase58 } from '../../../../../src/events/values/solana/base58.ts'
import type { Terms } from '../../../../../src/events/sale/terms/terms.ts'
import type { Drive } from '../../../../../src/runtime/host/driver.ts'
import { invoiceRef } from '../../../../../src/worker/chains/solana/references.ts'
import { createVerify } from '../../../../../src/worker/drivers/walletconnect/verify.ts'
import { createRpc, type Rpc } from '../../../../../src/worker/drivers/solana/rpc.ts'
import { createInvoiceDriver, looksForFinal } from '../../../../../src/worker/drivers/solana/sale/invoice.ts'
import { invoiceReads } from '../../../../../src/worker/drivers/solana/sale/invoiceTrace.ts'
import { createSolanaDriver } from '../../../../../src/worker/drivers/solana/solana.ts'
import { createHttp } from '../../../../../src/worker/host/aloneTransport.ts'
import { memoryBytes } from '../../../../../src/worker/drivers/bytes.ts'
import { type Keypair, seededKeypair } from '../../../../stack/solana/keys.ts'
import { payRequest } from '../../../../stack/solana/payWallet.ts'
import { memo, transfer } from '../../../../stack/solana/programs.ts'
import { type SolanaStack, startSolana } from '../../../../stack/solana/server.ts'
import { answerOf } from '../../harness.ts'

let stack: SolanaStack
let terms: Terms
let termsHash: string
let presale: string
let drivers: { [type: string]: Drive }
/** every method on the wire, in order */
let calls: string[] = []
let count = 0

beforeAll(async () => {
  stack = await startSolana({ seed: 'invoice driver', clock: 'manual' })
  drivers = fresh()
  const read = await answerOf(drivers, 'chain.readTerms', {}, 'chain.terms')
  terms = read.terms
  termsHash = read.termsHash
  presale = read.presaleRef
})
afterAll(() => stack?.close())
beforeEach(() => {
  drivers = fresh()
  calls = []
})

/** A device that has just started. */
function fresh(change: (body: string) => string = body => body) {
  const counting: typeof fetch = async (input, init) => {
    for (const [, method = ''] of String(init?.body ?? '').matchAll(/"method":"(\w+)"/g)) calls.push(method)
    const response = await fetch(input, init)
    return new Response(change(await response.text()), { headers: response.headers })
  }
  return createSolanaDriver({
    rpcUrls: [stack.url],
    termsUrl: `${stack.url}/terms.json`,
    sale: { authority: stack.info.authority, id: stack.info.saleId },
    http: createHttp({ wait: async () => {}, fetch: counting }),
    bytes: memoryBytes(),
    now: () => 0,
  })
}

function holder(amounts: { sol?: string; usdc?: string } = { sol: '20' }): Keypair {
  const made = seededKeypair('invoice driver', `holder ${++count}`)
  stack.give(made.address, amounts)
  stack.chain.advance(2)
  return made
}

type Code = ReturnType<typeof codeOf>
/** A code; by default over 0.25 SOL, under a key of its own. */
function codeOf(change: { orderKey?: string; asset?: string; units?: string; quoted?: string; min?: string } = {}) {
  const orderKey = `00000000000000${(0xc0 + ++count).toString(16)}`
  const whole = { asset: 'SOL', units: '250000000', quoted: '33333333333333', min: '33333333333332' }
  return { invoiceId: `i${count}`, orderKey, ...whole, ...change, termsHash }
}
function linkOf(code: Code): string {
  const reference = invoiceRef(presale, code.orderKey)
  return transferRequest({ ...code, openedAt: 0, presaleRef: presale, reference }, terms) ?? ''
}
function pay(code: Code, by: Keypair, options = {}): string {
  const signature = payRequest(stack.chain, linkOf(code), by, options)
  stack.chain.advance(1)
  return signature
}
const referenceOf = ({ orderKey }: Code) => invoiceRef(presale, orderKey)
/** A stranger writes under a code's key, `times` times. */
function flood(code: Code, times: number, text = (at: number) => `note ${at}`) {
  const stranger = holder()
  for (let at = 0; at < times; at += 1)
    stack.chain.run([memo(text(at)), transfer(stranger.address, stranger.address, 0n, [referenceOf(code)])], [stranger])
  stack.chain.advance(1)
}

/** Looks for the payments of codes under one key, newest first. */
function look(...codes: (Code & { signature?: string })[]) {
  return lookFor(codes)
}
function lookFor(codes: readonly (Code & { signature?: string })[], more: { mayBeDropped?: true } = {}) {
  const ask = {
    ...more,
    presaleRef: presale,
    orderKey: codes[0]?.orderKey,
    terms,
    codes: codes.map(({ orderKey: _, min: __, ...code }) => code),
  }
  return answerOf(drivers, 'chain.watchInvoice', ask, 'chain.invoice')
}

describe('a code', () => {
  test('is named at the first look, then its payment is found with the account that signed it, confirmed and final', async () => {
    const code = codeOf()
    const reference = referenceOf(code)
    expect(await look(code)).toEqual({ reference })
    const phone = holder({ sol: '2', usdc: '400' })
    const signature = pay(code, phone)
    const { orderKey: orderId, asset, units, quoted } = code
    const payment = { signature, orderId, asset, units, quoted }
    expect(await look(code)).toMatchObject({
      reference,
      buyer: phone.address,
      payment: { ...payment, status: 'confirmed', terms: termsHash.slice(0, 16) },
    })
    // A second person pays the same code later: the first payment is the code's
    pay(code, holder())
    stack.chain.advance(40)
    expect(await look(code)).toMatchObject({ buyer: phone.address, payment: { ...payment, status: 'final' } })
    drivers = fresh()
    expect(await look(code)).toMatchObject({ buyer: phone.address, payment: { ...payment, status: 'final' } })

    const dollars = codeOf({ asset: 'USDC', units: '375000000' })
    pay(dollars, phone)
    const usdc = await look(dollars)
    expect(usdc).toMatchObject({ buyer: phone.address, payment: { asset: 'USDC', units: '375000000' } })
    expect(usdc.payment).not.toHaveProperty('fault')
  })

  test('is not paid by strangers’ transactions under its key, nor by another purchase; without its memo it is', async () => {
    const code = codeOf()
    const stranger = holder()
    const reference = referenceOf(code)
    stack.chain.run([transfer(stranger.address, stack.info.authority, 1_000_000n, [reference])], [stranger])
    stack.chain.run(
      [
        memo(`mai1:${termsHash.slice(0, 16)}:00000000000000ff:SOL:250000000:1:1`),
        transfer(stranger.address, terms.treasury, 250_000_000n, [reference]),
      ],
      [stranger],
    )
    stack.chain.advance(1)
    expect(await look(code)).toEqual({ reference })
    const forgetful = holder()
    pay(code, forgetful, { skipsMemo: true })
    expect(await look(code)).toMatchObject({
      buyer: forgetful.address,
      payment: { fault: 'no_memo', orderId: 'none' },
    })
  })

  test('is paid by its own order, though a stranger’s small payment came before', async () => {
    const code = codeOf()
    const stranger = holder()
    for (const notes of [[], [memo(`mai1:${termsHash.slice(0, 16)}:${code.orderKey}:SOL:1:1:1`)]]) {
      stack.chain.run([...notes, transfer(stranger.address, terms.treasury, 1n, [referenceOf(code)])], [stranger])
      stack.chain.advance(1)
    }
    expect(await look(code)).toMatchObject({ buyer: stranger.address, payment: { units: '1' } })
    const signature = pay(code, holder())
    expect(await look(code)).toMatchObject({ payment: { signature } })
  })
})

describe('two codes with one key', () => {
  const two = () => {
    const first = codeOf()
    const { orderKey } = first
    return { first, second: codeOf({ orderKey, units: '125000000', quoted: '16666666666666', min: '16666666666665' }) }
  }
  const rowsOf = (by: Keypair) =>
    stack.operator
      .evaluate()
      .lines.map(line => JSON.parse(line) as { buyer: string; sig: string; status: string; refund: string })
      .filter(({ buyer }) => buyer === by.address)
      .map(({ sig, status, refund }) => ({ sig, status, refund }))

  test('each show their own payment, whichever comes first; of one account the ledger refunds the later one', async () => {
    for (const isTurned of [false, true]) {
      const { first, second } = two()
      const phone = holder()
      const [one, other] = isTurned ? [second, first] : [first, second]
      const before = pay(one, phone)
      const only = await look(second, first)
      expect(isTurned ? only.payment : only.earlier?.[0]?.payment).toMatchObject({ signature: before })
      expect(isTurned ? only.earlier : only.payment).toBeUndefined()
      const after = pay(other, phone)
      const [early, late] = isTurned ? [after, before] : [before, after]
      expect(await look(second, first)).toMatchObject({
        buyer: phone.address,
        payment: { signature: late, units: second.units },
        earlier: [
          { invoiceId: first.invoiceId, buyer: phone.address, payment: { signature: early, units: first.units } },
        ],
      })
      stack.chain.advance(40)
      expect(rowsOf(phone)).toEqual([
        { sig: before, status: 'accepted', refund: '0' },
        { sig: after, status: 'duplicate', refund: other.units },
      ])
    }
  })

  test('that are alike show a payment once, at the newer one, and where it was known before', async () => {
    const first = codeOf()
    const second = { ...first, invoiceId: 'alike' }
    const signature = pay(first, holder())
    expect(await look(second, first)).toMatchObject({ payment: { signature } })
    const known = await look(second, { ...first, signature })
    expect(known).toMatchObject({ earlier: [{ invoiceId: first.invoiceId, payment: { signature } }] })
    expect(known.payment).toBeUndefined()
  })

  test('give a payment without the memo to the code of its amount, and one of another amount to the newest', async () => {
    const { first, second } = two()
    const signature = pay(first, holder(), { skipsMemo: true })
    expect(await look(second, first)).toMatchObject({ earlier: [{ payment: { signature, fault: 'no_memo' } }] })
    const odd = holder()
    stack.chain.run([transfer(odd.address, terms.treasury, 7n, [referenceOf(first)])], [odd])
    stack.chain.advance(1)
    expect(await look(second, first)).toMatchObject({ payment: { units: '7' }, earlier: [{ payment: { signature } }] })
  })
})

describe('a flood under the key of a code', () => {
  const reads = () => calls.filter(one => one === 'getTransaction').length
  const lists = () => calls.filter(one => one === 'getSignaturesForAddress').length

  test.each([20, 200])('of %i later transactions delays the payment by a look for each 20', async times => {
    const code = codeOf()
    const phone = holder()
    const signature = pay(code, phone)
    flood(code, times)
    for (let at = 0; at < times / invoiceReads; at += 1) expect(await look(code)).not.toHaveProperty('payment')
    expect(await look(code)).toMatchObject({ buyer: phone.address, payment: { signature } })
    expect(reads()).toBe(times + 1)
    // A payment stays, also while the next walk is on its way
    flood(code, 30)
    expect(await look(code)).toMatchObject({ buyer: phone.address, payment: { signature } })
    expect([lists(), reads()]).toEqual([times / invoiceReads + 2, times + 21])
  })

  test('costs a fixed number of calls a look, and each transaction is read once', async () => {
    const code = codeOf()
    flood(code, 50)
    const costs: [number, number][] = []
    for (let at = 0; at < 4; at += 1) {
      calls = []
      await look(code)
      costs.push([lists(), reads()])
    }
    expect(costs).toEqual([20, 20, 10, 0].map(read => [1, read]))
  })

  test('that goes on while it is read does not hide the payment before it', async () => {
    const code = codeOf()
    flood(code, 30)
    const signature = pay(code, holder())
    flood(code, 50)
    for (let at = 0; at < 2; at += 1) {
      expect(await look(code)).not.toHaveProperty('payment')
      flood(code, 60)
    }
    expect(await look(code)).toMatchObject({ payment: { signature } })
  })

  test('of failed transactions is read on page by page, anew where a node does not know the place', async () => {
    const code = codeOf()
    const signature = pay(code, holder())
    const rpc = createRpc({ urls: [stack.url], http: createHttp({ wait: async () => {} }) })
    const failed = Array.from({ length: 2500 }, (_, at) => {
      const id = new Uint8Array(64).fill(7)
      new DataView(id.buffer).setUint32(60, at)
      return { signature: encodeBase58(id), slot: 9, err: 'Custom' }
    })
    const places: unknown[] = []
    let isForgetful = false
    const flooded: Rpc = {
      ...rpc,
      call: async (method, params = []) => {
        if (method !== 'getSignaturesForAddress') return rpc.call(method, params)
        const { before, limit, ...options } = params[1] as { before?: string; limit: number }
        const landed = (await rpc.call(method, [params[0], options])) as typeof failed
        const lines = [...failed, ...landed]
        places.push(before)
        const from = before === undefined ? 0 : lines.findIndex(line => line.signature === before) + 1
        return isForgetful && from > 0 ? [] : lines.slice(from, from + limit)
      },
    }
    drivers = createInvoiceDriver({ rpc: flooded, verify: createVerify() })
    for (let at = 0; at < 2; at += 1) expect(await look(code)).not.toHaveProperty('payment')
    expect(await look(code)).toMatchObject({ payment: { signature } })
    const [second, third] = [failed[998]?.signature, failed[1997]?.signature]
    expect(places.splice(0)).toEqual([undefined, second, third])
    for (const forgets of [false, true, false, false]) {
      isForgetful = forgets
      expect(await look(code)).toMatchObject({ payment: { signature } })
    }
    expect(places).toEqual([undefined, second, undefined, second])
  })
})

test('a transaction that the node lists and does not have yet, or tells of another, is read again', async () => {
  const code = codeOf()
  const signature = pay(code, holder())
  let broken: 'absent' | 'another' | undefined = 'absent'
  drivers = fresh(body => {
    if (!body.includes('"meta"') || !broken) return body
    const { id } = JSON.parse(body) as { id: number }
    if (broken === 'absent') return JSON.stringify({ jsonrpc: '2.0', id, result: null })
    return body.replace(/"transaction":\["..../, '"transaction":["AQID')
  })
  for (const way of ['absent', 'another', undefined] as const) {
    broken = way
    expect((await look(code)).payment?.signature).toBe(way === undefined ? signature : undefined)
  }
})

describe('a payment of a code that one of two endpoints calls final', () => {
  /** The stack beside a second endpoint, whose answer about a signature is replaced. */
  const beside = (second: (url: string, body: string) => Promise<Response>) => {
    const both: typeof fetch = async (input, init) => {
      const url = String(input)
      return url.includes('second.example') ? second(url, String(init?.body ?? '')) : fetch(input, init)
    }
    drivers = createSolanaDriver({
      rpcUrls: [stack.url, 'https://second.example'],
      termsUrl: `${stack.url}/terms.json`,
      sale: { authority: stack.info.authority, id: stack.info.saleId },
      http: createHttp({ wait: async () => {}, fetch: both }),
      bytes: memoryBytes(),
      now: () => 0,
    })
  }
  const asStack = (change: (body: string) => string) => async (_: string, body: string) =>
    new Response(change(await (await fetch(stack.url, { method: 'POST', body, headers })).text()), { headers })
  const headers = { 'content-type': 'application/json' }
  /** As a node that is days ahead of the payment, and has it no more. */
  const afterDays = (body: string) => {
    const answer = JSON.parse(body)
    for (const { result } of [answer].flat())
      if (result?.value?.[0]?.confirmationStatus)
        Object.assign(result, { context: { slot: result.context.slot + 500_000 }, value: [null] })
    return JSON.stringify(answer)
  }
  const paidCode = () => {
    const code = codeOf()
    pay(code, holder())
    stack.chain.advance(40)
    return code
  }
  const statusOf = async (code: Code) => (await look(code)).payment?.status

  test('is confirmed while the other denies it, however often it is asked, and final once both agree', async () => {
    const code = paidCode()
    let denies = true
    beside(asStack(body => (denies ? body.replaceAll('"finalized"', '"confirmed"') : body)))
    for (let at = 0; at <= looksForFinal; at += 1) expect(await statusOf(code)).toBe('confirmed')
    denies = false
    expect(await statusOf(code)).toBe('final')
  })

  test.each([
    ['a young code stays confirmed, whatever slot the lister claims', {}, 'confirmed'],
    ['an old code is final at last', { mayBeDropped: true as const }, 'final'],
  ])('and the other does not know: %s', async (_, more, last) => {
    const code = paidCode()
    beside(asStack(body => afterDays(body)))
    const status = async () => (await lookFor([code], more)).payment?.status
    for (let at = 0; at < looksForFinal; at += 1) expect(await status()).toBe('confirmed')
    expect(await status()).toBe(last)
  })

  test('is final at last when the other does not answer', async () => {
    const code = paidCode()
    beside(async (url, body) => {
      if (body.includes('getGenesisHash')) return asStack(text => text)(url, body)
      throw new TypeError('no answer')
    })
    for (let at = 0; at < looksForFinal; at += 1) expect(await statusOf(code)).toBe('confirmed')
    expect(await statusOf(code)).toBe('final')
  })
})
