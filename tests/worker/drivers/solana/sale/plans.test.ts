/** Plans of payouts as the page reads them: by their announced hash, and by nothing else. */
import { expect, test } from 'vitest'
import type { EffectData } from '../../../../../src/events/effect.ts'
import { encodeBase58 } from '../../../../../src/events/values/solana/base58.ts'
import { createPlanReader } from '../../../../../src/worker/drivers/solana/sale/plans.ts'
import { createHttp } from '../../../../../src/worker/host/aloneTransport.ts'
import { type Plan, planFileName, planHash, planText } from '../../../../../src/worker/services/planFile.ts'
import { paidAccounts } from '../../../../../src/worker/services/payouts.ts'
import { exampleTerms } from '../../../../events/values/exampleTerms.ts'

const terms = exampleTerms()
const account = '2xiXgcbXRt31ToWT6KSudLTgjCPMeem8DFY64xM88C3f'
const other = 'At8cGsPmPkuvcvNe4wtbxSiqNtUxw43Kqa6XWXKEGeQv'
const presaleRef = '6TP5qTcH47bvuewpv43TfHgrCU8hKAGKuXY6bHsCEXVr'

const row = (units: string, of: string, owner = account) => ({ owner, to: owner, units, of: [of] })
const refunds: Plan = {
  format: 'mai-presale-plan/1',
  presale: presaleRef,
  termsHash: '0c'.repeat(32),
  kind: 'refunds',
  tranche: null,
  ledgerHash: '1d'.repeat(32),
  rows: 9,
  payer: terms.treasury,
  lanes: 2,
  assets: { SOL: { decimals: 9 } },
  batches: [
    { asset: 'SOL', rows: [row('7', '1:refund', other)] },
    { asset: 'SOL', rows: [row('900', '2:refund'), row('100', '5:refund')] },
  ],
  apart: [],
}
const tokens: Plan = {
  ...refunds,
  kind: 'tokens',
  tranche: 1,
  assets: { MAI: { decimals: 9 } },
  batches: [{ asset: 'MAI', rows: [row('77', `1:${account}`)] }],
}

/** A reader over these files, by their names. */
function reader(files: Map<string, string>) {
  const fetched: string[] = []
  const serve: typeof fetch = async input => {
    const name = new URL(String(input)).pathname.slice('/sale/'.length)
    fetched.push(name)
    const text = files.get(name)
    return text === undefined ? new Response('', { status: 404 }) : new Response(text)
  }
  const read = createPlanReader({
    http: createHttp({ fetch: serve, wait: async () => {} }),
    termsUrl: 'https://sale.example/sale/terms.json',
  })
  const ask = (plans: string[], of = account) =>
    read({ account: of, presaleRef, terms, known: [], plans } as EffectData['chain.readPurchases'])
  return { ask, fetched }
}
const published = (...plans: Plan[]) => new Map(plans.map(plan => [planFileName(planHash(plan)), planText(plan)]))
const [ofRefunds, ofTokens] = [planHash(refunds), planHash(tokens)]
const nothing = { planned: [], refunds: [], accounts: [], isMore: false }

test('an announced plan tells what it pays to the account, row by row, and is fetched once', async () => {
  const { ask, fetched } = reader(published(refunds, tokens))
  const expected = [
    { plan: ofRefunds, batch: 1, asset: 'SOL', units: '900' },
    { plan: ofRefunds, batch: 1, asset: 'SOL', units: '100' },
    { plan: ofTokens, batch: 0, tranche: 1, tokens: '77' },
  ]
  expect((await ask([ofRefunds, ofTokens])).planned).toEqual(expected)
  expect((await ask([ofRefunds, ofTokens])).planned).toEqual(expected)
  expect(fetched).toEqual([planFileName(ofRefunds), planFileName(ofTokens)])
  expect((await ask([ofRefunds], other)).planned).toEqual([{ plan: ofRefunds, batch: 0, asset: 'SOL', units: '7' }])
})

