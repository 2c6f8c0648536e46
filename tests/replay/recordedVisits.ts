/**
 * Compares simulated visits with their recordings. Re-execution repeats the core's part alone; a visit comes out as recorded
 * only if inbox, dispatcher, journal, crash guard and tabs do the same at the same virtual moment, too.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lineKind } from '../../src/runtime/log/record.ts'
import type { Simulated } from '../simulation/simulate.ts'

/** `inputs`: the recording ends behind this many. `why`: reason for a visit that was not chosen by its outcomes. */
export type Visit = { seed: number; inputs: number; why?: string }

export const visitsFolder = join(import.meta.dirname, 'simulated')
export const scriptedFolder = join(import.meta.dirname, 'scripted')

export const visits = (folder = visitsFolder): Visit[] =>
  JSON.parse(readFileSync(join(folder, 'visits.json'), 'utf8')) as Visit[]

export const fileOf = ({ seed }: Pick<Visit, 'seed'>): string => `seed-${seed}.jsonl`

/** @returns the first line in which a simulated visit differs from its recording; undefined for none, or without a recording */
export function otherVisit({ seed, lines }: Pick<Simulated, 'seed' | 'lines'>): string | undefined {
  const path = join(visitsFolder, fileOf({ seed }))
  if (!existsSync(path)) return undefined
  // Without header and trailer
  const recorded = readFileSync(path, 'utf8').split('\n').slice(1, -2)
  const at = recorded.findIndex((line, index) => line !== lines[index])
  if (at < 0) return undefined
  const input = recorded.slice(0, at + 1).filter(line => lineKind(line) === 'i').length
  return `seed ${seed} is another visit than recorded at input ${input}: expected ${shortly(recorded[at])}, got ${shortly(lines[at])}`
}

const longest = 300

function shortly(line: string | undefined): string {
  if (line === undefined) return 'nothing'
  return line.length > longest ? `${line.slice(0, longest)}…` : line
}
