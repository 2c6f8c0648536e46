/** Batches that meet failures, strangers and lying nodes. */
import { describe, expect, test } from 'vitest'
import { batchInstructions, packed } from '../../../../scripts/presale/payouts/batch.ts'
import { laneAddress } from '../../../../scripts/presale/payouts/lanes.ts'
import { payPlan } from '../../../../scripts/presale/payouts/payPlan.ts'
import { unfinished } from '../../../../scripts/presale/send.ts'
import { type Plan, planHash } from '../../../../src/worker/services/planFile.ts'
import { payRef } from '../../../../src/worker/chains/solana/references.ts'
import { base58, base64, concat, fromBase58, sha256 } from '../../../stack/solana/bytes.ts'
import { signedTransaction } from '../../../stack/solana/compile.ts'
import { seededKeypair } from '../../../stack/solana/keys.ts'
import { memo, TOKEN_2022, transfer } from '../../../stack/solana/programs.ts'
import { readTransaction } from '../../../stack/solana/wire.ts'
import { callOf, changing, keyOf, memoryJournal, openWorld, payingOf } from './world.ts'

const world = openWorld('hard payouts')
const { chain, accounts } = world
const key = keyOf(accounts.reserve)

type Given = Parameters<typeof payingOf>[1]
const pay = (given: Given) => payPlan(payingOf(world, given), key, { lanes: given.plan.lanes })
const rowsOf = ({ batches }: Plan) => batches.flatMap(({ rows }) => rows)
const isPaid = (plan: Plan) => rowsOf(plan).every(({ to, units }) => world.held(to) === BigInt(units))
const isUnpaid = (plan: Plan) => rowsOf(plan).every(({ to }) => world.held(to) === 0n)

/** Empties the account that pays while a transaction lands: it fails after a simulation that passed. */
function failing(times: number, after: (landed: unknown) => void = () => undefined): typeof fetch {
  const serve = callOf(chain)
  let left = times
  return async (url, init) => {
    const { method } = JSON.parse(String(init?.body))
    // The lane's creation is no token transfer and passes
    if (method !== 'sendTransaction' || left === 0) return serve(url, init)
    const address = accounts.reserveTokens
    const account = chain.accounts.now(address)
    if (!account) throw new Error('expected the reserve')
    const empty = concat(account.data.slice(0, 64), new Uint8Array(8), account.data.slice(72))
    chain.accounts.place(address, { ...account, data: empty })
    const answer = await serve(url, init)
    const record = chain.ledger.all().at(-1)
    chain.accounts.place(address, account)
    if (record && record.err !== null) {
      left -= 1
      after(record)
    }
    return answer
  }
}

