import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Fault } from '../../../../src/runtime/failure.ts'
import { emptyCoreModel } from '../../../../src/events/emptyModel.ts'
import type { CoreConfig, PageAnswer, PageEffect } from '../../../../src/events/wire.ts'
import { createSupervisor } from '../../../../src/main/page/supervisor/supervisor.ts'
import { foldBatch } from '../../../../src/ui/foldBatch.ts'
import { createStore } from '../../../../src/ui/store.ts'
import { createFakeCore, fact, type FakeCore } from '../../fakeCore.ts'

const page = { visible: true, listeners: new Map<string, (event: unknown) => void>() }
const listen = (type: string, listener: (event: unknown) => void) => void page.listeners.set(type, listener)

beforeEach(() => {
  page.visible = true
  page.listeners.clear()
  vi.stubGlobal('document', {
    get visibilityState() {
      return page.visible ? 'visible' : 'hidden'
    },
    addEventListener: listen,
  })
  vi.stubGlobal('navigator', { language: 'en', onLine: true })
  vi.stubGlobal('window', { addEventListener: listen })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
})
afterEach(() => {
  for (const core of started) core.worker.terminate()
  started.length = 0
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const started: FakeCore[] = []

/** A page with a supervisor; its workers are `cores` in order, then the last one again and again. */
function make(...cores: (() => FakeCore)[]) {
  return makeChecked(undefined, ...cores)
}

/** The same with a check of the worker's files before each start. */
function makeChecked(checkScript: (() => Promise<unknown>) | undefined, ...cores: (() => FakeCore)[]) {
  const store = createStore({ request: task => task(), hidden: () => !page.visible }, foldBatch)
  const performed: string[] = []
  const held = { asking: [] as string[], answered: [] as string[], redelivered: 0 }
  let deliver: (key: string, answer: PageAnswer) => Promise<void> = () => Promise.reject(new Error('none'))
  let made = 0
  const mine: FakeCore[] = []
  const supervisor = createSupervisor({
    store,
    config: {} as CoreConfig,
    makeWorker() {
      const next = (cores[Math.min(made, cores.length - 1)] ?? (() => createFakeCore(made)))()
      made += 1
      mine.push(next)
      started.push(next)
      return next.worker
    },
    ...(checkScript && { checkScript }),
    now: () => Date.now(),
    wallets: {
      perform: (effect: PageEffect) => void performed.push(effect.id),
      asking: () => held.asking,
      answered: () => held.answered,
      redeliver: () => void (held.redelivered += 1),
      setDeliver: given => void (deliver = given),
    },
  })
  const core = (index: number) => {
    const found = mine[index]
    if (!found) throw new Error(`worker ${index} was not made`)
    return found
  }
  const phase = () => store.model().tab.phase
  return { supervisor, store, performed, held, core, made: () => made, phase, deliver: () => deliver }
}

/** Delivers messages on the channels while time stands still. */
async function until(what: string, find: () => unknown): Promise<void> {
  for (let turn = 0; turn < 500; turn++) {
    if (find()) return
    await new Promise<void>(resolve => setImmediate(resolve))
  }
  throw new Error(`${what} did not happen`)
}
const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise<void>(resolve => setImmediate(resolve))
}
/** Advances time in steps, as a browser would, with messages in between. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 250) {
    vi.advanceTimersByTime(Math.min(250, left))
    await new Promise<void>(resolve => setImmediate(resolve))
    await new Promise<void>(resolve => setImmediate(resolve))
  }
}

const refresh = { type: 'balance.refresh', data: {} } as const

describe('the files of a worker', () => {
  const core = () => createFakeCore(1)

  test('that do not come are asked for again', async () => {
    const check = vi.fn(() => new Promise<never>(() => undefined))
    const { supervisor, made, phase } = makeChecked(check, core)
    supervisor.start()
    await pass(70_000)
    expect([made(), check.mock.calls.length, phase()]).toEqual([0, 2, 'lost'])
  })

  test('that came altered never run, and no other start is tried', async () => {
    const check = vi.fn(() => Promise.reject(new Fault('bad_response', 'other bytes')))
    const { supervisor, made, phase, store } = makeChecked(check, core)
    supervisor.start()
    await until('saying so', () => phase() === 'blocked')
    await pass(60_000)
    expect([made(), check.mock.calls.length]).toEqual([0, 1])
    expect(store.model().tab).toMatchObject({ why: 'altered', reload: true })
  })

  test('that are gone need a reload', async () => {
    const { supervisor, made, phase } = makeChecked(() => Promise.reject(new Fault('reload_needed', 'gone')), core)
    supervisor.start()
    await until('saying so', () => phase() === 'outdated')
    expect(made()).toBe(0)
  })

  test('that are unreachable at first are fetched again', async () => {
    let asked = 0
    const check = () => ((asked += 1) < 3 ? Promise.reject(new Fault('unreachable', 'no answer')) : Promise.resolve())
    const { supervisor, made, phase } = makeChecked(check, core)
    supervisor.start()
    await pass(5_000)
    await until('joining', () => phase() === 'attached')
    expect([made(), asked]).toEqual([1, 3])
  })

  test('are compared again before each later start', async () => {
    const check = vi.fn(() => Promise.resolve())
    const { supervisor, core: at, phase } = makeChecked(check, core, () => createFakeCore(2))
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    await pass(11_000)
    at(0).crash('out of memory')
    vi.advanceTimersByTime(0)
    await until('joining the next', () => phase() === 'attached')
    expect(check).toHaveBeenCalledTimes(2)
  })
})

describe('a browser', () => {
  const pending = { standing: () => new Promise<never>(() => undefined) }
  /** A worker whose script is there, but is not run. */
  const refused = () => {
    const core = createFakeCore(1, pending)
    queueMicrotask(() => core.crash())
    return core
  }
  const passed = () => Promise.resolve()

  test('that runs no worker, as under a policy, is named after the third', async () => {
    const { supervisor, made, phase, store } = makeChecked(passed, refused)
    supervisor.start()
    await pass(60_000)
    expect([made(), phase()]).toEqual([3, 'blocked'])
    expect(store.model().tab).toMatchObject({ why: 'forbidden' })
  })

  test('that runs a worker between two refusals is not named', async () => {
    const { supervisor, core, made, phase } = makeChecked(
      passed,
      refused,
      refused,
      () => createFakeCore(1),
      refused,
      () => createFakeCore(2),
    )
    supervisor.start()
    await pass(20_000)
    await until('joining', () => phase() === 'attached')
    core(2).crash('out of memory')
    await pass(20_000)
    await until('joining the fifth', () => phase() === 'attached')
    expect(made()).toBe(5)
  })
})

