/** Export, plan, refund, distribute and prove over a sale that succeeded, filled with payments of every kind. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { planFileName } from '../../../../src/worker/services/planFile.ts'
import { withSignature, messageBytes } from '../../../../src/worker/chains/solana/wire.ts'
import { associatedAccount } from '../../../stack/solana/programs.ts'
import { leafOf, rootFrom } from './claimant.ts'
import { checkOwnPage, checkExportedRefunds, checkExportedTokens, type Refund } from './exportedPlans.ts'
import { jsonOf, openPaidSale, type PaidSale, total } from './paidSale.ts'
import { callOf } from './world.ts'

let sale: PaidSale
beforeAll(async () => {
  sale = await openPaidSale('payout verbs', 'closed')
})
afterAll(() => sale.close())

type Row = {
  status: string
  buyer: string | null
  tokens: string | null
  sig: string
  asset: string
  refund: string | null
}
const ledgerRows = () => sale.stack.operator.evaluate().lines.map(line => JSON.parse(line) as Row)

describe('export', () => {
  beforeAll(async () => {
    expect((await sale.presale(['export', '--out', sale.inFolder('books')])).code).toBe(0)
  })

  test('into a file, in place of a folder, is refused in one sentence', async () => {
    const out = sale.inFolder('sale', 'terms.json')
    const { code, err } = await sale.presale(['export', '--out', out])
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(new RegExp(`^cannot make the folder of --out ${out}: a file has this name$`, 'm')),
    ])
  })

  test('gives every owner the tokens that the second implementation of the ledger gives', () => {
    const { bonuses } = sale.stack.operator.evaluate()
    const expected = new Map(Object.entries(bonuses))
    for (const { buyer, tokens } of ledgerRows())
      if (buyer && tokens && tokens !== '0') expected.set(buyer, (expected.get(buyer) ?? 0n) + BigInt(tokens))
    const { allocations, total: sum } = sale.json('books', 'allocations.json')
    const found = new Map(allocations.map((one: { owner: string; tokens: string }) => [one.owner, BigInt(one.tokens)]))
    expect(found).toEqual(expected)
    expect(BigInt(sum)).toBe([...expected.values()].reduce((all, one) => all + one, 0n))
    expect(allocations.some(({ bonus }: { bonus: string }) => bonus !== '0')).toBe(true)
    const lines = readFileSync(sale.inFolder('books', 'allocations.csv'), 'utf8').split('\n')
    expect([lines[0], lines.length]).toEqual(['owner,tokens,orders,bonus,planned', allocations.length + 2])
  })

  test('gives each of them a proof that leads to the root', () => {
    const { allocations, merkleRoot } = sale.json('books', 'allocations.json')
    type Allocation = { owner: string; tokens: string; proof: string[] }
    const roots = allocations.map(({ owner, tokens, proof }: Allocation) =>
      rootFrom(leafOf(owner, BigInt(tokens)), proof),
    )
    expect(new Set(roots)).toEqual(new Set([merkleRoot]))
  })

  test('lists every unit that is owed, to its payee or apart', () => {
    const { refunds, apart } = sale.json('books', 'refunds.json') as { refunds: Refund[]; apart: Refund[] }
    const { refundsOwed } = sale.stack.operator.evaluate()
    for (const [asset, owed] of Object.entries(refundsOwed))
      expect(total([...refunds, ...apart].filter(one => one.asset === asset))).toBe(owed)
    expect(new Set(apart.map(({ reason }) => reason))).toEqual(new Set(['no_memo', 'inner']))
    expect(apart.every(one => (one as unknown as { state: string }).state === 'needs_approval')).toBe(true)
    const rows = ledgerRows()
    const { usdcMint } = sale.stack.info
    for (const { payee, asset, account, reason, signature } of refunds) {
      const { buyer } = rows.find(one => one.sig === signature && one.asset === asset) ?? {}
      // A delegate is no owner: the tokens go back to the account that they came from
      if (reason === 'delegated' && asset === 'USDC') expect(payee).not.toBe(buyer)
      else if (reason !== 'malformed') expect(payee).toBe(buyer)
      expect(account).toBe(asset === 'SOL' ? payee : associatedAccount(payee, usdcMint))
    }
    expect(refunds.map(({ reason }) => reason)).toEqual(expect.arrayContaining(['delegated', 'malformed', 'partial']))
  })
})

const planRefunds = (...more: string[]) =>
  sale.presale(['plan', '--kind', 'refunds', ...sale.key('authority'), ...more])
describe('refunds', () => {
  let hash = ''
  let before = new Map<string, bigint>()
  const rowsOf = () =>
    sale
      .json('presale-state', 'mai-presale-1', 'plans', `${hash}.json`)
      .batches.flatMap((batch: { rows: object[] }) => batch.rows)

  test('have the same plan again and again, and a dry run writes nothing', async () => {
    const dry = () => jsonOf(sale.presale(['plan', '--kind', 'refunds', '--dry-run', '--json']))
    const [first, second] = [await dry(), await dry()]
    hash = first.hash
    expect(second).toEqual(first)
    expect(first).toMatchObject({ plan: null, hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
    const { out } = await sale.presale(['plan', '--kind', 'refunds', '--dry-run'])
    expect(out).toMatch(/plan {4}\w{64}\n {2}file {4}none: a dry run writes no file\n/)
    expect(() => readdirSync(sale.state)).toThrow('ENOENT')
  })

  test('are not paid before their plan is announced', async () => {
    const { code, err } = await sale.presale(['refund', ...sale.key('treasury')])
    expect([code, err]).toEqual([1, expect.stringContaining('expected an announced plan for refunds, got none')])
  })

  test('have a plan whose hash is the file’s, and a notice on the chain', async () => {
    const made = await jsonOf(planRefunds('--json'))
    expect(made).toMatchObject({ code: 0, hash, kind: 'refunds', tranche: null, cost: { rents: '0' } })
    const bytes = readFileSync(made.plan)
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(hash)
    expect(ledgerRows().at(-1)).toMatchObject({ status: 'notice', order: expect.stringContaining(`:plan:${hash}`) })
    const again = await jsonOf(planRefunds('--json'))
    expect(again).toMatchObject({ code: 0, plan: null, hash: null, batches: 0, newest: { hash } })
  })

  test('are refused to another key, another plan, and more lanes than the plan has', async () => {
    const foreign = await sale.presale(['refund', ...sale.key('reserve')])
    expect([foreign.code, foreign.err]).toEqual([
      2,
      expect.stringMatching(/expected the key of the payer \w+, got that of/),
    ])
    const other = sale.inFolder('other.json')
    writeFileSync(
      other,
      readFileSync(sale.inFolder('presale-state', 'mai-presale-1', 'plans', `${hash}.json`), 'utf8').replace(
        '"lanes":8',
        '"lanes":9',
      ),
    )
    const unknown = await sale.presale(['refund', '--plan', other, ...sale.key('treasury')])
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('expected a plan whose notice is final')])
    const many = await sale.presale(['refund', '--lanes', '9', ...sale.key('treasury')])
    expect([many.code, many.err]).toEqual([2, expect.stringContaining('--lanes expected 1 to 8')])
    const none = await sale.presale(['refund'])
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('expected --keypair FILE or -')])
  })

  test('pass their dry run, which needs no key', async () => {
    const dry = await jsonOf(sale.presale(['refund', '--dry-run', '--json']))
    expect(dry).toMatchObject({ code: 0, plan: hash, failing: [], shortages: [] })
  })

  test('are paid once, whatever call was the last one of earlier runs', async () => {
    before = new Map(rowsOf().map(({ to }: { to: string }) => [to, sale.held(to)]))
    for (const last of [3, 9, 14, 17, 22, 30]) {
      let calls = 0
      const serve = callOf(sale.stack.chain)
      const call: typeof fetch = (url, init) => {
        calls += 1
        if (calls > last) throw new Error('killed')
        return serve(url, init)
      }
      expect((await sale.presale(['refund', '--trust-plan', ...sale.key('treasury')], { call })).code).toBe(1)
    }
    const done = await jsonOf(sale.presale(['refund', ...sale.key('treasury'), '--rpc2', sale.stack.url, '--json']))
    expect(done).toMatchObject({ code: 0, unpaid: [], paid: done.batches })
    expect((await jsonOf(sale.presale(['refund', ...sale.key('treasury'), '--json']))).sent.lamports).toBe('0')
    renameSync(`${sale.state}/journal.jsonl`, sale.inFolder('journal.aside'))
    expect((await jsonOf(sale.presale(['refund', ...sale.key('treasury'), '--json']))).sent.lamports).toBe('0')
    for (const { to, units } of rowsOf()) expect(sale.held(to) - (before.get(to) ?? 0n)).toBe(BigInt(units))
  })

  test('that are paid are left out of a dry run, also without the journal, and cost nothing', async () => {
    const journal = `${sale.state}/journal.jsonl`
    const dry = () => jsonOf(sale.presale(['refund', '--dry-run', '--json']))
    const { batches } = sale.json('presale-state', 'mai-presale-1', 'plans', `${hash}.json`)
    const done = { code: 0, paid: batches.length, failing: [], shortages: [], cost: '0' }
    expect(await dry()).toMatchObject(done)
    renameSync(journal, sale.inFolder('another.aside'))
    expect(await dry()).toMatchObject(done)
    const { out } = await sale.presale(['refund', '--dry-run'])
    expect(out).toContain(`: 0 of 0 batches would pass, ${batches.length} of ${batches.length} are paid\n`)
    renameSync(sale.inFolder('another.aside'), journal)
  })

  test('of payments without a known payer are planned when a person names the payee', async () => {
    const { apart } = sale.json('books', 'refunds.json') as { apart: Refund[] }
    const claim = apart.find(({ asset, reason }) => asset === 'USDC' && reason === 'no_memo') ?? apart[0]
    const payee = sale.stack.accounts.usdcFaucet.address
    const approve = ['--approve', `${claim?.signature}=${payee}`]
    const made = await jsonOf(planRefunds('--json', ...approve))
    expect(made).toMatchObject({ code: 0, payments: 1, units: { [claim?.asset ?? '']: claim?.units } })
    expect(made.apart).toHaveLength(apart.length - 1)
    expect(await jsonOf(sale.presale(['refund', ...sale.key('treasury'), '--json']))).toMatchObject({
      code: 0,
      paid: 1,
    })
    const proved = await jsonOf(sale.presale(['prove', payee, '--plan', made.plan, '--json']))
    expect(proved.payments).toMatchObject([
      {
        kind: 'refunds',
        asset: claim?.asset,
        units: claim?.units,
        slot: expect.any(Number),
        givesBack: [claim?.signature],
      },
    ])
    const { out } = await sale.presale(['prove', payee])
    expect(out).toMatch(new RegExp(`^${payee}: no payment of its own in the ledger up to slot `))
    expect(out).toContain(`\n    gives back the payment ${claim?.signature}\n`)
  })

  test('that plans have are exported beside those to be paid, with plan and transaction', () =>
    checkExportedRefunds(sale, hash))

  test('with a wrong approval are refused', async () => {
    const { refunds } = sale.json('books', 'refunds.json') as { refunds: Refund[] }
    const payee = sale.stack.info.authority
    const known = await planRefunds('--approve', `${refunds[0]?.signature}=${payee}`)
    expect([known.code, known.err]).toEqual([
      2,
      expect.stringContaining('--approve expected a payment with status no_memo or inner'),
    ])
    const bad = await planRefunds('--approve', 'me')
    expect([bad.code, bad.err]).toEqual([
      2,
      expect.stringContaining('--approve expected SIGNATURE=PAYEE in base58, got me'),
    ])
  })
})

describe('tokens', () => {
  const planTokens = (...more: string[]) =>
    sale.presale([
      'plan',
      '--kind',
      'tokens',
      '--reserve',
      sale.stack.accounts.reserveTokens,
      ...sale.key('authority'),
      ...more,
    ])
  let made: Record<string, any>

  test.each([
    [['--tranche', '4'], '--tranche expected a whole number from 0 to 3, got 4'],
    [[], 'a plan for tokens expected --tranche 0 to 3, got none'],
    [['--tranche', '0', '--lanes', '0'], '--lanes expected a whole number from 1 to 32'],
    [['--tranche', '0', '--approve', 'a=b'], 'a plan for tokens expected no --approve'],
  ])('with %j are refused in one sentence', async (more, sentence) => {
    const { code, err } = await planTokens(...more)
    expect([code, err]).toEqual([2, expect.stringContaining(sentence)])
  })

  test('from an account that holds no tokens of the sale are refused', async () => {
    const args = ['plan', '--kind', 'tokens', '--tranche', '0', '--reserve', sale.stack.info.treasuryUsdc, '--dry-run']
    const { code, err } = await sale.presale(args)
    expect([code, err]).toEqual([2, expect.stringContaining('--reserve expected a token account of')])
  })

  test('are not paid before their tranche is due', async () => {
    made = await jsonOf(planTokens('--tranche', '0', '--json', '--lanes', '4'))
    const { code, err } = await sale.presale(['distribute', ...sale.key('reserve')])
    expect([code, err]).toEqual([1, expect.stringContaining('tranche 0 expected to be due from')])
    sale.stack.chain.setTime(sale.stack.chain.blocks.tip().time + 40 * 86_400)
    sale.stack.chain.advance(40)
  })

  test('stop at a limit', async () => {
    const limited = await sale.presale(['distribute', ...sale.key('reserve'), '--max-sol', '0.02', '--lanes', '1'])
    const paid =
      /^Plan .*\n {2}paid {3}[1-9]\d* of \d+ batches, as the journal has it\n {2}sent {3}[1-9].* MAI, 0\.01\d* SOL in this run/
    expect([limited.code, limited.err, limited.out]).toEqual([
      1,
      expect.stringMatching(/was not sent: --max-sol expected at most 0\.02/),
      expect.stringMatching(paid),
    ])
    const some = await sale.presale(['distribute', '--export-unsigned', sale.inFolder('some'), '--max-sol', '0.016'])
    expect([some.code, some.out.trim().split('\n').length, some.err]).toEqual([
      1,
      readdirSync(sale.inFolder('some')).length,
      expect.stringMatching(/was not sent: --max-sol expected at most 0\.016/),
    ])
    const wrong = await sale.presale(['distribute', ...sale.key('reserve'), '--max-tokens', '1e9'])
    expect([wrong.code, wrong.err]).toEqual([
      2,
      expect.stringContaining('--max-tokens expected an amount such as 12.5'),
    ])
  })

  test('are paid by transactions that another wallet signs, each once, however often they are exported', async () => {
    const file = sale.inFolder('sale', 'terms.json')
    const refused = await sale.presale(['distribute', '--export-unsigned', file])
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringContaining(`cannot make the folder of --export-unsigned ${file}: a file has this name`),
    ])
    const folder = sale.inFolder('unsigned')
    const { reserve } = sale.stack.accounts
    const exported = async () =>
      (await jsonOf(sale.presale(['distribute', '--export-unsigned', folder, '--json']))).exported
    for (let files = await exported(); files.length > 0; files = await exported()) {
      await exported()
      for (const { path } of files) {
        const bytes = Buffer.from(readFileSync(path, 'utf8'), 'base64')
        const signed = withSignature(bytes, reserve.address, reserve.sign(messageBytes(bytes)))
        const body = {
          jsonrpc: '2.0',
          id: 1,
          method: 'sendTransaction',
          params: [Buffer.from(signed).toString('base64'), { encoding: 'base64' }],
        }
        await callOf(sale.stack.chain)('', { body: JSON.stringify(body) })
      }
      sale.stack.chain.advance(33)
    }
    const { allocations } = sale.json('books', 'allocations.json')
    const { saleMint } = sale.stack.info
    for (const { owner, tokens } of allocations)
      expect(sale.held(associatedAccount(owner, saleMint))).toBe((BigInt(tokens) * 2_500n) / 10_000n)
    const done = await jsonOf(sale.presale(['distribute', ...sale.key('reserve'), '--json']))
    expect(done).toMatchObject({ code: 0, paid: made.batches, unpaid: [], sent: { lamports: '0' } })
  })

  test('of a buyer whose own account is the reserve are left apart, with a reason of their own', async () => {
    const { allocations } = sale.json('books', 'allocations.json')
    const { owner } = allocations[0]
    const reserve = associatedAccount(owner, sale.stack.info.saleMint)
    const args = ['plan', '--kind', 'tokens', '--tranche', '1', '--reserve', reserve, '--dry-run']
    const { payments, apart } = await jsonOf(sale.presale([...args, '--json']))
    expect([payments, apart]).toEqual([made.payments - 1, [expect.objectContaining({ owner, why: 'paying_account' })]])
    expect((await sale.presale(args)).out).toContain('left apart, paying_account: 1, ')
  })

  test('of later tranches go to accounts that exist, more of them in a batch; all tranches are the allocation', async () => {
    sale.stack.chain.setTime(sale.stack.chain.blocks.tip().time + 100 * 86_400)
    sale.stack.chain.advance(40)
    for (const tranche of ['1', '2', '3']) {
      const later = await jsonOf(planTokens('--tranche', tranche, '--json'))
      expect(later).toMatchObject({ code: 0, payments: made.payments, cost: { rents: '0' } })
      expect(later.batches).toBeLessThan(made.batches)
      expect(await sale.presale(['distribute', ...sale.key('reserve')])).toMatchObject({ code: 0 })
    }
    const { allocations } = sale.json('books', 'allocations.json')
    for (const { owner, tokens } of allocations)
      expect(sale.held(associatedAccount(owner, sale.stack.info.saleMint))).toBe(BigInt(tokens))
  })

  test('that plans have are exported beside each owner’s tokens', () => checkExportedTokens(sale))

  test('of one tranche have one plan', async () => {
    expect(await planTokens('--tranche', '0')).toMatchObject({
      code: 0,
      out: expect.stringContaining('nothing to pay'),
    })
  })

  test('are proved to a wallet, with the transaction of each payment', async () => {
    const [{ owner }] = sale.json('books', 'allocations.json').allocations
    const { out } = await sale.presale(['prove', owner])
    expect(out).toMatch(/payout of [\d,.]+ MAI to \w+: paid in slot \d+, \w{80,}/)
  })

  test('and refunds are what the account’s own page reads from the chain, each once and final', () =>
    checkOwnPage(sale))

  test('have a copy beside the terms, which distribute writes again', async () => {
    const name = planFileName(made.hash)
    const bytes = readFileSync(sale.inFolder('sale', name))
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(made.hash)
    renameSync(sale.inFolder('sale', name), sale.inFolder('aside.json'))
    expect(await sale.presale(['distribute', ...sale.key('reserve'), '--dry-run'])).toMatchObject({ code: 0 })
    expect(existsSync(sale.inFolder('sale', name))).toBe(false)
    expect(await sale.presale(['distribute', ...sale.key('reserve')])).toMatchObject({ code: 0 })
    expect(readFileSync(sale.inFolder('sale', name))).toEqual(bytes)
  })

  test('are neither planned nor paid while an announced plan is missing', async () => {
    mkdirSync(sale.inFolder('elsewhere'))
    renameSync(made.plan, sale.inFolder('elsewhere', 'plan.json'))
    for (const run of [planTokens('--tranche', '0'), sale.presale(['distribute', ...sale.key('reserve')])])
      expect(await run).toMatchObject({ code: 2, err: expect.stringContaining('expected every announced plan') })
  })
})

test('no key is in any output or file', () => {
  expect(sale.leaks()).toEqual([])
})

test.each(['export', 'plan', 'distribute', 'refund'])('%s has help with examples', async verb => {
  const { code, out } = await sale.presale([verb, '--help'])
  expect([code, out]).toEqual([0, expect.stringContaining(`Examples:\n  npm run presale -- ${verb} `)])
})
