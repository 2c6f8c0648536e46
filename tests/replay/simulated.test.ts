/**
 * Recordings of simulated and scripted visits, re-executed on every run; `simulation/seeds.test.ts` simulates the
 * former, too. After a change that should answer otherwise, `npm run record -- --rerun` makes them anew.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileOf, otherVisit, scriptedFolder, visits, visitsFolder } from './recordedVisits.ts'
import { strictly } from './strictly.ts'

const listed = visits()

test('simulated recordings: one for each visit of the list', () => {
  const names = readdirSync(visitsFolder).filter(name => name !== 'visits.json')
  expect(names.sort()).toEqual(listed.map(fileOf).sort())
})

test.each(listed)('the simulated visit of seed $seed comes out byte for byte as it was recorded', async visit => {
  const verdict = await strictly(readFileSync(join(visitsFolder, fileOf(visit)), 'utf8'))
  expect(verdict.ok, 'report' in verdict ? `seed ${visit.seed}: ${verdict.report}` : '').toBe(true)
})

const scripted = readdirSync(scriptedFolder).filter(name => name.endsWith('.jsonl'))

test.each(scripted)('the scripted visit %s comes out byte for byte as it was recorded', async name => {
  const verdict = await strictly(readFileSync(join(scriptedFolder, name), 'utf8'))
  expect(verdict.ok, 'report' in verdict ? `${name}: ${verdict.report}` : '').toBe(true)
})

test('a simulated visit that goes on otherwise is told by its seed, input and line', () => {
  const [visit] = listed
  if (!visit) throw new Error('the list expected a visit, it is empty')
  const lines = readFileSync(join(visitsFolder, fileOf(visit)), 'utf8')
    .split('\n')
    .slice(1, -2)
  expect(otherVisit({ seed: visit.seed, lines })).toBeUndefined()
  expect(otherVisit({ seed: 1_000_000, lines })).toBeUndefined()
  const last = lines.filter(line => line.startsWith('{"k":"f"')).at(-1) ?? ''
  const at = lines.indexOf(last)
  const changed = lines.map((line, index) => (index === at ? '{"k":"f"}' : line))
  const { n } = JSON.parse(last) as { n: number }
  const told = otherVisit({ seed: visit.seed, lines: changed })
  expect(told).toContain(`seed ${visit.seed} is another visit than recorded at input ${n}:`)
  expect(told).toContain('got {"k":"f"}')
  expect(otherVisit({ seed: visit.seed, lines: lines.slice(0, at) })).toContain('got nothing')
})
