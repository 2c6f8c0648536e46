/** A modal whose code is loaded later: calls wait, listeners are handed over, failures are told and retried. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { HostModal, ModalState } from '../../../src/main/embed/hostModal.ts'
import { type DeferredModal, deferModal } from '../../../src/main/package/deferredModal.ts'

const config = { projectId: 'p1', metadata: { name: 'Host', description: '', url: 'https://host.example', icons: [] } }

/** A modal that notes its calls. */
function noting() {
  const calls: string[] = []
  const watchers: ((state: ModalState) => void)[] = []
  const listeners: ((news: never) => void)[] = []
  const note = (name: string) => void calls.push(name)
  const state = { open: false, themeMode: 'dark', account: { address: 'A' } } as ModalState
  const modal = {
    open: async (view?: string) => {
      note(`open ${view}`)
      return { outcome: 'dismissed' }
    },
    close: () => note('close'),
    subscribe: (watch: (state: ModalState) => void) => (watchers.push(watch), () => note('unsubscribe')),
    on: (event: string, listener: (news: never) => void) => {
      note(`on ${event}`)
      listeners.push(listener)
      return () => note(`off ${event}`)
    },
    getState: () => state,
    getWalletInfo: () => ({ name: 'Quill', connector: 'installed', walletId: 'Quill' }),
    setThemeMode: (mode: string) => note(`mode ${mode}`),
    consent: (given: boolean) => note(`consent ${given}`),
    destroy: () => note('destroy'),
  } as unknown as HostModal
  return { modal, calls, watchers, listeners, state }
}

let told: string[]
beforeEach(() => {
  told = []
  vi.spyOn(console, 'error').mockImplementation((sentence: string) => void told.push(sentence))
})
afterEach(() => void vi.restoreAllMocks())

function deferred(): { modal: DeferredModal; arrive(): void; real: ReturnType<typeof noting>; loads: () => number } {
  const real = noting()
  let arrive = () => undefined as void
  const loaded = new Promise<{ createModal(): HostModal }>(resolve => {
    arrive = () => resolve({ createModal: () => real.modal })
  })
  const loading = vi.fn(() => loaded)
  const modal = deferModal(loading, config)
  return {
    modal,
    real,
    arrive,
    loads: () => loading.mock.calls.length,
  }
}

test('deferred modal: nothing loads on a server, and there is no account', () => {
  const { modal, loads } = deferred()
  expect(modal.getState()).toMatchObject({ open: false, account: { isConnected: false, status: 'disconnected' } })
  expect(modal.getState()).toBe(modal.getState())
  expect([modal.getWalletInfo(), loads()]).toEqual([undefined, 0])
})

test('deferred modal: calls before its code wait for it, in order, and load it once', async () => {
  const { modal, real, arrive, loads } = deferred()
  const heard: unknown[] = []
  modal.on('closed', () => heard.push('closed'))
  const leave = modal.on('view', () => heard.push('view'))
  leave()
  modal.subscribe(state => heard.push(state))
  modal.setThemeMode('dark')
  modal.consent(true)
  const opened = modal.open('Account')
  arrive()
  expect(await opened).toEqual({ outcome: 'dismissed' })
  expect(real.calls).toEqual(['on closed', 'mode dark', 'consent true', 'open Account'])
  real.listeners[0]?.(undefined as never)
  expect(heard).toEqual([real.state, 'closed'])
  expect([modal.getState(), modal.getAccount().address, modal.getWalletInfo()?.name]).toEqual([
    real.state,
    'A',
    'Quill',
  ])
  const changed = { ...real.state, open: true }
  real.watchers[0]?.(changed)
  expect([modal.getState(), heard.at(-1), loads()]).toEqual([changed, changed, 1])
})

test('deferred modal: close takes back an opening that waits, destroy ends it without creating the modal', async () => {
  const { modal, real, arrive } = deferred()
  const taken = modal.open()
  modal.close()
  const kept = modal.open('AllWallets')
  arrive()
  expect(await taken).toEqual({ outcome: 'dismissed' })
  await kept
  expect(real.calls).toEqual(['open AllWallets'])
  void modal.open('Account')
  modal.close()
  expect(real.calls).toEqual(['open AllWallets', 'open Account', 'close'])

  const other = deferred()
  const waiting = other.modal.open()
  other.modal.destroy()
  other.arrive()
  await expect(waiting).rejects.toMatchObject({ code: 'unsupported' })
  await expect(other.modal.ready()).rejects.toThrow('it was destroyed')
  expect(other.real.calls).toEqual([])
})

test('deferred modal: a missing file rejects the call, and the next one loads again', async () => {
  const real = noting()
  const load = vi
    .fn<() => Promise<{ createModal(): HostModal }>>()
    .mockRejectedValueOnce(new TypeError('Failed to fetch'))
    .mockResolvedValue({ createModal: () => real.modal })
  const modal = deferModal(load, config)
  await expect(modal.open()).rejects.toMatchObject({ code: 'reload_needed' })
  await expect(modal.open()).resolves.toEqual({ outcome: 'dismissed' })
  expect(load).toHaveBeenCalledTimes(2)
})

test('deferred modal: a config that is refused rejects, and calls without a promise say so in the console', async () => {
  const refuse = () => {
    throw Object.assign(new Error('createModal: sale.id expected a value, got undefined'), { code: 'bad_input' })
  }
  const modal = deferModal(async () => ({ createModal: refuse }), config)
  await expect(modal.ready()).rejects.toThrow()
  modal.setThemeMode('dark')
  await expect.poll(() => told).toHaveLength(1)
})

test('deferred modal: a listener that throws is reported and costs the others nothing', async () => {
  const reported = vi.fn()
  vi.stubGlobal('reportError', reported)
  const real = noting()
  const create = vi.fn(() => real.modal)
  const modal = deferModal(async () => ({ createModal: create }), config)
  const heard: ModalState[] = []
  const broken = new Error('the host has a fault')
  modal.subscribe(() => {
    throw broken
  })
  modal.subscribe(state => heard.push(state))
  expect(await modal.open()).toEqual({ outcome: 'dismissed' })
  await modal.ready()
  expect([heard, reported.mock.calls, create.mock.calls.length]).toEqual([[real.state], [[broken]], 1])
  vi.unstubAllGlobals()
})

test('deferred modal: a failure behind its creation creates no second modal', async () => {
  const real = noting()
  const subscribe = real.modal.subscribe
  real.modal.subscribe = vi.fn(subscribe).mockImplementationOnce(() => {
    throw new Error('not yet')
  })
  const create = vi.fn(() => real.modal)
  const modal = deferModal(async () => ({ createModal: create }), config)
  await expect(modal.ready()).rejects.toThrow()
  await modal.ready()
  expect(create).toHaveBeenCalledTimes(1)
})

test('deferred modal: a wrong value throws once its code is here, before that the console says so', async () => {
  const { modal, real, arrive } = deferred()
  const refused = "setThemeMode: themeMode expected light or dark or system, got 'blue'"
  real.modal.setThemeMode = () => {
    throw new Error(refused)
  }
  modal.setThemeMode('blue' as 'dark')
  arrive()
  await expect.poll(() => told).toEqual([refused])
  expect(() => modal.setThemeMode('blue' as 'dark')).toThrow(refused)
})
