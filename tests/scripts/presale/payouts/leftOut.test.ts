/** Recipients whose account can never receive again: the others of their batch are paid, and they by a later plan, once. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { exportUnsigned } from '../../../../scripts/presale/payouts/exportUnsigned.ts'
import { type HashedPlan, packed } from '../../../../scripts/presale/payouts/batch.ts'
import { leftOutBy, missingIn } from '../../../../scripts/presale/payouts/found.ts'
import { claimsLeftOut, closedRows } from '../../../../scripts/presale/payouts/leftOut.ts'
import { openLane } from '../../../../scripts/presale/payouts/lanes.ts'
import { payBatch } from '../../../../scripts/presale/payouts/payBatch.ts'
import { payPlan } from '../../../../scripts/presale/payouts/payPlan.ts'
import { checkAnnounced } from '../../../../scripts/presale/payouts/plans.ts'
import { type Plan, planHash, type PlanRow } from '../../../../src/worker/services/planFile.ts'
import { associatedTokenAddress } from '../../../../src/worker/chains/solana/ata.ts'
import { clockSysvar, programs } from '../../../../src/worker/chains/solana/programs.ts'
import { payRef } from '../../../../src/worker/chains/solana/references.ts'
import { base58, concat, fromBase58, sha256 } from '../../../stack/solana/bytes.ts'
import { TOKEN_2022 } from '../../../stack/solana/programs.ts'
import { callOf, changing, keyOf, memoryJournal, openWorld, payingOf } from './world.ts'

const world = openWorld('payments left out')
const { chain, accounts } = world
const key = keyOf(accounts.reserve)

type Given = Parameters<typeof payingOf>[1]
const paying = (given: Given, leavesOut = true) => ({ ...payingOf(world, given), leavesOut })
const pay = (given: Given, leavesOut = true) => payPlan(paying(given, leavesOut), key, { lanes: given.plan.lanes })
const rowsOf = ({ batches }: Plan) => batches.flatMap(({ rows }) => rows)
const heldBy = (rows: readonly PlanRow[]) => rows.map(({ to }) => world.held(to))
const hashedOf = (plan: Plan): HashedPlan => ({ plan, hash: planHash(plan) })

/** Gives an account at this address to another owner, as its owner may. */
function giveAway(to: string): void {
  const account = chain.accounts.now(accounts.reserveTokens)
  if (!account) throw new Error('expected the reserve')
  const owner = fromBase58(base58(sha256('another owner'))) ?? new Uint8Array()
  const data = concat(account.data.slice(0, 32), owner, new Uint8Array(8), account.data.slice(72))
  chain.accounts.place(to, { ...account, data })
  world.pass()
}

/** Each makes one row of the plan's first batch impossible. @returns the plan, and the row's place */
const impossible: Record<string, (name: string, count?: number) => { plan: Plan; at: number }> = {
  'was made after the plan and given to another owner': (name, count = 12) => {
    const plan = world.tokenPlan(name, { count, lanes: 1 })
    giveAway(rowsOf(plan)[2]?.to ?? '')
    return { plan, at: 2 }
  },
  'is no associated one and was closed': (name, count = 12) => {
    const made = world.tokenPlan(name, { count, lanes: 1 })
    const to = base58(sha256('closed ', name))
    const batches = made.batches.map(({ asset, rows }, batch) => {
      const closed = ({ create: _, ...row }: PlanRow) => ({ ...row, to })
      return { asset, rows: rows.map((row, at) => (batch === 0 && at === 0 ? closed(row) : row)) }
    })
    return { plan: { ...made, batches }, at: 0 }
  },
  'is the only one of its batch and was closed': (name, count = 12) => {
    const { plan } = impossible['is no associated one and was closed']?.(`alone ${name}`, count) ?? {}
    if (!plan) throw new Error('expected a plan')
    return {
      plan: {
        ...plan,
        batches: plan.batches.map((one, at) => (at === 0 ? { ...one, rows: one.rows.slice(0, 1) } : one)),
      },
      at: 0,
    }
  },
  'is a wallet that was emptied, and gets too little': (name, count = 20) => {
    const made = world.solPlan(name, { count, lanes: 1 })
    const batches = made.batches.map(({ asset, rows }, batch) => {
      return { asset, rows: rows.map((row, at) => (batch === 0 && at === 1 ? { ...row, units: '5' } : row)) }
    })
    return { plan: { ...made, batches }, at: 1 }
  },
}
const kinds = Object.keys(impossible)
const madeOf = (kind: string, name: string, count?: number) => {
  const found = impossible[kind]?.(`${kind} ${name}`, count)
  if (!found) throw new Error(`expected a kind, got ${kind}`)
  return found
}

