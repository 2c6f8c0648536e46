/** Payouts as `status` tells them, and every transfer out of the sale's accounts held against the plans. */
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { base58 } from '../../../stack/solana/bytes.ts'
import { seededKeypair } from '../../../stack/solana/keys.ts'
import { associatedAccount, memo, transfer, transferChecked } from '../../../stack/solana/programs.ts'
import { refundSums } from '../../../../scripts/presale/books/payoutProgress.ts'
import { refundsJson, refundsText } from '../../../../scripts/presale/books/payoutText.ts'
import { openState } from '../../../../scripts/presale/state.ts'
import { type Plan, planFileName } from '../../../../src/worker/services/planFile.ts'
import { exampleTerms } from '../../../events/values/exampleTerms.ts'
import { payRef, presaleRef } from '../../../../src/worker/chains/solana/references.ts'
import { jsonOf, openPaidSale, type PaidSale } from '../payouts/paidSale.ts'
import { callOf } from '../payouts/world.ts'

let sale: PaidSale
beforeAll(async () => {
  sale = await openPaidSale('payout status', 'closed')
})
afterAll(() => sale.close())

const status = () => jsonOf(sale.presale(['status', '--json']))
const books = async () => {
  return jsonOf(sale.presale(['ledger', '--json', '--out', sale.inFolder('ledger.jsonl')]))
}
const sum = (...amounts: (string | undefined)[]) => String(amounts.reduce((all, one) => all + BigInt(one ?? 0), 0n))
/** A transaction of the treasury alone. */
function treasuryPays(units: bigint, ...marks: [text: string, ref: string] | []): string {
  const { chain, accounts, info } = sale.stack
  const to = seededKeypair('payout status', 'team').address
  const [text, ref] = marks
  const paid = transfer(info.treasury, to, units, ref === undefined ? [] : [ref])
  const signature = chain.run([...(text === undefined ? [] : [memo(text)]), paid], [accounts.treasury])
  chain.advance(40)
  return signature
}