test('a batch of refunds names its payments by their places in the books, whichever part of them comes back', async () => {
  const failed = {
    ...refunds,
    batches: [
      { asset: 'SOL', rows: [{ ...row('900', '12:refund'), of: ['12:refund', '12:accepted', '340:accepted'] }] },
    ],
  }
  const { ask } = reader(published(failed, tokens))
  const plan = planHash(failed)
  expect((await ask([plan, ofTokens])).refunds).toEqual([{ plan, batch: 0, places: ['12'], accepted: ['12', '340'] }])
  expect((await ask([plan], other)).refunds).toEqual([])
})

test('plans of refunds tell the accounts beside the usual ones that they pay the account at, the first ten of them', async () => {
  const back = (of: string, to: string): Plan => ({
    ...refunds,
    batches: [{ asset: 'USDC', rows: [{ ...row('5', `${of}:refund`), to }] }],
    assets: { USDC: { decimals: 6 } },
  })
  const usual = [...'abcdefghij'].map((of, at) => back(of, paidAccounts(account, terms)[at % 2]?.address ?? ''))
  const twice = [back('k', other), back('l', other)]
  const { ask } = reader(published(...usual, ...twice, tokens))
  const hashes = [...usual, ...twice, tokens].map(planHash)
  while ((await ask(hashes)).isMore);
  expect((await ask(hashes)).accounts).toEqual([{ address: other, asset: 'USDC' }])
  const many = Array.from({ length: 12 }, (_, at) => ({
    ...row('5', `${at}:refund`),
    to: encodeBase58(new Uint8Array(32).fill(at + 1)),
  }))
  const plan = { ...refunds, batches: [{ asset: 'SOL', rows: many }] }
  expect((await reader(published(plan)).ask([planHash(plan)])).accounts).toHaveLength(10)
})

test('a claim without a place of the books names none', async () => {
  const odd = {
    ...refunds,
    batches: [{ asset: 'SOL', rows: [{ ...row('900', ':refund'), of: [':refund', 'x:refund', '3:other'] }] }],
  }
  const { ask } = reader(published(odd))
  expect((await ask([planHash(odd)])).refunds).toEqual([{ plan: planHash(odd), batch: 0, places: [], accepted: [] }])
})

test('a file that is another than announced tells nothing, were it changed by one digit', async () => {
  const name = planFileName(ofRefunds)
  const richer = planText(refunds).replace('"units":"900"', '"units":"901"')
  for (const text of [richer, `${planText(refunds)}\n`, '{}', '<html>', planText(tokens)])
    expect(await reader(new Map([[name, text]])).ask([ofRefunds])).toEqual(nothing)
})

test('a plan that is announced and of another sale, or no plan, tells nothing', async () => {
  const foreign = { ...refunds, presale: other }
  expect(await reader(published(foreign)).ask([planHash(foreign)])).toEqual(nothing)
  const odd = { ...refunds, lanes: 99 }
  expect(await reader(published(odd)).ask([planHash(odd)])).toEqual(nothing)
})

test('a plan that pays claims of an earlier one again is told beside it, with its refunds', async () => {
  const left = { ...row('1000', '2:refund'), of: ['2:refund', '11:refund'] }
  const again = { ...refunds, batches: [{ asset: 'SOL', rows: [left] }] }
  const { ask } = reader(published(refunds, again))
  const told = await ask([ofRefunds, planHash(again)])
  expect(told.planned.slice(2)).toEqual([{ plan: planHash(again), batch: 0, asset: 'SOL', units: '1000' }])
  expect(told.refunds).toEqual([
    { plan: ofRefunds, batch: 1, places: ['2'], accepted: [] },
    { plan: ofRefunds, batch: 1, places: ['5'], accepted: [] },
    { plan: planHash(again), batch: 0, places: ['2', '11'], accepted: [] },
  ])
})

