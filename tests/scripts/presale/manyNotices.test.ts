/** Sales with more notices than a visitor reads: 25 versions of the terms, and 15 plans of payouts. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mostListed } from '../../../src/events/sale/notices/noticeList.ts'
import { refusals } from '../../../src/events/sale/payments/payments.ts'
import type { Terms } from '../../../src/events/sale/terms/terms.ts'
import { tranchesOf } from '../../../src/events/sale/vesting.ts'
import { payoutRows } from '../../../src/ui/presale/buy/purchases/payoutRows.ts'
import type { InputOf } from '../../../src/worker/drivers/drive.ts'
import { termsFileName } from '../../../src/worker/ledger/termsFileName.ts'
import { hashText } from '../../../src/worker/services/notices.ts'
import { base58, canonicalJson } from '../../stack/solana/bytes.ts'
import { seededKeypair } from '../../stack/solana/keys.ts'
import { orderMemo } from '../../stack/solana/presale/marks.ts'
import { memo, transfer } from '../../stack/solana/programs.ts'
import { type SolanaStack, startSolana } from '../../stack/solana/server.ts'
import { answerOf } from '../../worker/drivers/harness.ts'
import { operatorWorld, type OperatorWorld, visitorOf, writeKey } from './operatorWorld.ts'

const sol = 1_000_000_000n
let stack: SolanaStack
beforeAll(async () => {
  stack = await startSolana({ clock: 'manual', seed: 'many notices' })
})
afterAll(() => stack.close())

const buyer = seededKeypair('many notices', 'buyer')
let ids = 0
function buy({ marks, treasury }: OperatorWorld, hash: string, units: bigint): string {
  stack.give(buyer.address, { sol: '100' })
  const id = (++ids).toString(16).padStart(16, '0')
  const order = { terms: hash.slice(0, 16), id, asset: 'SOL', units, quoted: 0n, min: 0n }
  const pay = transfer(buyer.address, treasury, units, [marks.presale, marks.buyer(buyer.address)])
  const signature = stack.chain.run([memo(orderMemo(order)), pay], [buyer])
  stack.chain.advance(40)
  return signature
}

describe('a sale with 25 versions of its terms', () => {
  const count = 25
  let world: OperatorWorld
  let paths: string[]
  let hashes: string[]
  const bought: string[] = []
  const termsOf = (all: readonly string[]) => all.flatMap(path => ['--terms', path])
  beforeAll(async () => {
    world = await operatorWorld(stack, 'many-versions')
    const assets = world.terms.assets as { symbol: string; creditsPerUnit: string }[]
    paths = Array.from({ length: count }, (_, at) => {
      const rates = assets.map(one =>
        one.symbol === 'SOL' ? { ...one, creditsPerUnit: String(BigInt(one.creditsPerUnit) + BigInt(at) * 500n) } : one,
      )
      return world.vary(at === 0 ? 'terms.json' : `v${at + 1}.json`, { version: at + 1, assets: rates })
    })
    hashes = paths.map(path => hashText(readFileSync(path, 'utf8')))
    expect((await world.signed(['init', '--state', world.state])).code).toBe(0)
    for (const [at, hash] of hashes.entries()) {
      const args = ['publish', ...termsOf(paths.slice(0, at + 1)), '--reserve', stack.accounts.reserveTokens]
      expect(await world.signed(args)).toMatchObject({ code: 0 })
      if ([0, 2, 19].includes(at)) bought.push(buy(world, hash, sol))
      // An order under terms that are no longer in force, and one that names none
      if (at === 21) bought.push(buy(world, hashes[2] ?? '', sol), buy(world, 'f'.repeat(64), sol))
    }
    expect((await world.signed(['checkpoint', ...termsOf(paths)])).code).toBe(0)
    world.vary('terms.json', JSON.parse(readFileSync(paths.at(-1) ?? '', 'utf8')))
  })
  afterAll(() => world.close())

  /** Notices as a fresh device knows them, and the effect of "Verify this sale" there. */
  async function visited() {
    const { drivers } = visitorOf(stack, world)
    const { terms, termsHash, presaleRef, noticeRef } = await answerOf(drivers, 'chain.readTerms', {}, 'chain.terms')
    const asked = { authority: terms.authority, presaleRef, noticeRef, termsHash }
    const notices = await answerOf(drivers, 'chain.readNotices', asked, 'chain.notices')
    const announced = (notices.changes ?? []).flatMap(({ hash }) => hash ?? [])
    const compute = { terms, termsHash, versions: [...new Set([...announced, termsHash])], accounts: [buyer.address] }
    return { drivers, notices, compute, presaleRef }
  }

  test('names a visitor the first and the newest versions, and is verified from all of them', async () => {
    const { drivers, notices, compute } = await visited()
    expect(notices).toMatchObject({ termsHash: hashes.at(-1), seq: 2 * count + 1 })
    expect(compute.versions.slice(0, 2)).toEqual([hashes[0], expect.any(String)])
    expect(compute.versions).not.toContain(hashes[1])
    expect(notices.frozen).toBeUndefined()
    expect(compute.versions.length).toBeLessThan(mostListed)
    const found = await answerOf(drivers, 'ledger.compute', compute, 'ledger.found')
    expect(found.published).toEqual(found.recomputed)
    expect(found.published?.orders).toBe(4)
    const statuses = found.accounted?.[0]?.rows.map(({ signature, status }) => [signature, status])
    expect(statuses).toEqual(bought.map((one, at) => [one, at === 4 ? 'unknown_terms' : 'accepted']))
  })

  test('is not verified without the file of one of them', async () => {
    const { drivers, compute } = await visited()
    const name = termsFileName(hashes[1] ?? '')
    const text = readFileSync(world.at(name), 'utf8')
    rmSync(world.at(name))
    const failed = answerOf(drivers, 'ledger.compute', compute, 'ledger.found')
    await expect(failed).rejects.toThrow(`expected the file ${name} beside the terms, it is not there`)
    world.vary(name, JSON.parse(text))
  })

  test('judges no payment by terms that a visitor did not read', async () => {
    const { drivers, notices, compute, presaleRef } = await visited()
    const { terms, termsHash } = compute
    const asked = { account: buyer.address, presaleRef, terms, known: [] }
    const { purchases } = await answerOf(drivers, 'chain.readPurchases', asked, 'chain.purchases')
    expect(purchases.map(({ signature }) => signature).sort()).toEqual([...bought].sort())
    const { changes, unlisted } = notices
    expect(unlisted).toBeDefined()
    const known = { terms, termsHash, changes, allowed: true, mostPos: '0', ...(unlisted && { unlisted }) }
    expect([...refusals(purchases, known)]).toEqual([])
  })

  test('tells an operator every version that a command lacks, before anything is sent', async () => {
    const given = [0, 1, 5, 24].map(at => paths[at] ?? '')
    world.vary('terms.json', JSON.parse(readFileSync(world.at(termsFileName(hashes[0] ?? '')), 'utf8')))
    const missing = hashes.filter((_, at) => ![0, 1, 5, 24].includes(at)).map(termsFileName)
    const sentence = `got 1, 2, 6, 25: add ${missing.join(', ')}, copies beside the published terms`
    const status = await world.run(['status', ...termsOf(given)])
    expect(status).toMatchObject({ code: 1, err: expect.stringContaining(sentence) })
    const before = world.notices().length
    const next = world.vary('v26.json', { ...JSON.parse(readFileSync(paths.at(-1) ?? '', 'utf8')), version: 26 })
    const args = ['publish', ...termsOf([...given, next]), '--reserve', stack.accounts.reserveTokens]
    const published = await world.signed(args)
    expect(published.err).toContain(`got 1, 2, 6, 25, 26: add ${missing.join(', ')},`)
    expect([published.code, world.notices().length]).toEqual([1, before])
  })
})

