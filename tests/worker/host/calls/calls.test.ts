import 'fake-indexeddb/auto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { CoreModel } from '../../../../src/events/app.ts'
import { emptyCoreModel } from '../../../../src/events/emptyModel.ts'
import { Fault } from '../../../../src/runtime/failure.ts'
import type { CoreConfig, PageHello, PagePort } from '../../../../src/events/wire.ts'
import { createCalls } from '../../../../src/worker/host/calls/calls.ts'
import type { OpenCore } from '../../../../src/worker/host/openCore.ts'
import { eraseLog, ledgerPartsName } from '../../../../src/worker/journal/storage.ts'

const refresh = { type: 'balance.refresh', data: {} } as const
const sent = { type: 'wallet.sent', signature: 's' } as const
const openOrder = { orderId: 'o1', phase: 'drafted' } as never

afterEach(() => {
  vi.restoreAllMocks()
})

/** A promise that a test resolves. */
function gate() {
  let open = () => undefined as void
  const passed = new Promise<void>(resolve => (open = resolve))
  return { passed, open }
}

/** Calls on a core that does as the test says; `events` has its doings in order. */
function make() {
  const events: string[] = []
  const restarts: unknown[][] = []
  const model: CoreModel = { ...emptyCoreModel(), network: { phase: 'unknown', online: false } }
  let over = false
  const does = {
    settled: async () => undefined as void,
    flush: async () => undefined as void,
    take: (_draft: { type: string }) => undefined as void,
    check: (_draft: { type: string }) => undefined as void,
  }
  const open = {
    config: {} as CoreConfig,
    life: 1,
    genesisHash: 'chain',
    core: { seq: 3, model },
    inbox: {
      check: (draft: { type: string }) => does.check(draft),
      take(draft: { type: string }) {
        events.push(`takes ${draft.type}`)
        does.take(draft)
      },
      async settled() {
        await does.settled()
        events.push('settled')
      },
    },
    journal: {
      storage: 'durable',
      head: () => ({ life: 1, n: 1, seq: 3 }),
      append: (lines: string[]) => void events.push(`appends ${lines.length}`),
      async flush(durability: string) {
        await does.flush()
        events.push(`flushed ${durability}`)
      },
      lines: async () => [],
    },
    bytes: {},
    drivers: { verify: async () => true, walletConnect: {} },
    pages: { join: () => void events.push('joins'), restart: (...told: unknown[]) => void restarts.push(told) },
    until: async () => undefined,
    stop() {
      over = true
      events.push('stopped')
    },
    erase: () => eraseLog('chain'),
    isOver: () => over,
  }
  const calls = createCalls(open as unknown as OpenCore, () => 1)
  /** Whether a call is open still after all that only promises hold back. */
  const isOpen = async (call: Promise<unknown>) => {
    const other = Symbol('open')
    const later = new Promise(resolve => setTimeout(() => setImmediate(resolve, other), 40))
    return (await Promise.race([call, later])) === other
  }
  return { calls, events, restarts, model, does, end: () => (over = true), isOpen }
}

describe('a call of the core', () => {
  test('that its end overtakes is no command taken', async () => {
    const { calls, does, end } = make()
    does.flush = async () => void end()
    await expect(calls.command(refresh, 't-1.c1', 't-1')).rejects.toMatchObject({ code: 'core_lost' })
  })

  test('is a command taken although the disk refuses it', async () => {
    const { calls, does } = make()
    does.flush = () => Promise.reject(new Fault('storage_down', 'no'))
    expect(await calls.command(refresh, 't-1.c1', 't-1')).toBe(false)
  })

  test('with page facts is answered although the disk refuses them', async () => {
    const { calls, events, does } = make()
    does.flush = () => Promise.reject(new Fault('storage_down', 'no'))
    await calls.pageFacts([])
    expect(events).toEqual(['appends 0'])
  })

  test('with page facts is not answered when its end overtakes it', async () => {
    const { calls, does, end } = make()
    does.flush = async () => void end()
    await expect(calls.pageFacts([])).rejects.toMatchObject({ code: 'core_lost' })
  })

  test('is a wallet’s answer taken once its step is strictly on disk', async () => {
    const { calls, events, does, isOpen } = make()
    const [step, disk] = [gate(), gate()]
    does.settled = () => step.passed
    does.flush = () => disk.passed
    const call = calls.answer('e1.1.0', sent, 't-1')
    expect(await isOpen(call)).toBe(true)
    expect(events).toEqual(['takes wallet.sent'])
    step.open()
    expect(await isOpen(call)).toBe(true)
    disk.open()
    await call
    expect(events).toEqual(['takes wallet.sent', 'settled', 'flushed strict'])
  })

  test('with page facts is answered once they are written', async () => {
    const { calls, does, isOpen } = make()
    const disk = gate()
    does.flush = () => disk.passed
    const call = calls.pageFacts([])
    expect(await isOpen(call)).toBe(true)
    disk.open()
    await call
  })

  test('attaches the page to the model as it is before the page is known', async () => {
    const { calls, does, model } = make()
    does.take = () => void (model.network.online = true)
    const hello = { tab: 't-1', visible: true, online: false, asking: [], answered: [] } as unknown as PageHello
    const attached = await calls.attach(hello, {} as PagePort)
    expect([model.network.online, attached.model.network.online, attached.seq]).toEqual([true, false, 3])
  })

  test.each(['page.attached', 'page.online'])('joins no page whose %s does not fit', async misfit => {
    const { calls, does, events } = make()
    does.check = ({ type }) => {
      if (type === misfit) throw new Fault('bad_input', `${type} does not fit`)
    }
    const hello = { tab: 't-1', visible: true, online: true, asking: [], answered: [] } as unknown as PageHello
    await expect(calls.attach(hello, {} as PagePort)).rejects.toMatchObject({ code: 'bad_input' })
    expect(events).toEqual([])
  })
})

describe('a call to erase', () => {
  test('stops the core before its log goes', async () => {
    const { calls, events } = make()
    const remove = indexedDB.deleteDatabase.bind(indexedDB)
    vi.spyOn(indexedDB, 'deleteDatabase').mockImplementation(name => {
      events.push(name === ledgerPartsName ? 'parts deleted' : 'deleted')
      return remove(name)
    })
    expect(await calls.erase('t-1')).toBe(true)
    expect(events).toEqual(['settled', 'stopped', 'parts deleted', 'deleted'])
  })

  test('that the disk refuses brings every page another core', async () => {
    const { calls, restarts } = make()
    vi.spyOn(indexedDB, 'deleteDatabase').mockImplementation(() => {
      throw new DOMException('no', 'UnknownError')
    })
    await expect(calls.erase('t-1')).rejects.toMatchObject({ name: 'UnknownError' })
    expect(restarts).toEqual([['another']])
  })

  test('leaves a log into which an order came while the sessions ended', async () => {
    const { calls, events, does, model } = make()
    does.settled = async () => void (model.order.o1 = openOrder)
    expect(await calls.erase('t-1')).toBe(false)
    expect(events).toEqual(['settled'])
  })
})