describe('a page whose worker', () => {
  test('crashes starts the next one at once, which learns of the loss', async () => {
    const { supervisor, core, made, phase } = make(
      () => createFakeCore(1),
      () => createFakeCore(2),
    )
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    await pass(11_000)
    core(0).crash('out of memory')
    expect(phase()).toBe('lost')
    expect(core(0).terminated()).toBe(true)
    vi.advanceTimersByTime(0)
    await until('joining the next', () => phase() === 'attached')
    expect(made()).toBe(2)
    expect(core(1).causes).toEqual(['lost'])
  })

  test.each([
    ['Uncaught SyntaxError: Unexpected token in "otp 482913"', 'it ended in SyntaxError'],
    ['Error: secret\nphrase', 'it ended in Error'],
    ['words of nobody knows whom', 'it ended in an error'],
    ['Uncaught Fault: another tab leads now', 'another tab leads now'],
    ['', 'its script could not be loaded'],
  ])('ends with "%s" is reported without its words', async (message, reason) => {
    const { supervisor, core, phase } = make(() => createFakeCore(1))
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    core(0).crash(message)
    expect(supervisor.tail().at(-1)).toMatchObject({ type: 'tab.coreLost', data: { reason } })
  })

  test('is killed silently is replaced at once, because its lock is released', async () => {
    const held = new Map<string, () => void>()
    const request = async (name: string, _: LockOptions, run: () => void) => void held.set(name, run)
    vi.stubGlobal('navigator', { language: 'en', onLine: true, locks: { request } })
    const { supervisor, core, made, phase } = make(
      () => createFakeCore(1),
      () => createFakeCore(2),
    )
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    await pass(11_000)
    held.get(`mai-peer-${core(0).beginnings[0]?.worker}`)?.()
    expect(phase()).toBe('lost')
    vi.advanceTimersByTime(0)
    await until('joining the next', () => phase() === 'attached')
    expect(made()).toBe(2)
    expect(core(1).beginnings).toMatchObject([{ ended: core(0).beginnings[0]?.worker }])
  })

  test('ends in the middle of a step has the next one told, and only that', async () => {
    const { supervisor, core, phase } = make(
      () => createFakeCore(1),
      () => createFakeCore(2),
      () => createFakeCore(3),
    )
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    core(0).steps(7)
    await settle()
    core(0).crash('gone')
    await pass(1000)
    await until('joining the next', () => phase() === 'attached')
    expect(core(0).beginnings).toMatchObject([{ lastLife: 0 }])
    expect(core(1).beginnings).toMatchObject([{ diedInStep: 7, lastLife: 1 }])
    core(1).steps(8)
    core(1).steps(0)
    await settle()
    core(1).crash('gone')
    await pass(2000)
    await until('joining the last', () => phase() === 'attached')
    expect(core(2).beginnings).toMatchObject([{ diedInStep: 0 }])
  })

  test('ends in the middle of a step has later ones told until one of them was joined', async () => {
    const { supervisor, core, phase, made } = make(
      () => createFakeCore(1),
      () => createFakeCore(2, { standing: () => new Promise(() => undefined) }),
      () => createFakeCore(3, { standing: () => new Promise(() => undefined) }),
      () => createFakeCore(4),
      () => createFakeCore(5),
    )
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    core(0).steps(7)
    await settle()
    core(0).crash('gone')
    await pass(1000)
    await until('the second', () => made() === 2)
    core(1).steps(0)
    await settle()
    core(1).crash('gone before it was joined')
    await pass(2000)
    await until('the third', () => core(2).beginnings.length === 1)
    expect(core(2).beginnings).toMatchObject([{ diedInStep: 7 }])
    core(2).steps(9)
    await settle()
    core(2).crash('gone in a step of its own')
    await pass(4000)
    await until('joining the fourth', () => phase() === 'attached')
    expect(core(3).beginnings).toMatchObject([{ diedInStep: 9 }])
    core(3).steps(5)
    await settle()
    await core(3).port().restart('new')
    await pass(6000)
    await until('joining the fifth', () => made() === 5 && phase() === 'attached')
    expect(core(4).beginnings).toMatchObject([{ diedInStep: 0 }])
  })

  test.each([
    ['a press', 'order.place', /could not be done/],
    ['a wallet’s answer', 'wallet.signed', /wallet’s answer could not be used/],
    ['a wallet’s message', 'relay.message', /message from your wallet/],
    ['a reading of the chain', 'chain.sale', undefined],
  ])('could not handle %s reports it to the person where they would wonder', async (_, input, words) => {
    const { supervisor, store, core, phase } = make(
      () => createFakeCore(1),
      () =>
        createFakeCore(2, {
          attach: async () => {
            const model = emptyCoreModel()
            model.core.dropped = { count: 1, input }
            return { life: 2, seq: 1, model }
          },
        }),
    )
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    expect(store.model().toast).toBeNull()
    core(0).crash('gone')
    await pass(1000)
    await until('joining the next', () => phase() === 'attached')
    if (words) expect(store.model().toast?.message).toMatch(words)
    else expect(store.model().toast).toBeNull()
  })

  test('tells the failure of a call in a toast, and the console which features the service decides', async () => {
    const { supervisor, store, core, phase } = make(() => createFakeCore(1))
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    const failure = { code: 'unreachable', message: 'no' }
    const asked = (seq: number, callId: string, ask: object) => ({
      ...fact(seq),
      type: 'service.asked',
      data: { callId, ask },
    })
    const failed = (seq: number, callId: string, more = {}) => ({
      ...fact(seq),
      type: 'service.failed',
      data: { callId, failure, ...more },
    })
    const words = 'words of the core'
    await core(0)
      .port()
      .facts([
        asked(1, 'c', { call: 'balance', address: 'a', chainId: 'solana:x' }),
        asked(2, 'd', { call: 'history', address: 'a' }),
        failed(3, 'c', { toast: words }),
        failed(4, 'd'),
      ])
    expect(store.model().toast).toMatchObject({ message: 'Token Balance Unavailable', variant: 'error' })
    await core(0)
      .port()
      .facts([failed(5, 'forgotten', { toast: words })])
    expect(store.model().toast).toMatchObject({ message: words })
    const resolved = {
      ...fact(6),
      type: 'project.resolved',
      data: { by: 'failure', features: {}, ignored: [], warning: 'W' },
    }
    await core(0).port().facts([resolved])
    expect(warn.mock.calls).toEqual([['W']])
    warn.mockRestore()
  })

  test('could not handle an input says so once, also when it joins anew', async () => {
    let count = 0
    const { supervisor, store, core, phase } = make(() =>
      createFakeCore(1, {
        attach: async () => {
          const model = emptyCoreModel()
          if (count > 0) model.core.dropped = { count, input: 'order.place' }
          return { life: 1, seq: count, model }
        },
      }),
    )
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    const dropped = { ...fact(1), type: 'core.faulted', data: { input: 'order.place', message: 'no' } }
    await core(0).port().facts([dropped])
    const { toastId = '' } = store.model().toast ?? {}
    expect(toastId).not.toBe('')
    supervisor.dispatch({ type: 'toast.closed', data: { toastId } })
    count = 1
    await core(0).port().detached()
    expect(core(0).hellos).toHaveLength(2)
    expect(store.model().toast).toBeNull()
  })

  test.each([
    ['order:o1', 'solana_signTransaction', 'Your wallet answered too late. That answer is not used.'],
    [
      'order:o1',
      'solana_signAndSendTransaction',
      'Your wallet answered late. The chain is searched for anything it sent.',
    ],
    ['page:t-1.c1', 'personal_sign', undefined],
  ])('gets an answer too late, to %s by %s, shows the consequence', async (purpose, method, words) => {
    const asked = { requestId: 'r1', sessionTopic: 's1', method, chainId: 'solana:x', purpose, sentAt: 1, expiresAt: 2 }
    const { supervisor, store, core, phase } = make(() =>
      createFakeCore(1, {
        attach: async () => ({
          life: 1,
          seq: 1,
          model: { ...emptyCoreModel(), request: { r1: { ...asked, phase: 'ended', end: { how: 'answered' } } } },
        }),
      }),
    )
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    await core(0)
      .port()
      .facts([{ ...fact(2), type: 'request.late', v: 2, data: { requestId: 'r1' } }])
    expect(store.model().toast?.message).toBe(words)
  })

  test('freezes is noticed within 7 s, and open calls are rejected', async () => {
    const { supervisor, core, phase, made } = make(
      () => createFakeCore(1),
      () => createFakeCore(2),
    )
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    await pass(12_000)
    core(0).freeze()
    const asked = supervisor.core.erase(supervisor.tab)
    const ended = expect(asked).rejects.toMatchObject({ code: 'core_lost' })
    await pass(7_250)
    await ended
    expect(made()).toBe(2)
  })

  test('is only busy is not given up: an answer within 4.5 s counts', async () => {
    let answers: ((life: number) => void)[] = []
    const slow = () => createFakeCore(1, { ping: () => new Promise(resolve => answers.push(resolve)) })
    const { supervisor, phase, made } = make(slow)
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    for (let turn = 0; turn < 5; turn++) {
      await pass(4000)
      for (const answer of answers) answer(1)
      answers = []
      await settle()
    }
    expect(made()).toBe(1)
  })

  test('answers late because this page slept is not given up', async () => {
    const { supervisor, phase, made } = make(() => createFakeCore(1))
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    // A ping leaves, the machine sleeps, and on waking every deadline is over before a message is read
    vi.advanceTimersByTime(2000)
    vi.setSystemTime(Date.now() + 3_600_000)
    vi.advanceTimersByTime(5000)
    await settle()
    await pass(1000)
    expect(phase()).toBe('attached')
    expect(made()).toBe(1)
  })

  test('is not pinged while the page is hidden', async () => {
    const { supervisor, phase, made, core } = make(() => createFakeCore(1))
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    page.visible = false
    core(0).freeze()
    await pass(60_000)
    expect(made()).toBe(1)
  })

  test('dies repeatedly is started ever more slowly, and after ten deaths only on demand', async () => {
    const dying = () => createFakeCore(1, { standing: () => Promise.reject(new Error('no')) })
    const { supervisor, store, made } = make(dying)
    supervisor.start()
    await pass(10_000)
    const early = made()
    expect(early).toBeGreaterThan(2)
    expect(early).toBeLessThan(8)
    await pass(60_000)
    expect(made()).toBe(10)
    expect(store.model().tab).toMatchObject({ phase: 'blocked', reload: true })
    await pass(600_000)
    expect(made()).toBe(10)
    page.listeners.get('online')?.({})
    await pass(1000)
    // The deaths before a person tried again count no more
    expect(made()).toBeGreaterThan(11)
  })

  test('dies repeatedly has its log saved and erased by workers without a core', async () => {
    const asked: unknown[][] = []
    const dying = () =>
      createFakeCore(1, {
        standing: () => Promise.reject(new Error('no')),
        recording: async tail => `a recording with ${tail.at(-1)?.type}`,
        erase: async (tab, sure) => {
          asked.push([tab, sure])
          return sure === true
        },
      })
    const { supervisor, core, made, phase } = make(...Array.from({ length: 13 }, () => dying), () => createFakeCore(2))
    supervisor.start()
    await pass(70_000)
    expect(made()).toBe(10)
    expect(await supervisor.recording()).toBe('a recording with tab.blocked')
    expect(await supervisor.erase()).toBe(false)
    // Each such worker ends with its one call, and none starts by itself
    expect([core(10), core(11)].map(one => [one.causes, one.terminated()])).toEqual([
      [['none'], true],
      [['none'], true],
    ])
    await pass(60_000)
    expect([made(), phase()]).toEqual([12, 'blocked'])
    expect(await supervisor.erase(true)).toBe(true)
    expect(asked).toEqual([
      [supervisor.tab, false],
      [supervisor.tab, true],
    ])
    await until('joining a core of the new log', () => phase() === 'attached')
    expect(core(13).causes).toEqual(['lost'])
  })

  test('is unreachable even without a core tells so, and the page stays unchanged', async () => {
    const dying = () => createFakeCore(1, { standing: () => Promise.reject(new Error('no')) })
    const broken = () => createFakeCore(1, { begin: () => new Promise(() => undefined) })
    const { supervisor, core, phase } = make(...Array.from({ length: 10 }, () => dying), broken)
    supervisor.start()
    await pass(70_000)
    const refused = expect(supervisor.recording()).rejects.toMatchObject({ code: 'core_lost' })
    await settle()
    core(10).crash('no')
    await refused
    expect(phase()).toBe('blocked')
  })

  test('lives long between its deaths is always started again', async () => {
    const { supervisor, core, phase, made } = make(() => createFakeCore(1))
    supervisor.start()
    for (let turn = 0; turn < 15; turn++) {
      await until('joining', () => phase() === 'attached')
      await pass(60_000)
      core(turn).crash('gone')
      await pass(500)
    }
    await until('joining', () => phase() === 'attached')
    expect(made()).toBe(16)
  })

  test.each([
    ['whose script never comes', () => createFakeCore(1, { begin: () => new Promise(() => undefined) }), 30_000],
    [
      'that answers nothing once it is begun',
      () => createFakeCore(1, { attach: () => new Promise(() => undefined) }),
      10_000,
    ],
  ])('%s is given up in the end', async (_, silent, limitMs) => {
    const { supervisor, phase, made } = make(silent, () => createFakeCore(2))
    supervisor.start()
    await pass(limitMs - 1000)
    expect(made()).toBe(1)
    await pass(3000)
    await until('joining the next', () => phase() === 'attached')
    expect(made()).toBe(2)
  })

  test('that freezes before its begin is noticed within 7 s', async () => {
    const stuck = () => createFakeCore(1, { begin: () => new Promise(() => undefined) })
    const { supervisor, core, phase, made } = make(stuck, () => createFakeCore(2))
    supervisor.start()
    core(0).steps(0)
    await settle()
    core(0).freeze()
    await pass(7000)
    await until('joining the next', () => phase() === 'attached')
    expect(made()).toBe(2)
  })

  test('is told of the page’s sleep and of a set clock, in either direction', async () => {
    const told: unknown[] = []
    const { supervisor, phase } = make(() => createFakeCore(1, { lifecycle: async change => void told.push(change) }))
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    await pass(10_000)
    expect(told).toEqual([])
    for (const byMs of [36_000_000, -36_000_000]) {
      vi.setSystemTime(Date.now() + byMs)
      await pass(2000)
    }
    expect(told).toEqual([{ resumed: true }, { resumed: true }])
  })

  test('cannot be created tells so', () => {
    const { supervisor, phase } = make(() => {
      throw new Error('refused')
    })
    supervisor.start()
    expect(phase()).toBe('blocked')
  })
})

