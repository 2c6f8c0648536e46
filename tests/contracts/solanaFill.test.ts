/** A sale filled with orders of all kinds: each kind meets the fate it is made for, and the same seed makes the same sale. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fromBase58, hex, sha256 } from '../stack/solana/bytes.ts'
import { type Ending, ENDINGS, type Fill, LEAST_ORDERS } from '../stack/solana/presale/fill/fill.ts'
import { FILLED_KINDS, type FilledKind } from '../stack/solana/presale/fill/kinds.ts'
import { readTokenAccount } from '../stack/solana/tokens.ts'
import { type SolanaStack, startSolana } from '../stack/solana/server.ts'

const orders = 150
const started = (fill: Partial<Fill>) => startSolana({ clock: 'manual', seed: 'filled', fill: { orders, ...fill } })
const kindsIn = (stack: SolanaStack) => new Set(stack.filled.map(order => order.kind))
const counted = (texts: readonly string[]) => {
  const counts: Record<string, number> = {}
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1
  return counts
}
/** Statuses that the ledger must give, by what was made. */
const expected = (stack: SolanaStack) => counted(stack.filled.flatMap(({ kind }) => [...FILLED_KINDS[kind].rows]))

let stacks: Record<Ending, SolanaStack>
let listed: SolanaStack
beforeAll(async () => {
  const made = await Promise.all(ENDINGS.map(async ending => [ending, await started({ ending })]))
  stacks = Object.fromEntries(made) as typeof stacks
  listed = await started({ allowlist: true })
})
afterAll(() => Promise.all([...Object.values(stacks), listed].map(stack => stack.close())))

describe('a filled sale', () => {
  test('has every kind in one of its endings or with a list', () => {
    const all = new Set([...Object.values(stacks), listed].flatMap(stack => [...kindsIn(stack)]))
    expect(Object.keys(FILLED_KINDS).filter(kind => !all.has(kind as FilledKind))).toEqual([])
    expect(stacks.live.filled).toHaveLength(orders)
  })

  test.each(ENDINGS)('%s: the ledger gives each payment the status it was made for', ending => {
    const stack = stacks[ending]
    const { notice, funding, ...statuses } = stack.operator.evaluate().statuses
    const { funding: made = 0, ...others } = expected(stack)
    expect(statuses).toEqual(others)
    // The treasury's first lamports are funding, too
    expect(funding).toBe(made + 1)
    expect(notice).toBe(stack.operator.published.nextSeq - 1)
  })

  test('stands as its ending says', () => {
    const raised = (ending: Ending) => stacks[ending].operator.evaluate().raised
    const hard = 825_000n * 10n ** 12n
    expect([raised('sold-out'), raised('closed')]).toEqual([hard, hard])
    expect((raised('live') * 100n) / hard).toBeGreaterThanOrEqual(50n)
    expect(raised('failed')).toBeLessThan(200_000n * 10n ** 12n)
    const verbs = (ending: Ending) => stacks[ending].operator.published.notices?.map(notice => notice.verb) ?? []
    expect(verbs('live')).toEqual(['terms', 'checkpoint', 'pause', 'resume', 'checkpoint'])
    expect(verbs('failed').slice(5)).toEqual(['close', 'checkpoint', 'result'])
  })

  test('has its transactions in canonical order, several in one block, and no money out of nothing', () => {
    const { chain, filled, accounts } = stacks.live
    const records = filled.map(({ signature }) => chain.ledger.get(signature))
    const places = records.map(record => (record?.slot ?? 0) * 1_000 + (record?.index ?? 0))
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(new Set(records.map(record => record?.slot)).size).toBeLessThan(orders / 2)
    const mint = chain.accounts.now(accounts.usdcMint.address)
    const supply = Buffer.from(mint?.data ?? []).readBigUInt64LE(36)
    const held = chain.accounts
      .tokenAccounts('mint', accounts.usdcMint.address, chain.blocks.tip())
      .reduce((sum, { account }) => sum + (readTokenAccount(account)?.amount ?? 0n), 0n)
    expect(held).toBe(supply)
  })

  test('with a list has only listed buyers among the accepted, and payers who are not on it', async () => {
    const terms = JSON.parse(await (await fetch(`${listed.url}/terms.json`)).text())
    const text = await (await fetch(`${listed.url}/allowlist.txt`)).text()
    expect(terms.access).toMatchObject({ mode: 'allowlist', sha256: hex(sha256(text)) })
    const list = new Set(text.trim().split('\n'))
    expect([...list].every(address => fromBase58(address)?.length === 32)).toBe(true)
    const on = (status: string) =>
      listed.filled
        .filter(({ kind }) => (FILLED_KINDS[kind].rows as readonly string[]).includes(status))
        .map(({ payer }) => list.has(payer))
    expect(new Set(on('accepted'))).toEqual(new Set([true]))
    expect(new Set(on('not_allowed'))).toEqual(new Set([false]))
    expect((await fetch(`${stacks.live.url}/allowlist.txt`)).status).toBe(404)
  })

  test('is the same for the same seed', async () => {
    const again = await started({})
    expect(again.filled).toEqual(stacks.live.filled)
    expect(again.operator.evaluate().ledgerHash).toBe(stacks.live.operator.evaluate().ledgerHash)
    await again.close()
  })

  test('goes on from its stored chain without being filled again', async () => {
    const stateDir = mkdtempSync(join(tmpdir(), 'filled-'))
    const options = { clock: 'manual', seed: 'stored', stateDir, fill: { orders, allowlist: true } } as const
    const first = await startSolana(options)
    const hash = first.operator.evaluate().ledgerHash
    await first.close()
    const again = await startSolana(options)
    expect(again.filled).toEqual([])
    expect(again.operator.evaluate().ledgerHash).toBe(hash)
    await again.close()
    rmSync(stateDir, { recursive: true })
  })

  test('needs room for every kind', async () => {
    const sentence = `a filled sale expected at least ${LEAST_ORDERS} orders, got 10`
    await expect(started({ orders: 10 })).rejects.toThrow(sentence)
    const least = await started({ orders: LEAST_ORDERS, ending: 'closed' })
    expect(kindsIn(least).size).toBe(kindsIn(stacks.closed).size)
    await least.close()
  })
})