describe('refunds', () => {
  let plan: Record<string, any>
  let withdrawn = 0
  let owed: Record<string, string> = {}

  test('without a plan leave every outflow of the treasury unexplained', async () => {
    const { outflows, payouts } = await status()
    withdrawn = sale.stack.operator.evaluate().statuses.outflow ?? 0
    expect(withdrawn).toBeGreaterThan(0)
    expect(outflows).toMatchObject({ ofPlans: 0, uncompared: 0 })
    expect(outflows.unexplained).toHaveLength(withdrawn)
    expect(outflows.unexplained[0]).toMatchObject({ asset: 'SOL', why: 'it names no plan' })
    expect(payouts).toEqual([])
    expect((await sale.presale(['status'])).out).toContain('payouts       no plan is announced')
  })

  test('are told as they are paid: batches, recipients, sums left, and claims apart', async () => {
    plan = await jsonOf(sale.presale(['plan', '--kind', 'refunds', ...sale.key('authority'), '--json']))
    const { payouts, refundsOwed, refunds } = await status()
    const [before] = payouts
    owed = refundsOwed
    for (const [asset, all] of Object.entries(owed)) expect(refunds[asset]).toEqual({ paid: '0', owed: all })
    expect(before).toMatchObject({
      plan: plan.hash,
      kind: 'refunds',
      tranche: null,
      batches: { paid: 0, all: plan.batches },
      recipients: { paid: 0, all: plan.payments },
      paid: {},
      left: plan.units,
    })
    expect(before.apart).toContainEqual(expect.objectContaining({ why: 'needs_approval', asset: 'SOL' }))
    const apart = before.apart.reduce((all: number, { claims }: { claims: number }) => all + claims, 0)
    expect(apart).toBe(plan.apart.length)
    // A payment that left out all of its batch moves nothing: the journal alone has it
    const [file, aside] = [`${sale.state}/journal.jsonl`, sale.inFolder('journal.before')]
    copyFileSync(file, aside)
    const { authority, saleId, genesisHash } = sale.stack.info
    const { journal, close } = openState(sale.state, { presale: presaleRef(authority, saleId), genesisHash })
    const { rows } = JSON.parse(readFileSync(plan.plan, 'utf8')).batches[0]
    journal.add({ kind: 'paid', plan: plan.hash, batch: 0, signature: 'nothing', leftOut: [...rows.keys()] })
    close()
    await sale.presale(['export', '--out', sale.inFolder('left-out')])
    copyFileSync(aside, file)
    const { planned } = sale.json('left-out', 'refunds.json')
    const leftOut = planned.filter((one: { payment: string }) => one.payment === 'nothing')
    expect(leftOut).toHaveLength(rows.flatMap(({ of }: { of: string[] }) => of).length)
    expect(new Set(leftOut.map((one: { state: string }) => one.state))).toEqual(new Set(['left_out']))
    let calls = 0
    const call = callOf(sale.stack.chain, () => {
      calls += 1
      if (calls > 45) throw new Error('killed')
    })
    expect(
      (await sale.presale(['refund', '--trust-plan', '--lanes', '1', ...sale.key('treasury')], { call })).code,
    ).toBe(1)
    const [during] = (await status()).payouts
    expect(during.batches.paid).toBeGreaterThan(0)
    expect(during.batches.paid).toBeLessThan(plan.batches)
    for (const asset of Object.keys(plan.units))
      expect(sum(during.paid[asset], during.left[asset])).toBe(plan.units[asset])
  })

  test('are told whole when all are paid, with the costs of the plan, also without a journal', async () => {
    expect((await sale.presale(['refund', ...sale.key('treasury')])).code).toBe(0)
    const done = await status()
    expect(done.payouts).toMatchObject([
      { batches: { paid: plan.batches }, recipients: { paid: plan.payments }, paid: plan.units, left: {} },
    ])
    expect(done.outflows.unexplained).toHaveLength(withdrawn)
    expect(done.outflows.ofPlans).toBeGreaterThan(plan.batches)
    renameSync(`${sale.state}/journal.jsonl`, sale.inFolder('journal.aside'))
    expect((await status()).payouts).toEqual(done.payouts)
    renameSync(sale.inFolder('journal.aside'), `${sale.state}/journal.jsonl`)
    const { out } = await sale.presale(['status'])
    expect(out).toMatch(/plan +pays +batches +recipients +paid +left\n/)
    expect(out).toMatch(
      new RegExp(`${plan.hash.slice(0, 16)} +refunds +${plan.batches} of ${plan.batches} +.* SOL, .* USDC +nothing\n`),
    )
    // The ledger's figure does not fall; paid and still owed stand beside it
    expect(done.refundsOwed).toEqual(owed)
    for (const [asset, { paid, owed: left }] of Object.entries<{ paid: string; owed: string }>(done.refunds)) {
      expect([asset, paid]).toEqual([asset, plan.units[asset]])
      expect(sum(paid, left)).toBe(owed[asset])
    }
    expect(done.refunds.SOL.owed).toBe(
      String(
        plan.apart.reduce(
          (all: bigint, one: { asset: string; units: string }) => all + (one.asset === 'SOL' ? BigInt(one.units) : 0n),
          0n,
        ),
      ),
    )
    expect(out).toMatch(/to give back {2}.* in all, paid or not\n/)
    expect(out).toMatch(/refunds {7}paid by plans: .* SOL, .* USDC; still owed: .* SOL/)
    expect((await books()).outflows).toEqual(done.outflows)
  })

  test('do not explain a withdrawal, a second payment of a batch, or another sum', async () => {
    const mark = Buffer.from(sale.stack.chain.ledger.mentioning(payRef(plan.hash, 0))[0]?.signature ?? '')
    expect(mark.length).toBeGreaterThan(0)
    const paid = sale.stack.chain.ledger.mentioning(payRef(plan.hash, 0))[0]
    const text = /maid1:\w+:\w+:0/.exec(Buffer.from(paid?.bytes ?? '', 'base64').toString('latin1'))?.[0] ?? ''
    const signatures = [
      treasuryPays(1_000_000n),
      // As much as a nonce account of a plan
      treasuryPays(1_447_680n),
      treasuryPays(2_000_000n, text, payRef(plan.hash, 0)),
      treasuryPays(3_000_000n, text, base58(new Uint8Array(32).fill(7))),
      treasuryPays(4_000_000n, text.replace(/:\w+:0$/, `:${'0'.repeat(16)}:0`), payRef(plan.hash, 0)),
    ]
    const { outflows } = await books()
    const whys = signatures.map(
      signature => outflows.unexplained.find((one: { signature: string }) => one.signature === signature)?.why,
    )
    const name = plan.hash.slice(0, 16)
    expect(whys).toEqual([
      'it names no plan',
      'it names no plan',
      `it is not what batch 0 of plan ${name} says`,
      `it lacks the key of batch 0 of plan ${name}`,
      `it names plan ${'0'.repeat(16)}, which is not announced`,
    ])
    const told = await sale.presale(['prove', signatures[0] ?? ''])
    expect([told.code, told.out]).toEqual([
      0,
      expect.stringMatching(/unexplained outflow of 0\.001005 SOL in slot \d+, it names no plan: /),
    ])
    const own = await sale.presale(['prove', paid?.signature ?? ''])
    expect(own.out).toMatch(new RegExp(`outflow of [\\d.,]+ SOL in slot \\d+: batch 0 of plan ${plan.hash}: `))
    withdrawn += signatures.length
  })

  test('of a plan whose file is not here are named, and compared when it is given', async () => {
    mkdirSync(sale.inFolder('aside'), { recursive: true })
    const file = sale.inFolder('aside', 'plan.json')
    renameSync(plan.plan, file)
    const named = (await books()).outflows
    expect(named.ofPlans).toBe(0)
    expect(named.uncompared).toBeGreaterThan(plan.batches)
    expect(named.unexplained).toHaveLength(withdrawn)
    expect(named.unexplained.map(({ why }: { why: string }) => why)).toContainEqual(
      expect.stringMatching(/^batch 0 of plan \w+ was paid before, by \w+$/),
    )
    const { out } = await sale.presale(['status'])
    expect(out).toContain('its file is not in the state directory')
    expect(out).toMatch(/refunds {7}paid by plans whose file is here: nothing; still owed: at most .* SOL/)
    for (const [asset, all] of Object.entries(owed))
      expect((await status()).refunds[asset]).toEqual({ paid: '0', owed: all, atMost: true })
    const given = await jsonOf(
      sale.presale(['ledger', '--json', '--out', sale.inFolder('ledger.jsonl'), '--plan', file]),
    )
    expect(given.outflows.unexplained).toHaveLength(withdrawn)
    expect(given.outflows.uncompared).toBe(0)

    // A payment that the plan may have paid is neither owed nor planned for certain
    const [first, ...later] = JSON.parse(readFileSync(file, 'utf8')).batches as Plan['batches']
    const buyers = new Set(sale.stack.operator.evaluate().lines.map(line => JSON.parse(line).buyer))
    // Batch 0 has two payments since the test before
    for (const one of first?.rows ?? []) buyers.delete(one.owner)
    const owner = later.flatMap(({ rows }) => rows).find(row => buyers.has(row.owner))?.owner ?? ''
    const proved = await sale.presale(['prove', owner])
    expect(proved.out).toContain(`  ! plan ${plan.hash} is announced, and its file is not here: put it at ${plan.plan}`)
    expect(proved.out).toMatch(/owed back[^]*; or name it by --plan\n$/)
    expect(proved.out.replaceAll('owed back, unless a plan unknown here paid it', '')).not.toMatch(/owed|not paid/)
    const proofOf = (...more: string[]) => jsonOf(sale.presale(['prove', owner, '--json', ...more]))
    expect(await proofOf()).toMatchObject({ code: 0, unknownPlans: [plan.hash] })
    expect(await proofOf('--plan', file)).toMatchObject({ unknownPlans: [], payments: [{ plan: plan.hash }] })
    await sale.presale(['export', '--out', sale.inFolder('unknown')])
    expect(sale.json('unknown', 'refunds.json')).toMatchObject({ refunds: [], apart: [], unknownPlans: [plan.hash] })
  })

  test.each([
    ['edited', (text: string) => text.replace('"lanes":8', '"lanes":9')],
    ['truncated', (text: string) => text.slice(0, 1_000)],
  ])('of a plan whose file was %s are told as those of a damaged one, and no verb reads it', async (_name, damage) => {
    const file = sale.inFolder('aside', 'plan.json')
    writeFileSync(plan.plan, damage(readFileSync(file, 'utf8')))
    const told = `plan ${plan.hash} is announced, and its file ${plan.plan} is damaged or was changed`
    const copy = planFileName(plan.hash)
    for (const verb of [
      ['status'],
      ['prove', sale.stack.info.authority],
      ['export', '--out', sale.inFolder('unknown')],
    ])
      expect((await sale.presale(verb)).out).toContain(`${told}: put ${copy} from beside the terms in its place`)
    const { code, payouts } = await status()
    expect([code, payouts]).toEqual([0, [{ plan: plan.hash, file: false, path: plan.plan, damaged: true }]])
    expect((await books()).outflows.uncompared).toBeGreaterThan(plan.batches)
    const refused = { code: 2, err: expect.stringContaining(`${plan.plan} is damaged or was changed: put ${copy}`) }
    expect(await sale.presale(['plan', '--kind', 'refunds', '--dry-run'])).toMatchObject(refused)
    expect(await sale.presale(['refund', '--dry-run'])).toMatchObject(refused)
    copyFileSync(sale.inFolder('sale', copy), plan.plan)
    expect((await status()).payouts).toMatchObject([{ batches: { paid: plan.batches } }])
    rmSync(plan.plan)
    copyFileSync(file, plan.plan)
  })
})

