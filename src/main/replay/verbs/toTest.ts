/** A downloaded recording becomes a test that runs with all others. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { printable } from '../../../events/replay/describe.ts'
import type { Recording } from '../../../events/recording/recording.ts'
import { counts, differenceReport, verdictLine } from '../../../events/replay/verdict.ts'
import { keptRecordings, openRecording } from '../files.ts'
import { strict } from '../strict.ts'
import { shellWord } from '../../../events/replay/shellWord.ts'
import { refused, safeJson, type Verb, words } from '../verb.ts'
import { recordingOf } from '../write.ts'

export const toTest: Verb = {
  takes: 'FILE [--name NAME] [--json]',
  summary: 'makes a downloaded recording a test that runs in npm test',
  about: `Copies a recording to tests/replay/recordings/ and runs it at once as npm test will from now on, in Node and in Chromium.
One that comes out otherwise becomes a test that fails until that is mended. A truncated file is ended at its last whole input.
Exit code: 0 the test passes, 1 it fails, 2 the file cannot become a test.`,
  options: {
    name: {
      value: 'NAME',
      about: 'what the test is about, such as declined-twice; made from the file name unless told',
    },
    json: { about: 'one JSON document: {"file", "test", "ok", "verdict"}' },
  },
  async run(asked, { out, root, build }) {
    const [file] = words(asked, ['a file'])
    const name = nameOf(asked.values.name?.[0], file)
    const recording = await openRecording(file)
    const [unknown] = Object.keys(recording.unknownTypes)
    if (unknown !== undefined) {
      throw refused(`${unknown} is not known to this build, so the recording cannot be re-executed strictly`)
    }
    const { text, cut, kept } = await asTest(recording)
    const verdict = strict(kept, build)
    const path = join(keptRecordings(root), `${name}.jsonl`)
    const test = relative(root, path).replaceAll('\\', '/')
    const there = await readFile(path, 'utf8').catch(() => undefined)
    if (there !== undefined && there !== text) {
      throw refused(`${test} is there already and is another recording: --name gives this one its own`)
    }
    await mkdir(keptRecordings(root), { recursive: true })
    await writeFile(path, text)
    if (asked.flags.has('json')) {
      out.write(
        `${safeJson({ file, test, ok: verdict.ok, verdict, ended: cut, redaction: recording.header.redaction })}\n`,
      )
      return verdict.ok ? 0 : 1
    }
    if (cut > 0)
      out.write(`the file was truncated: it was ended before its last input, ${counts(cut, 'line')} left out\n`)
    if (recording.header.redaction === 'plain') {
      out.write(
        "it is plain: it holds its visitor's addresses and signatures; npm run replay -- redact replaces them\n",
      )
    }
    if (!verdict.ok) {
      const again = `npm run replay -- check ${shellWord(test)}`
      const builds = { recorded: recording.header.coreBuild, running: build }
      out.write(`${differenceReport(verdict.difference, builds, again)}\n`)
    }
    out.write(`${verdictLine(verdict)}\n`)
    out.write(
      verdict.ok
        ? `${test} is a test now: git add ${shellWord(test)}\n`
        : `${test} is a test now, and it fails until this is mended: git add ${shellWord(test)}\n`,
    )
    out.write(`alone it runs with npx vitest run --project unit tests/replay -t ${shellWord(name)}\n`)
    return verdict.ok ? 0 : 1
  },
}

/** Small letters, digits and hyphens, so that it is the same file everywhere. */
function nameOf(told: string | undefined, file: string): string {
  if (told !== undefined) {
    if (told.length <= 80 && told.split('-').every(part => /^[a-z0-9]+$/.test(part))) return told
    throw refused(
      `--name expected small letters, digits and hyphens, such as declined-twice, got ${printable(told).slice(0, 60)}`,
    )
  }
  const name = basename(file)
    .replace(/(?:\.replay)?(?:\.jsonl)?(?:\.gz)?$/i, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80)
  if (name !== '') return name
  throw refused('the file name holds no letter or digit to name a test by: --name gives one')
}

/** @returns the text as it is kept; `cut` is how many lines at the end of a truncated file are left out */
async function asTest(recording: Recording): Promise<{ text: string; cut: number; kept: Recording }> {
  const { records, header, complete } = recording
  let whole = records
  if (!complete) {
    const last = records.map(({ record }) => record.k).lastIndexOf('i')
    const block = records.findIndex(({ record }, index) => record.k === 'c' && index > last)
    whole = records.slice(0, Math.max(0, block < 0 ? last : block))
  }
  const lines = whole.map(({ line }) => line)
  const { text, recording: kept } = await recordingOf(header, lines)
  return { text, kept, cut: records.length - whole.length }
}
