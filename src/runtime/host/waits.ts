/** Waits for states of the model, each with a limit. */
import type { Clock } from './timer.ts'

export type Waits<Model> = {
  /** Resolves when the model is so after some step, after `limitMs`, or at the end of all waits. */
  until(holds: (model: Model) => boolean, limitMs: number): Promise<void>
  /** A step is over. */
  stepped(): void
  /** Ends all waits. */
  end(): void
}

export function createWaits<Model>(core: { readonly model: Model }, { after }: Pick<Clock, 'after'>): Waits<Model> {
  const open = new Map<() => void, (model: Model) => boolean>()
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
