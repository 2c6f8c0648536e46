/** One transaction of the operator, through expiry, lagging nodes, forks, failure and the kill of its process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transfer } from '../../stack/solana/programs.ts'
import { type SolanaStack, startSolana } from '../../stack/solana/server.ts'
import { asThePage, methodOf, type OperatorWorld, operatorWorlds } from './operatorWorld.ts'

let stack: SolanaStack
let worlds: ReturnType<typeof operatorWorlds>
beforeAll(async () => {
  stack = await startSolana({ clock: 'manual', seed: 'operator transactions' })
  worlds = operatorWorlds(stack)
})
afterAll(async () => {
  worlds.close()
  await stack.close()
})
const newWorld = (): Promise<OperatorWorld> => worlds.fresh()
const published = (): Promise<OperatorWorld> => worlds.published()

describe('a transaction', () => {
  test('that never lands is proved expired, and the next run sends another', async () => {
    const world = await published()
    stack.control({ faults: { sendTransaction: { kind: 'dropTransaction' } } })
    const first = await world.signed(['pause'])
    stack.control({ faults: {} })
    expect(first.err).toMatch(/notice 3 \(pause\): \w+ never landed and no longer can/)
    expect(world.journal()).toContain('"outcome":"expired"')
    const second = await world.signed(['pause'])
    expect([first.code, second.code, world.notices().length]).toEqual([1, 0, 3])
  })

  test('that a node behind does not find is not taken for expired', async () => {
    const world = await published()
    let waits = 0
    const wait = async () => {
      stack.chain.advance(16)
      waits += 1
      if (waits === 1) stack.control({ faults: { getSignatureStatuses: { kind: 'lag', slots: 1_000 } } })
      if (waits === 30) stack.control({ faults: {} })
    }
    const { code } = await world.signed(['pause'], { wait })
    expect([code, waits, world.notices().length]).toEqual([0, 30, 3])
  })

  test('that vanishes with a fork is sent again as it was', async () => {
    const world = await published()
    let waits = 0
    const wait = async () => {
      waits += 1
      // It is seen to have landed, which is not final, before the fork
      if (waits === 2) stack.control({ fork: { slots: 3, transactions: 'gone' } })
      else stack.chain.advance(waits === 1 ? 2 : 8)
    }
    const { code } = await world.signed(['pause'], { wait })
    expect(code).toBe(0)
    expect(world.journal().match(/"kind":"signed"/g)).toHaveLength(4)
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
    const key = ['--keypair', world.at('authority.key')]
    const files = ['--terms', world.at('terms.json'), '--state', world.state, ...key]
    const args = ['--import', 'tsx', 'scripts/presale.ts', 'pause', ...files, '--rpc', stack.url]
    const child = spawn(process.execPath, args, { stdio: 'ignore' })
    await expect.poll(() => world.journal().split('"kind":"signed"').length).toBe(5)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(existsSync(`${world.state}/lock`)).toBe(true)
    const { code, out } = await world.signed(['pause'])
    expect(out).toMatch(/notice 3 \(pause\): sent by an earlier command, landed/)
    expect([code, existsSync(`${world.state}/lock`)]).toEqual([0, false])
    expect((await asThePage(stack, world)).board).toMatchObject({ seq: 3, paused: true, ignored: 0 })
  })
})
