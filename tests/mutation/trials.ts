/**
 * Tries planted faults, one after the other, in a process that stays warm: recordings first, then seeds until one fails. The
 * parent sends each trial and hears of every step, so that a trial that hangs can be told.
 */
import { fileURLToPath } from 'node:url'
import { dirname } from 'node:path'
import type { Mutant } from './mutant.ts'
import { createPlanting } from './planting.ts'
import type { Said, TryOut, Trying } from './trial.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** One trial; without a mutant the source is tried as it is. */
export type Asked = { mutant?: Mutant; trying: Trying }

/** `planted`: whether the trial uses the fault's file. `over`: the trial has ended. */
export type Heard = Said | { planted: boolean } | { over: true } | { ready: true }

const say = (heard: Heard) => void process.send?.(heard)
const planting = await createPlanting(root, 'tests/mutation/trial.ts')

process.on('message', ({ mutant, trying }: Asked) => {
  const tryOne = async () => {
    const trial = await planting.plant(mutant).catch((cause: unknown) => {
      // A fault may break its module as it loads
      say({ planted: true })
      say({ recording: { name: 'none', after: 0, why: `it does not load: ${String(cause)}` } })
      return undefined
    })
    if (!trial) return
    say({ planted: trial.entry !== undefined })
    await (trial.entry as { tryOut: TryOut } | undefined)?.tryOut(trying, say)
  }
  void tryOne().then(() => say({ over: true }))
})
say({ ready: true })