describe('a tab of another build', () => {
  test('shows why it has no core, for any time, and joins as soon as it may', async () => {
    let turn: (() => void) | undefined
    const kept = () =>
      createFakeCore(1, {
        standing: known =>
          known === undefined
            ? Promise.resolve('otherBuild')
            : new Promise<'joined'>(resolve => (turn = () => resolve('joined'))),
      })
    const { supervisor, store, phase, made } = make(kept)
    supervisor.start()
    await until('elsewhere', () => phase() === 'elsewhere')
    expect(store.model().tab).toMatchObject({ why: 'otherBuild' })
    await pass(300_000)
    expect(phase()).toBe('elsewhere')
    turn?.()
    await until('joining', () => phase() === 'attached')
    expect(made()).toBe(1)
  })

  test.each([
    ['busy', 'An order is open in the other tab. Finish it there, then continue here.'],
    ['silent', 'The other tab does not answer. Close it to continue here.'],
    ['taken', undefined],
  ] as const)('handover: an answer %s is shown in words', async (answer, words) => {
    const kept = () =>
      createFakeCore(1, {
        standing: known => (known === undefined ? Promise.resolve('otherBuild') : new Promise(() => undefined)),
        takeOver: async () => answer,
      })
    const { supervisor, store, phase } = make(kept)
    supervisor.start()
    await until('elsewhere', () => phase() === 'elsewhere')
    const asked = supervisor.takeOver()
    await pass(0)
    await asked
    expect(store.model().toast?.message).toBe(words)
  })

  test('saves a recording with its unshipped page facts, without a core', async () => {
    const tails: string[][] = []
    const kept = () =>
      createFakeCore(1, {
        standing: known => (known === undefined ? Promise.resolve('otherBuild') : new Promise(() => undefined)),
        recording: async tail => {
          tails.push(tail.map(({ type }) => type))
          return 'saved'
        },
      })
    const { supervisor, phase } = make(kept)
    supervisor.start()
    await until('elsewhere', () => phase() === 'elsewhere')
    expect(await supervisor.recording()).toBe('saved')
    expect(tails).toEqual([['tab.elsewhere']])
  })

  test('beside this one is shown, until it closes', async () => {
    const { supervisor, store, core, phase } = make(() => createFakeCore(1))
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    await core(0).port().otherBuild(true)
    expect(store.model().tab).toMatchObject({ phase: 'attached', otherBuild: true })
    await core(0).port().otherBuild(false)
    expect(store.model().tab).not.toHaveProperty('otherBuild')
  })
})

