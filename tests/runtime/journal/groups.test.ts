import { describe, expect, test } from 'vitest'
import type { RunningRecord } from '../../../src/runtime/log/record.ts'
import { codec } from '../../../src/events/log/codec.ts'
import { snapshots } from '../../../src/events/checkpoint/snapshot.ts'
import { readGroups } from '../../../src/runtime/journal/groups.ts'
import { visit } from '../../simulation/visit.ts'
import { groupsOf } from '../../worker/logs.ts'

const decode = (line: string) => JSON.parse(line) as RunningRecord
const story = groupsOf(visit('installed sign').inputs)
const linesTo = (count: number) => story.slice(0, count).flatMap(({ lines }) => lines)
const factsTo = (count: number) => linesTo(count).filter(line => line[6] === 'f').length
/** the first group after the third with two facts */
const at = story.findIndex(({ lines }, index) => index > 2 && lines.filter(line => line[6] === 'f').length > 1)

/** The whole story, with this change to the last fact of that group. */
function changed(change: object): string[] {
  const lines = linesTo(story.length)
  const fact = lines.lastIndexOf(story[at]?.lines.filter(line => line[6] === 'f').at(-1) ?? '')
  lines[fact] = JSON.stringify({ ...decode(lines[fact] ?? ''), ...change })
  return lines
}

describe('groups: a line that does not fit', () => {
  test.each([
    ['a fact of another input', { n: (story[at]?.head.n ?? 0) + 1 }],
    ['a fact with another number', { seq: 1 }],
  ])('%s ends the reading before its group', (_name, change) => {
    const groups = readGroups(changed(change), { codec, snapshots })
    const before = story[at - 1]?.head
    expect(groups).toMatchObject({ whole: false, n: before?.n, seq: before?.seq })
    expect(groups.lines).toEqual(linesTo(at))
    expect(groups.facts).toHaveLength(factsTo(at))
  })
})
