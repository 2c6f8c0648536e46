/** The operator's verbs, killed at every call to the node and with any part of their journal: nothing is sent twice, nothing is lost. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Fault } from '../../../src/runtime/failure.ts'
import { type SolanaStack, startSolana } from '../../stack/solana/server.ts'
import { asThePage, methodOf, type OperatorWorld, operatorWorlds } from './operatorWorld.ts'
import { everyCase } from '../../everyCase.ts'

let stack: SolanaStack
let worlds: ReturnType<typeof operatorWorlds>
beforeAll(async () => {
  stack = await startSolana({ clock: 'manual', seed: 'operator kills' })
  worlds = operatorWorlds(stack)
})
afterAll(async () => {
  worlds.close()
  await stack.close()
})
const newWorld = (): Promise<OperatorWorld> => worlds.fresh()
const published = (): Promise<OperatorWorld> => worlds.published()
const publishing = () => worlds.publishing

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
  { from = 1, stride = 1 }: { from?: number; stride?: number } = {},
): Promise<number> {
  for (let killed = 0; ; killed += 1) {
    const way = life(from + killed * stride, when)
    await of(killed, way)
    if (!way.ended()) return killed
  }
}

describe.each(['before', 'after'] as const)('killed %s a call and run again', when => {
  test.each(everyCase ? [1, 2, 3, 4, 5, 6, 7, 8] : [1])('a notice is announced once, %i', async from => {
    let world = await published()
    const of = async (round: number, way: ReturnType<typeof life>) => {
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
    }
    expect(await everyLife(when, of, { from, stride: 8 })).toBeGreaterThan(1)
  })

  test('init pays once', async () => {
    const stride = everyCase ? 1 : 3
    const of = async (_: number, way: ReturnType<typeof life>) => {
      const world = await newWorld()
      await world.signed(['init'], way)
      expect((await world.signed(['init'])).code).toBe(0)
      expect(stack.chain.ledger.mentioning(world.treasury)).toHaveLength(1)
      expect(world.journal().match(/"kind":"baseline"/g)).toHaveLength(1)
    }
    expect((await everyLife(when, of, { stride })) * stride).toBeGreaterThan(10)
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
    const stride = everyCase ? 5 : 11
    expect((await everyLife(when, of, { stride })) * stride).toBeGreaterThan(25)
  })
})

describe('with a part of its journal', () => {
  test('a command sends nothing again, whatever line the journal ends with', async () => {
    const world = await published()
    const whole = world.journal()
    const path = `${world.state}/journal.jsonl`
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
    rmSync(world.state, { recursive: true })
    const second = await world.signed(['pause'])
    expect(second.err).toContain('notice 3 (pause): expected to count, got another notice with its number before it')
    const third = await world.signed(['pause', '--json'])
    expect(JSON.parse(third.out)).toMatchObject({ outcome: 'unchanged', seq: 3, files: ['notices.json'] })
    expect((await asThePage(stack, world)).board).toMatchObject({ seq: 3, paused: true })
  })

  test('a damaged line is refused, and the chain is enough without the file', async () => {
    const world = await published()
    const path = `${world.state}/journal.jsonl`
    const damaged = world.journal().replace('"kind":"signed"', '"kind":"singed"')
    writeFileSync(path, damaged)
    const { code, err } = await world.signed(['pause'])
    expect(err).toMatch(/journal\.jsonl, line 2: expected a line that follows the one before it, got a damaged one/)
    expect([code, readFileSync(path, 'utf8')]).toEqual([1, damaged])
    rmSync(path)
    expect((await world.signed(['pause'])).code).toBe(0)
    expect((await asThePage(stack, world)).board).toMatchObject({ seq: 3, ignored: 0 })
  })
})
