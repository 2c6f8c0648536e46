/** The product's ledger beside the independent second one of the stack, byte for byte. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readTerms } from '../../../src/events/sale/terms/terms.ts'
import { parseNotice } from '../../../src/events/sale/payments/operatorMemos.ts'
import {
  addTransaction,
  type LedgerRow,
  linkBalances,
  proveBalances,
  totalsOf,
} from '../../../src/worker/ledger/ledger.ts'
import { ledgerSaleOf } from '../../../src/worker/ledger/ledgerSale.ts'
import { emptyLedger } from '../../../src/worker/ledger/ledgerState.ts'
import type { LedgerTransaction } from '../../../src/worker/ledger/ledgerTransaction.ts'
import { exampleTermsHash, exampleTermsText } from '../../events/values/exampleTerms.ts'
import { canonicalJson, hex, sha256 } from '../../stack/solana/bytes.ts'
import { seededKeypair } from '../../stack/solana/keys.ts'
import { evaluate, isComplete, outcomeOf } from '../../stack/solana/presale/evaluate.ts'
import { ledgerFrom, ledgerSaleIn } from './bothLedgers.ts'
import { memo, transfer } from '../../stack/solana/programs.ts'
import { genesisHash, randomSale } from './randomSale.ts'
import { nodeOf } from './recordedChain.ts'
import { everyCase } from '../../everyCase.ts'

const statuses = new Set<string>()

describe('the ledger of a random sale', () => {
  test('is the second implementation’s, byte for byte, with its totals', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 120 }), async (seed, length) => {
        const sale = randomSale(seed, length)
        const {
          lines,
          state,
          seconds,
          sale: read,
        } = await ledgerFrom(nodeOf(sale.chain, genesisHash).call, ledgerSaleIn(sale))
        const second = evaluate(sale.chain.records, sale.evaluated)
        expect(lines).toEqual(second.lines)
        const totals = totalsOf(read, state, seconds)
        const { raised, pos, tokens, orders, buyers, ledgerHash } = second
        expect(totals).toMatchObject({ raised, pos, tokens, orders, buyers, ledgerHash, statuses: second.statuses })
        expect(Object.fromEntries(state.bonuses)).toEqual(second.bonuses)
        expect(Object.fromEntries(state.owed)).toEqual(second.refundsOwed)
        const { start, end, stages } = sale.evaluated.terms
        for (const at of [
          start,
          ...stages.flatMap(({ endsAt = start }) => [endsAt - 1, endsAt]),
          end - 1,
          end,
          end + 300,
        ])
          expect(totalsOf(read, state, at).outcome).toBe(outcomeOf(second, at))
        const ends = Object.fromEntries(state.balances)
        expect(isComplete(sale.chain.records, sale.evaluated.watched, ends)).toBe(true)
        for (const status of Object.keys(totals.statuses)) statuses.add(status)
      }),
      { numRuns: everyCase ? 80 : 25 },
    )
  })

  test('meets every status', () => {
    expect([...statuses].sort()).toEqual([
      'accepted',
      'buyer_cap',
      'delegated',
      'duplicate',
      'early',
      'funding',
      'inner',
      'late',
      'malformed',
      'mismatch',
      'no_memo',
      'not_allowed',
      'notice',
      'outflow',
      'partial',
      'paused',
      'price_protect',
      'sold_out',
      'under_min',
      'unknown_terms',
    ])
  })
})

const { terms } = readTerms(exampleTermsText)
const first = { terms, hash: exampleTermsHash }
const names = ['buyer', 'referrer']
const [buyer, referrer] = names.map(name => seededKeypair('ledger', name).address) as [string, string]
const sol = 1_000_000_000n

/** A ledger of the reference's terms, filled by hand. */
function open(versions = [first]) {
  const sale = ledgerSaleOf(versions)
  const state = emptyLedger(sale)
  let [slot, treasury, ids] = [100, 0n, 0]
  const add = (part: Partial<LedgerTransaction>, paid = 0n): LedgerRow[] => {
    slot += 1
    const balances = [{ asset: 'SOL', before: treasury, after: treasury + paid }]
    treasury += paid
    const plain = { signers: [buyer], instructions: [], owners: new Map(), strays: [], failed: false }
    return addTransaction(sale, state, { signature: `s${slot}`, slot, time: terms.start, ...plain, balances, ...part })
  }
  return {
    sale,
    state,
    add,
    notice: (text: string) => add({ notice: parseNotice(text) as NonNullable<ReturnType<typeof parseNotice>> }),
    /** a row for a purchase in lamports */
    buy(lamports: bigint, { by = buyer, of = '', at = terms.start } = {}): LedgerRow | undefined {
      ids += 1
      const id = ids.toString(16).padStart(16, '0')
      const text = `mai1:${exampleTermsHash.slice(0, 16)}:${id}:SOL:${lamports}:0:0${of && `:${of}`}`
      const instructions = [memo(text), transfer(by, terms.treasury, lamports)].map(({ program, accounts, data }) => {
        return { program, accounts: accounts.map(({ address }) => address), data }
      })
      return add({ instructions, signers: [by], time: at }, lamports)[0]
    },
  }
}

