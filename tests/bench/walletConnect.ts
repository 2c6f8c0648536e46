/**
 * Our WalletConnect client beside the official one, in one run: both use the stack's relay and the official wallet kit in this
 * process.
 * Waiting times are measured on pages; memory, and costs without a wallet, in Node, in one process per figure.
 */
import { type ChildProcess, execFile, fork } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { seededKeypair } from '../stack/solana/keys.ts'
import { type KitWallet, startKitWallet } from '../stack/wallet/kit.ts'
import { configFor } from '../worker/tabs/page.ts'
import { buildProgram, root } from './builds.ts'
import type { Order, Told } from './clients/life.ts'
import { nowhere } from './clients/nowhere.ts'
import { clientTimes, type FirstTimes, firstTimes, type Times } from './clientTimes.ts'
import { median, type Row } from './verdict.ts'
import type { World } from './world.ts'

/** Sessions before the first measurement: the first few also include the engine's compiled code. */
const warmings = 50
/** Number of measured sessions: the wallet settles them in sequence, and all of them stay. */
const weighed = 1000

/**
 * Memory flags of measured processes. The young heap has the size, MB, it would grow to by itself: its growth depends on the
 * loaded code, and half of it makes sealing a third slower. The measured thread frees unused memory itself: concurrent freeing
 * contends for the allocator's lock, and slows one process in five by a factor of four.
 */
const memoryFlags = ['--min-semi-space-size=16', '--no-concurrent-array-buffer-sweeping']

const programs = join(root, 'node_modules/.cache/bench-clients')

/** A client in its own process. */
type Life = {
  pair(): Promise<void>
  /** @returns bytes in use with this many sessions. @throws Error if it has a different number */
  weigh(sessions: number): Promise<number>
  end(): void
}

async function begin(program: string, args: readonly string[], wallet: KitWallet): Promise<Life> {
  const child: ChildProcess = fork(program, args, {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const told: Told[] = []
  let hear: () => void = () => undefined
  child.on('message', message => {
    told.push(message as Told)
    hear()
  })
  child.on('exit', code => {
    told.push({ told: 'failed', message: `it ended with code ${code}` })
    hear()
  })
  async function next<T extends Told['told']>(what: T): Promise<Extract<Told, { told: T }>> {
    while (told.length === 0) await new Promise<void>(resolve => (hear = resolve))
    const said = told.shift()
    if (said?.told !== what) throw new Error(`a client expected to tell ${what}, told ${JSON.stringify(said)}`)
    return said as Extract<Told, { told: T }>
  }
  const order = (what: Order) => child.send(what)
  await next('ready')
  return {
    async pair() {
      order({ do: 'pair' })
      await wallet.pair((await next('uri')).uri)
      await next('settled')
      await wallet.next('settled')
    },
    async weigh(expected) {
      order({ do: 'weigh' })
      const { bytes, sessions } = await next('weight')
      if (sessions !== expected) throw new Error(`a client expected to have ${expected} sessions, it has ${sessions}`)
      return bytes
    },
    end: () => void child.disconnect(),
  }
}

/** @returns kB that the sessions add to a client that already has some */
async function weightOf(life: Life): Promise<number> {
  for (let count = 0; count < warmings; count++) await life.pair()
  const before = await life.weigh(warmings)
  for (let count = 0; count < weighed; count++) await life.pair()
  return ((await life.weigh(warmings + weighed)) - before) / 1000
}

export async function walletConnect(world: World): Promise<Row[]> {
  const stack = await world.stack()
  const { VITE_RELAY_URL: relayUrl, VITE_PROJECT_ID: projectId } = stack.addresses
  const chainId = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
  const config = JSON.stringify(configFor(stack))
  const build = (source: string) =>
    buildProgram(join(programs, source), join(import.meta.dirname, `${source}.ts`), 'apart')
  const official = await build('clients/official')
  const costs = await build('clientCosts')

  /** The wallet stores nothing: its copying at each change, growing with the sessions, would count as both clients' time. */
  const withWallet = async <T>(run: (wallet: KitWallet) => Promise<T>): Promise<T> => {
    const { secretKey } = seededKeypair('bench', 'wallet')
    const rpcUrl = stack.solana.url
    const wallet = await startKitWallet({ relayUrl, projectId, secretKey, rpcUrl, storage: nowhere() })
    return run(wallet).finally(() => wallet.close())
  }
  const withLife = async <T>(
    wallet: KitWallet,
    [program, ...args]: readonly [string, ...string[]],
    run: (life: Life) => Promise<T>,
  ): Promise<T> => {
    const life = await begin(program, args, wallet)
    return run(life).finally(life.end)
  }
  const first = await withWallet(wallet => firstTimes(world, wallet))
  const warm = await withWallet(wallet => clientTimes(world, wallet))
  const weighedAlone = (what: readonly [string, ...string[]]) => withWallet(wallet => withLife(wallet, what, weightOf))
  const theirWeight = await weighedAlone([official, relayUrl, projectId, chainId])
  const ourWeight = await weighedAlone([await build('clients/oursAlone'), config])

  const cost = async (what: string): Promise<number> => {
    const args = [...memoryFlags, costs, what, relayUrl]
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 120_000 })
    return JSON.parse(stdout) as number
  }
  /** @param turns more than one where a slow moment of the machine may last a whole measurement */
  const beside = async (name: string, what: string, atMost: number, turns = 1): Promise<Row> => {
    const [ours, theirs]: [number[], number[]] = [[], []]
    for (let turn = 0; turn < turns; turn++) {
      ours.push(await cost(`${what}Ours`))
      theirs.push(await cost(`${what}Official`))
    }
    return {
      name,
      unit: 'µs',
      ours: median(ours),
      comparison: { what: 'the official client', value: median(theirs) },
      goal: { of: 'ratio', atMost },
    }
  }
  const timed = (name: string, ours: number, theirs: number, atMost?: number): Row => ({
    name,
    unit: 'ms',
    ours,
    comparison: { what: 'the official client', value: theirs },
    ...(atMost !== undefined && { goal: { of: 'ratio', atMost } }),
  })
  const firstTimed = (name: string, time: keyof FirstTimes) => timed(name, first.ours[time], first.theirs[time])
  const warmTimed = (name: string, time: keyof Times, atMost: number) =>
    timed(name, warm.ours[time], warm.theirs[time], atMost)
  return [
    firstTimed('the first pairing code of a fresh page', 'uri'),
    firstTimed('wallet has it → the first session settled', 'settle'),
    warmTimed('pairing code asked for → ready, warm', 'uri', 0.6),
    warmTimed('wallet has the code → session settled', 'settle', 0.4),
    warmTimed('request → signed by the wallet', 'sign', 0.8),
    // The official client passes over 1,000 records in 45 µs, about three inputs' time
    await beside('a second with 1,000 records of which none is over', 'sweep', 0.5),
    await beside('one change with 1,000 sessions, stored and shown', 'change', 0.15),
    await beside('1 kB sealed in an envelope', 'seal', 0.667, 5),
    await beside('1 kB opened from an envelope', 'open', 0.667, 5),
    {
      name: `memory of ${weighed.toLocaleString('en')} sessions, on top of ${warmings}`,
      unit: 'kB',
      ours: ourWeight,
      comparison: { what: 'the official client', value: theirWeight },
      goal: { of: 'ratio', atMost: 0.5 },
    },
  ]
}
