/** "Verify this sale" through a whole core: the visitor's rows of the announced ledger, of every kind, and after a reload. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PageAnswer } from '../../../src/events/wire.ts'
import { type Stack, startStack } from '../../stack/start.ts'
import type { FilledKind } from '../../stack/solana/presale/fill/kinds.ts'
import { configFor } from './page.ts'
import { openTab, type Tab } from './openTab.ts'
import { soon } from '../../soon.ts'

type Line = {
  i: number
  slot: number
  time: number
  sig: string
  status: string
  buyer: string | null
  asset: string
  units: string
  accepted: string
  tokens: string
  order: string | null
}

const kinds: FilledKind[] = ['referred', 'lastPart', 'soldOut', 'late', 'priceProtect', 'duplicate', 'overRoom']
let stack: Stack
let lines: Line[] = []
/** buyers with a payment of these kinds, and the referrer with the largest bonus */
let accounts: string[] = []

beforeAll(async () => {
  stack = await startStack({
    clock: 'manual',
    seed: 'accounted',
    fill: { orders: 100, ending: 'closed' },
    cacheDir: join(process.cwd(), 'node_modules/.cache'),
  })
  const { bonuses } = read()
  const [referrer = ''] = Object.entries(bonuses).sort((a, b) => Number(b[1] - a[1]))[0] ?? []
  const buyers = kinds.map(kind => {
    const { signature } = stack.solana.filled.find(order => order.kind === kind) ?? {}
    return lines.find(({ sig, buyer }) => sig === signature && buyer !== null)?.buyer ?? `no buyer of ${kind}`
  })
  accounts = [...new Set([referrer, ...buyers])]
}, 60_000)
afterAll(() => stack?.close())

/** The second implementation's ledger. */
function read() {
  const evaluation = stack.solana.operator.evaluate()
  lines = evaluation.lines.map(line => JSON.parse(line) as Line)
  return evaluation
}

async function open(): Promise<Tab> {
  const page = await openTab('t1', { config: configFor(stack) })
  await page.until('the notices', ({ sale }) => sale.terms.phase === 'read' && sale.notices)
  return page
}

/** Connects a wallet of all the accounts, and has the purchases of each read. */
async function connect(page: Tab): Promise<void> {
  const wallet = { walletId: 'lantern', name: 'Lantern' }
  await page.command({ type: 'connection.connectInstalled', data: { walletKey: 'k1', wallet } })
  await soon(() => expect(page.effects.length).toBeGreaterThan(0))
  const answer: PageAnswer = { type: 'wallet.connected', accounts, features: [], identity: 'l' }
  await page.core.answer(page.effects[0]?.id ?? '', answer, page.tab)
  const { connectionId } = await page.until('the connection', model => Object.values(model.connection.made)[0])
  for (const account of accounts) {
    await page.command({ type: 'connection.chooseAccount', data: { connectionId, account } })
    await page.until('its purchases', ({ purchase }) => purchase[account])
  }
}

async function verify(page: Tab) {
  await page.command({ type: 'ledger.verify', data: { act: 'start' } })
  return page.until('the end', ({ ledger }) => (ledger?.phase === 'progressed' ? undefined : ledger), 60_000)
}

const rowsOf = (account: string, until: number) =>
  lines
    .filter(({ i, buyer }) => buyer === account && i <= until)
    .map(({ sig, slot, time, asset, units, accepted, tokens, status }) => {
      return { signature: sig, slot, paidAt: time * 1000, asset, units, accepted, tokens, status }
    })

test('accounted: rows of every kind are those of the announced ledger, with the bonus, and outlive the worker', async () => {
  const { bonuses, ledgerHash } = read()
  // As `presale result` does: the row before the notice has this hash
  stack.solana.operator.notice('ledger', ledgerHash)
  stack.solana.chain.advance(40)
  const end = lines.length
  const page = await open()
  await connect(page)
  expect(await verify(page)).toMatchObject({ phase: 'computed' })
  const statuses = new Set<string>()
  for (const account of accounts) {
    const { accounted } = page.model().purchase[account] ?? {}
    expect(accounted?.rows).toEqual(rowsOf(account, end))
    expect(accounted?.bonus).toBe(String(bonuses[account] ?? 0n))
    for (const { status } of accounted?.rows ?? []) statuses.add(status)
  }
  expect([...statuses]).toEqual(
    expect.arrayContaining(['accepted', 'partial', 'sold_out', 'late', 'price_protect', 'duplicate']),
  )
  expect(BigInt(page.model().purchase[accounts[0] ?? '']?.accounted?.bonus ?? '0')).toBeGreaterThan(0n)

  const before = page.model().purchase
  // An acknowledged command is on the disk, and all before it
  await page.command({ type: 'ledger.verify', data: { act: 'stop' } })
  await page.kill()
  const next = await open()
  for (const account of accounts) expect(next.model().purchase[account]?.accounted).toEqual(before[account]?.accounted)
}, 90_000)

test('accounted: an announced hash that no row has counts nothing, and turns buying off', async () => {
  stack.solana.operator.notice('ledger', 'ab'.repeat(32))
  stack.solana.chain.advance(40)
  const page = await open()
  await connect(page)
  expect(await verify(page)).toMatchObject({ phase: 'computed', published: { hash: 'ab'.repeat(32) } })
  expect(page.facts.map(({ type }) => type)).not.toContain('purchase.accounted')
}, 90_000)
