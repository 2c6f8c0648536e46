/**
 * Makes a checkpoint: the core's model in lines, stored at a seam of the log. With thousands of sessions that takes a tenth of
 * a second, so it runs in slices, and the core takes inputs between them.
 */
import { copyOf } from '../../events/json/copyOf.ts'
import type { CoreModel } from '../../events/app.ts'
import { lineOf } from '../../events/log/lineOf.ts'
import type { CheckpointRecord, FactRecord } from '../../events/log/record.ts'
import { recordOf, restating } from '../../events/checkpoint/restate.ts'
import { rowsNamedBy } from '../../events/checkpoint/rows.ts'
import { hashOn, hashText } from '../../events/log/shortHash.ts'
import type { Taken } from './checkpoints.ts'
import type { Journal } from './journal.ts'
import { createPauses, type Pauses } from './pauses.ts'

export type Making = {
  journal: Pick<Journal, 'keep'>
  /** this core's build */
  build: string
  now(): number
  /** the core's own model, which may change between slices, or a copy */
  model: CoreModel
  /** Subscribes to every later fact. */
  watch(hear: (fact: FactRecord) => void): void
  /** @returns the core's position between two steps: now, or when the model was copied */
  take(): Taken
}

/** @returns its count of lines */
export async function makeCheckpoint({ journal, build, now, model, watch, take }: Making): Promise<number> {
  const pauses = createPauses()
  const rows = new Map<string, string>()
  watch(fact => {
    for (const row of rowsNamedBy(fact)) rows.delete(row)
  })
  for (const one of restating(model)) {
    if (one.row === undefined) continue
    const line = lineOf(recordOf(one))
    rows.set(one.row, line)
    if (pauses.isDue(line.length)) await pauses.pause()
  }

  // From here to the seam no step runs: the lines belong to one position
  const { n, seq, memory, seam } = take()
  const lines: string[] = []
  for (const one of restating(model))
    lines.push((one.row === undefined ? undefined : rows.get(one.row)) ?? lineOf(recordOf(one)))
  const standing = { n, seq, life: model.core.life, at: Math.floor(now()), build, transient: copyOf(memory) }

  const head: CheckpointRecord = { k: 'c', ...standing, state: await hashOf(lines, pauses), restated: lines.length }
  await journal.keep(await seam, await bytesOf([lineOf(head), ...lines], pauses))
  return lines.length + 1
}

/** The same as `hashOfLines`, in slices. */
async function hashOf(lines: readonly string[], pauses: Pauses): Promise<string> {
  let hash: number | undefined
  for (const line of lines) {
    hash = hash === undefined ? hashOn(line) : hashOn(line, hashOn('\n', hash))
    if (pauses.isDue(line.length)) await pauses.pause()
  }
  return hashText(hash ?? hashOn(''))
}

/** Lines with their ends between them, as UTF-8. */
async function bytesOf(lines: readonly string[], pauses: Pauses): Promise<Uint8Array> {
  const encoder = new TextEncoder()
  const pieces: Uint8Array[] = []
  let text = ''
  let length = 0
  for (const [index, line] of lines.entries()) {
    text += index === 0 ? line : `\n${line}`
    const isLast = index === lines.length - 1
    if (!isLast && !pauses.isDue(line.length)) continue
    const piece = encoder.encode(text)
    pieces.push(piece)
    length += piece.length
    text = ''
    if (!isLast) await pauses.pause()
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}
