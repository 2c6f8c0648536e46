/** A file on its way in: what the page around the replayer lends it. */
import type { Recording } from '../../events/recording/recording.ts'
import { type Causes, createCauses } from '../../events/replay/cause.ts'
import { worldOf } from '../../events/checkpoint/worldOf.ts'
import { momentsOf, restatedAfter } from '../../events/replay/replay.ts'
import { type Entry, storyOf } from '../../events/replay/story.ts'
import { type Timeline, timelineOf } from '../../events/replay/timeline.ts'
import type { Verdict } from '../../events/replay/verdict.ts'
import { createWalk, type Walk } from '../../events/replay/walk.ts'

export type Reading = {
  /** Rejects with a Fault in one sentence when the file is refused. */
  recording: Promise<Recording>
  /** Strict re-execution; rejects with a Fault when it cannot be tried. */
  verdict: Promise<Verdict>
  /** Ends it; what is still awaited never comes. */
  stop(): void
}

/** Begins to read a file; `heard` hears the lines read so far and the part of the file they are, from 0 to 1. */
export type OpenFile = (file: File, heard: (lines: number, share: number) => void) => Reading

/** A recording made ready to be walked through. */
export type Opened = {
  file: string
  recording: Recording
  story: Entry[]
  timeline: Timeline
  walk: Walk
  causes: Causes
  counts: { inputs: number; facts: number; pages: number }
  /** The input after which its first checkpoint stands; 0 when it has the log from its beginning. */
  after: number
}

/** Makes a recording ready, in steps short enough for a page that is in use. */
export async function prepare(file: string, recording: Recording): Promise<Opened> {
  const { records } = recording
  await breath()
  const moments = momentsOf(records)
  await breath()
  const story = storyOf(records, moments)
  await breath()
  const timeline = timelineOf(story)
  await breath()
  const causes = createCauses(records)
  const counts = { inputs: 0, facts: 0, pages: 0 }
  for (const { record } of story) counts[record.k === 'i' ? 'inputs' : record.k === 'f' ? 'facts' : 'pages'] += 1
  const from = records[0]?.record
  const begin = from?.k === 'c' ? worldOf(restatedAfter(records, 0)) : undefined
  return {
    file,
    recording,
    story,
    timeline,
    walk: createWalk(story, begin),
    causes,
    counts,
    after: from?.k === 'c' ? from.n : 0,
  }
}

/** Lets the page draw and answer in between. */
function breath(): Promise<void> {
  return new Promise(done => setTimeout(done, 0))
}
