/** Effects in the words of the line they are compared with: one that an earlier build wrote has its own kind of hash. */
import type { Effect, EffectRecord, InputRecord } from '../log/record.ts'
import { shortHash } from '../log/shortHash.ts'
import { effectRecord } from '../core/coreMachine.ts'

/**
 * @param recorded the line; with `n` in it, it is of the file's first version, whose hash is over whole ids and times
 * @returns today's line as it would stand there, or undefined without effects
 */
export function effectRecordLike(
  recorded: EffectRecord | undefined,
  input: InputRecord,
  effects: readonly Effect[],
): EffectRecord | undefined {
  const today = effectRecord(input, effects)
  return today && recorded?.n !== undefined ? { ...today, n: input.n, h: shortHash(JSON.stringify(effects)) } : today
}
