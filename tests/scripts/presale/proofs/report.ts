/** The result of one proof. `number`: its place among the acceptance numbers of the reference; `figures` are plain JSON. */
export type ProofReport = {
  proof: string
  number: number
  holds: boolean
  figures: Readonly<Record<string, unknown>>
  /** sentences for people */
  lines: readonly string[]
}

/** Receives the work done of all, and a violation as soon as it is found. */
export type OnDone = (done: number, all: number, violation?: string) => void

/** At most this many violations are told in full; all are counted. */
export const mostTold = 10

/** @returns `3 early, 1 late` */
export function counted(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts).sort(([, a], [, b]) => b - a)
  return entries.map(([name, count]) => `${count} ${name}`).join(', ')
}

/** Adds one to a count. */
export function countOne(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1
}