describe.each(kinds)('a recipient whose account %s', kind => {
  test('holds up its batch, unless the run may leave payments out: then the others are paid, once', async () => {
    const { plan, at } = madeOf(kind, 'usual')
    const journal = memoryJournal()
    expect(await pay({ plan, journal }, false)).toMatchObject({ paid: 1, unpaid: [{ batch: 0 }] })
    expect(await pay({ plan, journal })).toEqual({ paid: 2, unpaid: [] })
    const expected = rowsOf(plan).map(({ units }, place) => (place === at ? 0n : BigInt(units)))
    expect(heldBy(rowsOf(plan))).toEqual(expected)
    const paid = journal.lines.filter(one => one.kind === 'paid').sort((a, b) => Number(a.batch) - Number(b.batch))
    expect(paid.map(({ leftOut }) => leftOut)).toEqual([[at], undefined])
    // Its account can receive again, and still no other payment of the batch is made
    const wallet = chain.accounts.now(key.address)
    if (wallet) chain.accounts.place(rowsOf(plan)[at]?.to ?? '', wallet)
    world.pass()
    for (const lines of [journal.lines, []]) {
      const again = memoryJournal(lines)
      expect(await pay({ plan, journal: again })).toEqual({ paid: 2, unpaid: [] })
      expect(again.lines.filter(one => one.kind === 'reserve')).toHaveLength(
        lines.filter(one => one.kind === 'reserve').length,
      )
    }
  })

  test('and a payer that is killed anywhere: the others are paid once', async () => {
    let isAlive = true
    for (let last = 10; isAlive; last += 9) {
      const { plan, at } = madeOf(kind, `killed ${last}`)
      const journal = memoryJournal()
      let calls = 0
      const call = callOf(chain, () => {
        calls += 1
        if (calls > last) throw new Error('killed')
      })
      const wait = async () => {
        if (calls > last) throw new Error('killed')
        world.pass()
      }
      isAlive = await pay({ plan, journal, call, wait }).then(
        () => false,
        () => true,
      )
      chain.advance(2)
      await pay({ plan, journal: memoryJournal(last % 2 === 0 ? journal.lines : []) })
      const expected = rowsOf(plan).map(({ units }, place) => (place === at ? 0n : BigInt(units)))
      expect({ last, held: heldBy(rowsOf(plan)) }).toEqual({ last, held: expected })
    }
  })
})

test.each([
  ['the System program', programs.system],
  ['the clock', clockSysvar],
  ['the memo program', programs.memo],
])('%s in a plan of SOL: the others are paid', async (name, to) => {
  const made = world.solPlan(name, { count: 4, lanes: 1 })
  const rows = rowsOf(made).map((row, at) => (at === 1 ? { ...row, owner: to, to } : row))
  const plan = { ...made, batches: [{ asset: 'SOL', rows }] }
  const before = world.held(to)
  expect(await pay({ plan, journal: memoryJournal() }, false)).toMatchObject({ paid: 0, unpaid: [{ batch: 0 }] })
  expect(await pay({ plan, journal: memoryJournal() })).toEqual({ paid: 1, unpaid: [] })
  expect(heldBy(rows)).toEqual(rows.map(({ units }, at) => (at === 1 ? before : BigInt(units))))
})

const [given = ''] = kinds

test('a payment has rows of its batch in their order, one at least, and nothing else', () => {
  const all = ['1 to a', '2 to b', '3 to c']
  expect([missingIn(all, all), missingIn(['2 to b'], all), missingIn(['1 to a', '3 to c'], all)]).toEqual([
    [],
    [0, 2],
    [1],
  ])
  for (const other of [[], ['2 to a'], ['2 to b', '1 to a'], [...all, '1 to a'], ['1 to a', '1 to a']])
    expect(missingIn(other, all)).toBeUndefined()
})

test('what a run sent has no payment that was left out', async () => {
  const { plan, at } = madeOf(given, 'figure')
  const one = paying({ plan, journal: memoryJournal() })
  await payPlan(one, key, { lanes: 1 })
  const sum = rowsOf(plan).reduce((all, { units }, place) => all + (place === at ? 0n : BigInt(units)), 0n)
  expect(one.limits.units.get('MAI')).toBe(sum)
})

