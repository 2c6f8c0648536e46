/** A payout with `--rpc2`: the second node's notices and ledger have to be the first one's before anything is paid. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seededKeypair } from '../../../stack/solana/keys.ts'
import { methodOf } from '../operatorWorld.ts'
import { openPaidSale, type PaidSale } from './paidSale.ts'
import { callOf, changing, clockAhead, secondNode, twoNodes } from './world.ts'

let sale: PaidSale
beforeAll(async () => {
  sale = await openPaidSale('second node of payouts', 'closed')
})
afterAll(() => sale.close())

/** A chain of which one node, the first or the second, withholds a transaction. */
function withholding(node: 'first' | 'second', signature: string): typeof fetch {
  const honest = callOf(sale.stack.chain)
  return async (url, init) => {
    const answer = await honest(url, init)
    const isSecond = String(url).includes('second.test')
    if (isSecond !== (node === 'second') || methodOf(init) !== 'getSignaturesForAddress') return answer
    const body = await answer.json()
    const result = body.result.filter((line: { signature: string }) => line.signature !== signature)
    return new Response(JSON.stringify({ ...body, result }))
  }
}

/** The signature of the newest notice of a plan. */
function planNotice(): string {
  const lines = readFileSync(`${sale.state}/journal.jsonl`, 'utf8').trim().split('\n')
  const found = lines
    .map(line => JSON.parse(line))
    .filter(({ kind, about }) => kind === 'signed' && /^notice \d+ \(plan /.test(about))
  return found.at(-1)?.signature ?? ''
}

const thief = seededKeypair('second node of payouts', 'thief').address

describe('the owner of the tokens that a payment came from', () => {
  const dry = ['plan', '--kind', 'refunds', '--dry-run', ...secondNode]
  let row: Record<string, any>
  let call: typeof fetch
  /** Told of the row by two nodes. */
  const sentence = () =>
    new RegExp(`row ${row.i} \\(${row.sig}\\) from .* of ${row.buyer}, .* of ${thief}; "ledger --whole" reads`)
  beforeAll(() => {
    const rows = sale.stack.operator.evaluate().lines.map(line => JSON.parse(line))
    row = rows.find(({ status, asset }) => status === 'mismatch' && asset === 'USDC')
    const { chain } = sale.stack
    const stolen = (balances: any[]) => balances.map(one => (one.owner === row.buyer ? { ...one, owner: thief } : one))
    const first = changing(chain, (method, [signature], result: any) => {
      if (method !== 'getTransaction' || signature !== row.sig) return result
      const { preTokenBalances, postTokenBalances } = result.meta
      const changed = { preTokenBalances: stolen(preTokenBalances), postTokenBalances: stolen(postTokenBalances) }
      return { ...result, meta: { ...result.meta, ...changed } }
    })
    call = twoNodes(first, callOf(chain))
  })

  test('is the word of both nodes before a refund is planned', async () => {
    const { code, err } = await sale.presale(dry, { call })
    expect([code, err]).toEqual([1, expect.stringMatching(sentence())])
  })

  test('is a difference for "ledger --rpc2", which then stores nothing', async () => {
    sale.stack.chain.advance(70)
    const args = ['ledger', '--out', sale.inFolder('ledger.jsonl')]
    const { code, out } = await sale.presale([...args, ...secondNode], { call })
    expect([code, out]).toEqual([1, expect.stringMatching(sentence())])
    expect(existsSync(`${sale.state}/ledger.jsonl`)).toBe(false)
  })

  test('is compared as the stored ledger has it, too, until the chain is read anew', async () => {
    const args = ['ledger', '--out', sale.inFolder('ledger.jsonl')]
    expect((await sale.presale(args, { call })).code).toBe(0)
    const { code, err } = await sale.presale(dry)
    expect([code, err]).toEqual([1, expect.stringMatching(sentence())])
    expect((await sale.presale([...args, '--whole', ...secondNode])).code).toBe(0)
    expect((await sale.presale(dry)).code).toBe(0)
  })
})

describe('the clock of the first node', () => {
  afterAll(() => rmSync(`${sale.state}/ledger.jsonl`))

  test.each([
    ['the notices', ['plan', '--kind', 'refunds', '--dry-run']],
    ['the ledger', ['prove', thief]],
  ])('that is ahead of the second’s later one is a difference of %s', async (what, args) => {
    const { chain } = sale.stack
    const call = twoNodes(clockAhead(chain, 100), callOf(chain))
    const { code, err } = await sale.presale([...args, ...secondNode], { call })
    const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC`
    const sentence = `expected ${what} up to slot .* second.test is at ${time} in slot \\d+, the first was at ${time} in slot \\d+`
    expect([code, err]).toEqual([1, expect.stringMatching(new RegExp(sentence))])
  })

  test.each([0, 5, 60])('is right beside that of an honest node %i slots away', async slots => {
    const { chain } = sale.stack
    const [near, far] = [callOf(chain), callOf(chain, undefined, slots)]
    for (const call of [twoNodes(near, far), twoNodes(far, near)])
      for (const verb of ['status', 'ledger'])
        expect((await sale.presale([verb, ...secondNode], { call })).code).toBe(0)
  })
})

test('a payout with --rpc2 is refused when the first node withholds an earlier plan', async () => {
  const plan = ['plan', '--kind', 'refunds', ...sale.key('authority')]
  expect((await sale.presale(plan)).code).toBe(0)
  const hidden = planNotice()
  expect((await sale.presale(['refund', ...sale.key('treasury')])).code).toBe(0)
  const left = sale.held(sale.stack.info.treasury)
  // The earlier plan is paid. Another machine plans through the node alone, and announces the same claims under the same number
  const other = ['--state', sale.inFolder('other', 'state'), '--out', sale.inFolder('other', 'out')]
  const call = withholding('first', hidden)
  expect((await sale.presale([...plan, ...other], { call })).code).toBe(0)
  sale.stack.chain.advance(40)
  for (const more of [[], ['--trust-plan'], ['--dry-run']]) {
    const key = more.includes('--dry-run') ? [] : sale.key('treasury')
    const { code, err } = await sale.presale(['refund', ...key, ...other, ...secondNode, ...more], { call })
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(new RegExp(`second\\.test expected the notices up to .* it alone has .*${hidden}`)),
    ])
  }
  expect(sale.held(sale.stack.info.treasury)).toBe(left)
})

test('a payout with --rpc2 is refused when the second node’s ledger is another', async () => {
  const [row = ''] = sale.stack.operator.evaluate().lines
  const { sig } = JSON.parse(row)
  const call = withholding('second', sig)
  const { code, err } = await sale.presale(['refund', ...sale.key('treasury'), ...secondNode], { call })
  expect([code, err]).toEqual([1, expect.stringMatching(new RegExp(`expected the ledger up to .* lacks ${sig}`))])
  const trusted = await sale.presale(['refund', ...sale.key('treasury'), ...secondNode, '--trust-plan'], { call })
  expect(trusted.code).toBe(0)
})
