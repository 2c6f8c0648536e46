/**
 * The interface between page and worker, carried by Comlink. The caller sets a deadline for every call. Failures of commands
 * come back as facts, not as rejections.
 */
import type { AnalyticsOptions } from './analytics/catalogue.ts'
import type { CoreModel } from './app.ts'
import type { Command } from './command.ts'
import type { AnalyticsTerms } from './subjects/analytics.ts'
import type { EffectData, PageEffectType } from './effect.ts'
import type { FactRecord, SentPageFact } from '../runtime/log/record.ts'

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
  /** wallet directory and wallet images */
  configUrl: string
  /** JSON-RPC addresses of Ethereum chains, by CAIP-2 id; a contract wallet's signature can be checked only on these */
  evmRpcUrls?: Record<string, string>
  termsUrl: string
  /** The one sale whose terms are accepted, from any server; absent: this page has no sale and reads no terms. */
  sale?: { authority: string; id: string }
  featured: string[]
  /** ids of listed wallets that are left out, and those the list is limited to */
  excluded?: string[]
  included?: string[]
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

/** A host's choice of analytics; see `ModalConfig`. */
export type AnalyticsChoice = { consent?: 'given' | 'later'; events?: boolean; errorReports?: boolean }

/** A host's choices: its metadata and featured wallets, and options that only some hosts use. */
export type HostChoice = Pick<CoreConfig, 'featured' | 'metadata'> &
  Partial<Pick<CoreConfig, 'excluded' | 'included' | 'links' | 'verifyUrl' | 'verifyKey' | 'evmRpcUrls' | 'sale'>> & {
    analytics?: AnalyticsChoice
  }

/** A page's introduction when it attaches. `asking` and `answered` are ids of page effects it holds. */
export type PageHello = {
  tab: string
  language: string
  timeZone: string
  visible: boolean
  online: boolean
  asking: string[]
  answered: string[]
  /** Number of the input in whose step the previous core ended, as far as this page knows; 0 for none. */
  diedInStep?: number
  /** Number of the last life this page knew, 0 for none: only pages know of a life that was not persisted. */
  lastLife?: number
  /** Identifies this page's worker within the origin, and the one that the page gave up before it, if any. */
  worker?: string
  ended?: string
}

/** The lock that a worker holds from before it attaches until it ends, in whatever way. */
export const lifeLock = (worker: string): string => `mai-peer-${worker}`

/** The core's model; facts that follow continue from `seq`. */
export type Attached = { life: number; seq: number; model: CoreModel }

/** An order to a page driver; `bytes` is the transaction an effect's `bytesRef` names. */
export type PageEffect = {
  [T in PageEffectType]: { id: string; type: T; data: EffectData[T]; bytes?: Uint8Array }
}[PageEffectType]

/** The answer of a page driver. `bytes` is the transaction a wallet signed; the worker decodes it. */
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
  /** empty when the service attests nothing */
  | { type: 'attest.got'; messageRef: string; jwt: string }
  | { type: 'link.skipped'; why: 'noFocus' | 'noPress' | 'refused' | 'again' }
  | { type: 'wallet.failed'; failure: { code: import('../runtime/failure.ts').FailureCode; message: string } }

/** Calls of the worker on a page. `facts` resolves on receipt: that is the credit for the next batch. */
export type PagePort = {
  facts(batch: FactRecord[]): Promise<void>
  perform(effect: PageEffect): Promise<void>
  /** The outbox overflowed or the page was silent: attach again. */
  detached(): Promise<void>
  /** Another log is in use from now on, because this one was erased or its chain is another: start a fresh worker. */
  restart(erased: boolean): Promise<void>
  /** Whether a tab with another build of this page is open beside this one. */
  otherBuild(open: boolean): Promise<void>
}

/**
 * This worker and the origin's one core: joined to it, in whichever tab it runs, or shut out by a tab of another build, or by a
 * browser without locks, in which one tab works.
 */
export type Standing = 'joined' | 'otherBuild' | 'oneTab'

/**
 * How the leader of another build answered: `taken`, this tab leads now; `busy`, an order is open there; `silent`, it does
 * not answer or knows no handover, so its tab has to be closed.
 */
export type Handover = 'taken' | 'busy' | 'silent'

/** A question to a chain's node; `params` is plain JSON. The address may carry a key. */
export type ChainQuestion = { url: string; method: string; params: unknown }
/** `error` as the node gave it, or in the provider's codes when the call failed; `data` then has the HTTP `status`. */
export type ChainAnswer = { result: unknown } | { error: { code: number; message: string; data?: unknown } }

/** A link that opened this page; its message is opened before anything is recorded. */
export type LinkReceived = { type: 'link.received'; data: { url: string } }

