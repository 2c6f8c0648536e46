/** The Blockchain API's account history. */
import { expect, test } from 'vitest'
import { seededKeypair } from '../stack/solana/keys.ts'
import { associatedAccount, transfer, transferChecked } from '../stack/solana/programs.ts'
import type { HistoryEntry } from '../stack/services/blockchainApi/history/entry.ts'
import { fixtureAccount, fixtureEvmAccount } from '../stack/services/fixtures.ts'
import { envelope, mainnet, project, servicesHarness } from './servicesHarness.ts'

const here = servicesHarness('services history')
type Page = { data: HistoryEntry[]; next: string | null }
const page = async (address: string, query = ''): Promise<Page> =>
  (await here.ask(`/v1/account/${address}/history?${project}&chainId=${mainnet}${query}`)).body as Page
const visitor = (name: string) => seededKeypair('services history', name).address

test('history: an account without transactions has an empty last page', async () => {
  expect(await page(visitor('new'))).toEqual({ data: [], next: null })
  const path = `/v1/account/0x${'00'.repeat(20)}/history?${project}`
  expect((await here.ask(path)).body).toEqual({ data: [], next: null })
})

test("history: the chain's own transactions, newest first, tokens by name", async () => {
  const owner = visitor('funded')
  const [first, second] = here.solana.give(owner, { sol: '2', usdc: '25.5' })
  const [third] = here.solana.give(owner, { usdc: '1' })
  const { data, next } = await page(owner)
  expect(next).toBeNull()
  expect(data.map(({ metadata }) => metadata.hash)).toEqual([third, second, first])
  expect(data[2]).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/) as string,
    metadata: {
      operationType: 'receive',
      hash: first,
      minedAt: new Date(here.solana.chain.blocks.tip().time * 1000).toISOString(),
      sentFrom: here.solana.chain.faucet.address,
      sentTo: owner,
      status: 'confirmed',
      nonce: 0,
      application: null,
      chain: mainnet,
    },
    transfers: [
      {
        fungible_info: { name: 'Solana', symbol: 'SOL', icon: { url: expect.any(String) as string } },
        nft_info: null,
        direction: 'in',
        quantity: { numeric: '2' },
        value: expect.any(Number) as number,
        price: expect.any(Number) as number,
      },
    ],
  })
  expect(data[1]?.metadata.operationType).toBe('mint')
  expect(data[1]?.transfers).toMatchObject([
    { fungible_info: { symbol: 'USDC' }, quantity: { numeric: '25.5' }, value: 25.5, price: 1 },
  ])
})

test("history: a buyer's payment is sent to the treasury", async () => {
  const { treasury } = here.solana.info
  const { data } = await page(treasury)
  const payments = data.filter(({ metadata }) => metadata.operationType === 'receive')
  const payer = payments[0]?.metadata.sentFrom ?? ''
  const sent = (await page(payer)).data.find(({ metadata }) => metadata.hash === payments[0]?.metadata.hash)
  expect(sent?.metadata).toMatchObject({ operationType: 'send', sentFrom: payer, sentTo: treasury })
  expect(sent?.transfers.map(({ direction }) => direction)).toContain('out')
})

test('history: a sent amount leaves out the fee, and a failure moves nothing', async () => {
  const { chain } = here.solana
  const sender = seededKeypair('services history', 'sender')
  here.solana.give(sender.address, { sol: '5' })
  chain.run([transfer(sender.address, visitor('receiver'), 1_500_000_000n)], [sender])
  expect(() => chain.run([transfer(sender.address, visitor('receiver'), 9_000_000_000n)], [sender])).toThrow()
  expect(await page(sender.address)).toMatchObject({
    data: [
      { metadata: { operationType: 'execute', status: 'failed', sentFrom: sender.address }, transfers: [] },
      {
        metadata: { operationType: 'send', sentTo: visitor('receiver') },
        transfers: [{ direction: 'out', quantity: { numeric: '1.5' } }],
      },
      { metadata: { operationType: 'receive' } },
    ],
  })
})

test('history: tokens that arrive at an account of their own are in the history of its owner', async () => {
  const { chain, info } = here.solana
  const [sender, owner] = [seededKeypair('services history', 'token sender'), visitor('token owner')]
  here.solana.give(sender.address, { sol: '1', usdc: '8' })
  here.solana.give(owner, { usdc: '1' })
  const [from, to] = [associatedAccount(sender.address, info.usdcMint), associatedAccount(owner, info.usdcMint)]
  const move = { from, to, mint: info.usdcMint, authority: sender.address, amount: 3_000_000n, decimals: 6 }
  const hash = chain.run([transferChecked(move)], [sender])
  expect((await page(owner)).data[0]).toMatchObject({
    metadata: { operationType: 'receive', hash, sentFrom: sender.address, sentTo: owner },
    transfers: [{ direction: 'in', quantity: { numeric: '3' } }],
  })
  expect((await page(sender.address)).data[0]).toMatchObject({
    metadata: { operationType: 'send', hash, sentFrom: sender.address, sentTo: owner },
    transfers: [{ direction: 'out', quantity: { numeric: '3' } }],
  })
})

