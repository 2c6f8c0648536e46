import type { SubjectHashes } from '../../runtime/log/createSnapshots.ts'
import type { Recorded } from '../../runtime/recording/recording.ts'
import type { Verdict } from '../../runtime/replay/verdict.ts'
import type { Decider } from '../core/context.ts'
import { replays } from './replays.ts'

/**
 * Re-executes a log of this product: see `reexecuteBy`.
 *
 * @param options `cut`: the log is truncated, so the last input's results may be incomplete; `build`: of the running core;
 *   `state`: of the model behind the last line, which this core's model must equal
 * @throws Fault `bad_input` when the log begins with neither boot nor checkpoint, `unsupported` on an unknown type
 */
export function reexecute(
  records: readonly Recorded[],
  deciders: readonly Decider[],
  options: { cut?: boolean; build?: string; state?: SubjectHashes } = {},
): Verdict {
  return replays.reexecute(records, { ...options, deciders })
}
