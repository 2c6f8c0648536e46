/** One line in the table of calls adds a call to the page's port, the worker, the leader and the follower. */
import { expose } from 'comlink'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Fault } from '../../../src/runtime/failure.ts'
import { type Core, coreCalls, type CoreName, coreNames, type Wire } from '../../../src/events/wire.ts'
import { joinedCalls } from '../../../src/main/page/supervisor/supervisor.ts'
import { createPageCalls } from '../../../src/runtime/page/pageCalls.ts'
import type { CallRule } from '../../../src/runtime/wire.ts'
import { createRemote } from '../../../src/runtime/page/remote.ts'
import type { Calls } from '../../../src/worker/host/calls/calls.ts'
import { createFollowerTab } from '../../../src/runtime/tabs/followerTab.ts'
import { createLeaderTab, type RunningCore } from '../../../src/runtime/tabs/leaderTab.ts'
import type { Locks } from '../../../src/runtime/tabs/locks.ts'
import { tabRules } from '../../../src/worker/tabs/tabRules.ts'
import { createShell } from '../../../src/worker/tabs/shell.ts'

const coreCallNames = Object.keys(coreCalls) as (keyof typeof coreCalls)[]
const ruleOf = (name: keyof typeof coreCalls): CallRule => coreCalls[name]

const open: { close(): void }[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

/** A core whose every call returns its own name. */
const echoes = () => {
  const mocks = Object.fromEntries(coreCallNames.map(name => [name, vi.fn(async (): Promise<unknown> => name)]))
  return { core: mocks as unknown as Core, mocks }
}

const call = (calls: object, name: string) =>
  (calls as Record<string, (...args: unknown[]) => Promise<unknown>>)[name]?.('one', 'two')

test('core calls: the worker serves exactly the calls of the table', () => {
  expect(Object.keys(createShell({ locks: undefined })).sort()).toEqual([...coreCallNames].sort())
})

test('core calls: a page reaches every call of its worker', async () => {
  const { port1, port2 } = new MessageChannel()
  expose(echoes().core, port2)
  const { core, lose } = createRemote(coreCalls, Object.assign(port1, { terminate: () => port2.close() }))
  for (const name of coreCallNames.filter(one => one !== 'attach')) expect(await call(core, name), name).toBe(name)
  lose('the test is over')
})

test('core calls: a joined page reaches every call of the core', async () => {
  const { core, attached } = createPageCalls<Core, Wire['command']>({
    tab: 't',
    table: coreCalls,
    names: joinedCalls,
    isDurable: () => true,
    caughtUp: () => undefined,
    undelivered: () => undefined,
  })
  attached(echoes().core)
  for (const name of coreNames.filter(one => one !== 'attach')) expect(await call(core, name), name).toBe(name)
})

describe('a follower', () => {
  const protocolVersion = crypto.randomUUID()

  async function follow() {
    const locks = { request: () => new Promise(() => undefined) } as unknown as Locks
    const leader = createLeaderTab({ ...tabRules, peer: 'leader', protocolVersion, locks, returnMs: 1000 })
    const { core: served, mocks } = echoes()
    const running = { open: { life: 1, core: { seq: 0 }, pages: { relay: () => undefined } }, calls: served, log: '' }
    leader.opened(running as unknown as RunningCore)
    const calls = await new Promise<Calls>(joined => {
      const follower = createFollowerTab({
        ...tabRules,
        peer: 'follower',
        protocolVersion,
        pingMs: 60_000,
        silentMs: 60_000,
        clock: () => 0,
        visible: () => true,
        page: () => undefined,
        joined: calls => joined(calls as Calls),
        leaderSilent: () => undefined,
      })
      open.push(leader, follower)
    })
    return { calls, mocks }
  }

  test('reaches every call of the core without secrets', async () => {
    const { calls, mocks } = await follow()
    const own: readonly CoreName[] = ['attach']
    for (const name of coreNames.filter(one => !own.includes(one) && !ruleOf(one).secret)) {
      expect(await call(calls, name), name).toBe(name)
      expect(mocks[name]?.mock.calls, name).toEqual([['one', 'two']])
    }
  })

  test('gets a refusal by its code and message', async () => {
    const { calls, mocks } = await follow()
    mocks.command?.mockRejectedValueOnce(new Fault('bad_input', 'no such command'))
    await expect(call(calls, 'command')).rejects.toMatchObject({
      name: 'Fault',
      code: 'bad_input',
      message: 'no such command',
    })
  })
})
