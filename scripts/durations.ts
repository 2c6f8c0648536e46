/** Durations of the last run's stages, from which the next run estimates its own. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Seconds by stage. */
export type Durations = Record<string, number>

/** @returns none without a readable file */
export function readDurations(file: string): Durations {
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    return Object.fromEntries(Object.entries(kept).filter((one): one is [string, number] => Number.isFinite(one[1])))
  } catch {
    return {}
  }
}

/** Keeps new durations beside those of stages that did not run. */
export function keepDurations(file: string, durations: Durations): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify({ ...readDurations(file), ...durations }, null, 2)}\n`)
}

/** @returns seconds of the slowest lane; undefined unless every stage has run before */
export function estimate(stages: readonly { name: string; lane: number }[], durations: Durations): number | undefined {
  const lanes = new Map<number, number>()
  for (const { name, lane } of stages) {
    const seconds = durations[name]
    if (seconds === undefined) return undefined
    lanes.set(lane, (lanes.get(lane) ?? 0) + seconds)
  }
  return Math.max(...lanes.values())
}

/** @returns a rough time in words: `about 7 min` */
export function aboutText(seconds: number): string {
  return seconds < 60 ? `about ${Math.max(1, Math.round(seconds))} s` : `about ${Math.round(seconds / 60)} min`
}
