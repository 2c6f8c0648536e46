import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../../src/runtime/failure.ts'
import type { CallNode } from '../../../src/worker/ledger/saleHistory.ts'
import { evaluate } from '../../stack/solana/presale/evaluate.ts'
import { seededKeypair } from '../../stack/solana/keys.ts'
import type { TransactionRecord } from '../../stack/solana/ledger.ts'
import { memo, transfer } from '../../stack/solana/programs.ts'
import { ledgerFrom, ledgerSaleIn } from './bothLedgers.ts'
import { genesisHash, type RandomSale, randomSale } from './randomSale.ts'
import { nodeOf } from './recordedChain.ts'
import { everyCase } from '../../everyCase.ts'

const sale = randomSale(2, 150)
const expected = evaluate(sale.chain.records, sale.evaluated)
const ledgerOf = async (call: CallNode, until?: number) => ledgerFrom(call, ledgerSaleIn(sale), until)

/** Answers of one method changed. */
function lying(method: string, change: (answer: any, params: readonly unknown[]) => unknown): CallNode {
  const { call } = nodeOf(sale.chain, genesisHash)
  return async (asked, params) => {
    const answer = await call(asked, params)
    return asked === method ? change(answer, params) : answer
  }
}

describe('a sale’s history', () => {
  test('is the same from a node without places in the block, in whatever order it lists a slot', async () => {
    const bySignature = (a: TransactionRecord, b: TransactionRecord) =>
      b.slot - a.slot || (a.signature < b.signature ? -1 : 1)
    const node = nodeOf(sale.chain, genesisHash, { index: false, within: lines => lines.sort(bySignature) })
    expect((await ledgerOf(node.call)).lines).toEqual(expected.lines)
    const shared = new Set(
      sale.chain.records.map(({ slot }) => slot).filter((slot, at, all) => all.indexOf(slot) !== at),
    )
    expect(node.calls.getBlock).toBeLessThanOrEqual(shared.size)
    const { calls, call } = nodeOf(sale.chain, genesisHash)
    await ledgerOf(call)
    expect(calls.getBlock).toBeUndefined()
  })

  test('is the same from nodes of which some tell places and some do not', async () => {
    const some = lying('getTransaction', ({ transactionIndex, ...rest }) =>
      transactionIndex % 2 === 0 ? { ...rest, transactionIndex } : rest,
    )
    expect((await ledgerOf(some)).lines).toEqual(expected.lines)
  })

  test('is read in pages of a thousand, a line that comes twice counts once', async () => {
    const long = randomSale(5, 2_600)
    const node = nodeOf(long.chain, genesisHash, {
      within: lines => lines.flatMap((line, at) => (at === 7 ? [line, line] : [line])),
    })
    const pages: { before?: string }[] = []
    const call: CallNode = (method, params) => {
      if (method === 'getSignaturesForAddress') pages.push(params[1] as { before?: string })
      return node.call(method, params)
    }
    const { lines } = await ledgerFrom(call, ledgerSaleIn(long))
    expect(lines).toEqual(evaluate(long.chain.records, long.evaluated).lines)
    expect(pages.length).toBeGreaterThan(3)
    // A node behind the balances refuses, in place of a list without their newest payments
    const asked = { limit: 1000, commitment: 'finalized', minContextSlot: long.chain.slot }
    for (const { before: _, ...page } of pages) expect(page).toEqual(asked)
  })

  test('up to a slot has the rows until then, and is proved to its end', async () => {
    const { slot } = sale.chain.records[90] as TransactionRecord
    const { lines } = await ledgerOf(nodeOf(sale.chain, genesisHash).call, slot)
    expect(lines).toEqual(expected.lines.filter(line => (JSON.parse(line) as { slot: number }).slot <= slot))
    expect(lines.length).toBeLessThan(expected.lines.length)
  })

  test('of another chain is refused', async () => {
    const { call } = nodeOf(sale.chain, seededKeypair('another', 'genesis').address)
    await expect(ledgerOf(call)).rejects.toMatchObject({ code: 'wrong_cluster' })
  })

  test('asks for a block time that the transaction lacks, and stops without one', async () => {
    const timeless = nodeOf(sale.chain, genesisHash, { time: false })
    await expect(ledgerOf(timeless.call)).rejects.toMatchObject({ code: 'bad_response', facts: { rule: 'BLOCK_TIME' } })
    const times = new Map(sale.chain.records.map(({ slot, time }) => [slot, time]))
    const call: CallNode = async (method, params) =>
      method === 'getBlockTime' ? times.get(params[0] as number) : timeless.call(method, params)
    expect((await ledgerOf(call)).lines).toEqual(expected.lines)
  })

  test('stops at terms whose file is missing', async () => {
    const [first] = sale.documents
    const { call } = nodeOf(sale.chain, genesisHash)
    await expect(ledgerFrom(call, ledgerSaleIn({ ...sale, documents: first ? [first] : [] }))).rejects.toMatchObject({
      code: 'terms_invalid',
      facts: { rule: 'TERMS_MISSING' },
    })
  })

  test.each<[string, string, CallNode]>([
    ['a transaction listed and not there', 'bad_response', lying('getTransaction', () => null)],
    [
      'a transaction in another slot',
      'rpc_lying',
      lying('getTransaction', answer => ({ ...answer, slot: answer.slot + 1 })),
    ],
    ['a list that jumps forward', 'rpc_lying', lying('getSignaturesForAddress', lines => [...lines].reverse())],
    [
      'a block without its transactions',
      'rpc_lying',
      async (method, params) => {
        const answer: any = await nodeOf(sale.chain, genesisHash, { index: false }).call(method, params)
        return method === 'getBlock' ? { signatures: [] } : answer
      },
    ],
    [
      'balances that are no numbers',
      'bad_response',
      lying('getTransaction', answer => ({
        ...answer,
        meta: { ...answer.meta, preBalances: answer.meta.preBalances.map(() => 1.5) },
      })),
    ],
    [
      'fewer balances than accounts',
      'bad_response',
      lying('getTransaction', answer => ({
        ...answer,
        meta: { ...answer.meta, postBalances: [] },
      })),
    ],
    [
      'an end balance of its own',
      'rpc_lying',
      lying('getMultipleAccounts', answer => ({
        ...answer,
        value: answer.value.map((account: any, at: number) => (at === 1 ? { ...account, lamports: 3 } : account)),
      })),
    ],
  ])('is refused with %s', async (_name, code, call) => {
    await expect(ledgerOf(call)).rejects.toMatchObject({ code })
  })

  test('passes over a transaction of a newer version, and stops when it moved money', async () => {
    const { call } = nodeOf(sale.chain, genesisHash)
    const newer = (record: TransactionRecord | undefined) =>
      ledgerOf(async (method, params) => {
        if (method === 'getTransaction' && params[0] === record?.signature)
          throw new Fault('unsupported', 'a newer version', { rpcCode: -32015 })
        return call(method, params)
      })
    const isPayment = (record: TransactionRecord) => expected.lines.some(line => line.includes(record.signature))
    const isNamed = ({ addresses }: TransactionRecord) => addresses.includes(sale.evaluated.watched.treasury)
    const strange = sale.chain.records.find(record => isNamed(record) && !isPayment(record))
    expect(strange).toBeDefined()
    expect((await newer(strange)).lines).toEqual(expected.lines)
    const paid = sale.chain.records.find(record => isNamed(record) && isPayment(record))
    await expect(newer(paid)).rejects.toMatchObject({ code: 'rpc_lying' })
  })

  test('does not wait for a stranger’s unreadable transaction under the notices’ reference', async () => {
    const refused: CallNode = async (method, params) => {
      const record = sale.chain.records.find(({ signature }) => signature === params[0])
      const isMarkedOnly =
        record && !record.addresses.some(address => sale.watched.some(one => one.address === address))
      const answer: any = await nodeOf(sale.chain, genesisHash).call(method, params)
      const isStrange = isMarkedOnly && record.addresses[0] !== sale.evaluated.watched.authority
      return method === 'getTransaction' && isStrange ? { ...answer, transaction: ['AA==', 'base64'] } : answer
    }
    expect((await ledgerOf(refused)).lines).toEqual(expected.lines)
  })
})

