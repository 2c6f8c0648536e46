/**
 * Nodes whose lists, statuses or accounts lag, or lack a transaction: each batch is paid once, whatever is left of the journal.
 *
 * Several nodes behind one address answer from different slots, and an index may be written late.
 */
import { describe, expect, test } from 'vitest'
import { payRef } from '../../../../src/worker/chains/solana/references.ts'
import { messageBytes, withSignature } from '../../../../src/worker/chains/solana/wire.ts'
import { type Plan, planHash } from '../../../../src/worker/services/planFile.ts'
import { laneAddress, laneRent, openLane } from '../../../../scripts/presale/payouts/lanes.ts'
import { advanceNonce } from '../../../../scripts/presale/payouts/message.ts'
import { unsignedBatch } from '../../../../scripts/presale/payouts/payBatch.ts'
import { payPlan } from '../../../../scripts/presale/payouts/payPlan.ts'
import type { JournalLine } from '../../../../scripts/presale/state.ts'
import { base64, concat, littleEndian } from '../../../stack/solana/bytes.ts'
import { memo } from '../../../stack/solana/programs.ts'
import { readTransaction } from '../../../stack/solana/wire.ts'
import { callOf, changing, keyOf, memoryJournal, openWorld, payingOf } from './world.ts'

const world = openWorld('lagging nodes')
const { chain, accounts } = world
const key = keyOf(accounts.reserve)

type Given = Parameters<typeof payingOf>[1]
const pay = (given: Given) => payPlan(payingOf(world, given), key, { lanes: 1 })
const rowsOf = ({ batches }: Plan) => batches.flatMap(({ rows }) => rows)
const held = (plan: Plan) => rowsOf(plan).map(({ to }) => String(world.held(to)))
const planned = (plan: Plan) => rowsOf(plan).map(({ units }) => units)

const refOf = (plan: Plan, batch = 0) => payRef(planHash(plan), batch)
const laneOf = (plan: Plan) => laneAddress({ plan, hash: planHash(plan) }, 0)
/** A plan of one lane. */
const planOf = (name: string, batches = 1) => world.solPlan(name, { count: 16 * (batches - 1) + 3, lanes: 1 })
/** The transaction that paid a batch. */
const paymentOf = (plan: Plan, batch = 0) =>
  chain.ledger.all().find(({ err, addresses }) => err === null && addresses.includes(refOf(plan, batch)))?.signature

/** The transaction that made a plan's lane. */
const creationOf = (plan: Plan) =>
  chain.ledger.all().find(({ err, addresses }) => err === null && addresses.includes(laneOf(plan)))?.signature

/** A node whose lists under some addresses lack what `lacks` names, newest first. `times`: answers that do. */
function listing(
  lacks: (address: string, lines: readonly { signature: string }[]) => readonly { signature: string }[],
  times = Number.POSITIVE_INFINITY,
): typeof fetch {
  let left = times
  return changing(chain, (method, [address], result) => {
    if (method !== 'getSignaturesForAddress' || left <= 0) return result
    const lines = result as readonly { signature: string }[]
    const kept = lacks(String(address), lines)
    if (kept.length < lines.length) left -= 1
    return kept
  })
}
/** A node that lists nothing under these addresses. */
const hiding = (addresses: readonly string[], times?: number) =>
  listing((address, lines) => (addresses.includes(address) ? [] : lines), times)
/** A node that lists these transactions nowhere. */
const lacking = (signatures: readonly (string | undefined)[], times?: number) =>
  listing((_, lines) => lines.filter(({ signature }) => !signatures.includes(signature)), times)

/** Lines of a journal that the next run still has. */
const left = {
  nothing: () => [],
  'the reservations': lines => lines.filter(({ kind }) => kind === 'reserve'),
  'the ends': lines => lines.filter(({ kind }) => kind !== 'paid'),
} satisfies Record<string, (lines: readonly JournalLine[]) => JournalLine[]>
const everyRest = Object.entries(left)

