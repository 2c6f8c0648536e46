/** Changes of a recording that was made again, by type. */
import type { Recorded } from '../../src/runtime/recording/recording.ts'
import { counts } from '../../src/runtime/replay/verdict.ts'

export type Changes = {
  /** Numbers of inputs. */
  inputs: { before: number; now: number }
  /** Facts by type; `changed` only where the inputs are the same. */
  facts: { type: string; added: number; removed: number; changed: number }[]
}

/** @returns the differences by type; none for equal types */
export function changesOf(before: readonly Recorded[], now: readonly Recorded[]): Changes {
  const [old, fresh] = [inputLines(before), inputLines(now)]
  const isSame = old.length === fresh.length && old.every((line, index) => line === fresh[index])
  const [was, is] = isSame ? [byInput(before), byInput(now)] : [whole(before), whole(now)]
  const found = new Map<string, { added: number; removed: number; changed: number }>()
  for (const [group, then] of was) {
    for (const type of new Set([...then.keys(), ...(is.get(group)?.keys() ?? [])])) {
      const [a, b] = [then.get(type) ?? [], is.get(group)?.get(type) ?? []]
      const row = found.get(type) ?? { added: 0, removed: 0, changed: 0 }
      row.added += Math.max(0, b.length - a.length)
      row.removed += Math.max(0, a.length - b.length)
      // Another run has other ids and times in every line, so only the numbers compare
      if (isSame) row.changed += a.filter((text, index) => index < b.length && text !== b[index]).length
      found.set(type, row)
    }
  }
  const facts = [...found]
    .filter(([, { added, removed, changed }]) => added + removed + changed > 0)
    .map(([type, row]) => ({ type, ...row }))
    .sort((a, b) => (a.type < b.type ? -1 : 1))
  return { inputs: { before: old.length, now: fresh.length }, facts }
}

/** @returns a line for the recording and one for each type */
export function changeLines(name: string, { inputs, facts }: Changes): string {
  const came =
    inputs.before === inputs.now ? counts(inputs.now, 'input') : `${inputs.before} → ${counts(inputs.now, 'input')}`
  const lines = facts.map(({ type, added, removed, changed }) => {
    const told = [
      added > 0 && `${added} added`,
      removed > 0 && `${removed} removed`,
      changed > 0 && `${changed} changed`,
    ]
    return `  ${type}: ${told.filter(Boolean).join(', ')}\n`
  })
  return `${name}: ${came}, ${lines.length === 0 ? 'the same facts' : 'other facts:'}\n${lines.join('')}`
}

type Facts = Map<string, string[]>

function inputLines(records: readonly Recorded[]): string[] {
  return records.flatMap(({ record, line }) => (record.k === 'i' ? [line] : []))
}

/** Facts by type, without their place in the log, for each input that caused them. */
function byInput(records: readonly Recorded[], groupOf = (n: number) => n): Map<number, Facts> {
  const groups = new Map<number, Facts>()
  for (const { record } of records) {
    if (record.k === 'i' && !groups.has(groupOf(record.n))) groups.set(groupOf(record.n), new Map())
    if (record.k !== 'f') continue
    const facts = groups.get(groupOf(record.n)) ?? new Map<string, string[]>()
    facts.set(record.type, [...(facts.get(record.type) ?? []), JSON.stringify([record.v, record.data])])
    groups.set(groupOf(record.n), facts)
  }
  return groups
}

/** All facts as a single group. */
function whole(records: readonly Recorded[]): Map<number, Facts> {
  const groups = byInput(records, () => 0)
  return groups.size > 0 ? groups : new Map([[0, new Map()]])
}