describe('commands', () => {
  test('given before a core wait for it, in order, and each is sent once', async () => {
    const { supervisor, core, phase } = make(() => createFakeCore(1))
    supervisor.command(refresh)
    supervisor.command({ type: 'sale.refresh', data: {} })
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    await settle()
    expect(core(0).commands.map(({ type }) => type)).toEqual(['balance.refresh', 'sale.refresh'])
    expect(new Set(core(0).commands.map(({ ref }) => ref)).size).toBe(2)
  })

  test('that no core takes within 20 s are reported to the person', async () => {
    const { supervisor, store } = make(() => createFakeCore(1, { standing: () => new Promise(() => undefined) }))
    supervisor.start()
    supervisor.command(refresh)
    await pass(19_750)
    expect(store.model().toast).toBeNull()
    await pass(500)
    expect(store.model().toast?.message).toMatch(/did not get through/)
  })

  /** A page attached to the first of these cores. */
  async function joined(...cores: (() => FakeCore)[]) {
    const made = make(...cores)
    made.supervisor.start()
    await until('joining', () => made.phase() === 'attached')
    return made
  }
  type Made = Awaited<ReturnType<typeof joined>>
  async function die({ core, phase }: Made): Promise<void> {
    core(0).crash('gone')
    await pass(1000)
    await until('joining the next', () => phase() === 'attached')
    await settle()
  }
  const never = () => new Promise<never>(() => undefined)
  const refs = ({ core }: Made, index: number) => core(index).commands.map(({ ref, again }) => [ref, again])

  test('without an answer go to the next worker in order, marked as given again, without a notice', async () => {
    const page = await joined(
      () => createFakeCore(1, { command: never }),
      () => createFakeCore(2),
    )
    const { supervisor, core, store, phase } = page
    const [one, two] = [supervisor.give(refresh), supervisor.give(refresh)]
    await settle()
    core(0).crash('gone')
    const three = supervisor.give(refresh)
    await pass(1000)
    await until('joining the next', () => phase() === 'attached')
    await Promise.all([one.taken, two.taken, three.taken])
    expect(refs(page, 1)).toEqual([
      [one.ref, true],
      [two.ref, true],
      [three.ref, undefined],
    ])
    expect(store.model().toast).toBeNull()
  })

  test('that a core loses after the page has joined anew go to it at once', async () => {
    let lose = (_cause: Fault) => undefined as void
    let given = 0
    const page = await joined(() =>
      createFakeCore(1, {
        command(_command, _ref, _tab, again) {
          given += 1
          return again ? Promise.resolve(undefined) : new Promise((_, reject) => (lose = reject))
        },
      }),
    )
    const { taken } = page.supervisor.give(refresh)
    await until('the command', () => given === 1)
    await page.core(0).port().detached()
    lose(new Fault('core_lost', 'the leading tab is gone'))
    await taken
    expect(given).toBe(2)
  })

  test('that are lost once more after 20 s are not given again', async () => {
    const silent = (life: number) => () => createFakeCore(life, { command: never })
    const page = await joined(silent(1), silent(2), silent(3), () => createFakeCore(4))
    const dieAfter = async (ms: number, index: number) => {
      await pass(ms)
      page.core(index).crash('gone')
      await pass(1000)
      await until('joining the next', () => page.made() === index + 2 && page.phase() === 'attached')
    }
    await pass(11_000)
    const { taken } = page.supervisor.give(refresh)
    const ended = expect(taken).rejects.toMatchObject({ code: 'core_lost' })
    await dieAfter(8000, 0)
    await dieAfter(8000, 1)
    await dieAfter(3000, 2)
    await ended
    await settle()
    expect(refs(page, 3)).toEqual([])
  })

  test('that wait for a wallet leave its screen open while they go to the next worker', async () => {
    const page = await joined(
      () => createFakeCore(1, { command: never }),
      () => createFakeCore(2),
    )
    pressOnWallet(page)
    await settle()
    await die(page)
    expect(refs(page, 1)).toMatchObject([[expect.any(String), true]])
    expect(page.store.model().screen.history.map(({ name }) => name)).toEqual(['Connect', 'ConnectingInstalled'])
  })

  test('that a worker acknowledged before its death are given once', async () => {
    const page = await joined(
      () => createFakeCore(1),
      () => createFakeCore(2),
    )
    await page.supervisor.give(refresh).taken
    await die(page)
    expect([refs(page, 0).length, refs(page, 1)]).toEqual([1, []])
  })

  test('that an ending core cannot commit wait for the next', async () => {
    const ending = () => Promise.reject(new Fault('core_lost', 'it has ended'))
    const page = await joined(
      () => createFakeCore(1, { command: ending }),
      () => createFakeCore(2),
    )
    const { ref, taken } = page.supervisor.give(refresh)
    await settle()
    await die(page)
    await taken
    expect(refs(page, 1)).toEqual([[ref, true]])
  })

  test('found in the log by the next core have programs look at the model once they are taken', async () => {
    const page = await joined(
      () => createFakeCore(1, { command: never }),
      () => createFakeCore(2, { command: async () => true }),
    )
    const seen: string[] = []
    const { taken } = page.supervisor.give(refresh)
    page.supervisor.hear(facts => seen.push(`${facts.length} facts`))
    void taken.then(() => seen.push('taken'))
    await settle()
    await die(page)
    await pass(250)
    expect(seen).toEqual(['0 facts', 'taken', '0 facts'])
  })

  test('that are refused are given once', async () => {
    const page = await joined(
      () => createFakeCore(1, { command: () => Promise.reject(new Fault('bad_input', 'no')) }),
      () => createFakeCore(2),
    )
    await expect(page.supervisor.give(refresh).taken).rejects.toMatchObject({ code: 'bad_input', message: 'no' })
    await die(page)
    expect(refs(page, 1)).toEqual([])
  })

  test.each([
    ['memory', 'durable'],
    ['durable', 'memory'],
  ] as const)('are reported to the person, not given again, from a %s log to a %s one', async (before, after) => {
    const page = await joined(
      () => createFakeCore(1, { storage: before, command: never }),
      () => createFakeCore(2, { storage: after }),
    )
    page.supervisor.command(refresh)
    await settle()
    await die(page)
    expect(page.store.model().toast?.message).toMatch(/did not get through/)
    expect(refs(page, 1)).toEqual([])
  })

  test('are not given to the log after an erased one', async () => {
    const page = await joined(
      () => createFakeCore(1, { command: never }),
      () => createFakeCore(1),
    )
    const { taken } = page.supervisor.give(refresh)
    const ended = expect(taken).rejects.toMatchObject({ code: 'core_lost' })
    await settle()
    await page.core(0).port().restart('new')
    await ended
    await pass(1000)
    await until('joining the next', () => page.phase() === 'attached')
    expect(refs(page, 1)).toEqual([])
  })

  test('that wait are not given to another log either', async () => {
    const page = await joined(
      () => createFakeCore(1, { command: () => Promise.reject(new Fault('core_lost', 'it is erased')) }),
      () => createFakeCore(1),
    )
    const { taken } = page.supervisor.give(refresh)
    const ended = expect(taken).rejects.toMatchObject({ code: 'core_lost' })
    await settle()
    await page.core(0).port().restart('new')
    await ended
  })

  test('that are lost are reported when no other core comes within 20 s of the press', async () => {
    const page = await joined(
      () => createFakeCore(1, { command: never }),
      () => createFakeCore(2, { standing: never }),
    )
    page.supervisor.command(refresh)
    await settle()
    page.core(0).crash('gone')
    await pass(19_750)
    expect(page.store.model().toast).toBeNull()
    await pass(500)
    expect(page.store.model().toast?.message).toMatch(/did not get through/)
  })

  test('that a frozen worker leaves unanswered go to the next one', async () => {
    const page = await joined(
      () => createFakeCore(1),
      () => createFakeCore(2),
    )
    await pass(12_000)
    page.core(0).freeze()
    const { ref, taken } = page.supervisor.give(refresh)
    await pass(7250)
    await until('joining the next', () => page.made() === 2 && page.phase() === 'attached')
    await taken
    expect(refs(page, 1)).toEqual([[ref, true]])
  })
})

