/** Finds recorded inputs that a fixed core would not have got, as they answer effects that it would not have ordered. */
import type { Recorded } from '../../runtime/recording/recording.ts'
import { printable } from '../../runtime/replay/describe.ts'
import { counts } from '../../runtime/replay/verdict.ts'
import { deciders } from '../../worker/deciders/index.ts'
import { idsIn } from '../../runtime/replay/names.ts'
import { type Group, rerun } from '../../runtime/replay/rerun.ts'
import { startOf } from '../../worker/replay/startOf.ts'
import { asRecorded, differing, recordedByInput } from './said.ts'

/** An input after the first difference, and the reason why it belongs to the recorded run only. */
type Stray = { n: number; type: string; why: string }

/** `from` is the first input with a different outcome, `behind` the number of inputs after it. */
export type Divergence = { from: number; behind: number; strays: Stray[] }

/** @returns undefined when every input has its recorded outcome */
export function divergenceOf(records: readonly Recorded[]): Divergence | undefined {
  const was = recordedByInput(records)
  const items = asRecorded(records)
  const { groups, names } = rerun(startOf(records, deciders), items)
  const [then, now] = [createMemory(), createMemory()]
  const strays: Stray[] = []
  let from: number | undefined
  for (const [place, { input, before }] of items.entries()) {
    const group = groups[place]
    if (!group) break
    const { n, type, to, ref } = input
    const stray = (why: string) => strays.push({ n, type, why })
    const asked = to === undefined ? undefined : then.ordered.get(to)
    const lost = idsIn(input.data).find(id => then.made.has(id) && !now.made.has(names.now(id)))
    if (from === undefined) {
      // Both runs are the same up to here
    } else if (asked !== undefined && now.ordered.get(group.input.to ?? '') !== asked)
      stray(`answers ${asked}, which is not pending now`)
    else if (lost !== undefined) stray(`names ${lost}, which no fact has now`)
    else if (ref !== undefined) stray('a command, given on a screen that is different now')
    from ??= differing(was.get(n) ?? { facts: [] }, group, names) && n
    if (before) then.note(before)
    now.note(group)
  }
  if (from === undefined) return undefined
  return { from, behind: items.filter(({ input }) => input.n > from).length, strays }
}

/** Remembers a run's effects, types by id, and every id in its facts. */
function createMemory() {
  const ordered = new Map<string, string>()
  const made = new Set<string>()
  const timers = new Map<unknown, string>()
  return {
    ordered,
    made,
    note({ facts, effects }: Pick<Group, 'facts' | 'effects'>) {
      for (const { id, type, data } of effects) {
        ordered.set(id, type)
        if (data.timerId === undefined) continue
        // A timer that is set again or cleared no longer fires under its earlier effect
        ordered.delete(timers.get(data.timerId) ?? '')
        if (type === 'timer.set') timers.set(data.timerId, id)
      }
      for (const { data } of facts) for (const id of idsIn(data)) made.add(id)
    },
  }
}

/** @returns a line with the count, then one for each stray input */
export function divergenceLines({ from, behind, strays }: Divergence): string {
  const are = strays.length === 1 ? 'belongs' : 'belong'
  const lines = strays.map(({ n, type, why }) => `  input ${n}, ${printable(type)}: ${printable(why)}\n`)
  const stray = `${strays.length} of ${counts(behind, 'input')} after it ${are} to the recorded run only`
  return `input ${from} has the first different outcome; ${stray}\n${lines.join('')}`
}
