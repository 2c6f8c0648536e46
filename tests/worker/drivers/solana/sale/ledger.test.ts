/** "Verify this sale" over a sale with every kind of order: the books, their progress, and a node or an operator that lies. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Answer, Drive } from '../../../../../src/runtime/host/driver.ts'
import type { InputOf } from '../../../../../src/worker/drivers/drive.ts'
import { Fault } from '../../../../../src/runtime/failure.ts'
import { createRpc, type Rpc } from '../../../../../src/worker/drivers/solana/rpc.ts'
import { createLedgerDriver } from '../../../../../src/worker/drivers/solana/sale/ledger.ts'
import { createSolanaDriver } from '../../../../../src/worker/drivers/solana/solana.ts'
import { createVerify } from '../../../../../src/worker/drivers/walletconnect/verify.ts'
import { createHttp } from '../../../../../src/worker/host/aloneTransport.ts'
import { hashText } from '../../../../../src/worker/services/notices.ts'
import type { LedgerParts } from '../../../../../src/worker/journal/ledgerParts.ts'
import { memoryBytes } from '../../../../../src/worker/drivers/bytes.ts'
import type { Checkpoint } from '../../../../../src/events/sale/notices/checkpoint.ts'
import { type Books, differingFigures } from '../../../../../src/events/subjects/sale/ledger.ts'
import type { Terms } from '../../../../../src/events/sale/terms/terms.ts'
import { transfer } from '../../../../stack/solana/programs.ts'
import { type SolanaStack, startSolana } from '../../../../stack/solana/server.ts'
import { answerOf, failureOf } from '../../harness.ts'

let stack: SolanaStack
let sale: { terms: Terms; termsHash: string; versions: string[]; accounts: string[] }
beforeAll(async () => {
  const fill = { orders: 80, allowlist: true } as const
  stack = await startSolana({ clock: 'manual', seed: 'verified sale', fill })
  const { terms, termsHash } = await answerOf(opened().drivers, 'chain.readTerms', {}, 'chain.terms')
  const buyers = stack.operator.evaluate().lines.flatMap(line => (JSON.parse(line) as { buyer?: string }).buyer ?? [])
  sale = { terms, termsHash, versions: [termsHash], accounts: [...new Set(buyers)] }
})
afterAll(() => stack.close())
afterEach(() => stack.control({ faults: {}, transactionIndex: true }))

/** The drivers of a worker; `emitted`: the progress they told; `calls`: requests so far. */
function opened(
  files: Record<string, string> = {},
  parts: LedgerParts = inMemory(),
  ends = (_rpc: Rpc) => _rpc,
  wait?: (ms: number) => Promise<unknown>,
) {
  const emitted: InputOf<'ledger.computing'>[] = []
  const calls = { count: 0, held: undefined as Promise<void> | undefined }
  const counting: typeof fetch = async (input, init) => {
    const file = files[new URL(String(input instanceof Request ? input.url : input)).pathname]
    if (file !== undefined) return new Response(file)
    calls.count += 1
    await calls.held
    return fetch(input, init)
  }
  const drivers = createSolanaDriver({
    rpcUrls: [stack.url],
    termsUrl: `${stack.url}/terms.json`,
    sale: { authority: stack.info.authority, id: stack.info.saleId },
    http: createHttp({ wait: async () => {}, fetch: counting }),
    bytes: memoryBytes(),
    now: () => 0,
  })
  const ledger = createLedgerDriver({
    termsUrl: `${stack.url}/terms.json`,
    http: createHttp({ wait: async () => {}, fetch: counting }),
    rpc: ends(createRpc({ urls: [stack.url], http: createHttp({ wait: async () => {}, fetch: counting }) })),
    verify: createVerify(),
    emit: ({ data }) => void emitted.push(data),
    parts,
    ...(wait && { wait }),
  })
  return { drivers: { ...drivers, ...ledger }, emitted, calls }
}

function inMemory(): LedgerParts & { put: ReturnType<typeof vi.fn> } {
  const parts = new Map<string, unknown>()
  return { get: async sale => parts.get(sale), put: vi.fn(async (sale, part) => void parts.set(sale, part)) }
}

function begin(drivers: { [type: string]: Drive }): Promise<Answer> {
  return new Promise(resolve => void drivers['ledger.compute']?.({ id: 'e1.1.1', data: sale }, resolve))
}