describe('sums of refunds', () => {
  const terms = exampleTerms()
  const paidOf = (...paid: [string, bigint][]) => {
    return { plan: { kind: 'refunds' } as Plan, sums: { paid: new Map(paid), left: new Map() } }
  }

  test('beyond all that was to be given back leave nothing owed, and are told', () => {
    const sums = refundSums({ SOL: 1_000n }, [paidOf(['SOL', 600n], ['USDC', 5n]), paidOf(['SOL', 401n])])
    expect(refundsJson(sums)).toEqual({
      SOL: { paid: '1001', owed: '0', excess: '1' },
      USDC: { paid: '5', owed: '0', excess: '5' },
    })
    expect(refundsText(terms, sums)).toBe(
      [
        '  refunds       paid by plans: 0.000001001 SOL, 0.000005 USDC; still owed: nothing\n',
        '  ! plans paid 0.000000001 SOL, 0.000005 USDC more than was to be given back\n',
      ].join(''),
    )
  })

  test('are at most what is told while the file of a plan is missing', () => {
    const sums = refundSums({ SOL: 1_000n }, [paidOf(['SOL', 1_000n]), { ...paidOf(), plan: undefined }])
    expect(refundsText(terms, sums)).toContain('paid by plans whose file is here: 0.000001 SOL; still owed: nothing\n')
    expect(refundsText(terms, { ...sums, assets: {} })).toBe('')
  })
})

