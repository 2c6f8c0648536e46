/**
 * The interface between a page and its worker, as far as every product has it. The caller sets a deadline for every call. Failures
 * of commands come back as facts, not as rejections.
 */
import type { FactRecord, SentPageFact } from './log/record.ts'

/** A page's introduction when it attaches. `asking` and `answered` are ids of page effects it holds. */
export type Hello = {
  tab: string
  visible: boolean
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

/** The core's model; facts that follow continue from `seq`. */
export type AttachedTo<Model> = { life: number; seq: number; model: Model }

/** The log that the next core opens: this one, that of another chain, or a new one because this one was erased. */
export type NextLog = 'same' | 'another' | 'new'

/** Calls of the worker on a page. `facts` resolves on receipt: that is the credit for the next batch. */
export type PortOf<PageEffect> = {
  facts(batch: FactRecord[]): Promise<void>
  perform(effect: PageEffect): Promise<void>
  /** Too many facts waited for the page, or it was silent: attach again. */
  detached(): Promise<void>
  /** This core has ended on purpose: start a fresh worker, which opens the log that is named. */
  restart(next: NextLog): Promise<void>
  /** Whether a tab with another build of this page is open beside this one. */
  otherBuild(open: boolean): Promise<void>
}

/**
 * This worker and the origin's one core: joined to it, in whichever tab it runs, or shut out by a tab of another build, or by a
 * browser without locks, in which one tab works.
 */
export type Standing = 'joined' | 'otherBuild' | 'oneTab'

/**
 * How the leader of another build answered: `taken`, this tab leads now; `busy`, something is open there that must not be
 * interrupted; `silent`, it does not answer or knows no handover, so its tab has to be closed.
 */
export type Handover = 'taken' | 'busy' | 'silent'

/** The types of a product's interface. */
export type WireTypes = {
  model: any
  /** everything that a core needs to start */
  config: any
  hello: Hello
  /** what a page asks for */
  command: { type: string; data: any }
  /** an order to a page driver, and its answer */
  pageEffect: { id: string; type: string; data: any }
  pageAnswer: { type: string }
  /** changes of the page's lifecycle */
  lifecycle: { visible?: boolean; online?: boolean; resumed?: true }
  /** further calls that the core answers */
  calls: object
}

export type CoreOf<W extends WireTypes> = W['calls'] & {
  /** Takes the settings and starts to lead or to follow; for `none` it does neither: only `recording` and `erase` work then. */
  begin(config: W['config'], hello: W['hello'], cause: 'start' | 'lost' | 'none'): Promise<void>
  /** Resolves, however late, when the standing is known and differs from `known`. A page may attach when it is `joined`. */
  standing(known?: Standing): Promise<Standing>
  /** Attaches a page: on the first load, and after every loss. */
  attach(hello: W['hello'], port: PortOf<W['pageEffect']>): Promise<AttachedTo<W['model']>>
  /**
   * Sends a command; resolves when its input is committed, before its effects are done. `again` when an earlier core may have
   * taken it: one that is in the log is only acknowledged.
   * @returns true when it was taken before: its facts may be in the model of `attach` alone
   */
  command(command: W['command'], ref: string, tab: string, again?: boolean): Promise<boolean | undefined>
  /** Delivers the answer of a page effect; resolves when it is committed. */
  answer(effectId: string, answer: W['pageAnswer'], tab: string): Promise<void>
  /** Writes this page's own facts into the log; resolves when they are committed, or the disk has refused them. */
  pageFacts(records: SentPageFact[]): Promise<void>
  /** Reports the page's lifecycle. */
  lifecycle(change: W['lifecycle'], tab: string): Promise<void>
  /** The log as a recording file's text, also without a core. `tail` are page facts not sent yet. */
  recording(tail: SentPageFact[]): Promise<string>
  /**
   * Erases this device's log and notifies every other page; false while something is open that must not be lost. Where no core can
   * follow that any more, `sure` erases all the same.
   */
  erase(tab: string, sure?: boolean): Promise<boolean>
  /** Asks the tab of another build to hand the core over to this one, while the standing is `otherBuild`. */
  takeOver(): Promise<Handover>
  ping(): Promise<number>
}

/** The calls that an open core answers. */
export type CallsOf<W extends WireTypes> = W['calls'] &
  Pick<CoreOf<W>, 'command' | 'answer' | 'pageFacts' | 'lifecycle' | 'recording' | 'erase'> & {
    /** @param from `far` when the page is another tab's: it hears facts with all such pages */
    attach(hello: W['hello'], port: PortOf<W['pageEffect']>, from?: 'far'): Promise<AttachedTo<W['model']>>
  }

/** The same of any product, for code that only passes them on. */
export type AnyCore = CoreOf<WireTypes>
export type AnyCalls = CallsOf<WireTypes>
export type AnyPort = PortOf<WireTypes['pageEffect']>

/** The rule of one call. */
export type CallRule = {
  /** `worker`: the page's own worker answers; `core`: the core does, in whichever tab it runs */
  by: 'worker' | 'core'
  /** Time for an answer, ms; absent for a call that may wait for ever. */
  ms?: number
  /** For a call that is lost with its core: a `read` is repeated, a `command` is given to the next core with the same ref. */
  again?: 'read' | 'command'
  /** The answer goes through no channel between tabs: a follower finds it by itself. */
  secret?: true
}
export type CallTable = { readonly [name: string]: CallRule }

/** Rules of the runtime's own calls. */
export const ownCalls = {
  // The first call also waits for the worker's script to arrive
  begin: { by: 'worker', ms: 30_000 },
  standing: { by: 'worker' },
  attach: { by: 'core', ms: 10_000 },
  command: { by: 'core', ms: 10_000, again: 'command' },
  answer: { by: 'core', ms: 10_000 },
  pageFacts: { by: 'core', ms: 10_000 },
  lifecycle: { by: 'core', ms: 10_000 },
  // The whole log is read and written out
  recording: { by: 'core', ms: 60_000, again: 'read' },
  erase: { by: 'core', ms: 10_000 },
  takeOver: { by: 'worker', ms: 10_000 },
  // With a ping every 2 s, a frozen worker is given up within 7 s
  ping: { by: 'worker', ms: 4500 },
} as const satisfies CallTable

/** @returns names of the calls that the core answers */
export const namesOfCore = (table: CallTable): string[] => Object.keys(table).filter(name => table[name]?.by === 'core')