test('the books are those of the second implementation and of the operator’s checkpoint', async () => {
  const { drivers, emitted } = opened()
  const found = await answerOf(drivers, 'ledger.compute', sale, 'ledger.found')
  const { lines } = stack.operator.evaluate()
  expect(found.hash).toBe(JSON.parse(lines.at(-1) ?? '{}').h)
  expect(found.orders).toBe(lines.filter(line => /"status":"(?:accepted|partial)"/.test(line)).length)
  expect(found.published).toEqual(found.recomputed)
  expect(found.published?.slot).toBeLessThan(found.slot)
  expect(found.published?.hash).not.toBe(found.hash)
  expect(emitted.at(-1)?.listed).toBe(found.transactions)
  const judged = emitted.map(one => one.judged)
  expect(judged).toEqual([...judged].sort((a, b) => a - b))
  expect(emitted.length).toBeLessThanOrEqual(52)
})

test('what left the treasury is the sum of the ledger’s outflow rows', async () => {
  const { accounts, chain } = stack
  chain.run([transfer(accounts.treasury.address, accounts.authority.address, 1_000_000n)], [accounts.treasury])
  chain.advance(40)
  const rows = stack.operator.evaluate().lines.map(line => JSON.parse(line) as Record<string, string>)
  const sum = rows.filter(({ status }) => status === 'outflow').reduce((all, { units }) => all + BigInt(units ?? 0), 0n)
  const { outflows } = await answerOf(opened().drivers, 'ledger.compute', sale, 'ledger.found')
  // The treasury paid the fee, too
  expect(sum).toBeGreaterThanOrEqual(1_005_000n)
  expect(outflows).toEqual({ SOL: String(sum) })
})

test('the rows of some accounts are those up to the audited checkpoint, with their bonuses', async () => {
  const { lines, bonuses } = stack.operator.evaluate()
  type Line = {
    i: number
    slot: number
    sig: string
    status: string
    buyer: string | null
    accepted: string
    tokens: string
  }
  const rows = lines.map(line => JSON.parse(line) as Line)
  const { accounts } = sale
  const { published, accounted = [] } = await answerOf(opened().drivers, 'ledger.compute', sale, 'ledger.found')
  const end = published?.slot ?? 0
  expect(accounted.map(({ account, slot, time }) => [account, slot, time])).toEqual(
    accounts.map(account => [account, end, expect.any(Number)]),
  )
  const told = accounted.flatMap(({ account, rows: own }) =>
    own.map(({ signature, slot, status, accepted, tokens }) => [account, signature, slot, status, accepted, tokens]),
  )
  const due = accounts.flatMap(account =>
    rows
      .filter(({ buyer, slot }) => buyer === account && slot <= end)
      .map(({ sig, slot, status, accepted, tokens }) => [account, sig, slot, status, accepted, tokens]),
  )
  expect(told).toEqual(due)
  for (const { rows: own, places = [] } of accounted)
    expect(places.map(place => rows.find(({ i }) => i === Number(place))?.sig)).toEqual(
      own.map(({ signature }) => signature),
    )
  const rateOf = (asset: string) => sale.terms.assets.find(({ symbol }) => symbol === asset)?.creditsPerUnit
  for (const { rows: own, rates } of accounted)
    expect(rates).toEqual(own.map(({ asset, accepted }) => (accepted === '0' ? '0' : rateOf(asset))))
  // Rows came after the checkpoint, and count nothing yet
  expect(due.length).toBeLessThan(rows.filter(({ buyer }) => buyer !== null).length)
  expect(accounted.map(({ bonus }) => BigInt(bonus)).some(bonus => bonus > 0n)).toBe(true)
  for (const { account, bonus } of accounted) expect(BigInt(bonus)).toBeLessThanOrEqual(bonuses[account] ?? 0n)
})

test('a checkpoint with other figures stands beside our own', async () => {
  const honest = stack.operator.checkpoint()
  stack.operator.sellOut()
  stack.chain.advance(40)
  const { published, recomputed } = await answerOf(opened().drivers, 'ledger.compute', sale, 'ledger.found')
  expect(published?.pos).not.toBe(recomputed?.pos)
  expect(published?.slot).toBe(recomputed?.slot)
  // Announced no more: it is compared with nothing
  const old = await answerOf(opened({ '/checkpoint.json': honest }).drivers, 'ledger.compute', sale, 'ledger.found')
  expect(old.published?.hash).toBe(old.recomputed?.hash)
  const foreign = honest.replace(/"orders":\d+/, '"orders":1')
  const altered = await answerOf(
    opened({ '/checkpoint.json': foreign }).drivers,
    'ledger.compute',
    sale,
    'ledger.found',
  )
  expect([altered.published, altered.recomputed, altered.accounted]).toEqual([undefined, undefined, undefined])
  expect(altered.uncompared).toMatchObject({ code: 'bad_response' })
})

