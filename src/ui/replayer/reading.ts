/** A file being read. */
import type { Recording } from '../../runtime/recording/recording.ts'
import { collectCalls, type RecordedCall } from '../../events/replay/calls.ts'
import { causesOf } from '../../events/replay/causes.ts'
import { storyFolds } from '../../events/replay/foldTo.ts'
import type { Causes } from '../../runtime/story/cause.ts'
import type { Model } from '../../events/app.ts'
import { modelOf } from '../../events/checkpoint/snapshot.ts'
import { momentsOf, rowsAfter } from '../../runtime/story/moments.ts'
import { type Entry, storyOf } from '../../runtime/story/story.ts'
import { type Timeline, timelineOf } from '../../events/replay/timeline.ts'
import type { Verdict } from '../../runtime/replay/verdict.ts'
import { createWalk, type Walk } from '../../runtime/story/walk.ts'

export type Reading = {
  /** Rejects with a Fault in one sentence when the file is refused. */
  recording: Promise<Recording>
  /** Strict re-execution; rejects with a Fault when it cannot be tried. */
  verdict: Promise<Verdict>
  /** Cancels; pending promises never settle. */
  stop(): void
}

/** Reads a file; `heard` receives the lines read so far and their share of the file, from 0 to 1. */
export type OpenFile = (file: File, heard: (lines: number, share: number) => void) => Reading

/** A recording prepared for playback. */
export type Opened = {
  file: string
  recording: Recording
  story: Entry[]
  timeline: Timeline
  walk: Walk<Model>
  causes: Causes
  calls: RecordedCall[]
  counts: { inputs: number; facts: number; pages: number }
  /** Input of the checkpoint the file begins with; 0 if it holds the log from its beginning. */
  after: number
}

/** Records of which the calls are collected in one task. */
const sliceLength = 20_000

/** Prepares a recording in steps short enough for an interactive page. */
export async function prepare(file: string, recording: Recording): Promise<Opened> {
  const { records } = recording
  await breath()
  const moments = momentsOf(records)
  await breath()
  const story = storyOf(records, moments)
  await breath()
  const { calls, take } = collectCalls()
  for (const [index, recorded] of records.entries()) {
    take(recorded, index)
    if (index % sliceLength === sliceLength - 1) await breath()
  }
  await breath()
  const timeline = timelineOf(story, calls)
  await breath()
  const causes = causesOf(records)
  const counts = { inputs: 0, facts: 0, pages: 0 }
  for (const { record } of story) counts[record.k === 'i' ? 'inputs' : record.k === 'f' ? 'facts' : 'pages'] += 1
  const from = records[0]?.record
  const begin = from?.k === 'c' ? modelOf(rowsAfter(records, 0)) : undefined
  return {
    file,
    recording,
    story,
    timeline,
    walk: createWalk(storyFolds, story, begin),
    causes,
    calls,
    counts,
    after: from?.k === 'c' ? from.n : 0,
  }
}

/** Yields, so that the page can paint and respond. */
function breath(): Promise<void> {
  return new Promise(done => setTimeout(done, 0))
}
