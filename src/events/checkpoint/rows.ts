/** Names for the rows of the core's tables, so that it can be told which ones a fact may have changed. */
import { subjectOf } from '../app.ts'

export function rowOf(subject: string, key: string): string {
  return `${subject} ${key}`
}

/** @returns the rows that this fact may have changed: a fold writes into rows of its subject that the fact names, and into no other */
export function rowsNamedBy({ type, data }: { type: string; data: Record<string, unknown> }): string[] {
  const keys = Object.values(data).filter(value => typeof value === 'string')
  return keys.map(key => rowOf(subjectOf(type), key))
}
