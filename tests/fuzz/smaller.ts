/** Minimises a failing input: leaves out pieces while it still fails in the same way. */
import type { Judged, Reader } from './reader.ts'

const mostTrials = 2000

/**
 * @param kind kind of its failure
 * @param tried judges an input
 */
export async function smaller(
  reader: Reader,
  input: string,
  kind: string,
  tried: (reader: Reader, input: string) => Promise<Judged>,
): Promise<string> {
  const { pieces: split = (text: string) => Array.from(text), whole = (parts: readonly string[]) => parts.join('') } =
    reader
  let kept = split(input)
  let trials = 0
  for (let size = Math.ceil(kept.length / 2); size >= 1 && trials < mostTrials; size = size === 1 ? 0 : size >> 1) {
    for (let from = 0; from < kept.length && trials < mostTrials; ) {
      const fewer = [...kept.slice(0, from), ...kept.slice(from + size)]
      trials += 1
      const { wrong } = await tried(reader, whole(fewer))
      if (wrong?.startsWith(kind)) kept = fewer
      else from += size
    }
  }
  return whole(kept)
}
