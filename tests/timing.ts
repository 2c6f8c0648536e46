/** Finds tests that assert time or memory: a busy machine fails them. Such numbers belong in `npm run bench`. */

/** A sign of a measurement, and the files that may have it: runners print durations and assert nothing about them. */
const measurements = /\bperformance\.now\(|\bhrtime\b|\b(?:cpu|resource|memory)Usage\(|\bheapUsed\b|\bused_heap_size\b/
const printers =
  /^tests\/(?:bench|kills)\/|\/run\.ts$|^tests\/(?:fuzz\/campaign|interop\/(?:interop|byLinks)|journeys\/steering|scripts\/presale\/proofs\/ledger\/(?:leg|pageLeg))\.ts$/

const compared = /\bto(?:Be|Equal)\w*\(.*\bDate\.now\(\)|\bDate\.now\(\)\s*-/
const deadline = /\btimeout:\s*([\d_]+)/
/** Waits shorter than this default make speed decide whether a test passes. */
const leastWaitMs = 15_000
/** Its limit is one second. */
const hasty = /\bvi\.wait(?:For|Until)\(/
/** Repeats a check as long as its test may take. */
const repeated = /\breadUntil\(/

/**
 * @param files path from the repository's root to source text; only those under `tests/` are read
 * @returns one sentence for each line that asserts time or memory
 */
export function timedAssertions(files: ReadonlyMap<string, string>): string[] {
  const found: string[] = []
  for (const [path, text] of files) {
    if (!path.startsWith('tests/') || printers.test(path)) continue
    for (const [at, line] of text.split('\n').entries()) {
      const wrong = wrongIn(path, line)
      if (wrong !== undefined) found.push(`${path}:${at + 1}: ${wrong}`)
    }
  }
  return found
}

function wrongIn(path: string, line: string): string | undefined {
  if (measurements.test(line))
    return 'time or memory is measured: count steps, calls or bytes, or move it into the bench'
  if (hasty.test(line) && path !== 'tests/soon.ts') return 'this wait ends after a second: use soon'
  if (!/\.(?:test|journey|spec)\.tsx?$/.test(path)) return undefined
  if (compared.test(line)) return 'a clock is compared: state bounds that hold on the slowest machine'
  const wait = deadline.exec(line)?.[1]
  const isShort = wait !== undefined && Number(wait.replaceAll('_', '')) < leastWaitMs
  return isShort && !repeated.test(line)
    ? `a wait is shorter than ${leastWaitMs} ms: leave it to the default`
    : undefined
}
