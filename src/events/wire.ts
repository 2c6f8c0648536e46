/**
 * The interface between page and worker, carried by Comlink. The caller sets a deadline for every call. Failures of commands
 * come back as facts, not as rejections.
 */
import type { AnalyticsOptions } from './analytics/catalogue.ts'
import type { CoreModel } from './app.ts'
import type { Command } from './command.ts'
import type { AnalyticsTerms } from './subjects/service/analytics.ts'
import type { EffectData, PageEffectType } from './effect.ts'
import type { AccountLabel, WalletFeature } from './schema/fields.ts'
import type { HostFeatures } from './subjects/service/project.ts'
import type { skippedFor } from './subjects/wallet/linkFacts.ts'
import type { FailureCode } from '../runtime/failure.ts'
import {
  type AttachedTo,
  type CallRule,
  type CoreOf,
  type Hello,
  namesOfCore,
  ownCalls,
  type PortOf,
} from '../runtime/wire.ts'

/** Addresses and the host's choices: everything the core needs to start. */
export type CoreConfig = {
  /** hash of the page's sources */
  appBuild: string
  /** hash of the core's sources */
  coreBuild: string
  projectId: string
  relayUrls: string[]
  /** JSON-RPC of the chain; it names this device's log */
  solanaRpcUrl: string
  /** Further endpoints of the same chain: used when the first fails, and each must agree before an order counts as expired. */
  moreRpcUrls?: string[]
  /** How calls of the chain share a request; see `ModalConfig`. */
  rpcBatch?: { waitMs?: number; most?: number }
  /**
   * Networks to choose from beside that of `solanaRpcUrl`, each with its endpoints in order; that network's own entry, if there
   * is one, changes nothing. Absent: no choice.
   */
  networks?: { genesisHash: string; rpcUrls: string[] }[]
  /** Blockchain API */
  apiUrl: string
  /** wallet directory, wallet images and the project's configuration */
  configUrl: string
  /** JSON-RPC addresses of Ethereum chains, by CAIP-2 id; a contract wallet's signature can be checked only on these */
  evmRpcUrls?: Record<string, string>
  termsUrl: string
  /** The one sale whose terms are accepted, from any server; absent: this page has no sale and reads no terms. */
  sale?: {
    authority: string
    id: string
    /** the first endpoint's socket, over which news of the treasury make the next reading come earlier */
    socketUrl?: string
    /** purchases assert that the treasury does not exceed the cap, where the chain has the program for it */
    guard?: true
  }
  featured: string[]
  /** ids of listed wallets that are left out, and those the list is limited to */
  excluded?: string[]
  included?: string[]
  /** Wallets of the host beside the directory, in the directory's own fields; `featured` has their ids. */
  customWallets?: CustomWallet[]
  /** A wallet's universal link for messages comes before its app's own link. */
  preferUniversalLinks?: boolean
  /** The device is handheld: its links open apps. */
  onPhone?: boolean
  /**
   * The verify service's address, without its version; absent: no message is attested. A host that sets it allows its frame.
   */
  verifyUrl?: string
  /** The verify service's public key; absent: it is fetched from the service when there is something to check. */
  verifyKey?: { x: string; y: string }
  /**
   * Absent: no messages by link. `universal` is this page's own link, `apps` those of wallets known to accept messages by
   * theirs.
   */
  links?: { universal: string; apps: string[] }
  metadata: { name: string; description: string; url: string; icons: string[] }
  /** The host's features; absent: nothing is set. */
  features?: HostFeatures
  /** First word on a feature that the host sets and the project's configuration lists; default `host`. */
  remoteFeatures?: 'host' | 'service'
  /** WalletConnect only: what the project's configuration decides is off, and it is not read. */
  basic?: boolean
  /** Analytics of this page; absent: none. */
  analytics?: AnalyticsConfig
}

/** `pageUrl` is the page without query and fragment; `options` are those of the host that leave with `INITIALIZE`. */
type AnalyticsConfig = {
  url: string
  pageUrl: string
  terms: AnalyticsTerms
  options: AnalyticsOptions
}

/** A wallet that the directory does not list; links are checked like the directory's. `image_url`: its picture, fetched by the page. */
export type CustomWallet = { id: string; name: string } & Partial<
  Record<
    | 'homepage'
    | 'image_url'
    | 'mobile_link'
    | 'desktop_link'
    | 'webapp_link'
    | 'app_store'
    | 'play_store'
    | 'chrome_store'
    | 'rdns',
    string
  >
>

/** @returns the picture id of a host's own wallet, by its place among them */
export const customImageId = (place: number): string => `custom-${place}`

/** A host's choice of analytics; see `ModalConfig`. */
export type AnalyticsChoice = { consent?: 'given' | 'later'; events?: boolean; errorReports?: boolean }

/**
 * A network that a host lists. A public one is known by its `caip2`; any other needs `genesisHash` and `rpcUrls`. The platform's
 * node follows the given ones.
 */
export type NetworkChoice = { caip2: string; genesisHash?: string; name?: string; rpcUrls?: string[] }

