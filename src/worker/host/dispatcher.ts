/**
 * Hands effects to drivers.
 *
 * 1. An effect that comes `after` its input was written, or stored on the disk itself, waits for that commit.
 * 2. A log in memory stores nothing: there an effect that may move money fails, and others wait as if for `written`.
 */
import { type EffectType, pageEffectTypes } from '../../events/effect.ts'
import { type Failure, toFailure } from '../../events/failure.ts'
import type { Effect } from '../../events/log/record.ts'
import type { Answer, Drive } from '../drivers/drive.ts'
import type { Draft } from '../core/draft.ts'
import type { Journal } from '../journal/journal.ts'

/** Nobody waits for these: they go with the next that somebody does wait for, so that fewer commits are made. */
const unhurried: ReadonlySet<string> = new Set<EffectType>(['relay.acknowledge', 'vault.forget', 'bytes.forget'])
/** Or alone, after this, ms. */
const leisureMs = 40
/** A person who has just connected is told so first; then it is read what they have. */
const inTheBackground: ReadonlySet<string> = new Set<EffectType>(['chain.readBalances', 'chain.readPurchases'])
/** ms */
const backgroundMs = 10

const unwritten: Failure = {
  code: 'storage_down',
  message: 'the record could not be written, so nothing was done',
}
const unkept: Failure = {
  code: 'storage_down',
  message: 'this browser keeps no record, so the wallet was not asked for what may move money',
  facts: { storage: 'memory' },
}
/**
 * A wallet's window that a press opens waits for that press to be written: the press may be given again after a death, and is
 * found in the log then. It moves no money, so it opens without a log, too.
 */
const isPrompt = ({ type, data }: Effect) => type === 'wallet.connect' && data.silent === false

type Ports = {
  drivers: { [type: string]: Drive }
  /** Hands an effect to the page it names, or to any page. */
  page(effect: Effect, answer: (input: Answer) => void): Promise<void>
  journal: Pick<Journal, 'flush' | 'storage'>
  /** Whether an effect that waits for the disk may move money. */
  movesMoney(effect: Effect<EffectType>): boolean
  answer(draft: Draft): void
  /** Runs something later; default the worker's own timers. */
  wait?(run: () => void, ms: number): unknown
}

/** @returns the function that sets a step's effects in motion */
export function createDispatcher({
  drivers,
  page,
  journal,
  movesMoney,
  answer,
  wait = setTimeout,
}: Ports): (effects: readonly Effect<EffectType>[]) => void {
  function run(effect: Effect<EffectType>): void {
    const drive = pageEffectTypes.has(effect.type) ? page : drivers[effect.type]
    // A timer's may be kept for a week, for each of many sessions
    const { id: to, tab } = effect
    const reply = (input: Answer) => answer({ ...input, to, ...(tab !== undefined && { tab }) })
    if (!drive) {
      const message = `the effect ${effect.type} expected a driver, there is none`
      reply({ type: 'effect.failed', data: { failure: { code: 'unsupported', message } } })
      return
    }
    void drive(effect, reply).catch((cause: unknown) =>
      reply({ type: 'effect.failed', data: { failure: toFailure(cause) } }),
    )
  }

  const failure = journal.storage === 'memory' ? unkept : unwritten

  function hold(effects: readonly Effect<EffectType>[], durability: 'strict' | 'relaxed'): void {
    if (effects.length === 0) return
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

  /** In memory only money asks for the disk, in vain. */
  function holdStored(effects: readonly Effect<EffectType>[]): void {
    if (journal.storage === 'durable') return hold(effects, 'strict')
    hold(effects.filter(movesMoney), 'strict')
    hold(
      effects.filter(effect => !movesMoney(effect)),
      'relaxed',
    )
  }

  let company: Effect<EffectType>[] = []
  let isWaiting = false

  function holdWith(stored: readonly Effect<EffectType>[]): void {
    const all = [...company, ...stored]
    company = []
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
    const stored: Effect<EffectType>[] = []
    const written: Effect<EffectType>[] = []
    const background: Effect<EffectType>[] = []
    const prompts: Effect<EffectType>[] = []
    for (const effect of effects) {
      if (effect.after === 'stored') (unhurried.has(effect.type) ? company : stored).push(effect)
      else if (effect.after === 'written') written.push(effect)
      else if (isPrompt(effect)) prompts.push(effect)
      else if (inTheBackground.has(effect.type)) background.push(effect)
      else run(effect)
    }
    // What is stored is written, too
    if (stored.length > 0) holdWith(stored)
    else if (company.length > 0) holdLater()
    hold(written, 'relaxed')
    if (prompts.length > 0) {
      const open = () => prompts.forEach(run)
      journal.flush('relaxed').then(open, open)
    }
    // In one tick, so that they are asked in one request
    if (background.length > 0) wait(() => background.forEach(run), backgroundMs)
  }
}