test('the figures on show are compared, whatever file the host serves meanwhile', async () => {
  const honest = stack.operator.checkpoint()
  stack.chain.advance(40)
  const { slot, time, raised, pos, tokens, balances, orders, buyers, refundsOwed } = JSON.parse(honest) as Checkpoint
  const shown = { slot, time: time * 1000, raised, pos, tokens, balances, orders, buyers, refundsOwed }
  const compute = (changes: object, files: Record<string, string> = {}) =>
    answerOf(opened(files).drivers, 'ledger.compute', { ...sale, shown: { ...shown, ...changes } }, 'ledger.found')
  const whole = await compute({})
  expect(whole.published).toEqual(whole.recomputed)
  expect(whole.accounted?.length).toBeGreaterThan(0)
  const invented = { orders: orders + 500, raised: `${BigInt(raised) + 10n}` }
  const files: [string, Record<string, string>][] = [
    ['honest', {}],
    ['broken', { '/checkpoint.json': '{' }],
    ['signed by nobody', { '/checkpoint.json': honest.replace(/"orders":\d+/, `"orders":${invented.orders}`) }],
  ]
  for (const [name, served] of files) {
    const found = await compute(invented, served)
    expect(differingFigures(found.published as Books, found.recomputed as Books), name).toEqual(['raised', 'orders'])
    expect(found.accounted, name).toBeUndefined()
    // The figures alone are compared where the file, with the ledger's hash, is not there
    if (name !== 'honest') expect((await compute({}, served)).published).toEqual(whole.published)
  }
})

test('figures of a slot that the node has not reached, and a file that cannot be had, are told as not compared', async () => {
  const { time } = JSON.parse(stack.operator.checkpoint()) as Checkpoint
  stack.chain.advance(40)
  const shown = { slot: 10_000_000, time: time * 1000 }
  const ahead = await answerOf(opened().drivers, 'ledger.compute', { ...sale, shown }, 'ledger.found')
  expect(ahead.uncompared).toMatchObject({ code: 'unreachable', facts: { rule: 'BEHIND' } })
  stack.control({ operator: { replace: { 'checkpoint.json': null } } })
  const gone = await answerOf(opened().drivers, 'ledger.compute', sale, 'ledger.found')
  stack.control({ operator: { replace: {} } })
  expect(gone.uncompared?.message).toContain('the checkpoint')
  expect([ahead.published, gone.published]).toEqual([undefined, undefined])
})

test('a pause holds every further call, going on ends with the same books, and a stop ends it at once', async () => {
  const { drivers, calls } = opened()
  const whole = await begin(drivers)
  const paused = begin(drivers)
  await drivers['ledger.steer']?.({ id: 'e1.1.2', data: { act: 'pause' } }, () => undefined)
  await drivers['ledger.steer']?.({ id: 'e1.1.3', data: { act: 'pause' } }, () => undefined)
  const before = calls.count
  // Its files are read meanwhile; the node is asked for nothing
  await answerOf(drivers, 'chain.identify', {}, 'chain.identified')
  expect(calls.count - before).toBeLessThanOrEqual(3)
  await drivers['ledger.steer']?.({ id: 'e1.1.4', data: { act: 'resume' } }, () => undefined)
  expect(await paused).toEqual(whole)

  const stopped = begin(drivers)
  await drivers['ledger.steer']?.({ id: 'e1.1.5', data: { act: 'stop' } }, () => undefined)
  expect(await stopped).toMatchObject({ type: 'effect.failed', data: { failure: { code: 'elsewhere' } } })
})

test('after a stop no part is kept, also of what was read before', async () => {
  const parts = inMemory()
  const { drivers } = opened({}, parts)
  const steer = (act: 'stop') => drivers['ledger.steer']?.({ id: 'e1.1.6', data: { act } }, () => undefined)
  let before = 0
  const stopped = new Promise<void>(resolve => {
    parts.put.mockImplementation(async () => {
      if (before > 0) return
      before = parts.put.mock.calls.length
      await steer('stop')
      resolve()
    })
  })
  const end = begin(drivers)
  await stopped
  expect(await end).toMatchObject({ data: { failure: { code: 'elsewhere' } } })
  // Another computation gives what was under way time to end
  await begin(opened().drivers)
  // All had been requested, so it comes to its end and drops the part
  const later = parts.put.mock.calls.slice(before).map(([, part]) => part)
  expect(later.filter(part => part !== undefined)).toEqual([])
})

test('a busy node is asked again; one that tells a wrong order leads to no books', async () => {
  stack.control({ faults: { getTransaction: { kind: 'status', status: 429, times: 12 } } })
  const { drivers } = opened()
  expect(await begin(drivers)).toMatchObject({ type: 'ledger.found' })
  stack.control({ transactionIndex: 'wrong' })
  expect(await failureOf(opened().drivers, 'ledger.compute', sale)).toMatchObject({ code: 'rpc_lying' })
})

