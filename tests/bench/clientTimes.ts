/**
 * Waiting times with a WalletConnect client, on two pages of one browser: ours as hosts use it and the official one, each with
 * its log or storage on the browser's disk, with the stack's relay and the same official wallet.
 */
import bs58 from 'bs58'
import type { BrowserContext } from 'playwright'
import type { KitWallet } from '../stack/wallet/kit.ts'
import './pages/api.ts'
import { median } from './verdict.ts'
import type { World } from './world.ts'

const warmings = 3
const samples = 21
/** Fresh pages per client; the first warms the machine. */
const freshPages = 9
/** Time of a person before pressing, and before holding a phone to the code, ms. */
const lookMs = 500
/** The kit delays each next request by a second, ms. */
const restMs = 1100

const now = () => performance.timeOrigin + performance.now()

type Client = {
  /** @param lookMs from the display of the code to the wallet */
  pair(lookMs?: number): Promise<{ uriMs: number; settleMs: number; sessionTopic: string }>
  sign(sessionTopic: string): Promise<number>
}

/** ms */
export type Times = { uri: number; settle: number; sign: number }

/** @returns the median of each, once warm; both clients alternate, so that they share the machine's state */
export async function clientTimes(world: World, wallet: KitWallet): Promise<{ ours: Times; theirs: Times }> {
  const context = await world.profile()
  const pages = (await world.benchPages()).url
  const ours = await openClient(context, `${pages}ownClient.html`, wallet)
  const theirs = await openClient(context, `${pages}officialClient.html`, wallet)
  const [seenOurs, seenTheirs]: [Times[], Times[]] = [[], []]
  for (let count = 0; count < warmings + samples; count++) {
    // The order alternates, since the other client's last writes may still be running
    if (count % 2 === 0) seenTheirs.push(await timesOnce(theirs))
    seenOurs.push(await timesOnce(ours))
    if (count % 2 === 1) seenTheirs.push(await timesOnce(theirs))
  }
  return { ours: middleOf(seenOurs.slice(warmings)), theirs: middleOf(seenTheirs.slice(warmings)) }
}

/** ms */
export type FirstTimes = Omit<Times, 'sign'>

/** @returns the median waiting times of a first visit: a fresh page each time, in a browser without its data */
export async function firstTimes(world: World, wallet: KitWallet): Promise<{ ours: FirstTimes; theirs: FirstTimes }> {
  const pages = (await world.benchPages()).url
  const seen: Record<'ours' | 'theirs', FirstTimes[]> = { ours: [], theirs: [] }
  for (let count = 0; count < freshPages; count++) {
    for (const [whose, page] of [
      ['theirs', 'officialClient.html'],
      ['ours', 'ownClient.html'],
    ] as const) {
      const context = await (await world.browser()).newContext()
      const client = await openClient(context, `${pages}${page}`, wallet)
      await rest(lookMs)
      const { uriMs, settleMs } = await client.pair(lookMs)
      if (count > 0) seen[whose].push({ uri: uriMs, settle: settleMs })
      await context.close()
    }
  }
  return { ours: middleOf(seen.ours), theirs: middleOf(seen.theirs) }
}

const rest = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

async function openClient(context: BrowserContext, url: string, wallet: KitWallet): Promise<Client> {
  const page = await context.newPage()
  await page.goto(url)
  await page.waitForFunction(() => window.clientBench !== undefined)
  const bench = await page.evaluateHandle(
    () => window.clientBench ?? Promise.reject(new Error('the page has no client to be timed')),
  )
  return {
    async pair(lookMs = 0) {
      // A page in the background gets no frames
      await page.bringToFront()
      const { uri, ms } = await bench.evaluate(client => client.pair())
      // Requested beforehand: the request costs time of this process, which runs wallet and relay, and of the page's thread
      const settling = bench.evaluate(client => client.settled())
      await bench.evaluate(() => undefined)
      if (lookMs > 0) await rest(lookMs)
      const begunAt = now()
      await wallet.pair(uri)
      const { sessionTopic, at } = await settling
      await wallet.next('settled')
      return { uriMs: ms, settleMs: at - begunAt, sessionTopic }
    },
    sign(topic) {
      const message = bs58.encode(new TextEncoder().encode('a message to be signed'))
      const asked = { topic, message: { message, pubkey: wallet.address } }
      return bench.evaluate((client, { topic, message }) => client.sign(topic, message), asked)
    },
  }
}

async function timesOnce(client: Client): Promise<Times> {
  const { uriMs, settleMs, sessionTopic } = await client.pair()
  await rest(restMs)
  return { uri: uriMs, settle: settleMs, sign: await client.sign(sessionTopic) }
}

/** The median of each time. */
function middleOf<T extends Record<string, number>>(all: readonly T[]): T {
  const names = Object.keys(all[0] ?? {})
  return Object.fromEntries(names.map(name => [name, median(all.map(times => times[name] ?? NaN))])) as T
}