function pressOnWallet({ supervisor }: ReturnType<typeof make>): void {
  const wallet = { walletId: 'Quill', name: 'Quill' }
  supervisor.dispatch({ type: 'screen.opened', data: { screen: { name: 'Connect' } } })
  supervisor.dispatch({
    type: 'screen.shown',
    data: { screen: { name: 'ConnectingInstalled', wallet, walletKey: 'w1' } },
  })
  supervisor.command({ type: 'connection.connectInstalled', data: { walletKey: 'w1', wallet } })
}

test('supervisor: a lost press on a wallet ends the wait for the wallet’s window', async () => {
  const page = make(
    () => createFakeCore(1, { storage: 'memory', command: () => new Promise(() => undefined) }),
    () => createFakeCore(2),
  )
  page.supervisor.start()
  await until('joining', () => page.phase() === 'attached')
  pressOnWallet(page)
  await settle()
  page.core(0).crash('gone')
  await settle()
  expect(page.store.model().screen.history).toEqual([{ name: 'Connect' }])
  expect(page.store.model().toast?.message).toMatch(/did not get through/)
})

test('supervisor: a quarantined press on a wallet ends the wait for the wallet’s window', async () => {
  const model = emptyCoreModel()
  model.core.storage = 'durable'
  model.core.dropped = { count: 1, input: 'connection.connectInstalled' }
  const page = make(
    () => createFakeCore(1, { command: () => new Promise(() => undefined) }),
    () => createFakeCore(2, { attach: async () => ({ life: 2, seq: 1, model }) }),
  )
  page.supervisor.start()
  await until('joining', () => page.phase() === 'attached')
  pressOnWallet(page)
  await settle()
  page.core(0).crash('gone')
  await pass(1000)
  await until('joining the next', () => page.phase() === 'attached')
  await settle()
  expect(page.store.model().screen.history).toEqual([{ name: 'Connect' }])
  expect(page.store.model().toast?.message).toMatch(/could not be done/)
})

