/** Tabs of the counter: the runtime's shell, election and calls with a product that is not ours. */
import 'fake-indexeddb/auto'
import { afterEach, expect, test } from 'vitest'
import { createCommandOnce } from '../../../src/runtime/calls/commandOnce.ts'
import { pagesFor } from '../../../src/runtime/host/pages.ts'
import { channelNames } from '../../../src/runtime/tabs/channel.ts'
import type { Locks } from '../../../src/runtime/tabs/locks.ts'
import { createWorkerShell } from '../../../src/runtime/tabs/shell.ts'
import { createTabs } from '../../../src/runtime/tabs/tabs.ts'
import { type AnyCalls, ownCalls, type PortOf, type WireTypes } from '../../../src/runtime/wire.ts'
import { soon } from '../../soon.ts'
import { type Counter, fold, live, runtime } from '../counter.ts'

const ended: (() => void)[] = []
afterEach(() => {
  for (const end of ended.splice(0)) end()
})

/** Locks of one origin; `end` takes those of one worker away. */
function createOrigin() {
  const held = new Map<string, object>()
  const waiting: { name: string; take(): void }[] = []
  const free = (name: string) => {
    held.delete(name)
    const next = waiting.findIndex(one => one.name === name)
    if (next >= 0) waiting.splice(next, 1)[0]?.take()
  }
  return () => {
    const mine = new Map<string, () => void>()
    const request = (name: string, ...rest: unknown[]) =>
      new Promise((resolve, reject) => {
        const run = rest.at(-1) as (lock: object) => unknown
        const take = () => {
          held.set(name, mine)
          mine.set(name, () => reject(new DOMException('the worker has ended', 'AbortError')))
          void Promise.resolve(run({ name })).then(value => {
            if (held.get(name) === mine) free(name)
            resolve(value)
          })
        }
        if (held.has(name)) waiting.push({ name, take })
        else take()
      })
    const end = () => {
      for (const [name, lose] of mine) {
        lose()
        if (held.get(name) === mine) free(name)
      }
    }
    ended.push(end)
    return { locks: { request, query: async () => ({ held: [] }) } as unknown as Locks, end }
  }
}

type Wire = Omit<WireTypes, 'model' | 'command'> & {
  model: Counter
  command: { type: string; data: { by: number } }
}
const rules = {
  channels: channelNames('counter'),
  leadLock: 'counter-core',
  stealLock: 'counter-steal',
  lifeLock: (worker: string) => `counter-peer-${worker}`,
  calls: ownCalls,
  isAwaited: () => true,
  unanswered: new Set<string>(),
  promptLost: () => ({ type: 'counter.displayed', data: { count: 0 } }),
  mayChangeBusy: () => false,
  secretCalls: () => ({}),
}

/** Opens a tab whose page folds all facts it gets; `begun` are the lives of the origin's cores. */
function openTab(tab: string, { locks, end }: { locks: Locks; end(): void }, begun: number[]) {
  const fail = (cause: unknown) => expect.fail(String(cause))
  const shell = createWorkerShell<Wire>(
    {
      leadLock: 'counter-core',
      lifeLock: rules.lifeLock,
      calls: ownCalls,
      loadTabs: async () => ports => createTabs(rules, ports),
      protocolVersion: () => 'v1',
      settled: async () => undefined,
      kept: { recording: async () => '', erase: async () => true },
      async open(_begun, { mayBegin }) {
        const opened = await runtime.open(
          'counter-tabs',
          { failed: fail, taken: () => fail('another core writes'), shrunk: fail },
          { mayBegin },
        )
        const { journal, life } = opened
        begun.push(life)
        const failed = () => ({ type: 'counter.displayed', data: { count: 0 } })
        const asks = { isAwaited: () => true, isPrompt: () => false, failed, equip: () => undefined }
        const pages = pagesFor(asks, { left: () => undefined })
        const it = live({
          ...opened,
          build: 'a',
          now: () => 1000 * life,
          display: async () => undefined,
          broke: fail,
          told: facts => pages.publish(facts, true),
        })
        await it.boot()
        const once = createCommandOnce<Wire['command']>(journal, () => undefined)
        const calls: Partial<AnyCalls> = {
          async attach(hello, port, from) {
            pages.join(hello.tab, port, from)
            return { life, seq: it.core.seq, model: structuredClone(it.core.model) }
          },
          command: (command, ref, _tab, again = false) =>
            once({ command, ref, again }, async () => {
              it.add(command.data.by, ref)
              await journal.flush('strict')
            }),
        }
        const open = { life, core: it.core, inbox: it.inbox, journal, pages, hear: it.inbox.take, stop: it.kill }
        return { open, calls: calls as AnyCalls, log: 'counter-tabs', isBusy: () => false }
      },
    },
    { locks, die: () => undefined, stepping: () => undefined, patience: { pingMs: 50 } },
  )
  let model: Counter | undefined
  let joins = 0
  const hello = { tab, worker: `w-${tab}`, visible: true, asking: [], answered: [] }
  const port: PortOf<Wire['pageEffect']> = {
    async facts(batch) {
      for (const fact of batch) if (model) fold(model, fact)
    },
    perform: async () => undefined,
    async detached() {
      await join()
    },
    restart: async () => undefined,
    otherBuild: async () => undefined,
  }
  async function join(): Promise<void> {
    expect(await shell.standing()).toBe('joined')
    model = (await shell.attach(hello, port)).model
    joins += 1
  }
  void shell.begin({}, hello, 'start')
  return {
    join,
    end,
    count: () => model?.count,
    joins: () => joins,
    add: (by: number, ref: string, again = false) =>
      shell.command({ type: 'counter.add', data: { by } }, ref, tab, again),
  }
}

test('counter tabs: two share one core, and the second leads when the first has ended', async () => {
  const [worker, begun] = [createOrigin(), [] as number[]]
  const one = openTab('t-1', worker(), begun)
  await one.join()
  await one.add(2, 'c1')
  const two = openTab('t-2', worker(), begun)
  await two.join()
  expect(two.count()).toBe(2)
  await two.add(3, 'c2')
  await soon(() => expect([one.count(), two.count()]).toEqual([5, 5]))
  expect(begun).toEqual([1])

  one.end()
  await soon(() => expect(two.joins()).toBe(2))
  expect([begun, two.count()]).toEqual([[1, 2], 5])
  expect(await two.add(3, 'c2', true)).toBe(true)
  expect(await two.add(1, 'c3')).toBe(false)
  await soon(() => expect(two.count()).toBe(6))
})
