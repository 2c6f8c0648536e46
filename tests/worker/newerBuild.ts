/** A simulated build that knows one fact type or version more than this one. */
import { factDefinitions } from '../../src/events/schema/definitions.ts'
import type { Definition, Definitions } from '../../src/runtime/schema/registry.ts'

/** A fact that this build does not know. */
export type Novelty = { type: string; v: number }

/** Runs a task as a build that knows the fact. */
export async function newerBuild<T>({ type, v }: Novelty, task: () => Promise<T>): Promise<T> {
  const known = factDefinitions as { [type: string]: Definition } satisfies Definitions
  const before = known[type]
  const lifts = Array.from({ length: v - 1 }, () => (data: Record<string, unknown>) => data)
  known[type] = { version: v, fields: before?.fields ?? {}, lifts }
  try {
    return await task()
  } finally {
    if (before) known[type] = before
    else delete known[type]
  }
}
