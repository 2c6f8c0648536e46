/** Hands effects to drivers. One marked `after: 'stored'` is released only once its input is on the disk itself. */
import { type EffectType, pageEffectTypes } from '../events/effect.ts'
import { toFailure } from '../events/failure.ts'
import type { Effect } from '../events/record.ts'
import type { Answer, Drive } from './drivers/drive.ts'
import type { Draft } from './inbox.ts'
import type { Journal } from './journal.ts'

type Ports = {
  drivers: { [type: string]: Drive }
  /** Hands an effect to the page it names, or to any page. */
  page(effect: Effect, answer: (input: Answer) => void): Promise<void>
  journal: Pick<Journal, 'flush'>
  answer(draft: Draft): void
}

/** @returns the function that sets a step's effects in motion */
export function createDispatcher({
  drivers,
  page,
  journal,
  answer,
}: Ports): (effects: readonly Effect<EffectType>[]) => void {
  function run(effect: Effect<EffectType>): void {
    const drive = pageEffectTypes.has(effect.type) ? page : drivers[effect.type]
    const tab = effect.tab === undefined ? {} : { tab: effect.tab }
    const reply = (input: { type: string; data: Record<string, unknown> }) =>
      answer({ ...input, to: effect.id, ...tab })
    if (!drive) {
      const message = `the effect ${effect.type} expected a driver, there is none`
      reply({ type: 'effect.failed', data: { failure: { code: 'unsupported', message } } })
      return
    }
    void drive(effect, reply).catch((cause: unknown) =>
      reply({ type: 'effect.failed', data: { failure: toFailure(cause) } }),
    )
  }

  return effects => {
    const held: Effect<EffectType>[] = []
    for (const effect of effects) {
      if (effect.after === 'stored') held.push(effect)
      else run(effect)
    }
    if (held.length === 0) return
    journal.flush('strict').then(
      () => held.forEach(run),
      () => {
        const failure = {
          code: 'storage_down',
          message: 'the record could not be written, so nothing was done',
        } as const
        for (const effect of held) {
          const tab = effect.tab === undefined ? {} : { tab: effect.tab }
          answer({ type: 'effect.failed', to: effect.id, data: { failure }, ...tab })
        }
      },
    )
  }
}