test('history: a fixture account has two full pages and a rest, over months and a turn of the year', async () => {
  await here.control({ set: { clock: Date.UTC(2026, 5, 15) } })
  const [first, second] = [await page(fixtureAccount), await page(fixtureAccount, '&cursor=2')]
  const third = await page(fixtureAccount, '&cursor=3')
  const pages = [first, second, third]
  expect(pages.map(({ data, next }) => [data.length, next])).toEqual([
    [100, '2'],
    [100, '3'],
    [30, null],
  ])
  const all = pages.flatMap(({ data }) => data)
  expect(new Set(all.map(({ id }) => id)).size).toBe(230)
  const dates = all.map(({ metadata }) => metadata.minedAt)
  expect(dates).toEqual([...dates].sort().reverse())
  expect(dates[0]).toMatch(/^2026-06-13T/)
  expect(new Set(dates.slice(0, 30).map(date => date.slice(0, 7))).size).toBeGreaterThanOrEqual(2)
  expect(new Set(dates.map(date => date.slice(0, 4)))).toEqual(new Set(['2026', '2025']))
})

test('history: the fixtures hold a spam NFT, another NFT, failures and every operation', async () => {
  const { data } = await page(fixtureAccount)
  const nfts = data.flatMap(({ transfers }) => transfers.flatMap(({ nft_info }) => nft_info ?? []))
  expect(nfts.map(({ flags }) => flags.is_spam)).toEqual([true, false])
  expect(new Set(data.map(({ metadata }) => metadata.status))).toEqual(new Set(['confirmed', 'failed']))
  const operations = new Set(data.map(({ metadata }) => metadata.operationType))
  expect(operations).toEqual(new Set(['receive', 'send', 'mint', 'burn', 'execute', 'close']))
})

test("history: a set account's fixtures are merged with its own transactions by date", async () => {
  const { address } = here.solana.accounts.authority
  const own = (await page(address)).data.map(({ metadata }) => metadata)
  await here.control({ set: { fixtureAccounts: [address] } })
  const { data } = await page(address)
  const dates = data.map(({ metadata }) => metadata.minedAt)
  expect(dates).toEqual([...dates].sort().reverse())
  const places = own.map(({ hash }) => data.findIndex(({ metadata }) => metadata.hash === hash))
  const firstFixture = data.findIndex((_, place) => !places.includes(place))
  expect(Math.min(...places)).toBeLessThan(firstFixture)
  expect(Math.max(...places)).toBeGreaterThan(firstFixture)
})

test('history: an EVM account has pages of 50 with opaque cursors', async () => {
  const pages: Page[] = []
  let query = ''
  do {
    const { body } = await here.ask(`/v1/account/${fixtureEvmAccount}/history?${project}${query}`)
    pages.push(body as Page)
    query = `&cursor=${pages.at(-1)?.next}`
  } while (pages.at(-1)?.next)
  expect(pages.map(({ data }) => data.length)).toEqual([50, 50, 20])
  expect(pages[0]?.next).toMatch(/^[\w-]{70,}$/)
  const all = pages.flatMap(({ data }) => data)
  expect(new Set(all.map(({ id }) => id)).size).toBe(120)
  expect(all[0]?.metadata).toMatchObject({
    chain: 'eip155:1',
    hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) as string,
  })
  const trade = all.find(({ metadata }) => metadata.operationType === 'trade')
  expect(trade?.transfers.map(({ direction }) => direction)).toEqual(['out', 'in'])
  expect(all.find(({ metadata }) => metadata.operationType === 'approve')?.transfers).toEqual([])
})

test('history: values and prices are in the currency asked for', async () => {
  const owner = visitor('in euros')
  here.solana.give(owner, { usdc: '10' })
  expect((await page(owner, '&currency=eur')).data[0]?.transfers[0]).toMatchObject({ value: 9.2, price: 0.92 })
})

test.each([
  ['currency', fixtureAccount, 'currency=xyz'],
  ['', fixtureEvmAccount, 'cursor=2'],
  ['address', 'nobody', `chainId=${mainnet}`],
  ['address', fixtureAccount, 'chainId=eip155:1'],
  ['chainId', fixtureAccount, 'chainId=solana:nothing'],
  ['', fixtureAccount, 'cursor=first'],
])('history: an invalid %s is 400: %s %s', async (field, address, query) => {
  const { status, body } = await here.ask(`/v1/account/${address}/history?${project}&${query}`)
  expect([status, body]).toEqual([400, envelope(field)])
})