describe('one lie about a history', () => {
  const moves = (given: RandomSale) =>
    given.chain.records.filter(record =>
      given.evaluated.watched.accounts.some(({ address }) => changeOf(record, address) !== 0n),
    )

  test('a payment left out, invented, moved or altered is found', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.nat(),
        fc.constantFrom('missing', 'extra', 'moved', 'altered'),
        async (seed, at, lie) => {
          const told = randomSale(seed, 40)
          const moving = moves(told)
          const victim = moving[at % moving.length] as TransactionRecord
          const place = told.chain.records.indexOf(victim)
          const records = told.chain.records.map(record => ({ ...record }))
          if (lie === 'missing') records.splice(place, 1)
          if (lie === 'extra') records.splice(place, 0, invented(victim, told))
          if (lie === 'moved' && !swap(records, told)) return
          if (lie === 'altered') (records[place] as TransactionRecord).bytes = flipped(victim.bytes)
          const { call } = nodeOf(told.chain, genesisHash, {}, records)
          await expect(ledgerFrom(call, ledgerSaleIn(told))).rejects.toMatchObject({
            code: expect.stringMatching(/^(rpc_lying|bad_response)$/),
          })
        },
      ),
      { numRuns: everyCase ? 80 : 25 },
    )
  })
})

function changeOf({ addresses, before, after, tokensBefore, tokensAfter }: TransactionRecord, address: string): bigint {
  const place = addresses.indexOf(address)
  const tokens = (list: typeof tokensBefore) => BigInt(list.find(one => one.accountIndex === place)?.amount ?? 0)
  const lamports = BigInt(after[place] ?? 0) - BigInt(before[place] ?? 0)
  return tokensBefore.length + tokensAfter.length > 0
    ? tokens(tokensAfter) - tokens(tokensBefore) || lamports
    : lamports
}

