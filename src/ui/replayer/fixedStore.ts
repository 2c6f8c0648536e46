/** A read-only store over a given model: screens read it like any other, and their actions do nothing. */
import type { Model } from '../../events/app.ts'
import type { Surroundings, UiConfig } from '../react.tsx'
import type { Store } from '../store.ts'

type FixedStore = Store & {
  /** Shows another model and its time, ms since the Unix epoch. */
  show(model: Model, at: number): void
  at(): number
}

/** Makes a store around a model and a time. */
export function fixedStore(first: Model, firstAt: number): FixedStore {
  let model = first
  let time = firstAt
  const listeners = new Set<() => void>()
  const nothing = () => undefined
  return {
    model: () => model,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    at: () => time,
    show(next, at) {
      time = at
      if (next === model) return
      model = next
      for (const listener of listeners) listener()
    },
    take: nothing,
    foldBy: nothing,
    dispatch: nothing,
    attach: nothing,
    flush: nothing,
    folded: () => 0,
  }
}

const config: UiConfig = {
  appName: 'MAI',
  termsUrl: '',
  privacyUrl: '',
  solanaRpcUrl: '',
  allWallets: 'SHOW',
  featured: [],
}

/** Inert services: no command leaves, no picture loads, nothing is copied or persisted. */
export function inert(store: FixedStore): Surroundings {
  const nothing = () => undefined
  return {
    store,
    config,
    now: store.at,
    command: nothing,
    dispatch: nothing,
    pairingUri: async () => undefined,
    walletImage: async () => undefined,
    picture: async () => undefined,
    walletIcon: nothing,
    walletLink: async () => undefined,
    walletOpened: nothing,
    open: nothing,
    device: { recall: nothing, remember: nothing },
    copy: async () => false,
    saveRecording: async () => undefined,
    takeOver: async () => undefined,
    erase: async () => false,
    ready: async () => true,
  }
}