test('bytes of an earlier run count as what they pay, without what they leave out', async () => {
  const { plan, at } = madeOf(given, 'counted again', 5)
  const journal = memoryJournal()
  const isSigned = () => journal.lines.some(({ kind, about }) => kind === 'signed' && String(about).startsWith('batch'))
  const call = callOf(chain, method => {
    if (method === 'sendTransaction' && isSigned()) throw new Error('killed')
  })
  const wait = async () => {
    if (isSigned()) throw new Error('killed')
    world.pass()
  }
  await expect(pay({ plan, journal, call, wait })).rejects.toThrow('killed')
  const most = rowsOf(plan).reduce((sum, { units }, place) => (place === at ? sum : sum + BigInt(units)), 0n)
  const again = paying({ plan, journal })
  const limits = { ...again.limits, mostUnits: new Map([['MAI', most]]) }
  expect(await payPlan({ ...again, limits }, key, { lanes: 1 })).toEqual({ paid: 1, unpaid: [] })
  expect(limits.units.get('MAI')).toBe(most)
})

test('a batch of which no account can receive is paid with nothing, once, and its claims are free', async () => {
  for (const kind of kinds) {
    const made = madeOf(kind, 'all of them', 3)
    const batches = made.plan.batches.map(one => ({ ...one, rows: one.rows.filter((_, at) => at === made.at) }))
    const plan = { ...made.plan, batches }
    const journal = memoryJournal()
    expect(await pay({ plan, journal }, false)).toMatchObject({ paid: 0, unpaid: [{ batch: 0 }] })
    const one = paying({ plan, journal })
    expect(await payPlan(one, key, { lanes: 1 })).toEqual({ paid: 1, unpaid: [] })
    expect(one.limits.units.get(Object.keys(plan.assets)[0] ?? '')).toBe(0n)
    expect(heldBy(rowsOf(plan))).toEqual([0n])
    expect(journal.lines.find(({ kind: line }) => line === 'paid')?.leftOut).toEqual([0])
    world.pass()
    // Without the journal the chain alone says that it is paid, and what it left out
    const again = memoryJournal()
    expect(await pay({ plan, journal: again })).toEqual({ paid: 1, unpaid: [] })
    expect(again.lines.map(line => [line.kind, line.leftOut])).toEqual([['paid', [0]]])
    const options = { slot: chain.blocks.tip().slot - 32 }
    const { claims } = await claimsLeftOut([one.sending.node], world.sale, [hashedOf(plan)], options)
    expect([...claims]).toEqual(rowsOf(plan).flatMap(({ of }) => of))
  }
})

test('a payment of nothing is one transfer of no lamports from the payer to itself, with the key of its batch', () => {
  const plan = world.tokenPlan('nothing', { count: 2, lanes: 1 })
  const hashed = hashedOf(plan)
  const [payer, refs] = [plan.payer, [payRef(hashed.hash, 0)]]
  const nothing = { from: payer, to: payer, units: '0', refs }
  expect(leftOutBy([nothing], hashed, 0)).toEqual([0, 1])
  const others = [{ units: '1' }, { from: 'another' }, { to: 'another' }, { refs: [payRef(hashed.hash, 1)] }]
  for (const other of others) expect(leftOutBy([{ ...nothing, ...other }], hashed, 0)).toBeUndefined()
  expect(leftOutBy([nothing, nothing], hashed, 0)).toBeUndefined()
})