describe('in the run that pays', () => {
  test('one empty answer of a batch’s list, after its payment is final, does not make it unpaid', async () => {
    const plan = planOf('one answer')
    expect(await pay({ plan, journal: memoryJournal(), call: hiding([refOf(plan)], 1) })).toMatchObject({ paid: 1 })
    expect(held(plan)).toEqual(planned(plan))
  })

  test('a journalled end is the payment, though no list ever has it', async () => {
    const plan = planOf('no list')
    const journal = memoryJournal()
    const call = changing(chain, (method, [address], result) => {
      const isEnded = journal.lines.some(({ kind, about }) => kind === 'ended' && String(about).startsWith('batch'))
      const isHidden = isEnded && [refOf(plan), laneOf(plan)].includes(String(address))
      return method === 'getSignaturesForAddress' && isHidden ? [] : result
    })
    expect(await pay({ plan, journal, call })).toEqual({ paid: 1, unpaid: [] })
    expect(journal.lines.at(-1)).toMatchObject({ kind: 'paid', signature: paymentOf(plan) })
    expect(held(plan)).toEqual(planned(plan))
  })

  test('a status that never comes ends the bytes as expired, and the lane has the payment', async () => {
    const plan = planOf('no status')
    const journal = memoryJournal()
    let isOpen = false
    const call = changing(chain, (method, [address], result) => {
      isOpen ||= method === 'getSignaturesForAddress'
      if (method === 'getSignatureStatuses' && isOpen) return { ...(result as object), value: [null] }
      return method === 'getSignaturesForAddress' && address === refOf(plan) ? [] : result
    })
    expect(await pay({ plan, journal, call })).toEqual({ paid: 1, unpaid: [] })
    expect(journal.lines.filter(({ outcome }) => outcome === 'expired')).toHaveLength(1)
    expect(held(plan)).toEqual(planned(plan))
  })
})

describe.each(everyRest)('in a later run with %s of the journal', (_, rest) => {
  /** Pays a plan, and returns a journal as the next run finds it. */
  const paidBefore = async (plan: Plan) => {
    const journal = memoryJournal()
    await pay({ plan, journal })
    return memoryJournal(rest(journal.lines))
  }
  const signatures = ({ lines }: { lines: readonly JournalLine[] }) =>
    lines.flatMap(({ kind, signature }) => (kind === 'signed' ? [signature] : []))

  test('a batch that is not in its own list is found in the lane’s', async () => {
    const plan = planOf(`own list ${rest.name}`, 2)
    const journal = await paidBefore(plan)
    const before = signatures(journal)
    expect(await pay({ plan, journal, call: hiding([refOf(plan, 0), refOf(plan, 1)]) })).toEqual({
      paid: 2,
      unpaid: [],
    })
    expect([held(plan), signatures(journal)]).toEqual([planned(plan), before])
  })

  test('and lists that lag for some answers, it waits until they show the payment', async () => {
    const plan = planOf(`all lists ${rest.name}`)
    const journal = await paidBefore(plan)
    expect(await pay({ plan, journal, call: lacking([paymentOf(plan)], 5) })).toEqual({ paid: 1, unpaid: [] })
    expect(held(plan)).toEqual(planned(plan))
  })

  test('and a node that has it no more behind a later one, the gap in the lane’s nonces stops it or the journal knows', async () => {
    const plan = planOf(`gap ${rest.name}`, 3)
    const journal = await paidBefore(plan)
    const before = signatures(journal)
    const again = pay({ plan, journal, call: lacking([paymentOf(plan, 1)]) })
    // The last reservation has the payments before it
    if (rest !== left.nothing) expect(await again).toEqual({ paid: 3, unpaid: [] })
    else await expect(again).rejects.toThrow('nonce and payments to agree, got none that do')
    expect([held(plan), signatures(journal)]).toEqual([planned(plan), before])
  })

  test('and lists that begin after the payment, as of a node that keeps a part, nothing is sent', async () => {
    const plan = planOf(`pruned ${rest.name}`, 2)
    const journal = await paidBefore(plan)
    const before = signatures(journal)
    const newest = paymentOf(plan, 1)
    const call = listing((address, lines) =>
      [laneOf(plan), refOf(plan)].includes(address) ? lines.filter(({ signature }) => signature === newest) : lines,
    )
    const again = pay({ plan, journal, call })
    if (rest !== left.nothing) expect(await again).toEqual({ paid: 2, unpaid: [] })
    else await expect(again).rejects.toThrow('nonce and payments to agree')
    expect([held(plan), signatures(journal)]).toEqual([planned(plan), before])
  })
})