export type Core = {
  /** Takes the settings and starts to lead or to follow; for `none` it does neither: only `recording` and `erase` work then. */
  begin(config: CoreConfig, hello: PageHello, cause: 'start' | 'lost' | 'none'): Promise<void>
  /** Resolves, however late, when the standing is known and differs from `known`. A page may attach when it is `joined`. */
  standing(known?: Standing): Promise<Standing>
  /** Attaches a page: on the first load, and after every loss. */
  attach(hello: PageHello, port: PagePort): Promise<Attached>
  /**
   * Sends a command; resolves when its input is committed, before its effects are done. `again` when an earlier core may have
   * taken it: one that is in the log is only acknowledged.
   * @returns true when it was taken before: its facts may be in the model of `attach` alone
   */
  command(command: Command | LinkReceived, ref: string, tab: string, again?: boolean): Promise<boolean | undefined>
  /** Delivers the answer of a page effect; resolves when it is committed. */
  answer(effectId: string, answer: PageAnswer, tab: string): Promise<void>
  /** Writes this page's own facts into the log; resolves when they are committed, or the disk has refused them. */
  pageFacts(records: SentPageFact[]): Promise<void>
  /** Reports the page's lifecycle: visible, online, resumed. */
  lifecycle(change: { visible?: boolean; online?: boolean; resumed?: true }, tab: string): Promise<void>
  /** The pairing code for the QR; undefined when the vault no longer has it. Never recorded. */
  pairingUri(pairingTopic: string): Promise<string | undefined>
  /** A wallet's long answer, named by a request's `resultRef`, as JSON text; undefined once it was evicted. */
  answerText(resultRef: string): Promise<string | undefined>
  /**
   * Calls a chain's node over HTTP, for methods that no wallet approved. A plain call beside the log, with nothing recorded: a
   * host's reading of a chain changes nothing in the model, so a replay misses nothing, and the address, which may carry a key,
   * must not be on record. This page's own worker makes the call, also while another tab leads, so that no channel carries the
   * address.
   */
  readChain(question: ChainQuestion): Promise<ChainAnswer>
  /** The log as a recording file's text, also without a core. `tail` are page facts not sent yet. */
  recording(tail: SentPageFact[]): Promise<string>
  /**
   * Ends all sessions, erases this device's log and notifies every other page; false while an order or a host's payment
   * request is open. Where no core can follow those any more, `sure` erases all the same.
   */
  erase(tab: string, sure?: boolean): Promise<boolean>
  /** Loads every part of the core that an order needs; false when a part is gone from the server. */
  ready(): Promise<boolean>
  /** Asks the tab of another build to hand the core over to this one, while the standing is `otherBuild`. */
  takeOver(): Promise<Handover>
  ping(): Promise<number>
}

type CoreCall = {
  /** `worker`: the page's own worker answers; `core`: the core does, in whichever tab it runs */
  by: 'worker' | 'core'
  /** Time for an answer, ms; absent for a call that may wait for ever. */
  ms?: number
  /** For a call that is lost with its core: a `read` is repeated, a `command` is given to the next core with the same ref. */
  again?: 'read' | 'command'
  /** The answer goes through no channel between tabs: a follower finds it by itself. */
  secret?: true
}

/** The calls of `Core`. The page's port, its retries, the worker's forwarding and the calls between tabs derive from it. */
export const coreCalls = {
  // The first call also waits for the worker's script to arrive
  begin: { by: 'worker', ms: 30_000 },
  standing: { by: 'worker' },
  attach: { by: 'core', ms: 10_000 },
  command: { by: 'core', ms: 10_000, again: 'command' },
  answer: { by: 'core', ms: 10_000 },
  pageFacts: { by: 'core', ms: 10_000 },
  lifecycle: { by: 'core', ms: 10_000 },
  pairingUri: { by: 'core', ms: 10_000, again: 'read', secret: true },
  answerText: { by: 'core', ms: 10_000, again: 'read' },
  // Four tries of 10 s each and the waits between them, or the wait that a server asked for
  readChain: { by: 'worker', ms: 75_000 },
  // The whole log is read and written out
  recording: { by: 'core', ms: 60_000, again: 'read' },
  erase: { by: 'core', ms: 10_000 },
  ready: { by: 'core', ms: 30_000, again: 'read' },
  takeOver: { by: 'worker', ms: 10_000 },
  // With a ping every 2 s, a frozen worker is given up within 7 s
  ping: { by: 'worker', ms: 4500 },
} as const satisfies { [name in keyof Core]: CoreCall }

type CoreCallName = keyof typeof coreCalls
/** Names of the calls that the core answers. */
export type CoreName = {
  [name in CoreCallName]: (typeof coreCalls)[name]['by'] extends 'core' ? name : never
}[CoreCallName]

/** @returns the line of a call, with every field that it may have */
export const coreCall = (name: CoreCallName): CoreCall => coreCalls[name]

export const coreCallNames = Object.keys(coreCalls) as CoreCallName[]
export const coreNames = coreCallNames.filter((name): name is CoreName => coreCall(name).by === 'core')
