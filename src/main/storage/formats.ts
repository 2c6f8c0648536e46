/** Formats of values: texts, lists with commas, JSON. Members of lists and tables fit or are dropped one by one. */
import { isRecord } from '../../runtime/json/isRecord.ts'
import { readJson } from '../../runtime/json/readJson.ts'
import type { Shape } from './shape.ts'

/** A value as it was read; `dropped` counts what did not fit. */
type ReadValue<T> = { value: T | undefined; dropped: number }

export type StorageKey<T = unknown> = {
  /** name in local storage */
  readonly name: string
  readonly by: 'mirror' | 'reserved'
  /** Freshness of an entry, ms: it is expired once `now - timestamp` is greater. */
  readonly ttlMs?: number
  read(text: string): ReadValue<T>
  write(value: T): string
}

type By = StorageKey['by']

const fits = <T>(shape: Shape<T>, value: unknown): ReadValue<T> =>
  shape(value) ? { value, dropped: 0 } : { value: undefined, dropped: 1 }

/** A text as it is. */
export function plain<T extends string>(name: string, by: By, shape: Shape<T>): StorageKey<T> {
  return { name, by, read: text => fits(shape, text), write: value => value }
}

/** Texts with commas between them. */
export function commaJoined(name: string, by: By, member: Shape<string>): StorageKey<string[]> {
  return {
    name,
    by,
    read(text) {
      const all = text.split(',').filter(part => part !== '')
      const value = all.filter(member)
      return { value, dropped: all.length - value.length }
    },
    write: value => value.join(),
  }
}

function parsed(name: string, text: string): unknown {
  try {
    return readJson(text, { name })
  } catch {
    return undefined
  }
}

/** JSON that fits as a whole. */
export function json<T>(name: string, by: By, shape: Shape<T>, ttlMs?: number): StorageKey<T> {
  return {
    name,
    by,
    ...(ttlMs !== undefined && { ttlMs }),
    read: text => fits(shape, parsed(name, text)),
    write: value => JSON.stringify(value),
  }
}

/** A JSON list, whose members fit or are dropped one by one. */
export function jsonList<T>(name: string, by: By, member: Shape<T>): StorageKey<T[]> {
  return { name, by, read: text => listIn(member, parsed(name, text)), write: value => JSON.stringify(value) }
}

function listIn<T>(member: Shape<T>, value: unknown): ReadValue<T[]> {
  if (!Array.isArray(value)) return { value: undefined, dropped: 1 }
  const kept = value.filter(member)
  return { value: kept, dropped: value.length - kept.length }
}

/** A JSON table, whose members fit or are dropped one by one. */
export function jsonTable<T>(name: string, by: By, member: Shape<T>, ttlMs?: number): StorageKey<Record<string, T>> {
  const readMember = (one: unknown) => fits(member, one)
  return {
    name,
    by,
    ...(ttlMs !== undefined && { ttlMs }),
    read: text => tableIn(readMember, parsed(name, text)),
    write: value => JSON.stringify(value),
  }
}

function tableIn<T>(readMember: (one: unknown) => ReadValue<T>, value: unknown): ReadValue<Record<string, T>> {
  if (!isRecord(value)) return { value: undefined, dropped: 1 }
  const read = Object.entries(value).map(([name, one]) => [name, readMember(one)] as const)
  return {
    value: Object.fromEntries(read.flatMap(([name, { value }]) => (value === undefined ? [] : [[name, value]]))),
    dropped: read.reduce((sum, [, { dropped }]) => sum + dropped, 0),
  }
}

/** A JSON table of lists, whose members fit or are dropped one by one. */
export function jsonLists<T>(name: string, by: By, member: Shape<T>): StorageKey<Record<string, T[]>> {
  return {
    name,
    by,
    read: text => tableIn(one => listIn(member, one), parsed(name, text)),
    write: value => JSON.stringify(value),
  }
}