describe('a ledger', () => {
  test('chains its rows by hashes that begin with the terms’, their keys in a fixed order', () => {
    const { notice, buy } = open()
    const rows = [...notice(`mai1n:1:terms:${exampleTermsHash}`), buy(sol), buy(sol)]
    let before: Uint8Array = Buffer.from(exampleTermsHash, 'hex')
    for (const row of rows) {
      const { h, ...rest } = row as LedgerRow
      before = sha256(before, canonicalJson(rest))
      expect(h).toBe(hex(before))
    }
    expect(Object.keys(rows[1] ?? {}).join()).toBe(
      'i,slot,index,time,sig,status,buyer,asset,units,accepted,refund,tokens,pos,order,terms,min,ref,h',
    )
  })

  test('counts the transactions of a slot, not the rows', () => {
    const { add } = open()
    const paid = {
      balances: [
        { asset: 'SOL', before: 0n, after: 5n },
        { asset: 'USDC', before: 0n, after: 5n },
      ],
    }
    const rows = [
      ...add({ slot: 500, ...paid }),
      ...add({ slot: 500, balances: [] }),
      ...add({ slot: 500, balances: [{ asset: 'SOL', before: 5n, after: 6n }] }),
      ...add({ slot: 501, balances: [{ asset: 'SOL', before: 6n, after: 7n }] }),
    ]
    expect(rows.map(({ i, slot, index }) => [i, slot, index])).toEqual([
      [1, 500, 0],
      [2, 500, 0],
      [3, 500, 1],
      [4, 501, 0],
    ])
  })

  test('gives a referrer with an earlier order a share, until the pool is empty', () => {
    const pool = { ...first, terms: { ...terms, referral: { bps: 300, pool: '9000000000000' } } }
    const { state, notice, buy } = open([pool])
    notice(`mai1n:1:terms:${exampleTermsHash}`)
    buy(sol, { of: referrer })
    expect(state.bonuses.size).toBe(0)
    buy(sol, { by: referrer, of: referrer })
    expect(state.bonuses.size).toBe(0)
    expect(buy(sol, { of: referrer })).toMatchObject({ ref: referrer, tokens: '266666666666667' })
    expect(state.bonuses.get(referrer)).toBe(8_000_000_000_000n)
    buy(sol, { of: referrer })
    expect([state.bonuses.get(referrer), state.bonusLeft]).toEqual([9_000_000_000_000n, 0n])
  })

  test('owes everything back when the sale failed, else the refunds', () => {
    const { sale, state, notice, buy } = open()
    notice(`mai1n:1:terms:${exampleTermsHash}`)
    buy(sol)
    buy(1_000n)
    expect(totalsOf(sale, state, terms.start)).toMatchObject({ outcome: 'open', refundsOwed: { SOL: 1_000n } })
    const failed = { outcome: 'failed', refundsOwed: { SOL: sol + 1_000n } }
    expect(totalsOf(sale, state, terms.end)).toMatchObject(failed)
    notice('mai1n:2:close:-')
    expect(totalsOf(sale, state, terms.start)).toMatchObject(failed)
  })

  test('is over once the time of its last stage is up, whether or not an order was refused since', () => {
    const stages = terms.stages.map((stage, at) => (at === 2 ? { ...stage, endsAt: terms.end - 100 } : stage))
    const { sale, state, notice, buy } = open([{ ...first, terms: { ...terms, stages } }])
    notice(`mai1n:1:terms:${exampleTermsHash}`)
    buy(sol)
    const outcome = (seconds: number) => totalsOf(sale, state, seconds).outcome
    const before = [outcome(terms.end - 101), outcome(terms.end - 50)]
    expect(buy(sol, { at: terms.end - 50 })?.status).toBe('sold_out')
    expect([...before, outcome(terms.end - 50)]).toEqual(['open', 'failed', 'failed'])
  })

  test('judges by the newest terms, and ignores those that change a frozen condition', () => {
    const assets = terms.assets.map(asset => ({ ...asset, creditsPerUnit: String(BigInt(asset.creditsPerUnit) * 2n) }))
    const second = { terms: { ...terms, version: 2, assets }, hash: 'b'.repeat(64) }
    const third = { terms: { ...terms, version: 3, softCap: '1' }, hash: 'c'.repeat(64) }
    const { state, notice, buy } = open([first, second, third])
    notice(`mai1n:1:terms:${exampleTermsHash}`)
    expect(buy(sol)?.tokens).toBe('266666666666666')
    notice(`mai1n:2:terms:${second.hash}`)
    expect(buy(sol)?.tokens).toBe('533333333333334')
    expect(notice(`mai1n:3:terms:${third.hash}`)).toEqual([])
    expect(notice('mai1n:3:pause:-')).toEqual([])
    expect(notice('mai1n:4:pause:-')).toMatchObject([{ status: 'notice', order: '4:pause:-' }])
    expect(buy(sol)?.status).toBe('paused')
    expect(state.ignored.map(({ seq, why }) => [seq, why])).toEqual([
      [3, 'frozen_terms'],
      [3, 'out_of_turn'],
    ])
  })

  describe('of two documents with one version', () => {
    const assets = terms.assets.map(asset => ({ ...asset, creditsPerUnit: String(BigInt(asset.creditsPerUnit) * 2n) }))
    const twin = { terms: { ...terms, assets }, hash: 'd'.repeat(64) }
    const later = { terms: { ...terms, version: 2 }, hash: 'e'.repeat(64) }

    test('takes the one that was announced first', () => {
      const { state, notice, buy } = open([first, twin])
      notice(`mai1n:1:terms:${first.hash}`)
      expect(notice(`mai1n:2:terms:${twin.hash}`)).toEqual([])
      expect(buy(sol)?.tokens).toBe('266666666666666')
      expect(state.ignored).toMatchObject([{ seq: 2, why: 'frozen_terms', hash: twin.hash }])
    })

    test.each([
      ['the second', twin.hash],
      ['a later version', later.hash],
    ])('has no rows where %s was announced first: the chain of hashes begins with the other', (_name, hash) => {
      const { notice } = open([first, twin, later])
      expect(() => notice(`mai1n:1:terms:${hash}`)).toThrow(`notice 1 announces terms ${hash} first`)
    })
  })

  test('reports what the authority signed in place of a notice, without a row, and uses no number up for it', () => {
    const { state, add, notice } = open()
    notice(`mai1n:1:terms:${exampleTermsHash}`)
    expect(add({ isMalformed: true })).toEqual([])
    expect(notice('mai1n:2:pause:-')).toHaveLength(1)
    expect(state.ignored).toEqual([{ signature: 's102', why: 'malformed' }])
  })

  test('reports unlisted tokens of the treasury without a row', () => {
    const { state, add } = open()
    const stray = { account: 'account', mint: 'mint', units: 5n }
    expect(add({ strays: [stray] })).toEqual([])
    add({ strays: [stray], failed: true })
    expect(state.strays).toEqual([{ signature: 's101', ...stray }])
  })

  test('stops at a gap, at its end too, and at a transaction out of order', () => {
    const { state, add } = open()
    add({}, 5n)
    const gap = { balances: [{ asset: 'SOL', before: 6n, after: 7n }] }
    expect(() => add(gap)).toThrow('the balance of SOL expected 5 before s102 in slot 102, got 6')
    expect(() => linkBalances(state, { ...gap, signature: 's', slot: 1 } as LedgerTransaction)).toThrow('expected 5')
    expect(() => proveBalances(state, new Map([['SOL', 4n]]))).toThrow('expected 5 after its last transaction, got 4')
    expect(() => add({ slot: 7 })).toThrow('expected slot 101 or later, got 7')
  })
})