describe('an owner who makes a Token-2022 account that the plan creates', () => {
  const [mint, source] = ['mint', 'source'].map(name => base58(sha256('newer ', name))) as [string, string]
  const copied = (from: string, to: string, change: (data: Uint8Array) => Uint8Array) => {
    const account = chain.accounts.now(from)
    if (!account) throw new Error('expected an account')
    chain.accounts.place(to, { ...account, owner: TOKEN_2022, data: change(account.data) })
  }
  const ofMint = (data: Uint8Array) => concat(fromBase58(mint) ?? new Uint8Array(), data.slice(32))
  /** Kind of account, then type and length of an extension, and its content. */
  const confidential = (allows: number) =>
    concat(Uint8Array.of(2, 5, 0, 39, 1), new Uint8Array(262), Uint8Array.of(allows), new Uint8Array(32))
  const extensions = {
    'a memo': { with: Uint8Array.of(2, 8, 0, 1, 0, 1), without: Uint8Array.of(2, 8, 0, 1, 0, 0) },
    'confidential transfers': { with: confidential(0), without: confidential(1) },
  }

  test.each(Object.entries(extensions))('and demands %s: the others are paid', async (name, bytes) => {
    copied(accounts.saleMint.address, mint, data => data)
    copied(accounts.reserveTokens, source, ofMint)
    const made = world.tokenPlan(`newer ${name}`, { count: 3, lanes: 1 })
    const head = { ...made, assets: { MAI: { decimals: 9, mint, program: TOKEN_2022, source } } }
    const rows = rowsOf(made).map(row => ({ ...row, to: associatedTokenAddress(row.owner, mint, TOKEN_2022) }))
    const plan: Plan = { ...head, batches: packed(head, 'MAI', { rows, first: 0 }) }
    const nodes = [payingOf(world, { plan, journal: memoryJournal() }).sending.node]
    for (const [extension, places] of [
      [bytes.without, []],
      [bytes.with, [1]],
    ] as const) {
      const { to, owner } = rows[1] ?? { to: '', owner: '' }
      copied(accounts.reserveTokens, to, data =>
        concat(
          ofMint(data).slice(0, 32),
          fromBase58(owner) ?? new Uint8Array(),
          new Uint8Array(8),
          data.slice(72),
          extension,
        ),
      )
      world.pass()
      expect(await closedRows(nodes, hashedOf(plan), 0)).toEqual(places)
    }
    // Its next plan pays to the account as it is, with a memo before the transfer
    const open = {
      ...plan,
      batches: plan.batches.map(one => ({ ...one, rows: rows.map(({ create: _, ...row }) => row) })),
    }
    expect(await closedRows(nodes, hashedOf(open), 0)).toEqual(name === 'a memo' ? [] : [1])
    expect(await pay({ plan, journal: memoryJournal() })).toEqual({ paid: 1, unpaid: [] })
    expect(heldBy(rows)).toEqual(rows.map(({ units }, at) => (at === 1 ? 0n : BigInt(units))))
  })
})

test('a row stays in when one of two nodes has its account as fit', async () => {
  const { plan } = madeOf(given, 'two nodes')
  const { to } = rowsOf(plan)[2] ?? { to: '' }
  const second = changing(chain, (method, [addresses], result) => {
    const { value, ...context } = result as { value: unknown[] }
    const missing = (one: unknown, at: number) => ((addresses as string[])[at] === to ? null : one)
    return method === 'getMultipleAccounts' ? { ...context, value: value.map(missing) } : result
  })
  expect(await pay({ plan, journal: memoryJournal(), second })).toMatchObject({ paid: 1, unpaid: [{ batch: 0 }] })
})

test('an export leaves it out, too', async () => {
  const { plan } = madeOf(given, 'exported', 3)
  const one = paying({ plan, journal: memoryJournal() })
  await openLane(one, 0, key)
  const folder = mkdtempSync(join(tmpdir(), 'mai-left-out-'))
  expect(await exportUnsigned(one, folder)).toMatchObject({ failing: [], exported: [{ about: 'batch 0' }] })
  rmSync(folder, { recursive: true })
})

