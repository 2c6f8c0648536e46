/** How components read and act: by a selector over the store, by commands, by page facts. */
import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react'
import type { Model, PageFact } from '../events/app.ts'
import type { Command } from '../events/command.ts'
import type { CoreConfig } from '../events/wire.ts'
import type { Store } from './store.ts'

/** What the host page decided about the interface. */
export type UiConfig = {
  /** the token's name, shown until the terms say its symbol */
  appName: string
  termsUrl: string
  privacyUrl: string
  solanaRpcUrl: string
  allWallets: 'SHOW' | 'HIDE' | 'ONLY_MOBILE'
  featured: string[]
  /** The one sale that may be shown and bought of here; absent where there is none, or where any is replayed. */
  sale?: CoreConfig['sale']
}

/** A few words this device remembers by name, outside the log; one that keeps nothing answers undefined. */
export type Device = { recall(name: string): string | undefined; remember(name: string, words: string): void }

/** What components may ask of the page around them. In a replay each of these is inert. */
export type Surroundings = {
  store: Store
  config: UiConfig
  /** Sends a command to the core; what becomes of it arrives as facts. */
  command(command: Command): void
  /** Writes a page fact; it is folded before this returns. */
  say(fact: PageFact): void
  /** The code behind a pairing; undefined when it is gone. Never recorded. */
  pairingUri(pairingTopic: string): Promise<string | undefined>
  /** A picture as a blob address; undefined when there is none. */
  walletImage(imageId: string): Promise<string | undefined>
  /** An announced wallet's own icon as a data address. */
  walletIcon(walletKey: string): string | undefined
  device: Device
  /** Puts text on the clipboard; false when the browser refused. Call it inside the press. */
  copy(text: string): Promise<boolean>
  /** Downloads the recording of this log, without personal values. */
  saveRecording(): Promise<void>
  /** Erases this device's record; false while an order is open, unless this page keeps failing and one is `sure`. */
  erase(sure?: boolean): Promise<boolean>
  /** Resolves true when every part of the page that an order needs is loaded. */
  ready(): Promise<boolean>
  /** ms since the Unix epoch */
  now(): number
}

const Surrounding = createContext<Surroundings | null>(null)

/** Hands the store and the page's services to everything below. The value never changes, so nothing redraws by it. */
export function StoreProvider({ value, children }: { value: Surroundings; children: ReactNode }) {
  return <Surrounding value={value}>{children}</Surrounding>
}

/** @returns the page's services */
export function useSurroundings(): Surroundings {
  const value = useContext(Surrounding)
  if (!value) throw new Error('this component expected a StoreProvider above it, found none')
  return value
}

/** Reads one piece of the model. `select` returns a piece of it or a primitive, so that unrelated facts redraw nothing. */
export function useModel<T>(select: (model: Model) => T): T {
  const { store } = useSurroundings()
  return useSyncExternalStore(store.subscribe, () => select(store.model()))
}

/** @returns the function that sends commands */
export function useCommand(): (command: Command) => void {
  return useSurroundings().command
}

/** @returns the function that writes page facts */
export function useSay(): (fact: PageFact) => void {
  return useSurroundings().say
}