describe('tokens', () => {
  let plan: Record<string, any>
  const planned = async (...more: string[]) => {
    const reserve = ['--reserve', sale.stack.accounts.reserveTokens]
    return jsonOf(sale.presale(['plan', '--kind', 'tokens', ...reserve, ...sale.key('authority'), '--json', ...more]))
  }

  test('are told by tranche, from the account that pays them', async () => {
    plan = await planned('--tranche', '0')
    sale.stack.chain.setTime(sale.stack.chain.blocks.tip().time + 40 * 86_400)
    sale.stack.chain.advance(40)
    const limited = ['--max-tokens', String(BigInt(plan.units.MAI) / 2_000_000_000n)]
    expect((await sale.presale(['distribute', ...sale.key('reserve'), '--lanes', '1', ...limited])).code).toBe(1)
    const during = (await status()).payouts[1]
    expect(during).toMatchObject({ kind: 'tokens', tranche: 0, batches: { all: plan.batches } })
    expect(during.batches.paid).toBeGreaterThan(0)
    expect(during.batches.paid).toBeLessThan(plan.batches)
    expect(sum(during.paid.MAI, during.left.MAI)).toBe(plan.units.MAI)
    expect((await sale.presale(['distribute', ...sale.key('reserve')])).code).toBe(0)
    expect((await status()).payouts[1]).toMatchObject({ batches: { paid: plan.batches }, left: {} })
  })

  test('that leave the reserve otherwise are unexplained, with and without a journal', async () => {
    const { chain, accounts, info } = sale.stack
    const [{ owner }] = JSON.parse(readFileSync(plan.plan, 'utf8')).batches[0].rows
    const move = { from: accounts.reserveTokens, mint: info.saleMint, authority: accounts.reserve.address, decimals: 9 }
    const to = associatedAccount(owner, info.saleMint)
    const signature = chain.run([transferChecked({ ...move, to, amount: 7n })], [accounts.reserve])
    chain.advance(40)
    const unexplained = async () =>
      (await status()).outflows.unexplained.filter(({ asset }: { asset: string }) => asset === 'MAI')
    const expected = [{ signature, account: accounts.reserveTokens, units: '7', why: 'it names no plan' }]
    expect(await unexplained()).toMatchObject(expected)
    renameSync(`${sale.state}/journal.jsonl`, sale.inFolder('journal.aside'))
    expect(await unexplained()).toMatchObject(expected)
    expect((await status()).payouts[1]).toMatchObject({ batches: { paid: plan.batches }, left: {} })
  })
})
