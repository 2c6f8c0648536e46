/** The operator's verbs, killed at every call to the node and with any part of their journal: nothing is sent twice, nothing is lost. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Fault } from '../../../src/runtime/failure.ts'
import { type SolanaStack, startSolana } from '../../stack/solana/server.ts'
import { transfer } from '../../stack/solana/programs.ts'
import { asThePage, operatorWorld, type OperatorWorld } from './operatorWorld.ts'

let stack: SolanaStack
const worlds: OperatorWorld[] = []
beforeAll(async () => {
  stack = await startSolana({ clock: 'manual', seed: 'operator kills' })
})
afterAll(async () => {
  for (const world of worlds) world.close()
  await stack.close()
})

let names = 0
async function newWorld(): Promise<OperatorWorld> {
  const world = await operatorWorld(stack, `sale-${++names}`)
  worlds.push(world)
  return world
}
const publishing = () => ['publish', '--reserve', stack.accounts.reserveTokens]
async function published(): Promise<OperatorWorld> {
  const world = await newWorld()
  await world.signed(['init'])
  expect((await world.signed(publishing())).code).toBe(0)
  return world
}
const journalOf = (world: OperatorWorld) =>
  readFileSync(`${world.at(String(world.terms.id))}.state/journal.jsonl`, 'utf8')
const methodOf = (init: RequestInit | undefined): string => JSON.parse(String(init?.body)).method

/** A life that ends at its nth call: before the node hears it, or before its answer is heard. No wait is left after it. */
function life(calls: number, when: 'before' | 'after') {
  let left = calls
  const dead = () => {
    throw new Fault('unreachable', 'killed')
  }
  const call: typeof fetch = async (url, init) => {
    left -= 1
    if (left < 0 || (left === 0 && when === 'before')) dead()
    const answer = await fetch(url, init)
    if (left === 0) dead()
    return answer
  }
  const wait = async () => {
    if (left <= 0) dead()
    stack.chain.advance(16)
  }
  return { call, wait, ended: () => left <= 0 }
}

/** Lives of a command that end one call later each, until one lives to the end. @returns how many were killed */
async function everyLife(
  when: 'before' | 'after',
  of: (round: number, way: ReturnType<typeof life>) => Promise<void>,
  { stride = 1 }: { stride?: number } = {},
): Promise<number> {
  for (let killed = 0; ; killed += 1) {
    const way = life(1 + killed * stride, when)
    await of(killed, way)
    if (!way.ended()) return killed
  }
}

describe.each(['before', 'after'] as const)('killed %s a call and run again', when => {
  test('a notice is announced once', async () => {
    let world = await published()
    const killed = await everyLife(when, async (round, way) => {
      // Each notice makes the next command longer
      if (round % 3 === 0) world = await published()
      const verb = round % 2 === 0 ? 'pause' : 'resume'
      if (round % 3 === 0 && verb === 'resume') await world.signed(['pause'])
      const before = world.notices().length
      const first = await world.signed([verb], way)
      expect(first.code === 0 || way.ended()).toBe(true)
      expect((await world.signed([verb])).code).toBe(0)
      const { board } = await asThePage(stack, world)
      expect(board).toMatchObject({ seq: before + 1, paused: verb === 'pause', ignored: 0 })
      expect(world.notices()).toHaveLength(before + 1)
    })
    expect(killed).toBeGreaterThan(15)
  })

  test('init pays once', async () => {
    const killed = await everyLife(when, async (_, way) => {
      const world = await newWorld()
      await world.signed(['init'], way)
      expect((await world.signed(['init'])).code).toBe(0)
      expect(stack.chain.ledger.mentioning(world.treasury)).toHaveLength(1)
      expect(journalOf(world).match(/"kind":"baseline"/g)).toHaveLength(1)
    })
    expect(killed).toBeGreaterThan(10)
  })

  test('publish announces terms and one checkpoint, whose file the page trusts', async () => {
    const of = async (_: number, way: ReturnType<typeof life>) => {
      const world = await newWorld()
      await world.signed(['init'])
      await world.signed(publishing(), way)
      expect((await world.signed(publishing())).code).toBe(0)
      const { board, checkpoint } = await asThePage(stack, world)
      expect(board).toMatchObject({ seq: 2, terms: world.hash, ignored: 0 })
      expect(checkpoint?.balances).toEqual({ SOL: '890880', USDC: '0' })
      expect(world.notices()).toHaveLength(2)
    }
    expect(await everyLife(when, of, { stride: 5 })).toBeGreaterThan(5)
  })
})

