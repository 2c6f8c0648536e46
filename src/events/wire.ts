/**
 * The one interface that crosses between page and worker. Comlink carries it; every call has a deadline on the caller's side.
 * Failures of commands come back as facts, not as rejections.
 */
import type { CoreModel } from './app.ts'
import type { Command } from './command.ts'
import type { EffectData, PageEffectType } from './effect.ts'
import type { FactRecord, PageRecord } from './log/record.ts'

/** Addresses and the host's choices: everything the core must be told to begin. */
export type CoreConfig = {
  /** hash of the page's sources */
  appBuild: string
  /** hash of the core's sources */
  coreBuild: string
  projectId: string
  relayUrls: string[]
  /** JSON-RPC of the chain; this device's log is found by it */
  solanaRpcUrl: string
  /** Further endpoints of the same chain: asked when the first fails, and each must agree before an order counts as expired. */
  moreRpcUrls?: string[]
  apiUrl: string
  /** JSON-RPC addresses of Ethereum chains, by CAIP-2 id; a contract wallet's signature can be checked only where there is one */
  evmRpcUrls?: Record<string, string>
  termsUrl: string
  /** The one sale whose terms are taken, whoever serves them; absent: this page has no sale and reads no terms. */
  sale?: { authority: string; id: string }
  featured: string[]
  /** The verify service's address, without its version; absent: no message is witnessed. A host that sets it allows its frame. */
  verifyUrl?: string
  /** The verify service's public key; absent: it is read from the service when there is something to check. */
  verifyKey?: { x: string; y: string }
  /** Absent: no messages by links. `universal` is this page's own link, `apps` those of wallets known to take messages by theirs. */
  links?: { universal: string; apps: string[] }
  metadata: { name: string; description: string; url: string; icons: string[] }
}

/** What a host chooses: how the page is called, and what only some hosts have. */
export type HostChoice = Pick<CoreConfig, 'featured' | 'metadata'> &
  Partial<Pick<CoreConfig, 'links' | 'verifyUrl' | 'verifyKey' | 'evmRpcUrls' | 'sale'>>

/** What a page says of itself when it joins. `asking` and `answered` are ids of page effects it holds. */
export type PageHello = {
  tab: string
  language: string
  timeZone: string
  visible: boolean
  online: boolean
  asking: string[]
  answered: string[]
  /** Number of the input in whose step the core before this one ended, as far as this page can tell; 0 for none. */
  diedInStep?: number
  /** Number of the last life this page knew, 0 for none: one that was not kept on disk is known to pages alone. */
  lastLife?: number
  /** Names this page's worker among all of the origin, and the one that the page gave up before it, if it did. */
  worker?: string
  ended?: string
}

/** The lock that a worker holds from before it joins until it ends, however it ends. */
export const lifeLock = (worker: string): string => `mai-peer-${worker}`

/** The core as it stands: facts that follow continue from `seq`. */
export type Attached = { life: number; seq: number; model: CoreModel }

/** An order to a page driver; `bytes` is the transaction an effect's `bytesRef` names. */
export type PageEffect = {
  [T in PageEffectType]: { id: string; type: T; data: EffectData[T]; bytes?: Uint8Array }
}[PageEffectType]

/** The answer of a page driver. `bytes` is what a wallet signed; the worker decodes it. */
export type PageAnswer =
  | {
      type: 'wallet.connected'
      accounts: string[]
      features: ('signTransaction' | 'signAndSendTransaction' | 'signMessage')[]
      identity?: string
    }
  | { type: 'wallet.signed'; bytes: Uint8Array }
  | { type: 'wallet.sent'; signature: string }
  | { type: 'wallet.changed'; connectionId: string; accounts: string[] }
  | { type: 'link.opened' }
  /** empty when the service witnessed nothing */
  | { type: 'attest.got'; messageRef: string; jwt: string }
  | { type: 'link.skipped'; why: 'noFocus' | 'noPress' | 'refused' | 'again' }
  | { type: 'wallet.failed'; failure: { code: import('./failure.ts').FailureCode; message: string } }

/** What the worker may call on a page. `facts` resolves on receipt: that is the credit for the next batch. */
export type PagePort = {
  facts(batch: FactRecord[]): Promise<void>
  perform(effect: PageEffect): Promise<void>
  /** The outbox overflowed or the page was silent: attach anew. */
  detached(): Promise<void>
  /** The log is another one from now on, because this one was erased or its chain is another: start a fresh worker. */
  restart(erased: boolean): Promise<void>
  /** Whether a tab with another build of this page is open beside this one. */
  otherBuild(open: boolean): Promise<void>
}

/**
 * How this worker stands to the origin's one core: joined to it, wherever it runs, or kept from it by a tab of another
 * build that has it, or by a browser without locks, in which one tab works.
 */
export type Standing = 'joined' | 'otherBuild' | 'oneTab'

/** A question to a chain's node; `params` is plain JSON. The address may carry a key. */
export type ChainQuestion = { url: string; method: string; params: unknown }
/** `error` as the node gave it, or in the provider's codes when it could not be asked; `data` then has the HTTP `status`. */
export type ChainAnswer = { result: unknown } | { error: { code: number; message: string; data?: unknown } }

/** A link that this page was opened with; its message is opened before anything is written down. */
export type LinkReceived = { type: 'link.received'; data: { url: string } }

export type Core = {
  /** Takes the settings and sets out to lead or to follow; for `none` it does not: then only `recording` and `erase` work. */
  begin(config: CoreConfig, hello: PageHello, cause: 'start' | 'lost' | 'none'): Promise<void>
  /** Resolves, however late, when the standing is known and another than `known`. A page may attach when it is `joined`. */
  standing(known?: Standing): Promise<Standing>
  /** Joins a page. The same call serves the first load and every time after a loss. */
  attach(hello: PageHello, port: PagePort): Promise<Attached>
  /** Takes a command; resolves when its input is in the core, with what it caused still on its way. */
  command(command: Command | LinkReceived, ref: string, tab: string): Promise<void>
  /** Takes the answer of a page effect; resolves when it is committed. */
  answer(effectId: string, answer: PageAnswer, tab: string): Promise<void>
  /** Takes this page's own facts into the log; resolves when they are committed. */
  pageFacts(records: PageRecord[]): Promise<void>
  /** What happened to the page: visible, online, resumed. */
  lifecycle(change: { visible?: boolean; online?: boolean; resumed?: true }, tab: string): Promise<void>
  /** The pairing code for the QR; undefined when the vault no longer has it. Never recorded. */
  pairingUri(pairingTopic: string): Promise<string | undefined>
  /** A wallet's long answer that a request's `resultRef` names, as JSON text; undefined when it is not kept any more. */
  answerText(resultRef: string): Promise<string | undefined>
  /**
   * Asks a chain's node over HTTP, for methods that no wallet approved. A plain call beside the log, with nothing recorded: what
   * a host reads of a chain changes nothing this page knows, so a replay misses nothing, and the address, which may carry a
   * key, must not be on record. This page's own worker asks, also while another tab leads, so that no channel hears it.
   */
  readChain(question: ChainQuestion): Promise<ChainAnswer>
  /** The log as a recording file's text, also while there is no core. `tail` are page facts not yet shipped. */
  recording(tail: PageRecord[]): Promise<string>
  /**
   * Erases this device's record, and every page but the one that asks is told; false while an order is open. Where no core
   * can follow that order any more, `sure` erases it, too.
   */
  erase(tab: string, sure?: boolean): Promise<boolean>
  /** Loads every part of the core that an order needs; false when a part is gone from the server. */
  ready(): Promise<boolean>
  ping(): Promise<number>
}
