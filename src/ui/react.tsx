/** Access of components to store and core: selectors, commands, page facts. */
import { createContext, type ReactNode, useContext, useState, useSyncExternalStore } from 'react'
import type { Model, PageFact } from '../events/app.ts'
import type { Command } from '../events/command.ts'
import type { connectorTypes } from '../events/subjects/service/project.ts'
import type { CoreConfig } from '../events/wire.ts'
import type { Store } from './store.ts'
import { InLanguage } from './texts/language.tsx'

/** Settings of the host page for the interface. */
export type UiConfig = {
  /** the token's name until the terms give its symbol */
  appName: string
  termsUrl: string
  privacyUrl: string
  solanaRpcUrl: string
  allWallets: 'SHOW' | 'HIDE' | 'ONLY_MOBILE'
  featured: string[]
  /** the host's order of the rows of Connect, every kind, with the ids of its custom wallets and the names of its connectors */
  order?: { types: (typeof connectorTypes)[number][]; custom: string[]; external: string[] }
  /** networks of the host that are not public, with the first node of each */
  networks?: { caip2: string; name: string; rpcUrl: string }[]
  /** in a host's page: its own wallets, whether it offers to save a recording, stands in the page's flow, and shows alerts for developers; absent in our own page */
  host?: { recording: boolean; embedded?: boolean; basic?: boolean; debug?: boolean; connectors?: object[] }
  /** The only sale to show and sell here; absent without one, or in a replay, which shows any. */
  sale?: CoreConfig['sale']
}

/** Small persistent texts by name, outside the log; without storage `recall` returns undefined. Undefined removes a text. */
export type Device = {
  recall(name: string): string | undefined
  remember(name: string, words: string | undefined): void
}

/** Subject of a picture of the service. */
export type PictureOf = 'wallet' | 'network' | 'connector' | 'currency' | 'token'

/** A link that opens a wallet at a request, and the window it belongs in. */
export type WalletLink = { url: string; target: '_self' | '_blank' | '_top' }

/** Services of the page for components. Inert in a replay. */
export type Surroundings = {
  store: Store
  config: UiConfig
  /** Sends a command to the core; its outcome arrives as facts. */
  command(command: Command): void
  /** Writes a page fact and folds it before returning. */
  dispatch(fact: PageFact): void
  /** The code of a pairing; undefined when it is gone. Never recorded. */
  pairingUri(pairingTopic: string): Promise<string | undefined>
  /** A picture as a blob URL; undefined without one. */
  walletImage(imageId: string): Promise<string | undefined>
  /** The same of a network (CAIP-2), a kind of connector, a currency by its code, a token by its symbol, or a wallet. */
  picture(of: PictureOf, name: string): Promise<string | undefined>
  /** An installed wallet's own icon as a data URL. */
  walletIcon(walletKey: string): string | undefined
  /** Resolves with the link that opens a request's wallet once there is one; undefined without any. May hold a message: never recorded. */
  walletLink(requestId: string): Promise<WalletLink | undefined>
  /** The person pressed that link. */
  walletOpened(requestId: string): void
  /** Opens a link of a wallet in its window. Call it inside the press. */
  open(link: WalletLink): void
  device: Device
  /** Copies text; resolves false if the browser refused. Call it inside the press. */
  copy(text: string): Promise<boolean>
  /** Downloads the recording of this log, without personal values. Resolves with the file's name; in a replay with none. */
  saveRecording(): Promise<string | undefined>
  /** Continues here instead of in the tab of another version, unless an order is open there; that is said in words. */
  takeOver(): Promise<void>
  /** Erases this device's log. Resolves false while an order is open, unless this page keeps failing and `sure` is true. */
  erase(sure?: boolean): Promise<boolean>
  /** Resolves true once every chunk an order needs has loaded. */
  ready(): Promise<boolean>
  /** ms since the Unix epoch; the device's clock may be set at any moment */
  now(): number
  /** ms passed since some moment, whatever the clock says; absent where time is replayed */
  passed?(): number
}

const Surrounding = createContext<Surroundings | null>(null)
/** The model of the first render: a prerendered part is taken over with it, whatever was folded meanwhile. */
const First = createContext<Model | null>(null)

/** Provides store, services and the model's language to all components below. The value never changes, so it re-renders nothing. */
export function StoreProvider({ value, children }: { value: Surroundings; children: ReactNode }) {
  const [first] = useState(() => value.store.model())
  return (
    <Surrounding value={value}>
      <First value={first}>
        <Speaking>{children}</Speaking>
      </First>
    </Surrounding>
  )
}

function Speaking({ children }: { children: ReactNode }) {
  const tag = useModel(model => model.tab.language)
  return <InLanguage tag={tag}>{children}</InLanguage>
}

/** @returns the page's services */
export function useSurroundings(): Surroundings {
  const value = useContext(Surrounding)
  if (!value) throw new Error('this component expected a StoreProvider above it, found none')
  return value
}

/** Reads one part of the model. `select` must return a part or a primitive, so that unrelated facts re-render nothing. */
export function useModel<T>(select: (model: Model) => T): T {
  const { store } = useSurroundings()
  const first = useContext(First)
  return useSyncExternalStore(
    store.subscribe,
    () => select(store.model()),
    () => select(first ?? store.model()),
  )
}

/** @returns the function that sends commands */
export function useCommand(): (command: Command) => void {
  return useSurroundings().command
}

/** @returns the function that writes page facts */
export function useDispatch(): (fact: PageFact) => void {
  return useSurroundings().dispatch
}