describe('calls of a page', () => {
  test('that read go to the next core; one that erases fails with its own', async () => {
    const never = () => new Promise<never>(() => undefined)
    const { supervisor, core, phase } = make(
      () => createFakeCore(1, { pairingUri: never, answerText: never, erase: never }),
      () => createFakeCore(2, { pairingUri: async topic => `wc:${topic}`, answerText: async () => 'text' }),
    )
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    const reads = [supervisor.core.pairingUri('t'), supervisor.core.answerText('r')]
    const erased = expect(supervisor.core.erase(supervisor.tab)).rejects.toMatchObject({ code: 'core_lost' })
    await settle()
    core(0).crash('gone')
    await erased
    await pass(1000)
    expect(await Promise.all(reads)).toEqual(['wc:t', 'text'])
  })
})

describe('facts of the core', () => {
  test('that arrive before the answer to attach are folded', async () => {
    let go: (() => void) | undefined
    const attaching = () =>
      createFakeCore(1, {
        async attach(_hello, port) {
          void port.facts([fact(1), fact(2)])
          await new Promise<void>(resolve => (go = resolve))
          return { life: 1, seq: 1, model: emptyCoreModel() }
        },
      })
    const { supervisor, store, phase } = make(attaching)
    supervisor.start()
    await until('attaching', () => go)
    await settle()
    go?.()
    await until('joining', () => phase() === 'attached')
    expect(store.folded()).toBe(2)
    expect(store.model().core.faults).toBe(1)
  })

  test('and orders of a core that was given up have no effect', async () => {
    const { supervisor, store, core, performed, phase } = make(
      () => createFakeCore(1),
      () => createFakeCore(2),
    )
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    const old = core(0).port()
    core(0).crash('gone')
    void old.facts([fact(1)]).catch(() => undefined)
    void old.perform({ id: 'e1.2.0' } as PageEffect).catch(() => undefined)
    await pass(1000)
    await until('joining the next', () => phase() === 'attached')
    void old.facts([fact(1)]).catch(() => undefined)
    await settle()
    expect(store.folded()).toBe(0)
    expect(performed).toEqual([])
  })

  test('are joined anew once when two reasons for it come at once', async () => {
    const { supervisor, core, phase } = make(() => createFakeCore(1))
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    await Promise.all([core(0).port().detached(), core(0).port().detached()])
    await settle()
    expect(core(0).hellos).toHaveLength(2)
  })

  test('with one missing are refused, so that the core lets this page join anew', async () => {
    const { supervisor, core, phase, store } = make(() => createFakeCore(1))
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    await expect(
      core(0)
        .port()
        .facts([fact(2)]),
    ).rejects.toThrow('expected fact 1 next')
    await core(0).port().detached()
    expect(core(0).hellos).toHaveLength(2)
    await core(0)
      .port()
      .facts([fact(1)])
    expect(store.folded()).toBe(1)
  })

  test('come from the next worker when a repeated join fails', async () => {
    let joins = 0
    const once = () =>
      createFakeCore(1, {
        async attach() {
          joins += 1
          if (joins > 1) throw new Error('cannot')
          return { life: 1, seq: 0, model: emptyCoreModel() }
        },
      })
    const { supervisor, phase, core, made } = make(once, () => createFakeCore(2))
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    void core(0)
      .port()
      .detached()
      .catch(() => undefined)
    await until('giving it up', () => phase() === 'lost')
    await pass(1000)
    await until('joining the next', () => phase() === 'attached')
    expect(made()).toBe(2)
  })
})