describe('a transaction that lands and fails', () => {
  /** As live clusters do; the local VM leaves the nonce as it is. */
  const advance = (plan: Plan) => () => {
    const address = laneAddress({ plan, hash: planHash(plan) }, 0)
    const account = chain.accounts.now(address)
    if (!account) throw new Error('expected a lane')
    const { slot, parent } = chain.blocks.tip()
    const value = sha256('DURABLE_NONCE', fromBase58(chain.blocks.at(parent)?.blockhash ?? '') ?? '')
    chain.accounts.remember(address, account, slot)
    chain.accounts.place(address, {
      ...account,
      data: concat(account.data.slice(0, 40), value, account.data.slice(72)),
    })
  }

  test.each([
    ['leaves its nonce', () => undefined],
    ['advances its nonce', advance],
  ])('and %s is followed by another one that pays once', async (name, after) => {
    const plan = world.tokenPlan(name, { count: 9, lanes: 1 })
    const journal = memoryJournal()
    const done = await pay({ plan, journal, call: failing(2, after(plan)) })
    expect([done.unpaid, isPaid(plan)]).toEqual([[], true])
    const failed = journal.lines.filter(({ kind, outcome }) => kind === 'ended' && outcome === 'failed')
    expect(failed).toHaveLength(2)
    const nonces = new Set(journal.lines.filter(({ kind }) => kind === 'reserve').map(({ nonce }) => nonce))
    expect(nonces.size).toBe(name === 'leaves its nonce' ? 2 : 4)
  })

  test('again and again is given up and named, the other batches are paid, and the next run pays it', async () => {
    const plan = world.tokenPlan('given up', { count: 9, lanes: 1 })
    const journal = memoryJournal()
    const done = await pay({ plan, journal, call: failing(3) })
    expect(done).toEqual({ paid: 1, unpaid: [{ batch: 0, reason: expect.stringContaining('3 transactions failed') }] })
    expect(await pay({ plan, journal })).toEqual({ paid: 2, unpaid: [] })
    expect(isPaid(plan)).toBe(true)
  })

  test('is not sent at all when its simulation fails, and says why', async () => {
    const plan = world.solPlan('too much', { count: 2, lanes: 1 })
    const [batch] = plan.batches
    const much = { ...batch, rows: batch?.rows.map(row => ({ ...row, units: String(10n ** 18n) })) }
    const done = await pay({ plan: { ...plan, batches: [much as Plan['batches'][0]] }, journal: memoryJournal() })
    expect(done.unpaid).toEqual([{ batch: 0, reason: 'instruction 4 failed with Custom 1' }])
    expect(isUnpaid(plan)).toBe(true)
  })
})

test('a lane to whose address a stranger sent lamports first is created all the same', async () => {
  const plan = world.solPlan('funded lane', { count: 20, lanes: 2 })
  const lanes = [0, 1].map(lane => laneAddress({ plan, hash: planHash(plan) }, lane))
  for (const lane of lanes) chain.airdrop(lane, 890_880n)
  world.pass()
  expect(await pay({ plan, journal: memoryJournal() })).toEqual({ paid: 2, unpaid: [] })
  expect(isPaid(plan)).toBe(true)
  // The rent of a nonce account is its payer’s, to the lamport
  expect(lanes.map(lane => world.held(lane) - 890_880n)).toEqual([1_447_680n, 1_447_680n])
})

describe('a token account that was closed after the plan was made', () => {
  test.each([
    ['closed', 0n],
    ['closed, and sent lamports', 890_880n],
  ])('is created again, and its batch is paid: %s', async (name, lamports) => {
    const made = world.tokenPlan(name, { count: 10, lanes: 1 })
    const rows = rowsOf(made).map(({ create: _, ...row }) => row)
    if (lamports > 0n) chain.airdrop(rows[3]?.to ?? '', lamports)
    world.pass()
    const plan = { ...made, batches: packed(made, 'MAI', { rows, first: 0 }) }
    expect(await pay({ plan, journal: memoryJournal() })).toEqual({ paid: 1, unpaid: [] })
    expect(isPaid(plan)).toBe(true)
  })
})

describe('an owner who demands a memo on each transfer, after the plan was made', () => {
  /** As Token-2022 keeps it: kind of account, then extension 8 (memo on transfers) of one byte. */
  const demandsMemo = Uint8Array.of(2, 8, 0, 1, 0, 1)

  test('does not hold up the others of the batch', async () => {
    const [mint, source] = ['mint', 'source'].map(name => base58(sha256('newer ', name))) as [string, string]
    const copy = (from: string, to: string, change: (data: Uint8Array) => Uint8Array) => {
      const account = chain.accounts.now(from)
      if (!account) throw new Error('expected the sale’s accounts')
      chain.accounts.place(to, { ...account, owner: TOKEN_2022, data: change(account.data) })
    }
    copy(accounts.saleMint.address, mint, data => data)
    const ofMint = (data: Uint8Array) => concat(fromBase58(mint) ?? new Uint8Array(), data.slice(32))
    copy(accounts.reserveTokens, source, ofMint)
    const made = world.tokenPlan('memos', { count: 6, lanes: 1 })
    const draft = { ...made, assets: { MAI: { decimals: 9, mint, program: TOKEN_2022, source } } }
    const rows = rowsOf(made).map(({ create: _, ...row }) => row)
    const plan = { ...draft, batches: packed(draft, 'MAI', { rows, first: 0 }) }
    for (const { to, owner } of rows)
      copy(accounts.reserveTokens, to, data =>
        concat(
          ofMint(data).slice(0, 32),
          fromBase58(owner) ?? new Uint8Array(),
          new Uint8Array(8),
          data.slice(72),
          demandsMemo,
        ),
      )
    expect(await pay({ plan, journal: memoryJournal() })).toEqual({ paid: 1, unpaid: [] })
    expect(isPaid(plan)).toBe(true)
  })
})

