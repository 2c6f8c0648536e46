/** Fault of one path. Limited to `times` requests, if set. */
export type Fault = {
  /** Answer with this HTTP status and a plain sentence. */
  status?: number
  /** Answer 200 with a page of HTML. */
  html?: boolean
  /** Answer 200 with JSON of the wrong shape. */
  shape?: boolean
  /** Delay of the answer, ms. */
  latencyMs?: number
  times?: number
}

/** A body of `POST /control`; `fail` names paths by their beginning, `null` ends a fault. */
export type ServicesControl = { fail?: Record<string, Fault | null>; reset?: boolean }

/** Reads a control body; the error is a sentence. */
export function readServicesControl(value: unknown): ServicesControl | { error: string } {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    return { error: 'services control expected an object' }
  const { fail, reset, ...rest } = value as Record<string, unknown>
  const strange = Object.keys(rest)[0]
  if (strange) return { error: `services control knows fail and reset, got ${strange}` }
  if (reset !== undefined && typeof reset !== 'boolean')
    return { error: 'services control expected reset as a boolean' }
  if (fail === undefined) return { reset: reset === true }
  if (fail === null || typeof fail !== 'object')
    return { error: 'services control expected fail as an object of paths' }
  for (const [path, fault] of Object.entries(fail)) {
    const problem = path.startsWith('/') ? faultProblem(fault) : 'is no path'
    if (problem) return { error: `services control: ${path} ${problem}` }
  }
  return { fail: fail as Record<string, Fault | null>, reset: reset === true }
}

const fields = { status: 'number', html: 'boolean', shape: 'boolean', latencyMs: 'number', times: 'number' }

function faultProblem(fault: unknown): string | undefined {
  if (fault === null) return undefined
  if (typeof fault !== 'object' || Array.isArray(fault)) return 'expected an object or null'
  for (const [name, set] of Object.entries(fault)) {
    const wanted = Object.hasOwn(fields, name) ? fields[name as keyof typeof fields] : undefined
    if (!wanted) return `has no fault ${name}`
    if (typeof set !== wanted) return `expected ${name} as a ${wanted}, got ${JSON.stringify(set)}`
    if (wanted === 'number' && !(Number.isInteger(set) && (set as number) >= 0))
      return `expected ${name} as a whole number, got ${set}`
    if (name === 'status' && ((set as number) < 200 || (set as number) > 599))
      return `expected status from 200 to 599, got ${set}`
  }
  return undefined
}

/** Active faults. `take` returns the one for a path and counts it down. */
export type Faults = { set(control: ServicesControl): void; take(path: string): Fault | undefined }

/** No faults yet. */
export function createFaults(): Faults {
  const faults = new Map<string, Fault>()
  return {
    set: ({ fail, reset }) => {
      if (reset) faults.clear()
      for (const [path, fault] of Object.entries(fail ?? {})) {
        if (fault) faults.set(path, { ...fault })
        else faults.delete(path)
      }
    },
    take: path => {
      const [key, fault] = [...faults].find(([start]) => path === start || path.startsWith(`${start}/`)) ?? []
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
