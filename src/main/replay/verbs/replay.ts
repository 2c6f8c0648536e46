/** Runs `show` and `check` on a file that is given without a verb. */
import { check, verdictOn } from './check.ts'
import { readRecordingAt, recordingsIn } from '../files.ts'
import { story } from './show.ts'
import type { Verb } from '../verb.ts'

export const replay: Verb = {
  takes: 'FILE [--quiet]',
  summary: 'a file alone is shown and checked',
  about: 'Shows one recording and checks it; several are only checked.',
  options: check.options,
  async run(asked, io) {
    const [file, ...more] = await recordingsIn(asked.words)
    const alone = file !== undefined && more.length === 0 && asked.words[0] === file
    if (!alone || asked.flags.has('json') || asked.values.shard) return check.run(asked, io)
    const recording = await readRecordingAt(file)
    if (!asked.flags.has('quiet')) story(recording, { words: [], flags: new Set(), values: {} }, io, file)
    return verdictOn(recording, file, io)
  },
}
