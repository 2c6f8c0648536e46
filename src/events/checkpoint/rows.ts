/** Names for rows of the core's tables: they tell which rows a fact may have changed. */
import { subjectOf } from '../app.ts'

export function rowOf(subject: string, key: string): string {
  return `${subject} ${key}`
}

/** @returns the rows this fact may have changed: a fold writes only rows of its own subject whose key is in the fact's data */
export function rowsNamedBy({ type, data }: { type: string; data: Record<string, unknown> }): string[] {
  const keys = Object.values(data).filter(value => typeof value === 'string')
  return keys.map(key => rowOf(subjectOf(type), key))
}