/** A host's choices: its metadata and featured wallets, and options that only some hosts use. */
export type HostChoice = Pick<CoreConfig, 'featured' | 'metadata'> &
  Partial<
    Pick<
      CoreConfig,
      | 'excluded'
      | 'included'
      | 'preferUniversalLinks'
      | 'customWallets'
      | 'links'
      | 'verifyUrl'
      | 'verifyKey'
      | 'evmRpcUrls'
      | 'rpcBatch'
      | 'sale'
      | 'features'
      | 'remoteFeatures'
      | 'basic'
    >
  > & {
    /** `themeMode`: the host's, told with `INITIALIZE` */
    analytics?: AnalyticsChoice & { themeMode?: 'light' | 'dark' | 'system' }
    networks?: NetworkChoice[]
  }

/** A page's introduction. */
export type PageHello = Hello & { language: string; timeZone: string; online: boolean }

/** The holder leads. Its name never changes, so that every build waits for the same lock. */
export const leadLock = 'mai-core'
/** The lock that a worker holds from before it attaches until it ends, in whatever way. */
export const lifeLock = (worker: string): string => `mai-peer-${worker}`

export type Attached = AttachedTo<CoreModel>

/** An order to a page driver; `bytes` is the transaction an effect's `bytesRef` names. */
export type PageEffect = {
  [T in PageEffectType]: { id: string; type: T; data: EffectData[T]; bytes?: Uint8Array }
}[PageEffectType]

/** The answer of a page driver. `bytes` is the transaction a wallet signed; the worker decodes it. */
export type PageAnswer =
  | {
      type: 'wallet.connected'
      accounts: string[]
      labels?: AccountLabel[]
      features: WalletFeature[]
      identity?: string
    }
  | { type: 'wallet.signed'; bytes: Uint8Array }
  | { type: 'wallet.sent'; signature: string }
  | { type: 'wallet.changed'; connectionId: string; accounts: string[]; labels?: AccountLabel[] }
  | { type: 'link.opened' }
  /** empty when the service attests nothing */
  | { type: 'attest.got'; messageRef: string; jwt: string }
  | { type: 'link.skipped'; why: (typeof skippedFor)[number] }
  | { type: 'wallet.failed'; failure: { code: FailureCode; message: string } }

/** Calls of the worker on a page. */
export type PagePort = PortOf<PageEffect>

/**
 * A question to a chain's node; `params` is plain JSON. The address may carry a key. `ping`: a node that has not answered yet is
 * probed first.
 */
export type ChainQuestion = { url: string; method: string; params: unknown; ping?: true }
/** `error` as the node gave it, or in the provider's codes when the call failed; `data` then has the HTTP `status`. */
export type ChainAnswer = { result: unknown } | { error: { code: number; message: string; data?: unknown } }

/** A link that opened this page; its message is opened before anything is recorded. */
export type LinkReceived = { type: 'link.received'; data: { url: string } }

/** The types of this interface. */
export type Wire = {
  model: CoreModel
  config: CoreConfig
  hello: PageHello
  command: Command | LinkReceived
  pageEffect: PageEffect
  pageAnswer: PageAnswer
  lifecycle: { visible?: boolean; online?: boolean; resumed?: true }
  calls: {
    /** The pairing code for the QR; undefined when the vault no longer has it. Never recorded. */
    pairingUri(pairingTopic: string): Promise<string | undefined>
    /** A wallet's long answer, named by a request's `resultRef`, as JSON text; undefined once it was evicted. */
    answerText(resultRef: string): Promise<string | undefined>
    /** Loads every part of the core that an order needs; false when a part is gone from the server. */
    ready(): Promise<boolean>
  }
}

/**
 * `erase` ends all sessions first, and is refused while an order or a host's payment request is open; see `latePayment.ts` for what a
 * person confirms before. `takeOver` is answered
 * `busy` while an order is open in the other tab.
 */
export type Core = CoreOf<Wire> & {
  /**
   * Calls a chain's node over HTTP, for methods that no wallet approved. A plain call beside the log, with nothing recorded: a
   * host's reading of a chain changes nothing in the model, so a replay misses nothing, and the address, which may carry a key,
   * must not be on record. This page's own worker makes the call, also while another tab leads, so that no channel carries the
   * address.
   */
  readChain(question: ChainQuestion): Promise<ChainAnswer>
}

/** The calls of `Core`. The page's port, its retries, the worker's forwarding and the calls between tabs derive from it. */
export const coreCalls = {
  ...ownCalls,
  pairingUri: { by: 'core', ms: 10_000, again: 'read', secret: true },
  answerText: { by: 'core', ms: 10_000, again: 'read' },
  // Four tries of 10 s each and the waits between them, or the wait that a server asked for
  readChain: { by: 'worker', ms: 75_000 },
  ready: { by: 'core', ms: 30_000, again: 'read' },
} as const satisfies { [name in keyof Core]: CallRule }

type CoreCallName = keyof typeof coreCalls
/** Names of the calls that the core answers. */
export type CoreName = {
  [name in CoreCallName]: (typeof coreCalls)[name]['by'] extends 'core' ? name : never
}[CoreCallName]

export const coreNames = namesOfCore(coreCalls) as CoreName[]