test('after a reload it goes on from what was kept, and ends with the same books', async () => {
  const whole = await begin(opened().drivers)
  const parts = inMemory()
  const gone = opened({}, parts)
  // The page goes away with most of the transactions judged
  const part = await new Promise<unknown>(resolve => {
    parts.put.mockImplementation(async (_, kept) => {
      if (parts.put.mock.calls.length === 12) resolve(kept)
    })
    void begin(gone.drivers)
  })
  const next = opened({}, { get: async () => part, put: async () => undefined })
  expect(await begin(next.drivers)).toEqual(whole)
  expect(next.emitted[0]?.judged).toBeGreaterThan(5)
  const fresh = await answerOf(next.drivers, 'ledger.compute', { ...sale, fresh: true }, 'ledger.found')
  expect({ type: 'ledger.found', data: fresh }).toEqual(whole)
  // Of other terms or of another build it is no part
  for (const other of [
    { ...(part as object), format: 0 },
    { ...(part as object), versions: 'cd' },
    { ...(part as object), accounts: 'cd' },
  ]) {
    const anew = opened({}, { get: async () => other, put: async () => undefined })
    expect(await begin(anew.drivers)).toEqual(whole)
    expect(anew.emitted[0]?.judged).toBe(0)
  }
})

test('where its core ends, as on the way to another network, what was kept stays for the next one', async () => {
  const parts = inMemory()
  const { put } = parts
  let keep = () => undefined as void
  const isKept = new Promise<void>(resolve => void (keep = resolve))
  let reads = 0
  const ends = (rpc: Rpc): Rpc => ({
    ...rpc,
    async call(...asked) {
      if (asked[0] === 'getTransaction' && ++reads > 60) {
        await isKept
        throw new Fault('core_lost', 'a request expected the core to decide on it, the core has ended')
      }
      return rpc.call(...asked)
    },
  })
  parts.put = vi.fn(async (sale, part) => {
    await put(sale, part)
    keep()
  })
  expect(await failureOf(opened({}, parts, ends).drivers, 'ledger.compute', sale)).toMatchObject({ code: 'core_lost' })
  const next = opened({}, parts)
  await begin(next.drivers)
  expect(next.emitted[0]?.judged).toBeGreaterThan(0)
})

test('what a lying node led to is not kept', async () => {
  const lied = inMemory()
  stack.control({ transactionIndex: 'wrong' })
  expect(await failureOf(opened({}, lied).drivers, 'ledger.compute', sale)).toMatchObject({ code: 'rpc_lying' })
  expect(lied.put).toHaveBeenLastCalledWith(expect.any(String), undefined)
})

test('an earlier version of the terms is read beside the present one, and must have its hash', async () => {
  const announced = 'ab'.repeat(32)
  const path = `/terms-${announced.slice(0, 16)}.json`
  const text = await (await fetch(`${stack.url}/terms.json`)).text()
  const versions = [announced, sale.termsHash]
  expect(await failureOf(opened({ [path]: text }).drivers, 'ledger.compute', { ...sale, versions })).toMatchObject({
    code: 'terms_invalid',
    message: expect.stringContaining(`expected the hash ${announced}, got ${sale.termsHash}`),
  })
  expect(await failureOf(opened().drivers, 'ledger.compute', { ...sale, versions })).toMatchObject({
    code: 'terms_invalid',
    message: expect.stringContaining(`expected the file terms-${announced.slice(0, 16)}.json`),
  })
})

test('terms that were announced with another treasury change nothing in the books, and the checkpoint is the same', async () => {
  const before = await answerOf(opened().drivers, 'ledger.compute', sale, 'ledger.found')
  stack.control({ operator: { termsFile: 'treasury', announce: true }, advance: 40 })
  const other = await (await fetch(`${stack.url}/terms.json`)).text()
  stack.control({ operator: { termsFile: 'normal', announce: true }, advance: 40 })
  stack.control({ operator: { checkpoint: true }, advance: 40 })
  const versions = [sale.termsHash, hashText(other)]
  const found = await answerOf(opened().drivers, 'ledger.compute', { ...sale, versions }, 'ledger.found')
  expect([found.raised, found.orders, found.published]).toEqual([before.raised, before.orders, found.recomputed])
  expect([before.refused, found.refused]).toEqual([undefined, [hashText(other)]])
})

test('ledger: a busy node is asked again after waits that double, the same ones each time', async () => {
  const whole = await begin(opened().drivers)
  const tried = async () => {
    const waits: number[] = []
    let refused = 0
    const busy = (rpc: Rpc): Rpc => ({
      ...rpc,
      call: (...asked) => {
        refused += 1
        return refused <= 3 ? Promise.reject(new Fault('rate_limited', 'busy')) : rpc.call(...asked)
      },
    })
    const wait = async (ms: number) => void waits.push(ms)
    expect(await begin(opened({}, inMemory(), busy, wait).drivers)).toEqual(whole)
    return waits
  }
  const waits = await tried()
  expect(waits).toHaveLength(3)
  expect(await tried()).toEqual(waits)
})
