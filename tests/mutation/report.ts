/**
 * Reports what caught the planted faults, by group and in all, and holds it to two goals: the share that recordings and seeds
 * catch without any test of a module, screens and the operator's tool apart, as no recording has them; and the share that anything
 * catches.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { groupNames, groupOf } from './groups.ts'
import type { Mutant } from './mutant.ts'
import type { Catch } from './trial.ts'

export const nets = ['recording', 'seed', 'test'] as const
export type Net = (typeof nets)[number]

export type Caught = { [net in Net]?: Catch }
/** `note`: reason why a trial is incomplete. */
export type Outcome = { caught: Caught; note?: string }
export type Result = Mutant & Outcome

/** Shares of all faults tried. */
const goals = { worlds: 0.6, all: 0.97 }

const columns: readonly (readonly [title: string, nets: readonly Net[]])[] = [
  ['recordings', ['recording']],
  ['seeds', ['seed']],
  ['both', ['recording', 'seed']],
  ['unit tests', ['test']],
  ['all', nets],
]

export const isMissed = ({ caught }: Result): boolean => nets.every(net => !caught[net])

/** @returns one line about a fault: what caught it first, and after how many tries */
export function rowOf(result: Result): string {
  const { caught, note = '', file, what } = result
  const how = nets.flatMap(net => {
    const { name, after } = caught[net] ?? {}
    return name === undefined ? [] : `${net} ${name.replace('tests/', '')} (${after})`
  })
  return `${(isMissed(result) ? `MISSED ${note}` : how.join(', ')).padEnd(52)}  ${file.replace('src/', '')}: ${what}`
}

/** @returns the results of the last run; none without one */
export function lastResults(root: string): Result[] {
  const path = pathIn(root)
  if (!existsSync(path)) return []
  return (JSON.parse(readFileSync(path, 'utf8')) as { results: Result[] }).results
}

/** Stores these results; those of other faults stay from earlier runs. */
export function store(root: string, results: readonly Result[]): void {
  const isNew = new Set(results.map(nameOf))
  const all = [...lastResults(root).filter(result => !isNew.has(nameOf(result))), ...results]
  const path = pathIn(root)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify({ results: all }, null, 2)}\n`)
}

/** Names a fault over several runs. */
export const nameOf = ({ file, what }: Pick<Mutant, 'file' | 'what'>): string => `${file} ${what}`

/** Prints the report. @returns whether both goals are reached */
export function report(results: readonly Result[]): boolean {
  console.log(`\nPlanted faults caught by each alone`)
  console.log(cells(['', 'faults', ...columns.map(([title]) => title)]))
  for (const name of groupNames) {
    const ofGroup = results.filter(({ file }) => groupOf(file) === name)
    if (ofGroup.length > 0) console.log(tableRow(name, ofGroup))
  }
  console.log(tableRow('in all', results))
  for (const result of results.filter(isMissed)) console.log(`  ${rowOf(result)}`)
  const played = results.filter(({ file }) => !['screens', 'operator'].includes(groupOf(file)))
  const shares = { worlds: shareOf(played, ['recording', 'seed']), all: shareOf(results, nets) }
  // Each goal is judged, also when the first is missed
  return [
    isReached('recordings and seeds', shares.worlds, goals.worlds),
    isReached('all together', shares.all, goals.all),
  ].every(Boolean)
}

function isReached(what: string, share: number, goal: number): boolean {
  console.log(`goal: ${what} at least ${percent(goal)}, got ${percent(share)}${share < goal ? ': MISSED' : ''}`)
  return share >= goal
}

const pathIn = (root: string) => join(root, 'test-results/mutation.json')

const count = (results: readonly Result[], some: readonly Net[]) =>
  results.filter(({ caught }) => some.some(net => caught[net] !== undefined)).length
const shareOf = (results: readonly Result[], some: readonly Net[]) =>
  results.length === 0 ? 1 : count(results, some) / results.length
const percent = (share: number) => `${(100 * share).toFixed(1)} %`

function tableRow(name: string, results: readonly Result[]): string {
  const shown = columns.map(([, some]) => `${count(results, some)} (${percent(shareOf(results, some))})`)
  return cells([name, String(results.length), ...shown])
}

const cells = ([name = '', ...others]: readonly string[]) =>
  `  ${name.padEnd(14)}${others.map(text => text.padStart(15)).join('')}`