/** A well-signed payment that never landed, with balances that would follow. */
function invented(record: TransactionRecord, told: RandomSale): TransactionRecord {
  const payer = seededKeypair('lies', 'payer')
  const chain = randomSale(1, 1).chain
  const { treasury } = told.evaluated.watched
  const made = chain.land([memo('mai1:x'), transfer(payer.address, treasury, 500n)], [payer])
  const place = record.addresses.indexOf(treasury)
  const earlier = told.chain.records.slice(0, told.chain.records.indexOf(record))
  const last = earlier.filter(({ addresses }) => addresses.includes(treasury)).at(-1)
  const held = place < 0 ? (last?.after[last.addresses.indexOf(treasury)] ?? '0') : (record.before[place] ?? '0')
  const before = made.addresses.map(address => (address === treasury ? held : '1000'))
  const after = before.map((amount, at) => String(BigInt(amount) + (made.addresses[at] === treasury ? 500n : -500n)))
  return { ...made, slot: record.slot, time: record.time, index: record.index - 1, before, after }
}

/** Exchanges the places of two payments of one slot to one account; false where there are none. */
function swap(records: TransactionRecord[], told: RandomSale): boolean {
  for (const { address } of told.watched) {
    const moving = records.filter(record => record.err === null && changeOf(record, address) !== 0n)
    const at = moving.findIndex((record, k) => record.slot === moving[k + 1]?.slot)
    const [a, b] = moving.slice(at, at + 2)
    if (at < 0 || !a || !b) continue
    ;[a.index, b.index] = [b.index, a.index]
    return true
  }
  return false
}

/** One bit of the message. */
function flipped(bytes: string): string {
  const altered = Buffer.from(bytes, 'base64')
  altered[altered.length - 1] = (altered.at(-1) ?? 0) ^ 1
  return altered.toString('base64')
}
