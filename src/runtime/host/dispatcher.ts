/**
 * Hands effects to drivers.
 *
 * 1. An effect that comes `after` its input was written, or stored on the disk itself, waits for that commit.
 * 2. A log in memory stores nothing: there an effect that needs the disk fails, and others wait as if for `written`. After the
 *    disk has failed, every effect that waits for it fails.
 */
import { type Failure, toFailure } from '../failure.ts'
import type { Effect } from '../log/record.ts'
import type { Answer, Drive } from './driver.ts'
import type { Draft } from '../core/draft.ts'
import type { Journal } from '../journal/journal.ts'

/** Unhurried effects go alone after this, ms. */
const leisureMs = 40
/** ms */
const backgroundMs = 10

const unwritten: Failure = {
  code: 'storage_down',
  message: 'the record could not be written, so nothing was done',
}

const none: ReadonlySet<string> = new Set()
const notKept: Failure = {
  code: 'storage_down',
  message: 'this device keeps no record, so nothing was done',
  facts: { storage: 'memory' },
}

/** How effects of a product are handed out. */
export type DispatchRules = {
  /** types that a page carries out */
  onPage: ReadonlySet<string>
  /** No caller waits for these: they share the commit of the next effect that needs one. */
  unhurried: ReadonlySet<string>
  /** They follow a moment later, and all in one tick. */
  inTheBackground: ReadonlySet<string>
  /** With one of these in the same step, those in the background go at once, so that one request serves all. */
  takesAlong: ReadonlySet<string>
  /** @returns whether an effect waits for the commit of its input, and is carried out where that fails, too */
  waitsForCommit(effect: Effect): boolean
  /** failure of an effect that is refused because the log is in memory */
  unkept: Failure
}

export type DispatchPorts<E extends string> = {
  drivers: { [type: string]: Drive }
  /** Failure of an effect without a driver; default `unsupported`. */
  absent?: Failure | undefined
  /** Hands an effect to the page it names, or to any page. */
  page(effect: Effect, answer: (input: Answer) => void): Promise<void>
  journal: Pick<Journal, 'flush' | 'storage'>
  /** Whether an effect that waits for the disk is refused without one. */
  needsDisk(effect: Effect<E>): boolean
  answer(draft: Draft): void
  /** Runs something later; default the worker's own timers. */
  wait?(run: () => void, ms: number): unknown
}

/** @returns the function that sets a step's effects in motion. One function, because waiting effects share one commit */
export function dispatcherFor<E extends string>(
  {
    onPage = none,
    unhurried = none,
    inTheBackground = none,
    takesAlong = none,
    waitsForCommit = () => false,
    unkept = notKept,
  }: Partial<DispatchRules>,
  { drivers, absent, page, journal, needsDisk, answer, wait = setTimeout }: DispatchPorts<E>,
): (effects: readonly Effect<E>[]) => void {
  function run(effect: Effect<E>): void {
    const drive = onPage.has(effect.type) ? page : drivers[effect.type]
    // A timer's may be kept for a week, for each of many sessions
    const { id: to, tab } = effect
    const reply = (input: Answer) => answer({ ...input, to, ...(tab !== undefined && { tab }) })
    if (!drive) {
      const message = `the effect ${effect.type} expected a driver, there is none`
      reply({ type: 'effect.failed', data: { failure: absent ?? { code: 'unsupported', message } } })
      return
    }
    void drive(effect, reply).catch((cause: unknown) =>
      reply({ type: 'effect.failed', data: { failure: toFailure(cause) } }),
    )
  }

  function hold(effects: readonly Effect<E>[], durability: 'strict' | 'relaxed'): void {
    if (effects.length === 0) return
    const failure = journal.storage === 'memory' ? unkept : unwritten
    journal.flush(durability).then(
      () => effects.forEach(run),
      () => {
        for (const effect of effects) {
          const tab = effect.tab === undefined ? {} : { tab: effect.tab }
          answer({ type: 'effect.failed', to: effect.id, data: { failure }, ...tab })
        }
      },
    )
  }

  /**
   * A log in memory refuses strict commits, so only effects that need the disk ask for one. After the disk has failed all ask, and
   * fail: a message that was acknowledged but not stored would be lost, as its sender forgets it.
   */
  function holdStored(effects: readonly Effect<E>[]): void {
    if (journal.storage !== 'memory') return hold(effects, 'strict')
    hold(effects.filter(needsDisk), 'strict')
    hold(
      effects.filter(effect => !needsDisk(effect)),
      'relaxed',
    )
  }

  let deferred: Effect<E>[] = []
  let isWaiting = false

  function holdWith(stored: readonly Effect<E>[]): void {
    const all = [...deferred, ...stored]
    deferred = []
    holdStored(all)
  }

  function holdLater(): void {
    if (isWaiting) return
    isWaiting = true
    wait(() => {
      isWaiting = false
      holdWith([])
    }, leisureMs)
  }

  return effects => {
    const stored: Effect<E>[] = []
    const written: Effect<E>[] = []
    const background: Effect<E>[] = []
    const waiting: Effect<E>[] = []
    const canFollow = !effects.some(({ type }) => takesAlong.has(type))
    for (const effect of effects) {
      if (effect.after === 'stored') (unhurried.has(effect.type) ? deferred : stored).push(effect)
      else if (effect.after === 'written') written.push(effect)
      else if (waitsForCommit(effect)) waiting.push(effect)
      else if (canFollow && inTheBackground.has(effect.type)) background.push(effect)
      else run(effect)
    }
    // A strict commit covers the relaxed ones before it
    if (stored.length > 0) holdWith(stored)
    else if (deferred.length > 0) holdLater()
    hold(written, 'relaxed')
    if (waiting.length > 0) {
      const goOn = () => waiting.forEach(run)
      journal.flush('relaxed').then(goOn, goOn)
    }
    // In one tick, so that they are asked in one request
    if (background.length > 0) wait(() => background.forEach(run), backgroundMs)
  }
}
