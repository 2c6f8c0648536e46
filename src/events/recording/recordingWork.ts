/**
 * Limit of the work of folding a recording, which a view does again and again. A fold may iterate over a list of the model, and
 * an untrusted file may grow that list with every line.
 */
import type { CoreModel, PageModel } from '../app.ts'
import { foldCoreFact } from '../coreFolds.ts'
import { emptyCoreModel, emptyPageModel } from '../emptyModel.ts'
import { foldPageFact } from '../pageFolds.ts'
import { subjectOf } from '../../runtime/log/subjectOf.ts'
import { Fault } from '../../runtime/failure.ts'
import { tableOf } from '../checkpoint/tables.ts'
import type { Recorded } from '../../runtime/recording/recording.ts'

export const workLimits = {
  /** A list with more members is long; shorter ones cost next to nothing. */
  short: 64,
  /** members of long lists that all facts together may iterate over */
  steps: 5_000_000,
  /** pages with facts of their own */
  tabs: 5000,
} as const

/** Facts between two measurements of the lists. */
const pace = 64

/**
 * Folds copies of a recording's facts and counts the work.
 *
 * @throws Fault `bad_input` with the line that exceeds the limit
 */
export function checkWork(records: readonly Recorded[], most: number = workLimits.steps): void {
  const core = createWeighed<CoreModel>(emptyCoreModel())
  const tabs = new Map<string, Weighed<PageModel>>()
  let steps = 0
  let isBeginning = true

  const refuse = (number: number, name: string, most: number) =>
    new Fault('bad_input', `recording, line ${number}: expected at most ${most} ${name}, got more`)

  for (const { record, line, number, unknown } of records) {
    if (record.k === 'i') isBeginning = false
    const isFolded = record.k === 'f' || record.k === 'p' || (record.k === 'r' && isBeginning)
    if (!isFolded || unknown) continue
    // Folds write into the data they get
    const fact = JSON.parse(line) as { type: string; at: number; data: Record<string, unknown> }
    if (record.k === 'r') tableOf(fact.type)?.put(core.model, fact.data)
    else if (record.k === 'f') {
      foldCoreFact(core.model, fact)
      steps += core.weigh(fact.type)
    } else {
      let page = tabs.get(record.tab)
      if (!page) {
        page = createWeighed(emptyPageModel())
        tabs.set(record.tab, page)
        if (tabs.size > workLimits.tabs) throw refuse(number, 'tabs', workLimits.tabs)
      }
      foldPageFact(page.model, fact)
      steps += page.weigh(fact.type)
    }
    if (steps > most) throw refuse(number, 'steps through long lists', most)
  }
}

type Weighed<M> = { model: M; weigh(type: string): number }

/** A model whose long lists are measured from time to time. */
function createWeighed<M extends object>(model: M): Weighed<M> {
  let facts = 0
  let known: ReadonlyMap<string, number> = new Map()
  return {
    model,
    weigh(type) {
      if (facts % pace === 0)
        known = new Map(Object.entries(model).map(([subject, part]) => [subject, membersOfLong(part)]))
      facts += 1
      const subject = subjectOf(type)
      const weight = known.get(subject) ?? 0
      // The end of a session drops the replies owed on its topic
      return subject === 'session' ? weight + (known.get('mail') ?? 0) : weight
    },
  }
}

/** @returns members of all long lists in a value; a map of flags costs the same at any size, and does not count */
function membersOfLong(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const members: unknown[] = Array.isArray(value) ? value : Object.values(value)
  const isOfMarks = !Array.isArray(value) && members[0] === true
  let count = members.length > workLimits.short && !isOfMarks ? members.length : 0
  for (const member of members) count += membersOfLong(member)
  return count
}
