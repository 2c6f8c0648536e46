import type { Command } from '../../events/command.ts'
import type { Calls } from '../host/calls.ts'
import type { ForwardCall } from './retryingCalls.ts'
import type { OpenCore } from '../host/openCore.ts'
import { wasTaken } from '../host/dedupe.ts'

/** A core that runs in this worker. */
export type RunningCore = { open: OpenCore; calls: Calls }

/** @returns calls into this worker's core. A command that an earlier core accepted is acknowledged, not repeated. */
export function forwardCalls({ open, calls }: RunningCore): ForwardCall {
  return async (name, args, again) => {
    if (again && name === 'command') {
      const [, ref] = args as [Command, string]
      if (await wasTaken(open.journal, { ref })) return undefined
    }
    return (calls[name] as (...given: readonly unknown[]) => Promise<unknown>)(...args)
  }
}
