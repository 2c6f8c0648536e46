/** Makes a test of a downloaded recording. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { printable } from '../../../runtime/replay/describe.ts'
import type { Recording } from '../../../runtime/recording/recording.ts'
import { counts } from '../../../runtime/replay/verdict.ts'
import { keptRecordings, readRecordingAt, wishBeside, wishFileOf } from '../files.ts'
import { shellWord } from '../../../events/replay/shellWord.ts'
import { refused, safeJson, type Verb, takeWords } from '../verb.ts'
import { verdictLines, verdictsOn } from '../verdicts.ts'
import { readWish, refuseOutside, wishTextOf } from '../wish.ts'
import { recordingOf } from '../write.ts'

export const toTest: Verb = {
  takes: "FILE [--expect 'N: TYPE']… [--not TYPE]… [--name NAME] [--json]",
  summary: 'makes a downloaded recording a test that runs in npm test',
  about: `Copies a recording to tests/replay/recordings/, where npm test re-executes it in Node and in Chromium, and checks it at once.
A recording with a difference becomes a test that fails until the cause is fixed. A truncated file is cut before its last input.

The recording of a bug repeats the bug, so it re-executes without a difference. --expect and --not say what should have
happened. They are stored beside the recording as NAME.wish.json, and that test fails until the bug is fixed. So there are two
verdicts: as recorded, and as wished. Once the wish holds, npm run record -- --rerun writes the fixed core's output into the
recording; inputs that only the bug led to are named.
Exit code: 0 the test passes, 1 it fails, 2 the file cannot become a test.`,
  options: {
    expect: { value: "'N: TYPE'", many: true, about: "input N should cause this fact, such as '19: order.rejected'" },
    not: { value: 'TYPE', many: true, about: "no input should cause this fact; 'N: TYPE': input N should not" },
    name: {
      value: 'NAME',
      about: "the test's name, such as declined-twice; default: from the file name",
    },
    json: { about: 'one JSON document: {"file", "test", "ok", "verdict", "wish", "divergence"}' },
  },
  async run(asked, { out, root, build }) {
    const [file] = takeWords(asked, ['a file'])
    const name = nameOf(asked.values.name?.[0], file)
    const recording = await readRecordingAt(file)
    const [unknown] = Object.keys(recording.unknownTypes)
    if (unknown !== undefined) {
      throw refused(`${unknown} is unknown to this build, so the recording cannot be re-executed`)
    }
    const { text, cut, kept } = await asTest(recording)
    const path = join(keptRecordings(root), `${name}.jsonl`)
    const said = readWish(asked.values)
    const isWished = said.expect.length + said.not.length > 0
    if (isWished) refuseOutside(said, kept.records)
    const test = relative(root, path).replaceAll('\\', '/')
    const there = await readFile(path, 'utf8').catch(() => undefined)
    if (there !== undefined && there !== text) {
      throw refused(`${test} exists already and is another recording: choose another name with --name`)
    }
    const wish = isWished ? said : await wishBeside(path)
    const verdicts = verdictsOn(kept, wish, build)
    await mkdir(keptRecordings(root), { recursive: true })
    await writeFile(path, text)
    if (isWished) await writeFile(wishFileOf(path), wishTextOf(said))
    const { ok } = verdicts
    if (asked.flags.has('json')) {
      const about = { ended: cut, redaction: recording.header.redaction }
      out.write(`${safeJson({ file, test, ...verdicts, ...about })}\n`)
      return ok ? 0 : 1
    }
    if (cut > 0) out.write(`the file was truncated: cut before its last input, ${counts(cut, 'line')} left out\n`)
    if (recording.header.redaction === 'plain') {
      out.write(
        "it is not redacted: it has the visitor's addresses and signatures; npm run replay -- redact replaces them\n",
      )
    }
    out.write(verdictLines(verdicts, kept.header, test, build))
    const files = wish ? `${shellWord(test)} ${shellWord(wishFileOf(test))}` : shellWord(test)
    out.write(
      ok
        ? `${test} is a test now: git add ${files}\n`
        : `${test} is a test now, and it fails until this is fixed: git add ${files}\n`,
    )
    if (!wish && there === undefined) {
      out.write('it has no wish: describe it in tests/replay/corpus.ts, or state the bug with --expect or --not\n')
    }
    out.write(`run it alone: npx vitest run --project unit tests/replay -t ${shellWord(name)}\n`)
    return ok ? 0 : 1
  },
}

/** @returns the test's name: small letters, digits and hyphens, the same file on every system */
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
  throw refused('the file name has no letter or digit to name a test by: choose a name with --name')
}

/** @returns the committed text and its recording; `cut` is the number of lines left out at a truncated end */
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