describe('a lane that an earlier run has read', () => {
  /** Two of three batches paid, and the third left open, as by a kill. */
  const paidInPart = async (plan: Plan, given: Partial<Given> = {}) => {
    const whole = memoryJournal()
    const death = new Error('killed')
    const add = (line: JournalLine) => {
      if (line.kind === 'signed' && line.about === aboutOf(plan, 2)) throw death
      whole.add(line)
    }
    await expect(pay({ plan, journal: { lines: whole.lines, add }, ...given })).rejects.toBe(death)
    return memoryJournal(whole.lines)
  }
  const aboutOf = (plan: Plan, batch: number) => `batch ${batch} of plan ${planHash(plan).slice(0, 16)}`
  /** A node, and how often it is asked for a transaction. */
  const counting = () => {
    const asked = { transactions: 0 }
    const call = changing(chain, (method, _, result) => {
      if (method === 'getTransaction') asked.transactions += 1
      return result
    })
    return { asked, call }
  }

  test('is read on from its last reservation', async () => {
    const [plan, { asked, call }] = [planOf('read on', 3), counting()]
    const journal = await paidInPart(plan)
    expect(journal.lines.at(-1)).toMatchObject({
      kind: 'reserve',
      batch: 2,
      hosts: ['chain.test'],
      payments: [{ batch: 1 }],
    })
    expect(await pay({ plan, journal, call })).toEqual({ paid: 3, unpaid: [] })
    // The third payment alone, in the list of its reference
    expect([asked.transactions, held(plan)]).toEqual([1, planned(plan)])
  })

  test('has the payments of every reservation, though no list of theirs has them', async () => {
    const plan = planOf('every reservation', 3)
    const journal = await paidInPart(plan)
    const kept = memoryJournal(journal.lines.filter(({ kind }) => kind === 'reserve'))
    const call = hiding([refOf(plan, 0), refOf(plan, 1)])
    expect(await pay({ plan, journal: kept, call })).toEqual({ paid: 3, unpaid: [] })
    expect(held(plan)).toEqual(planned(plan))
  })

  test('is read whole at a node that did not prove it', async () => {
    const [plan, { asked, call }] = [planOf('another node', 3), counting()]
    const journal = await paidInPart(plan)
    expect(await pay({ plan, journal, second: call })).toEqual({ paid: 3, unpaid: [] })
    expect(asked.transactions).toBeGreaterThan(2)
    expect(held(plan)).toEqual(planned(plan))
  })
})

