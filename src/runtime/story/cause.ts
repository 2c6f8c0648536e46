/**
 * Traces an entry back to its command. An input names the effect it answers (`e3.811.0`: the first of input 811); that effect's
 * input is the cause before it. An input that answers nothing, such as a relay frame or a boot, continues the last fact about
 * the same thing, such as an order or a session, in any life.
 */
import type { EffectRecord, FactRecord, InputRecord, PageRecord } from '../log/record.ts'
import type { Recorded } from '../recording/recording.ts'
import type { Entry } from './story.ts'

/** One link, from the first cause down. `index` is its place in the records; an effect has its input's. */
export type Link =
  | { kind: 'input'; index: number; record: InputRecord; from: 'command' | 'answer' | 'outside' }
  | { kind: 'fact'; index: number; record: FactRecord }
  | { kind: 'effect'; index: number; id: string; type: string }
  | { kind: 'page'; index: number; record: PageRecord }

/** An input and its results, with their places in the records. */
type Step = { at: number; input: InputRecord; facts: { index: number; record: FactRecord }[]; effects?: EffectRecord }

/** More links are rounds of a poll; the ones nearest to the entry count. */
const mostLinks = 2000
const effectId = /^e(\d+)\.(\d+)\.(\d+)$/

/** A product's rules of causes. */
type CauseRules = {
  isCommand(input: InputRecord): boolean
  /** Whether a field of this name holds the id of one thing of the log. */
  namesThing(field: string): boolean
}

export type Causes = {
  /** @returns the links from the first cause to this entry, and the effects it caused */
  of(entry: Entry): Link[]
}

/**
 * Finds causes in one recording. Holds its inputs, facts and boots by number; one function, because each step back reads all
 * three.
 */
export function createCauses(records: readonly Recorded[], rules: CauseRules): Causes {
  const idsOf = (data: Record<string, unknown>) => idsIn(data, rules.namesThing)
  const inputs = new Map<number, number>()
  const facts = new Map<number, number>()
  const boots: { index: number; life: number }[] = []
  records.forEach(({ record }, index) => {
    if (record.k === 'f') facts.set(record.seq, index)
    if (record.k !== 'i') return
    inputs.set(record.n, index)
    if (record.type === 'core.boot' && typeof record.data.life === 'number')
      boots.push({ index, life: record.data.life })
  })

  function stepOf(n: number): Step | undefined {
    const at = inputs.get(n)
    const input = at === undefined ? undefined : records[at]?.record
    if (at === undefined || input?.k !== 'i') return undefined
    const step: Step = { at, input, facts: [] }
    for (let index = at + 1; index < records.length; index++) {
      const record = records[index]?.record
      if (record?.k === 'i') break
      if (record?.k === 'f') step.facts.push({ index, record })
      if (record?.k === 'e') step.effects = record
    }
    return step
  }

  function lastSaidOf(about: ReadonlySet<string>, before: number): number | undefined {
    if (about.size === 0) return undefined
    for (let index = before - 1; index >= 0; index--) {
      const record = records[index]?.record
      if (record?.k === 'f' && idsOf(record.data).some(id => about.has(id))) return record.n
    }
    return undefined
  }

  /** Links that led to this step, the first cause first. */
  function before(step: Step, seen: ReadonlySet<string>): Link[] {
    const links: Link[] = []
    let about = seen
    let now = step
    while (links.length < mostLinks) {
      const { input } = now
      const answered = input.to === undefined ? null : effectId.exec(input.to)
      const cause = answered ? stepOf(Number(answered[2])) : undefined
      if (answered && cause && cause.input.n < input.n) {
        const type = cause.effects?.types[Number(answered[3])] ?? 'an effect'
        links.push(inputLink(now, 'answer'))
        links.push({ kind: 'effect', index: cause.at, id: answered[0], type })
        now = cause
      } else {
        const end = rules.isCommand(input)
        links.push(inputLink(now, end ? 'command' : 'outside'))
        if (end) break
        const own = ownIds(now, about)
        const n = lastSaidOf(own, now.at)
        const earlier = n === undefined ? undefined : stepOf(n)
        if (!earlier) break
        about = new Set([...about, ...own])
        now = earlier
      }
      links.push(
        ...now.facts
          .filter(({ record }) => idsOf(record.data).some(id => about.has(id)))
          .map(factLink)
          .reverse(),
      )
    }
    return links.reverse()
  }

  /** Ids to look for before this step: `about`, and the step's own where its facts name none of those. */
  function ownIds({ input, facts }: Step, about: ReadonlySet<string>): ReadonlySet<string> {
    const said = facts.flatMap(({ record }) => idsOf(record.data))
    if (said.some(id => about.has(id)) || (said.length === 0 && idsOf(input.data).length === 0)) return about
    return new Set([...about, ...said, ...idsOf(input.data)])
  }

  function inputLink({ at, input }: Step, from: 'command' | 'answer' | 'outside'): Link {
    return { kind: 'input', index: at, record: input, from }
  }

  /** The life at this place of the records. */
  function lifeAt(index: number): number {
    return boots.filter(boot => boot.index <= index).at(-1)?.life ?? 0
  }

  return {
    of({ record, index }) {
      if (record.k === 'p') {
        const seen = facts.get(record.after)
        const fact = seen === undefined ? undefined : records[seen]?.record
        const page: Link = { kind: 'page', index, record }
        return seen !== undefined && fact?.k === 'f' ? [{ kind: 'fact', index: seen, record: fact }, page] : [page]
      }
      const step = stepOf(record.n)
      if (!step) return []
      const told = record.k === 'f' ? [{ index, record }] : step.facts
      const about = new Set([...told.flatMap(({ record }) => idsOf(record.data)), ...idsOf(record.data)])
      const life = lifeAt(step.at)
      const effects = (step.effects?.types ?? []).map(
        (type, k): Link => ({ kind: 'effect', index: step.at, id: `e${life}.${step.input.n}.${k}`, type }),
      )
      return [...before(step, about), ...told.map(factLink), ...effects]
    },
  }
}

function factLink({ index, record }: { index: number; record: FactRecord }): Link {
  return { kind: 'fact', index, record }
}

/** Ids in the data that name one thing of this log. */
function idsIn(data: Record<string, unknown>, namesThing: (field: string) => boolean): string[] {
  const found: string[] = []
  for (const name in data) {
    const value = data[name]
    if (typeof value === 'string' && namesThing(name)) found.push(value)
  }
  return found
}