describe('page facts', () => {
  test('are numbered without a gap over deaths and shipped once each', async () => {
    const { supervisor, core, phase } = make(
      () => createFakeCore(1),
      () => createFakeCore(2),
    )
    supervisor.dispatch({ type: 'tab.themed', data: { theme: 'dark' } })
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    await until('shipping', () => supervisor.tail().length === 0)
    core(0).crash('gone')
    supervisor.dispatch({ type: 'tab.themed', data: { theme: 'light' } })
    expect(supervisor.tail().map(({ type }) => type)).toEqual(['tab.coreLost', 'tab.themed'])
    await pass(1000)
    await until('joining the next', () => phase() === 'attached')
    await until('shipping', () => supervisor.tail().length === 0)
    const all = [...core(0).shipped, ...core(1).shipped]
    expect(all.map(({ p }) => p)).toEqual(all.map((_, index) => index + 1))
    expect(all.at(-1)).toMatchObject({ type: 'tab.attached', life: 2, tab: supervisor.tab })
  })

  test('that wait go to the next log unless the record was erased', async () => {
    const { supervisor, core, phase } = make(
      () => createFakeCore(1, { pageFacts: () => new Promise(() => undefined) }),
      () => createFakeCore(2),
    )
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    supervisor.dispatch({ type: 'tab.themed', data: { theme: 'dark' } })
    await core(0).port().restart('another')
    expect(supervisor.tail().map(({ type }) => type)).toContain('tab.themed')
    await core(0).port().restart('new')
  })

  test('say all that the page shows once for every 1,000 facts of the core', async () => {
    const { supervisor, core, phase } = make(() => createFakeCore(1))
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    const restated = () => core(0).shipped.filter(({ type }) => type === 'tab.restated').length
    await core(0)
      .port()
      .facts(Array.from({ length: 1001 }, (_, index) => ({ ...fact(index + 1), type: 'network.offline', data: {} })))
    expect(restated()).toBe(0)
    await pass(8000)
    expect(restated()).toBe(1)
  })

  test('that the core cannot keep are tried again every 2 s, not without pause', async () => {
    let tries = 0
    const full = () =>
      createFakeCore(1, {
        pageFacts() {
          tries += 1
          return Promise.reject(new Error('no room'))
        },
      })
    const { supervisor, phase } = make(full)
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    await settle()
    await settle()
    expect(tries).toBe(1)
    await pass(4000)
    expect(tries).toBe(3)
    expect(supervisor.tail()).toHaveLength(1)
  })

  test('name the last folded fact before them', async () => {
    const { supervisor, store, core, phase } = make(() => createFakeCore(1))
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    await until('shipping', () => supervisor.tail().length === 0)
    // Facts wait in the queue while the page is hidden
    page.visible = false
    await core(0)
      .port()
      .facts([fact(1), fact(2)])
    expect(store.folded()).toBe(0)
    supervisor.dispatch({ type: 'tab.themed', data: { theme: 'dark' } })
    await until('shipping', () => supervisor.tail().length === 0)
    expect(core(0).shipped.at(-1)).toMatchObject({ type: 'tab.themed', after: 2 })
  })
})