describe('a sale with 15 plans', () => {
  const count = 15
  let world: OperatorWorld
  const hashes: string[] = []
  beforeAll(async () => {
    world = await operatorWorld(stack, 'many-plans')
    const { vesting } = world.terms as { vesting: object }
    const long = { softCap: '1', vesting: { ...vesting, tgeBps: 1000, periods: count - 1 } }
    world.vary('terms.json', long)
    writeKey(world.at('reserve.key'), stack.accounts.reserve)
    const reserve = ['--reserve', stack.accounts.reserveTokens]
    const sent = async (args: string[]) => {
      const told = await world.signed([...args, '--json'])
      expect(told).toMatchObject({ code: 0 })
      return JSON.parse(told.out)
    }
    await sent(['init'])
    await sent(['publish', ...reserve])
    buy(world, hashText(canonicalJson({ ...world.terms, ...long })), 10n * sol)
    await sent(['close'])
    await sent(['result', 'success'])
    stack.chain.setTime(stack.chain.blocks.tip().time + 200 * 86_400)
    stack.chain.advance(40)
    for (let tranche = 0; tranche < count; tranche += 1) {
      const { hash } = await sent(['plan', '--kind', 'tokens', '--tranche', String(tranche), ...reserve])
      hashes.push(hash)
      if (tranche < 3)
        expect(await world.run(['distribute', '--keypair', world.at('reserve.key')])).toMatchObject({ code: 0 })
    }
  })
  afterAll(() => world.close())

  async function visited() {
    const { drivers, fetched } = visitorOf(stack, world)
    const { terms, presaleRef, noticeRef, termsHash } = await answerOf(drivers, 'chain.readTerms', {}, 'chain.terms')
    const { authority } = terms
    const asked = { authority, presaleRef, noticeRef, termsHash }
    const notices = await answerOf(drivers, 'chain.readNotices', asked, 'chain.notices')
    const { plans = [] } = notices
    const account = buyer.address
    const read = (named = plans) =>
      answerOf(
        drivers,
        'chain.readPurchases',
        { account, presaleRef, terms, known: [], plans: named },
        'chain.purchases',
      )
    return { terms, plans, read, fetched: () => fetched.filter(name => name.startsWith('plan-')) }
  }

  test('shows a fresh device every delivery with its proof, and what of the calendar arrived', async () => {
    const { terms, plans, read } = await visited()
    expect(plans).toEqual(hashes)
    const first = await read()
    expect(first.more).toBe('unread')
    const parts = tranchesOf(terms, BigInt(tokensOf(terms)))
    const delivered = (payouts: InputOf<'chain.purchases'>['payouts'] = []) =>
      payouts.map(({ tokens }) => BigInt(tokens ?? 0)).sort((a, b) => Number(b - a))
    expect(delivered(first.payouts)).toEqual(parts.slice(0, 3).map(({ tokens }) => tokens))
    const whole = await read()
    expect(whole.more).toBeUndefined()
    const rows = payoutRows(whole as Parameters<typeof payoutRows>[0], terms)
    expect(rows.map(({ due, payout }) => [due, payout !== undefined])).toEqual([
      ...parts.slice(3).map(({ at }) => [at * 1000, false]),
      ...parts
        .slice(0, 3)
        .map(({ at }) => [at * 1000, true])
        .reverse(),
    ])
  })

  test('shows a delivery that was read before its plan was known', async () => {
    const { read } = await visited()
    expect((await read(hashes.slice(1))).payouts).toHaveLength(2)
    expect((await read()).payouts).toHaveLength(3)
  })

  test('lets a device fetch each plan once, a few in each reading, the oldest first', async () => {
    const { read, fetched } = await visited()
    const names = hashes.map(hash => `plan-${hash.slice(0, 16)}.json`)
    await read()
    expect(fetched()).toEqual(names.slice(0, 8))
    await read()
    await read()
    expect(fetched()).toEqual(names)
  })

  test('refuses a list with a plan that its signature is not over; the next verb mends it', async () => {
    const list = listNow()
    expect(list.plans).toEqual(hashes)
    expect(await repeated()).toMatchObject({ outcome: 'unchanged', files: [] })
    const forged = [...hashes.slice(1), 'f'.repeat(64)]
    writeFileSync(world.at('notices.json'), canonicalJson({ ...list, plans: forged }))
    // The chain names the oldest ones first
    const { plans } = await visited()
    expect(plans).toEqual(hashes.slice(0, plans.length))
    expect(plans.length).toBeGreaterThan(0)
    expect(await repeated()).toMatchObject({ outcome: 'unchanged', files: ['notices.json'] })
    expect((await visited()).plans).toEqual(hashes)
  })

  test('takes the list of an earlier tool, which names the newest plans, until the next verb', async () => {
    const { format, presale, seq, time, signatures } = listNow()
    const body = { format, presale, seq, time, signatures }
    const sig = base58(world.authority.sign(Buffer.from(`mai1/notices\0${canonicalJson(body)}`)))
    writeFileSync(world.at('notices.json'), canonicalJson({ ...body, sig }))
    expect((await visited()).plans).toEqual(hashes.slice(-8))
    expect(await repeated()).toMatchObject({ outcome: 'unchanged', files: ['notices.json'] })
    expect((await visited()).plans).toEqual(hashes)
  })

  const listNow = () => JSON.parse(readFileSync(world.at('notices.json'), 'utf8'))
  const repeated = async () => JSON.parse((await world.signed(['close', '--json'])).out)
})

/** @returns the tokens of the one order */
function tokensOf(terms: Terms): string {
  const { creditsPerUnit } = terms.assets.find(({ symbol }) => symbol === 'SOL') ?? { creditsPerUnit: '0' }
  const credits = BigInt(creditsPerUnit) * 10n * sol
  return String((credits * 10n ** BigInt(terms.token.decimals)) / BigInt(terms.stages[0]?.price ?? 1))
}