describe('with an export', () => {
  /** Signs an exported transaction, as a wallet does, and sends it. */
  const send = (bytes: Uint8Array | undefined) => {
    if (!bytes) throw new Error('expected a transaction')
    const { address, sign } = accounts.reserve
    chain.submit(readTransaction(withSignature(bytes, address, sign(messageBytes(bytes)))))
    world.pass()
  }

  test('that landed and is not in its own list, the next export has nothing', async () => {
    const plan = planOf('exported')
    const journal = memoryJournal()
    const paying = payingOf(world, { plan, journal })
    await openLane(paying, 0, key)
    send(await unsignedBatch(paying, 0))
    const call = hiding([refOf(plan)])
    for (const lines of [[], journal.lines])
      expect(await unsignedBatch(payingOf(world, { plan, journal: memoryJournal(lines), call }), 0)).toBeUndefined()
    expect(held(plan)).toEqual(planned(plan))
  })

  test.each([
    ['by hand', []],
    ['by hand with a memo behind it', [memo('voids an export')]],
  ])('that was voided by advancing the nonce %s, the batch is paid when two nodes say so', async (name, more) => {
    const plan = planOf(`voided ${name}`, 2)
    const paying = payingOf(world, { plan, journal: memoryJournal() })
    await openLane(paying, 0, key)
    const voided = await unsignedBatch(paying, 0)
    chain.run([byHand(advanceNonce(laneOf(plan), key.address)), ...more], [accounts.reserve])
    world.pass()
    const reason = expect.stringMatching(/^its lane's nonce account \w+ was advanced by hand.*--rpc2$/)
    expect((await pay({ plan, journal: memoryJournal() })).unpaid).toEqual([0, 1].map(batch => ({ batch, reason })))
    const [second, journal] = [callOf(chain), memoryJournal()]
    expect(await pay({ plan, journal, second })).toEqual({ paid: 2, unpaid: [] })
    expect(chain.refusal(readTransaction(voided ?? new Uint8Array()))).toBe('BlockhashNotFound')
    const again = { plan, journal: memoryJournal() }
    // Of the payments one node lacks the last one before another advance
    const call = lacking([paymentOf(plan, 1)])
    chain.run([byHand(advanceNonce(laneOf(plan), key.address)), ...more], [accounts.reserve])
    world.pass()
    expect((await pay({ ...again, call })).unpaid).toEqual([{ batch: 1, reason }])
    await expect(pay({ ...again, call, second })).rejects.toThrow('to agree at both nodes')
    expect(held(plan)).toEqual(planned(plan))
  })
})

/** An instruction in the form of the stack's. */
const byHand = ({ program, accounts: used, data }: ReturnType<typeof advanceNonce>) => {
  return { program, accounts: [...used], data }
}

test('a lane that another machine makes, while the own creation is lost, is paid on', async () => {
  const plan = planOf('made elsewhere')
  const serve = callOf(chain)
  let lost: string | undefined
  const call: typeof fetch = async (url, init) => {
    const { method, params } = JSON.parse(String(init?.body))
    if (method !== 'sendTransaction' || (lost !== undefined && params[0] !== lost)) return serve(url, init)
    if (lost === undefined) {
      world.pass()
      await openLane(payingOf(world, { plan, journal: memoryJournal() }), 0, key)
    }
    lost = params[0]
    throw new TypeError('fetch failed')
  }
  const journal = memoryJournal()
  expect(await pay({ plan, journal, call })).toEqual({ paid: 1, unpaid: [] })
  expect(journal.lines.map(({ outcome }) => outcome)).toContain('expired')
  expect(held(plan)).toEqual(planned(plan))
})

describe('a lane that was closed and is created again', () => {
  const closeLane = (plan: Plan) => {
    const {
      program,
      accounts: [lane, blockhashes, authority],
    } = advanceNonce(laneOf(plan), key.address)
    if (!lane || !blockhashes || !authority) throw new Error('expected the accounts of an advance')
    const rent = { address: 'SysvarRent111111111111111111111111111111111' }
    const to = { address: key.address, writable: true }
    const data = concat(littleEndian(5, 4), littleEndian(laneRent, 8))
    const used = [lane, to, blockhashes, rent, authority]
    const signature = chain.run([{ program, accounts: used, data }], [accounts.reserve])
    world.pass()
    expect(chain.accounts.now(laneOf(plan))).toBeUndefined()
    return signature
  }
  const closed = /^its lane's nonce account \w+ was closed by hand and made again/

  test('still has its earlier payment', async () => {
    const plan = planOf('closed lane')
    await pay({ plan, journal: memoryJournal() })
    closeLane(plan)
    const journal = memoryJournal()
    expect(await pay({ plan, journal, call: hiding([refOf(plan)]) })).toEqual({ paid: 1, unpaid: [] })
    expect(journal.lines.filter(({ about }) => String(about).startsWith('batch'))).toEqual([])
    expect(held(plan)).toEqual(planned(plan))
  })

  test.each([
    ['its first creation', () => []],
    ['its closing alone', (plan: Plan) => [creationOf(plan)]],
  ])('pays nothing where a list lacks the payment and shows %s', async (name, lost) => {
    const plan = planOf(`closed gap ${name}`)
    await pay({ plan, journal: memoryJournal() })
    const before = [paymentOf(plan), ...lost(plan)]
    closeLane(plan)
    const given = { plan, call: lacking(before) }
    for (const more of [{}, { second: callOf(chain) }, {}]) {
      const { paid, unpaid } = await pay({ ...given, ...more, journal: memoryJournal() })
      expect([paid, unpaid]).toEqual([0, [{ batch: 0, reason: expect.stringMatching(closed) }]])
    }
    const exported = unsignedBatch(payingOf(world, { ...given, journal: memoryJournal() }), 0)
    await expect(exported).rejects.toThrow(`batch 0 is not paid: its lane's nonce account`)
    expect(held(plan)).toEqual(planned(plan))
  })

  test('holds up no other lane', async () => {
    const plan = world.solPlan('another lane', { count: 16 + 3, lanes: 2 })
    await openLane(payingOf(world, { plan, journal: memoryJournal() }), 0, key)
    closeLane(plan)
    expect(await pay({ plan, journal: memoryJournal() })).toMatchObject({ paid: 1, unpaid: [{ batch: 0 }] })
    const isPaid = rowsOf(plan).map(({ to, units }) => String(world.held(to)) === units)
    expect(isPaid.filter(Boolean)).toHaveLength(plan.batches[1]?.rows.length ?? 0)
  })
})

describe('with a second node', () => {
  test('that has the payment, a first one of an older slot sends nothing', async () => {
    const plan = planOf('older first')
    await openLane(payingOf(world, { plan, journal: memoryJournal() }), 0, key)
    const earlier = chain.accounts.now(laneOf(plan))?.data
    await pay({ plan, journal: memoryJournal() })
    const paid = paymentOf(plan)
    // Nonce and lists agree with each other, at a slot before the payment
    const call = changing(chain, (method, [address], result) => {
      const { value, context } = (result ?? {}) as { value?: { data: string[] }[]; context?: unknown }
      if (method === 'getSignaturesForAddress')
        return (result as { signature: string }[]).filter(({ signature }) => signature !== paid)
      if (method !== 'getMultipleAccounts' || !(address as string[]).includes(laneOf(plan))) return result
      return { context, value: [{ ...value?.[0], data: [base64(earlier ?? new Uint8Array()), 'base64'] }] }
    })
    const journal = memoryJournal()
    await expect(pay({ plan, journal, call, second: callOf(chain) })).rejects.toThrow('to agree at both nodes')
    expect([journal.lines, held(plan)]).toEqual([[], planned(plan)])
  })

  test('whose lists lag, it is asked again until they show the whole lane', async () => {
    const plan = planOf('second lags', 2)
    let hidden = 0
    const second = listing((address, lines) => {
      if (address !== laneOf(plan) || lines.length < 2) return lines
      hidden += 1
      return lines.slice(1)
    }, 4)
    expect(await pay({ plan, journal: memoryJournal(), second })).toEqual({ paid: 2, unpaid: [] })
    expect(hidden).toBeGreaterThan(3)
    expect(held(plan)).toEqual(planned(plan))
  })
})