describe('a claim that a payment left out', () => {
  const nodeOf = (plan: Plan, call?: typeof fetch) => {
    return payingOf(world, { plan, journal: memoryJournal(), ...(call && { call }) }).sending.node
  }
  const slot = () => chain.blocks.tip().slot - 32
  const later = (plan: Plan, at: number, name: string) => {
    const made = world.tokenPlan(name, { count: 1, lanes: 1 })
    const of = rowsOf(plan)[at]?.of ?? []
    return { ...made, batches: made.batches.map(one => ({ ...one, rows: one.rows.map(row => ({ ...row, of })) })) }
  }

  test('is free for a later plan once the payment is final, and for one plan alone', async () => {
    const { plan, at } = madeOf(given, 'again')
    const [first, second, third] = [plan, later(plan, at, 'second'), later(plan, at, 'third')].map(hashedOf) as [
      HashedPlan,
      HashedPlan,
      HashedPlan,
    ]
    const claims = rowsOf(plan)[at]?.of ?? []
    const lookedUp = async (plans: HashedPlan[]) => claimsLeftOut([nodeOf(plan)], world.sale, plans, { slot: slot() })
    const free = async (plans: HashedPlan[]) => (await lookedUp(plans)).claims
    expect(await free([first])).toEqual(new Set())
    await pay({ plan, journal: memoryJournal() })
    world.pass()
    expect(await free([first])).toEqual(new Set(claims))
    expect(() => checkAnnounced(second, [first, second])).toThrow('expected to be in one plan')
    checkAnnounced(second, [first, second], await lookedUp([first]))
    // The second plan has it now, paid or not
    expect(await free([first, second])).toEqual(new Set())
    await pay({ plan: second.plan, journal: memoryJournal() })
    world.pass()
    expect(await free([first, second])).toEqual(new Set())
    const looked = await lookedUp([first, second])
    expect(() => checkAnnounced(third, [first, second, third], looked)).toThrow('expected to be in one plan')
  })

  test('is not free when a second node lacks the payment, or the payment pays it', async () => {
    const { plan, at } = madeOf(given, 'lacking')
    await pay({ plan, journal: memoryJournal() })
    const whole = world.tokenPlan('whole', { count: 3, lanes: 1 })
    await pay({ plan: whole, journal: memoryJournal() })
    world.pass()
    const hiding = changing(chain, (method, [address], result) =>
      method === 'getSignaturesForAddress' && address === payRef(planHash(plan), 0) ? [] : result,
    )
    const hidden = payingOf(world, { plan, journal: memoryJournal(), second: hiding }).second
    const nodes = [nodeOf(plan), ...(hidden ? [hidden] : [])]
    const found = await claimsLeftOut(nodes, world.sale, [hashedOf(plan)], { slot: slot() })
    expect(found.claims).toEqual(new Set())
    // The node that lacks it is named, so that it can be replaced
    const [first, second] = [hashedOf(plan), hashedOf(later(plan, at, 'after a lack'))]
    expect(() => checkAnnounced(second, [first, second], found)).toThrow(
      `pay the first one. second.test has no final payment of batch 0 of plan ${first.hash}: if there is one`,
    )
    const ofWhole = await claimsLeftOut(nodes.slice(0, 1), world.sale, [hashedOf(whole)], { slot: slot() })
    expect(ofWhole).toEqual({ claims: new Set(), unseen: new Map() })
  })

  test('is not held by a copy of its plan that can never be paid, and is by one that still may', async () => {
    const { plan, at } = madeOf(given, 'copied')
    const copy = hashedOf({ ...plan, ledgerHash: '1'.repeat(64) })
    const alone = hashedOf(later(plan, at, 'alone'))
    const next = hashedOf(later(plan, at, 'next'))
    const first = hashedOf(plan)
    const claims = rowsOf(plan)[at]?.of ?? []
    const lookedUp = (...plans: HashedPlan[]) => claimsLeftOut([nodeOf(plan)], world.sale, plans, { slot: slot() })
    const free = async (...plans: HashedPlan[]) => (await lookedUp(...plans)).claims
    expect(await free(first, copy)).toEqual(new Set())
    await pay({ plan, journal: memoryJournal() })
    world.pass()
    expect(await free(first, copy)).toEqual(new Set(claims))
    const among = new Set(claims)
    const looked = await claimsLeftOut([nodeOf(plan)], world.sale, [first, copy], { slot: slot(), among })
    checkAnnounced(next, [first, copy, next], looked)
    expect(() => checkAnnounced(copy, [first, copy], looked)).toThrow('expected to be in one plan')
    // That has this claim alone, and so may be paid at any time
    expect(await free(first, alone)).toEqual(new Set())
    expect(await free(first, copy, alone)).toEqual(new Set())
    await pay({ plan: alone.plan, journal: memoryJournal() })
    world.pass()
    expect(await free(first, alone, copy)).toEqual(new Set())
  })

  test('is held by a copy of its plan while no claim of both is paid', async () => {
    const { plan, at } = madeOf('is the only one of its batch and was closed', 'copied')
    const [batch] = plan.batches
    const rows = plan.batches[1]?.rows ?? []
    const first = hashedOf(plan)
    const copy = hashedOf({ ...plan, ledgerHash: '1'.repeat(64) })
    const journal = memoryJournal()
    const one = paying({ plan, journal })
    await openLane(one, 0, key)
    await payBatch(one, 0, key)
    world.pass()
    const free = () => claimsLeftOut([one.sending.node], world.sale, [first, copy], { slot: slot() })
    expect((await free()).claims).toEqual(new Set())
    await pay({ plan, journal })
    world.pass()
    expect((await free()).claims).toEqual(new Set(batch?.rows[at]?.of))
    expect(heldBy(rows)).toEqual(rows.map(({ units }) => BigInt(units)))
  })
})