describe('wallet prompts', () => {
  test('held by this page are announced to the next core, which gets the answer', async () => {
    const { supervisor, core, performed, held, phase, deliver } = make(
      () => createFakeCore(1),
      () => createFakeCore(2),
    )
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    await core(0)
      .port()
      .perform({ id: 'e1.7.0' } as PageEffect)
    const [key = ''] = performed
    held.asking = [key]
    core(0).crash('gone')
    await expect(deliver()(key, { type: 'wallet.sent', signature: 's' })).rejects.toMatchObject({ code: 'core_lost' })
    held.asking = []
    held.answered = [key]
    await pass(1000)
    await until('joining the next', () => phase() === 'attached')
    expect(core(1).hellos[0]).toMatchObject({ asking: [], answered: ['e1.7.0'] })
    expect(held.redelivered).toBe(2)
    await deliver()(key, { type: 'wallet.sent', signature: 's' })
    expect(core(1).answers).toEqual([{ id: 'e1.7.0', type: 'wallet.sent' }])
  })

  test('of an erased log are neither announced nor mixed up with those of the new one', async () => {
    const { supervisor, core, performed, held, phase, deliver } = make(
      () => createFakeCore(1),
      () => createFakeCore(1),
    )
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    await core(0)
      .port()
      .perform({ id: 'e1.7.0' } as PageEffect)
    held.answered = [...performed]
    expect(await supervisor.erase()).toBe(true)
    await pass(1000)
    await until('joining the next', () => phase() === 'attached')
    expect(core(1).hellos[0]?.answered).toEqual([])
    await core(1)
      .port()
      .perform({ id: 'e1.7.0' } as PageEffect)
    expect(new Set(performed).size).toBe(2)
    await deliver()(performed[0] ?? '', { type: 'wallet.sent', signature: 's' })
    expect(core(1).answers).toEqual([])
  })

  test('stay as they are after a refused erase', async () => {
    const { supervisor, made, phase } = make(() => createFakeCore(1, { erase: async () => false }))
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    expect(await supervisor.erase()).toBe(false)
    expect(made()).toBe(1)
    expect(phase()).toBe('attached')
  })
})

describe('a program on the page', () => {
  test('hears folded facts, also while the page is hidden, and none on a repeated join', async () => {
    const { supervisor, store, core, phase } = make(
      () => createFakeCore(1),
      () => createFakeCore(2),
    )
    const heard: string[] = []
    const stop = supervisor.hear(facts => heard.push(`${facts.map(({ seq }) => seq).join()} at ${store.folded()}`))
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    page.visible = false
    await core(0)
      .port()
      .facts([fact(1), fact(2)])
    expect(heard).toEqual([' at 0', '1,2 at 2'])
    page.visible = true
    await pass(11_000)
    core(0).crash('out of memory')
    vi.advanceTimersByTime(0)
    await until('joining the next', () => phase() === 'attached')
    expect(heard.at(-1)).toBe(' at 0')
    stop()
    await core(1)
      .port()
      .facts([fact(1)])
    expect(heard).toHaveLength(3)
  })

  test('gets the ref of its command, its acknowledgement, or the doubt about it', async () => {
    const { supervisor, store, core, phase } = make(
      () => createFakeCore(1),
      () => createFakeCore(2, { command: () => Promise.reject(new Error('request.send: params expected text')) }),
    )
    supervisor.start()
    await until('joining', () => phase() === 'attached')
    const { ref, taken } = supervisor.give(refresh)
    expect(ref).toMatch(new RegExp(`^${supervisor.tab}\\.c\\d+$`))
    await taken
    expect(core(0).commands).toEqual([{ type: 'balance.refresh', ref }])
    await pass(11_000)
    core(0).crash('out of memory')
    vi.advanceTimersByTime(0)
    await until('joining the next', () => phase() === 'attached')
    const toast = store.model().toast
    await expect(supervisor.give(refresh).taken).rejects.toThrow('request.send: params expected text')
    expect(store.model().toast).toBe(toast)
  })
})