describe('another transaction under a batch’s key', () => {
  test('of a stranger, with the same memo and payment, pays nothing and hinders nothing', async () => {
    const plan = world.solPlan('stranger', { count: 3, lanes: 1 })
    const hashed = { plan, hash: planHash(plan) }
    const stranger = seededKeypair('payouts', 'stranger')
    chain.airdrop(stranger.address, 10n ** 9n)
    const text = Buffer.from(batchInstructions(hashed, 0, { limit: 1, price: 0n })[2]?.data ?? []).toString()
    chain.run([memo(text), transfer(stranger.address, stranger.address, 1n, [payRef(hashed.hash, 0)])], [stranger])
    world.pass()
    expect(await pay({ plan, journal: memoryJournal() })).toEqual({ paid: 1, unpaid: [] })
    expect(isPaid(plan)).toBe(true)
  })

  test('of the payer that differs by one unit stops everything', async () => {
    const plan = world.solPlan('one unit', { count: 3, lanes: 1 })
    const [first, ...others] = rowsOf(plan)
    if (!first) throw new Error('expected a row')
    const from = accounts.reserve.address
    const paid = [{ ...first, units: String(BigInt(first.units) + 1n) }, ...others].map(({ to, units }, at) =>
      transfer(from, to, BigInt(units), at === 0 ? [payRef(planHash(plan), 0)] : []),
    )
    chain.run(paid, [accounts.reserve])
    world.pass()
    await expect(pay({ plan, journal: memoryJournal() })).rejects.toThrow(
      `expected SOL ${first.units} to ${first.to}, got ${BigInt(first.units) + 1n} to ${first.to}. Nothing more is sent`,
    )
  })

  test('of the payer with the plan’s payments and one more, whose sum differs, stops everything', async () => {
    const plan = world.solPlan('more', { count: 2, lanes: 1 })
    const from = accounts.reserve.address
    const paid = rowsOf(plan).map(({ to, units }, at) =>
      transfer(from, to, BigInt(units), at === 0 ? [payRef(planHash(plan), 0)] : []),
    )
    chain.run([...paid, transfer(from, base58(sha256('thief')), 5_000_000n)], [accounts.reserve])
    world.pass()
    await expect(pay({ plan, journal: memoryJournal() })).rejects.toThrow('expected SOL no more, got 5000000 to')
  })

  test('that names the payer as its signer, without the payer’s signature, pays nothing and hinders nothing', async () => {
    const plan = world.solPlan('forged', { count: 3, lanes: 1 })
    const [ref, from] = [payRef(planHash(plan), 0), accounts.reserve.address]
    const moves = rowsOf(plan).map(({ to, units }, at) => transfer(from, to, BigInt(units), at === 0 ? [ref] : []))
    const { slot, time: blockTime, blockhash } = chain.blocks.tip()
    const { bytes } = signedTransaction(moves, [accounts.reserve], blockhash)
    bytes[5] = (bytes[5] ?? 0) ^ 1
    const signature = base58(bytes.subarray(1, 65))
    const left = rowsOf(plan).reduce((sum, { units }) => sum + Number(units), 5_000)
    const [, ...others] = readTransaction(bytes).addresses.map(() => 0)
    const meta = { err: null, preBalances: [left, ...others], postBalances: [0, ...others] }
    const line = { signature, slot, blockTime, err: null, confirmationStatus: 'finalized' }
    const call = changing(chain, (method, [asked], result) => {
      if (method === 'getSignaturesForAddress' && asked === ref) return [...(result as object[]), line]
      const isForged = method === 'getTransaction' && asked === signature
      return isForged ? { slot, blockTime, meta, transaction: [base64(bytes), 'base64'] } : result
    })
    world.pass()
    expect(await pay({ plan, journal: memoryJournal(), call })).toEqual({ paid: 1, unpaid: [] })
    expect(isPaid(plan)).toBe(true)
  })

  test.each([
    ['SOL', accounts.reserve.address, world.solPlan('effect', { count: 3, lanes: 1 })],
    ['MAI', accounts.reserveTokens, world.tokenPlan('effect', { count: 3, lanes: 1 })],
  ])(
    'of the payer with the plan’s payments, that costs one unit more or less, stops everything: %s',
    async (asset, from, plan) => {
      await pay({ plan, journal: memoryJournal() })
      const sent = chain.ledger.all().at(-1)
      expect(sent?.addresses).toContain(payRef(planHash(plan), 0))
      const place = sent?.addresses.indexOf(from)
      const effect = rowsOf(plan).reduce((sum, { units }) => sum + BigInt(units), asset === 'SOL' ? 5_000n : 0n)
      for (const by of [1n, -1n]) {
        const call = changing(chain, (method, [asked], result: any) => {
          if (method !== 'getTransaction' || asked !== sent?.signature) return result
          const meta = structuredClone(result.meta)
          const token = meta.postTokenBalances.find((one: any) => one.accountIndex === place)?.uiTokenAmount
          if (token) token.amount = String(BigInt(token.amount) - by)
          else meta.postBalances[place as number] -= Number(by)
          return { ...result, meta }
        })
        await expect(pay({ plan, journal: memoryJournal(), call })).rejects.toThrow(
          `expected ${effect} base units of ${asset} to leave the paying account, got ${effect + by}. Nothing more is sent`,
        )
      }
    },
  )
})

