import { type Fault, faultProblem } from './faults.ts'
import { type Settings, settingProblem } from './settings.ts'

/** A body of `POST /control`, carried out in this order. */
export type ServicesControl = {
  /** End all faults, release all requests, restore settings, names and sessions. */
  reset?: boolean
  set?: Partial<Settings>
  /** Faults by path; `*` stands for one segment, `null` ends a fault. */
  fail?: Record<string, Fault | null>
  /** Let held requests go on: all, or those of a path. */
  release?: string | true
}

const fields = ['reset', 'set', 'fail', 'release']

/** Reads a control body; the error is a sentence. */
export function readServicesControl(value: unknown): ServicesControl | { error: string } {
  if (!isRecord(value)) return { error: 'services control expected an object' }
  const problem = Object.entries(value)
    .map(([name, set]) => problemOf(name, set))
    .find(Boolean)
  return problem ? { error: problem } : (value as ServicesControl)
}

function problemOf(name: string, value: unknown): string | undefined {
  if (name === 'reset') return typeof value === 'boolean' ? undefined : 'services control expected reset as a boolean'
  if (name === 'release')
    return value === true || isPath(value) ? undefined : 'services control expected release as a path or true'
  if (name !== 'set' && name !== 'fail') return `services control knows ${fields.join(', ')}; got ${name}`
  if (!isRecord(value)) return `services control expected ${name} as an object`
  for (const [key, one] of Object.entries(value)) {
    const problem = name === 'set' ? settingProblem(key, one) : isPath(key) ? faultProblem(one) : 'is no path'
    if (problem) return `services control: ${name === 'set' ? problem : `${key} ${problem}`}`
  }
  return undefined
}

const isPath = (value: unknown): boolean => typeof value === 'string' && value.startsWith('/')

const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
