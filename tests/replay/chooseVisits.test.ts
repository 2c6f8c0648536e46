import { expect, test } from 'vitest'
import { connectedLog } from '../events/recordedLog.ts'
import { type Candidate, chooseCandidates, outcomesOf } from './chooseVisits.ts'

const visit = (...outcomes: string[]): Candidate => ({ lines: outcomes, outcomes })
const chosen = (candidates: readonly Candidate[], known: string[] = []) =>
  chooseCandidates(candidates, { most: 100_000, known, worth: [1] }).map(({ one, inputs }) => [one.outcomes, inputs])

test('chosen visits: a log has one outcome for each input', () => {
  const lines = connectedLog()
  const outcomes = outcomesOf(lines)
  expect(outcomes).toHaveLength(lines.filter(line => line.startsWith('{"k":"i"')).length)
  expect(outcomes[0]).toMatch(/^core\.boot core\.started/)
})

test('chosen visits: the one with most new outcomes comes first, up to its last new one', () => {
  const [poor, rich] = [visit('a', 'b', 'd'), visit('a', 'b', 'c', 'e', 'a')]
  expect(chosen([poor, rich])).toEqual([
    [rich.outcomes, 4],
    [poor.outcomes, 3],
  ])
})

test('chosen visits: one without a new outcome is left out', () => {
  expect(chosen([visit('a', 'b'), visit('a')])).toHaveLength(1)
  expect(chosen([visit('a')], ['a'])).toEqual([])
})