test('a file that is not there yet is read the next time, and the others meanwhile', async () => {
  const files = published(tokens)
  const { ask } = reader(files)
  expect(plansOf(await ask([ofRefunds, ofTokens]))).toEqual([ofTokens])
  files.set(planFileName(ofRefunds), planText(refunds))
  expect(plansOf(await ask([ofRefunds, ofTokens]))).toEqual([ofRefunds, ofRefunds, ofTokens])
})

test('a plan of 10,000 payments is read', async () => {
  const batches = Array.from({ length: 1429 }, (_, batch) => ({
    asset: 'MAI',
    rows: Array.from({ length: 7 }, (__, at) => ({
      ...row('416666666666667', `0:${other}${batch}x${at}`, other),
      create: true as const,
    })),
  }))
  batches[900]?.rows.push({ ...row('5', `0:${account}`), create: true })
  const large = { ...tokens, batches }
  const { ask } = reader(published(large))
  expect((await ask([planHash(large)])).planned).toEqual([
    { plan: planHash(large), batch: 900, tranche: 1, tokens: '5' },
  ])
})

/** Plans for one account, each with another claim; the announced hashes, the oldest first. */
function many(count: number) {
  const plans = Array.from({ length: count }, (_, at): Plan => {
    return { ...refunds, batches: [{ asset: 'SOL', rows: [row('900', `${at}:refund`)] }] }
  })
  return { files: published(...plans), hashes: plans.map(planHash) }
}
const plansOf = ({ planned }: { planned: { plan: string }[] }) => planned.map(({ plan }) => plan)

test('of many plans a reading fetches the oldest unread ones, and each once for each of many accounts', async () => {
  const { files, hashes } = many(130)
  const { ask, fetched } = reader(files)
  const first = await ask(hashes)
  expect([plansOf(first), first.isMore]).toEqual([hashes.slice(0, 8), true])
  const second = await ask(hashes)
  expect([plansOf(second), second.isMore]).toEqual([hashes.slice(0, 16), true])
  let readings = 2
  for (let isMore = true; isMore; readings += 1) isMore = (await ask(hashes)).isMore
  expect(readings).toBe(17)
  expect(plansOf(await ask(hashes))).toEqual(hashes)
  expect(fetched).toEqual(hashes.map(planFileName))
  while ((await ask(hashes, other)).isMore);
  await ask(hashes)
  expect(fetched).toHaveLength(2 * hashes.length)
})

test('a plan is not told before an earlier one that has its claims is read', async () => {
  const { files, hashes } = many(9)
  const again = { ...refunds, lanes: 3, batches: [{ asset: 'SOL', rows: [row('900', '0:refund')] }] }
  files.set(planFileName(planHash(again)), planText(again))
  const { ask } = reader(files)
  const told = []
  const all = [...hashes, planHash(again)]
  for (let at = 0; at < 3; at += 1) told.push(plansOf(await ask(all)))
  expect(told).toEqual([hashes.slice(0, 8), all, all])
})

test('files that fail hold up no other one, and are tried again once all were', async () => {
  const { files, hashes } = many(20)
  const lost = hashes.slice(0, 10).map(planFileName)
  const there = new Map([...files].filter(([name]) => !lost.includes(name)))
  const { ask, fetched } = reader(there)
  const told = []
  for (let at = 0; at < 3; at += 1) told.push(await ask(hashes))
  expect(told.map(({ isMore }) => isMore)).toEqual([true, true, false])
  expect(told.map(plansOf)).toEqual([[], hashes.slice(10, 16), hashes.slice(10)])
  expect(plansOf(await ask(hashes))).toEqual(hashes.slice(10))
  expect(fetched.slice(-8)).toEqual(lost.slice(0, 8))
  for (const name of lost) there.set(name, files.get(name) ?? '')
  expect(plansOf(await ask(hashes))).toEqual(hashes.slice(8))
  expect(plansOf(await ask(hashes))).toEqual(hashes)
})
