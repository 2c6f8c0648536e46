/** Fault of one route. Limited to `times` requests, if set. */
export type Fault = {
  /** Answer with this HTTP status; below `/v1` in the Blockchain API's error envelope, else as plain text. */
  status?: number
  /** Body of that answer instead, as plain text. */
  text?: string
  /** `Retry-After` of that answer: seconds, or an HTTP date. */
  retryAfter?: number | string
  /** Answer 200 with a page of HTML. */
  html?: boolean
  /** Answer 200 with JSON of the wrong shape. */
  shape?: boolean
  /** Answer 200 with text that is JSON up to its middle. */
  malformed?: boolean
  /** Answer 200 without a body. */
  empty?: boolean
  /** Announce the whole answer, send its first half and cut the connection. */
  truncated?: boolean
  /** Answer 200 with one JSON text of at least this many bytes. */
  oversized?: number
  /** Wait for `release` before anything else. */
  hold?: boolean
  /** Delay of the answer, ms. */
  latencyMs?: number
  times?: number
}

const maxNumber = { latencyMs: 600_000, times: 1_000_000, oversized: 64 * 1024 * 1024 }
const texts = ['text']
const flags = ['html', 'shape', 'malformed', 'empty', 'truncated', 'hold']

/** @returns the rest of a sentence that begins with the fault's path; undefined for a fault that can be set */
export function faultProblem(fault: unknown): string | undefined {
  if (fault === null) return undefined
  if (typeof fault !== 'object' || Array.isArray(fault)) return 'expected an object or null'
  for (const [name, set] of Object.entries(fault)) {
    const problem = fieldProblem(name, set)
    if (problem) return problem
  }
  return undefined
}

function fieldProblem(name: string, set: unknown): string | undefined {
  const got = JSON.stringify(set)
  const isWhole = Number.isInteger(set) && (set as number) >= 0
  if (flags.includes(name)) return typeof set === 'boolean' ? undefined : `expected ${name} as a boolean, got ${got}`
  if (texts.includes(name)) return typeof set === 'string' ? undefined : `expected ${name} as a string, got ${got}`
  if (name === 'retryAfter')
    return isWhole || typeof set === 'string' ? undefined : `expected retryAfter as seconds or an HTTP date, got ${got}`
  if (name !== 'status' && !Object.hasOwn(maxNumber, name)) return `has no fault ${name}`
  if (typeof set !== 'number') return `expected ${name} as a number, got ${got}`
  if (!isWhole) return `expected ${name} as a whole number, got ${got}`
  if (name === 'status') return set >= 200 && set <= 599 ? undefined : `expected status from 200 to 599, got ${got}`
  const max = maxNumber[name as keyof typeof maxNumber]
  return set <= max ? undefined : `expected ${name} up to ${max}, got ${got}`
}

/** Active faults. */
export type Faults = {
  /** `null` ends a path's fault. */
  set(fail: Record<string, Fault | null>): void
  clear(): void
  /** @returns the fault for a path, counted down; of several paths that match, that of the longest */
  take(path: string): Fault | undefined
}

/** No faults yet. */
export function createFaults(): Faults {
  const faults = new Map<string, Fault>()
  return {
    set(fail) {
      for (const [path, fault] of Object.entries(fail)) {
        if (fault) faults.set(path, { ...fault })
        else faults.delete(path)
      }
    },
    clear: () => faults.clear(),
    take(path) {
      const matching = [...faults].filter(([pattern]) => matches(pattern, path))
      const [key, fault] = matching.sort(([a], [b]) => b.length - a.length)[0] ?? []
      if (!key || !fault) return undefined
      if (fault.times !== undefined) {
        if (fault.times <= 1) faults.delete(key)
        if (fault.times < 1) return undefined
        fault.times -= 1
      }
      return fault
    },
  }
}

/**
 * Whether a path is the pattern's or below it. `*` stands for one segment; a slash at the pattern's end excludes the paths
 * below: `/v1/` is the JSON-RPC route alone.
 */
export function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/').filter(Boolean)
  const came = path.split('/').filter(Boolean)
  if (pattern.endsWith('/') ? came.length !== wanted.length : came.length < wanted.length) return false
  return wanted.every((segment, place) => segment === '*' || segment === came[place])
}
