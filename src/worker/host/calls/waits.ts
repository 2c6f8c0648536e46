/** Waits for states of the model, each with a limit. */
import type { CoreModel } from '../../../events/app.ts'
import type { Clock } from '../../drivers/timer.ts'

export type Waits = {
  /** Resolves when the model is so after some step, after `limitMs`, or at the end of all waits. */
  until(holds: (model: CoreModel) => boolean, limitMs: number): Promise<void>
  /** A step is over. */
  stepped(): void
  /** Ends all waits. */
  end(): void
}

export function createWaits(core: { readonly model: CoreModel }, { after }: Pick<Clock, 'after'>): Waits {
  const open = new Map<() => void, (model: CoreModel) => boolean>()
  return {
    until: (holds, limitMs) =>
      new Promise(resolve => {
        if (holds(core.model)) return resolve()
        const end = () => {
          open.delete(end)
          cancel()
          resolve()
        }
        const cancel = after(limitMs, end)
        open.set(end, holds)
      }),
    stepped() {
      for (const [end, holds] of open) if (holds(core.model)) end()
    },
    end() {
      for (const end of open.keys()) end()
    },
  }
}