describe('with a part of its journal', () => {
  test('a command sends nothing again, whatever line the journal ends with', async () => {
    const world = await published()
    const whole = journalOf(world)
    const path = `${world.at(String(world.terms.id))}.state/journal.jsonl`
    const ends = [...whole.matchAll(/\n/g)].map(({ index }) => index + 1)
    expect(ends.length).toBeGreaterThan(8)
    for (const end of [0, ...ends, ...ends.map(at => at - 9)]) {
      writeFileSync(path, whole.slice(0, end))
      expect((await world.signed(['init', '--json'])).out).toContain('"outcome":"unchanged"')
      expect((await world.signed([...publishing(), '--json'])).out).toContain('"outcome":"unchanged"')
    }
    expect(world.notices()).toHaveLength(2)
    expect(stack.chain.ledger.mentioning(world.treasury)).toHaveLength(1)
  })

  test('without a journal, a notice on its way and its repetition count once', async () => {
    const world = await published()
    const sending = life(Number.POSITIVE_INFINITY, 'after')
    const call: typeof fetch = async (url, init) => {
      const answer = await fetch(url, init)
      if (methodOf(init) === 'sendTransaction') throw new Fault('unreachable', 'killed')
      return answer
    }
    const gone = async () => {
      throw new Fault('unreachable', 'killed')
    }
    await world.signed(['pause'], { ...sending, call, wait: gone })
    stack.chain.advance(1)
    rmSync(`${world.at(String(world.terms.id))}.state`, { recursive: true })
    const second = await world.signed(['pause'])
    expect(second.err).toContain('notice 3 (pause -): expected to count, got another notice with its number before it')
    const third = await world.signed(['pause', '--json'])
    expect(JSON.parse(third.out)).toMatchObject({ outcome: 'unchanged', seq: 3, files: ['notices.json'] })
    expect((await asThePage(stack, world)).board).toMatchObject({ seq: 3, paused: true })
  })

  test('a damaged line is refused, and the chain is enough without the file', async () => {
    const world = await published()
    const path = `${world.at(String(world.terms.id))}.state/journal.jsonl`
    const damaged = journalOf(world).replace('"kind":"signed"', '"kind":"singed"')
    writeFileSync(path, damaged)
    const { code, err } = await world.signed(['pause'])
    expect(err).toMatch(/journal\.jsonl, line 2: expected a line that follows the one before it, got a damaged one/)
    expect([code, readFileSync(path, 'utf8')]).toEqual([1, damaged])
    rmSync(path)
    expect((await world.signed(['pause'])).code).toBe(0)
    expect((await asThePage(stack, world)).board).toMatchObject({ seq: 3, ignored: 0 })
  })
})

describe('a transaction', () => {
  test('that never lands is proved expired, and the next run sends another', async () => {
    const world = await published()
    stack.control({ faults: { sendTransaction: { kind: 'dropTransaction' } } })
    const first = await world.signed(['pause'])
    stack.control({ faults: {} })
    expect(first.err).toMatch(/notice 3 \(pause -\): \w+ never landed and no longer can/)
    expect(journalOf(world)).toContain('"outcome":"expired"')
    const second = await world.signed(['pause'])
    expect([first.code, second.code, world.notices().length]).toEqual([1, 0, 3])
  })

  test('that vanishes with a fork is sent again as it was', async () => {
    const world = await published()
    let waits = 0
    const wait = async () => {
      waits += 1
      stack.chain.advance(waits === 1 ? 2 : 8)
      if (waits === 1) stack.control({ fork: { slots: 3, transactions: 'gone' } })
    }
    const { code } = await world.signed(['pause'], { wait })
    expect(code).toBe(0)
    expect(journalOf(world).match(/"kind":"signed"/g)).toHaveLength(4)
    expect((await asThePage(stack, world)).board).toMatchObject({ seq: 3, paused: true, ignored: 0 })
  })

  test('that fails on the chain is told so, and the next run sends another', async () => {
    const world = await newWorld()
    const { address } = world.payer
    const rest = 1_000_000n
    const call: typeof fetch = (url, init) => {
      const has = stack.chain.accounts.at(address, stack.chain.blocks.tip())?.lamports ?? 0n
      if (methodOf(init) === 'sendTransaction' && has > rest)
        stack.chain.run([transfer(address, stack.info.treasury, has - rest)], [world.payer])
      return fetch(url, init)
    }
    const first = await world.signed(['init', '--payer', world.at('payer.key')], { call })
    expect(first.err).toMatch(
      /init: \w+ landed, but instruction \d failed with Custom 1: it changed nothing and cost its fee/,
    )
    stack.give(address, { sol: '1' })
    stack.chain.advance(40)
    const second = await world.signed(['init', '--payer', world.at('payer.key')])
    expect([first.code, second.code]).toEqual([1, 0])
  })

  test('of a process that was killed is followed to its end by the next, which takes the lock over', async () => {
    const world = await published()
    const directory = `${world.at(String(world.terms.id))}.state`
    const files = ['--terms', world.at('terms.json'), '--keypair', world.at('authority.key')]
    const args = ['--import', 'tsx', 'scripts/presale.ts', 'pause', ...files, '--rpc', stack.url]
    const child = spawn(process.execPath, args, { stdio: 'ignore' })
    await expect.poll(() => journalOf(world).split('"kind":"signed"').length).toBe(5)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(existsSync(`${directory}/lock`)).toBe(true)
    const { code, out } = await world.signed(['pause'])
    expect(out).toMatch(/notice 3 \(pause -\): sent by an earlier command, landed/)
    expect([code, existsSync(`${directory}/lock`)]).toEqual([0, false])
    expect((await asThePage(stack, world)).board).toMatchObject({ seq: 3, paused: true, ignored: 0 })
  })
})
