/**
 * What a person waits for with a WalletConnect client: on two pages of one browser, ours as a host has it and the official one,
 * each with its log or storage on the browser's disk, both before the stack's relay and the same official wallet.
 */
import bs58 from 'bs58'
import type { BrowserContext } from 'playwright'
import type { KitWallet } from '../stack/wallet/kit.ts'
import './pages/api.ts'
import { median } from './verdict.ts'
import type { World } from './world.ts'

const warmings = 3
const samples = 21
/** Fresh pages of each client; the first warms the machine. */
const freshPages = 9
/** A person looks before pressing, and takes a moment to hold a phone to the code, ms. */
const lookMs = 500
/** The kit hands its wallet the next request a second after the last one, ms. */
const restMs = 1100

const now = () => performance.timeOrigin + performance.now()

type Client = {
  /** @param lookMs between the code's being shown and its reaching the wallet */
  pair(lookMs?: number): Promise<{ uriMs: number; settleMs: number; sessionTopic: string }>
  sign(sessionTopic: string): Promise<number>
}

/** ms */
export type Times = { uri: number; settle: number; sign: number }

/** @returns the median of each, once all is warm; both clients in turn, so that the machine is the same for both */
export async function clientTimes(world: World, wallet: KitWallet): Promise<{ ours: Times; theirs: Times }> {
  const context = await world.profile()
  const pages = (await world.benchPages()).url
  const ours = await openClient(context, `${pages}ownClient.html`, wallet)
  const theirs = await openClient(context, `${pages}officialClient.html`, wallet)
  const [seenOurs, seenTheirs]: [Times[], Times[]] = [[], []]
  for (let count = 0; count < warmings + samples; count++) {
    // Neither comes always after the other, whose last writes may still be under way
    if (count % 2 === 0) seenTheirs.push(await timesOnce(theirs))
    seenOurs.push(await timesOnce(ours))
    if (count % 2 === 1) seenTheirs.push(await timesOnce(theirs))
  }
  return { ours: middleOf(seenOurs.slice(warmings)), theirs: middleOf(seenTheirs.slice(warmings)) }
}

/** ms */
export type FirstTimes = Omit<Times, 'sign'>

/** @returns the median of what the first visit has to wait for: a fresh page each time, in a browser that knows nothing of it */
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
      // Asked for before: the asking is work of this process, where the wallet and the relay are, and of the page's thread
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