describe('bytes that do not land', () => {
  test('are sent again unchanged, and after a while at a higher fee on the same nonce; one of them pays', async () => {
    const plan = world.solPlan('slow', { count: 3, lanes: 1 })
    const sent: string[] = []
    const serve = callOf(chain)
    let isOpen = false
    const call: typeof fetch = async (url, init) => {
      const { method, params, id } = JSON.parse(String(init?.body))
      if (method !== 'sendTransaction') return serve(url, init)
      if (!isOpen && sent.length === 0) {
        isOpen = (chain.accounts.now(laneAddress({ plan, hash: planHash(plan) }, 0))?.lamports ?? 0n) > 0n
        if (!isOpen) return serve(url, init)
      }
      sent.push(params[0])
      // Only the second bytes land
      if (new Set(sent).size < 2)
        return new Response(JSON.stringify({ jsonrpc: '2.0', id, result: base58(new Uint8Array(64)) }))
      return serve(url, init)
    }
    const journal = memoryJournal()
    const paying = payingOf(world, { plan, journal, call })
    const held = world.held(key.address)
    expect(await payPlan(paying, key, { lanes: 1 })).toEqual({ paid: 1, unpaid: [] })
    // The batch counts once, with the higher fee
    expect(paying.limits.lamports).toBe(held - world.held(key.address))
    expect(unfinished(journal.lines)).toEqual([])
    expect(new Set(sent).size).toBe(2)
    expect(sent.length).toBeGreaterThan(50)
    const nonces = journal.lines.filter(({ kind }) => kind === 'reserve').map(({ nonce }) => nonce)
    expect([nonces.length, new Set(nonces).size]).toEqual([2, 1])
    expect(isPaid(plan)).toBe(true)
  })
})
