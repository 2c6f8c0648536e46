/** A node whose history changes, is out of order, or comes twice, read over its RPC. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { parseNotice } from '../../src/events/sale/payments/operatorMemos.ts'
import { base64 } from '../stack/solana/bytes.ts'
import { signedTransaction } from '../stack/solana/compile.ts'
import { seededKeypair } from '../stack/solana/keys.ts'
import { marksOf } from '../stack/solana/presale/marks.ts'
import { type Instruction, memo, transfer } from '../stack/solana/programs.ts'
import { type SolanaStack, startSolana } from '../stack/solana/server.ts'

const person = seededKeypair('forks', 'person')
const guest = seededKeypair('forks', 'guest').address

let stack: SolanaStack

beforeAll(async () => {
  stack = await startSolana({ clock: 'manual', seed: 'forks' })
  stack.give(person.address, { sol: '100' })
  stack.chain.advance(40)
})
afterAll(() => stack.close())
afterEach(() => {
  stack.control({ faults: {}, transactionIndex: true, slotOrder: 'block' })
  stack.chain.advance(40)
})

const post = async (body: unknown) =>
  (await fetch(stack.url, { method: 'POST', body: JSON.stringify(body) })).json() as Promise<any>
const request = (id: number, method: string, ...params: unknown[]) => ({ jsonrpc: '2.0', id, method, params })
const call = async (method: string, ...params: unknown[]) => (await post(request(1, method, ...params))).result
const control = async (order: unknown) => {
  const answer = await fetch(`${stack.url}/control`, { method: 'POST', body: JSON.stringify(order) })
  return { status: answer.status, body: (await answer.json()) as { error?: string } }
}
const send = async (...instructions: Instruction[]): Promise<{ bytes: Uint8Array; signature: string }> => {
  const signed = signedTransaction(instructions, [person], stack.chain.blocks.tip().blockhash)
  await call('sendTransaction', base64(signed.bytes), { encoding: 'base64' })
  return signed
}
const statusOf = async (signature: string) => (await call('getSignatureStatuses', [signature])).value[0]
const lamportsOf = async (address: string) =>
  (await call('getBalance', address, { commitment: 'processed' })).value as number
const listOf = (address: string, config: object = {}): Promise<{ signature: string; transactionIndex?: number }[]> =>
  call('getSignaturesForAddress', address, { commitment: 'confirmed', ...config })

describe('a fork', () => {
  test('takes a confirmed transaction, its money and its blockhash; other blocks come in the same slots', async () => {
    const [before, payer] = [await lamportsOf(guest), await lamportsOf(person.address)]
    const { signature } = await send(transfer(person.address, guest, 1_000_000n))
    stack.chain.advance(1)
    const { value, context } = await call('getLatestBlockhash', { commitment: 'processed' })
    stack.chain.advance(1)
    expect(await statusOf(signature)).toMatchObject({ confirmationStatus: 'confirmed' })

    await control({ fork: { slots: 3 } })
    expect(await statusOf(signature)).toBeNull()
    expect(await call('getTransaction', signature, { commitment: 'confirmed' })).toBeNull()
    expect((await listOf(guest)).map(entry => entry.signature)).not.toContain(signature)
    expect([await lamportsOf(guest), await lamportsOf(person.address)]).toEqual([before, payer])
    expect(await call('getSlot', { commitment: 'processed' })).toBe(context.slot + 1)
    const how = { commitment: 'confirmed', transactionDetails: 'signatures' }
    expect((await call('getBlock', context.slot, how)).blockhash).not.toBe(value.blockhash)
    expect((await call('getBlock', context.slot - 1, how)).signatures).toEqual([])
    expect((await call('isBlockhashValid', value.blockhash, { commitment: 'processed' })).value).toBe(false)
  })

  test('removes an account that was made in it', async () => {
    const { address } = seededKeypair('forks', 'made and gone')
    stack.give(address, { usdc: '5' })
    const tokens = async () =>
      (
        await call(
          'getTokenAccountsByOwner',
          address,
          { mint: stack.info.usdcMint },
          { commitment: 'processed', encoding: 'jsonParsed' },
        )
      ).value.length
    expect(await tokens()).toBe(1)
    await control({ fork: { slots: 1 } })
    expect(await tokens()).toBe(0)
    stack.give(address, { usdc: '5' })
    expect(await tokens()).toBe(1)
  })

  test('lets the same bytes land when they are sent again, unless they were built on a vanished block', async () => {
    const { blockhash } = stack.chain.blocks.tip()
    stack.chain.advance(1)
    const before = await lamportsOf(guest)
    const older = signedTransaction([transfer(person.address, guest, 1_500_000n)], [person], blockhash)
    const resend = ({ bytes }: { bytes: Uint8Array }) =>
      post(request(1, 'sendTransaction', base64(bytes), { encoding: 'base64' }))
    await resend(older)
    const newer = await send(transfer(person.address, guest, 2_000_000n))
    await control({ fork: { slots: 1 } })
    expect([await statusOf(older.signature), await statusOf(newer.signature)]).toEqual([null, null])
    expect((await resend(older)).result).toBe(older.signature)
    expect((await resend(newer)).error?.message).toContain('Blockhash not found')
    expect(await lamportsOf(guest)).toBe(before + 1_500_000)
  })

  test('lands all of them anew in another slot', async () => {
    const { blockhash } = stack.chain.blocks.tip()
    stack.chain.advance(1)
    const before = await lamportsOf(guest)
    const signed = [1n, 2n].map(more =>
      signedTransaction([transfer(person.address, guest, 1_000_000n + more)], [person], blockhash),
    )
    for (const { bytes } of signed) await call('sendTransaction', base64(bytes), { encoding: 'base64' })
    const first = stack.chain.blocks.tip().slot
    stack.chain.advance(2)
    await control({ fork: { slots: 3, transactions: 'again' } })
    const statuses = await Promise.all(signed.map(({ signature }) => statusOf(signature)))
    expect(statuses.map(status => status.slot)).toEqual([first + 2, first + 2])
    expect(await lamportsOf(guest)).toBe(before + 2_000_003)
    const again = await post(
      request(1, 'sendTransaction', base64(signed[0]?.bytes ?? new Uint8Array(0)), { encoding: 'base64' }),
    )
    expect(again.error?.message).toContain('already been processed')
  })

  test('keeps the numbers of the operator’s notices', async () => {
    const noticeRef = marksOf(stack.info.authority, stack.info.saleId).notice
    const sequence = async () =>
      ((await listOf(noticeRef)) as unknown as { memo: string }[])
        .map(entry => parseNotice(entry.memo.replace(/^\[\d+\] /, ''))?.seq)
        .reverse()
    const before = await sequence()
    const next = before.length + 1
    await control({ operator: { pause: true }, advance: 1 })
    await control({ operator: { resume: true }, advance: 1 })
    await control({ fork: { slots: 4 }, advance: 1 })
    expect(await sequence()).toEqual([...before, next, next + 1])
    const { signatures, seq } = (await (await fetch(`${stack.url}/notices.json`)).json()) as {
      signatures: string[]
      seq: number
    }
    expect(seq).toBe(next + 1)
    const listed = (await listOf(noticeRef)).map(entry => entry.signature)
    expect(listed).toEqual(expect.arrayContaining(signatures))
  })

  test('is told to who listens: the slots and the balance come again', async () => {
    const socket = new WebSocket(stack.wsUrl)
    await new Promise(resolve => socket.once('open', resolve))
    const heard: any[] = []
    socket.on('message', data => heard.push(JSON.parse(String(data))))
    const config = { commitment: 'processed', encoding: 'base64' }
    socket.send(JSON.stringify(request(1, 'accountSubscribe', guest, config)))
    socket.send(JSON.stringify(request(2, 'slotSubscribe')))
    await expect.poll(() => heard.length).toBe(2)
    const before = await lamportsOf(guest)
    await send(transfer(person.address, guest, 3_000_000n))
    await control({ fork: { slots: 2 } })
    const told = (method: string) => heard.filter(message => message.method === method).map(one => one.params.result)
    await expect.poll(() => told('accountNotification').length).toBe(2)
    expect(told('accountNotification').map(({ value }) => value.lamports)).toEqual([before + 3_000_000, before])
    const { slot } = stack.chain.blocks.tip()
    expect(told('slotNotification').map(one => one.slot)).toEqual([slot - 1, slot])
    socket.close()
  })

  test('tells a transaction that lands again a second time', async () => {
    const { blockhash } = stack.chain.blocks.tip()
    stack.chain.advance(1)
    const socket = new WebSocket(stack.wsUrl)
    await new Promise(resolve => socket.once('open', resolve))
    const heard: any[] = []
    socket.on('message', data => heard.push(JSON.parse(String(data))))
    socket.send(JSON.stringify(request(1, 'logsSubscribe', { mentions: [guest] }, { commitment: 'processed' })))
    await expect.poll(() => heard.length).toBe(1)
    const { bytes, signature } = signedTransaction([transfer(person.address, guest, 4n)], [person], blockhash)
    await call('sendTransaction', base64(bytes), { encoding: 'base64' })
    await control({ fork: { slots: 1, transactions: 'again' } })
    await expect.poll(() => heard.length).toBe(3)
    expect(heard.slice(1).map(({ params }) => params.result.value.signature)).toEqual([signature, signature])
    socket.close()
  })

  test('leaves what is final', async () => {
    const { signature } = await send(memo('final'))
    stack.chain.advance(32)
    const { status, body } = await control({ fork: { slots: 32 } })
    expect(status).toBe(400)
    expect(body.error).toContain('fork expected 1 to 31 slots')
    await control({ fork: { slots: 31 } })
    expect(await statusOf(signature)).toMatchObject({ confirmationStatus: 'finalized' })
  })
})

describe('order inside a slot', () => {
  const mark = seededKeypair('forks', 'mark').address
  let inBlock: string[]

  beforeAll(async () => {
    inBlock = []
    for (const text of ['first', 'second', 'third', 'fourth'])
      inBlock.push((await send(memo(text), transfer(person.address, person.address, 0n, [mark]))).signature)
    stack.chain.advance(2)
  })

  test.each([
    ['block', () => [...inBlock].reverse()],
    ['backward', () => inBlock],
    ['signature', () => [...inBlock].sort()],
  ])('%s holds over pages too', async (slotOrder, expected) => {
    await control({ slotOrder })
    const whole = (await listOf(mark)).map(entry => entry.signature)
    expect(whole).toEqual(expected())
    const first = await listOf(mark, { limit: 2 })
    const second = await listOf(mark, { limit: 2, before: first[1]?.signature })
    expect([...first, ...second].map(entry => entry.signature)).toEqual(whole)
    expect(await listOf(mark, { until: whole[0] })).toEqual([])
  })

  test('the place in the block is told, absent, or wrong; the block itself is right', async () => {
    const places = async () => {
      const list = await listOf(mark)
      const read = await Promise.all(
        list.map(({ signature }) => call('getTransaction', signature, { commitment: 'confirmed' })),
      )
      expect(read.map(one => one.transactionIndex)).toEqual(list.map(one => one.transactionIndex))
      return list.map(one => one.transactionIndex)
    }
    expect(await places()).toEqual([3, 2, 1, 0])
    await control({ transactionIndex: false })
    expect(await places()).toEqual([undefined, undefined, undefined, undefined])
    await control({ transactionIndex: 'wrong' })
    expect(await places()).toEqual([1, 2, 3, 4])
    const { slot } = await statusOf(inBlock[0] ?? '')
    const how = { commitment: 'confirmed', transactionDetails: 'signatures' }
    expect((await call('getBlock', slot, how)).signatures).toEqual(inBlock)
  })
})

describe('duplicate delivery', () => {
  test('a page of signatures begins with the last one of the page before it', async () => {
    const mark = seededKeypair('forks', 'twice listed').address
    for (const text of ['one', 'two', 'three']) {
      await send(memo(text), transfer(person.address, person.address, 0n, [mark]))
      stack.chain.advance(1)
    }
    const whole = (await listOf(mark)).map(entry => entry.signature)
    await control({ faults: { getSignaturesForAddress: { kind: 'overlap' } } })
    const first = (await listOf(mark, { limit: 2 })).map(entry => entry.signature)
    const second = (await listOf(mark, { limit: 2, before: first[1] })).map(entry => entry.signature)
    expect([first, second]).toEqual([whole.slice(0, 2), whole.slice(1)])
  })

  test('an answer stands twice in its batch, as often as asked', async () => {
    await control({ faults: { getSlot: { kind: 'twice', times: 1 } } })
    const batch = [request(1, 'getSlot'), request(2, 'getHealth'), request(3, 'getSlot')]
    const ids = async () => ((await post(batch)) as { id: number }[]).map(answer => answer.id)
    expect(await ids()).toEqual([1, 1, 2, 3])
    expect(await ids()).toEqual([1, 2, 3])
  })
})

test.each([
  [{ fork: 3 }, 'slots of a fork expected a whole number'],
  [{ fork: { slots: 0 } }, 'fork expected 1 to 31 slots'],
  [{ fork: { slots: 2, transactions: 'kept' } }, 'transactions of a fork expected gone, again'],
  [{ slotOrder: 'random' }, 'slotOrder expected block, backward, signature'],
  [{ transactionIndex: 'off' }, 'transactionIndex expected true, false or "wrong"'],
])('the order %j gets a sentence', async (order, sentence) => {
  const { status, body } = await control(order)
  expect(status).toBe(400)
  expect(body.error).toContain(sentence)
})
