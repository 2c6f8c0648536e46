import { printable } from '../../../runtime/replay/describe.ts'
import type { LogRecord } from '../../../runtime/log/record.ts'

/** The counts of a type in two recordings. */
type TypeCount = { kind: 'input' | 'fact' | 'effect' | 'page' | 'world'; type: string; a: number; b: number }

/** `world`: the rows of a checkpoint. */
const kinds = { i: 'input', f: 'fact', p: 'page', r: 'world' } as const

/** Counts every type in two recordings, sorted by kind, inputs first, then by name. */
export function countByType(a: readonly LogRecord[], b: readonly LogRecord[]): TypeCount[] {
  const found = new Map<string, TypeCount>()
  const count = (side: 'a' | 'b', kind: TypeCount['kind'], type: string) => {
    const key = `${kind} ${type}`
    const row = found.get(key) ?? { kind, type, a: 0, b: 0 }
    row[side] += 1
    found.set(key, row)
  }
  for (const [side, records] of [
    ['a', a],
    ['b', b],
  ] as const) {
    for (const record of records) {
      if (record.k === 'e') for (const type of record.types) count(side, 'effect', type)
      else if (record.k !== 'c') count(side, kinds[record.k], record.type)
    }
  }
  const order = ['input', 'fact', 'effect', 'page', 'world']
  const rank = (row: TypeCount) => order.indexOf(row.kind)
  return [...found.values()].sort((x, y) => rank(x) - rank(y) || (x.type < y.type ? -1 : 1))
}

/** @returns a line for each type with different counts: `fact  order.signed  3 → 2` */
export function typeLines(rows: readonly TypeCount[]): string {
  const other = rows.filter(({ a, b }) => a !== b)
  const width = Math.max(0, ...other.map(({ type }) => printable(type).length))
  return other
    .map(({ kind, type, a, b }) => `  ${kind.padEnd(6)}  ${printable(type).padEnd(width)}  ${a} → ${b}\n`)
    .join('')
}
