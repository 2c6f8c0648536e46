/** A downloaded recording becomes a test that runs with all others. */
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
  about: `Copies a recording to tests/replay/recordings/ and runs it at once as npm test will from now on, in Node and in Chromium.
One that comes out otherwise becomes a test that fails until that is mended. A truncated file is ended at its last whole input.

The recording of a bug repeats the bug, so it comes out as recorded. --expect and --not say what should have happened; they are
kept beside the recording as NAME.wish.json, and that test fails until the bug is mended. There are two verdicts: as recorded,
and as wished. Once the wish holds, npm run record -- --rerun writes what the mended core says into the recording; inputs that
only the bug led to are named.
Exit code: 0 the test passes, 1 it fails, 2 the file cannot become a test.`,
  options: {
    expect: { value: "'N: TYPE'", many: true, about: "input N should cause this fact, such as '19: order.rejected'" },
    not: { value: 'TYPE', many: true, about: "no input should cause this fact; 'N: TYPE': input N should not" },
    name: {
      value: 'NAME',
      about: 'what the test is about, such as declined-twice; made from the file name unless told',
    },
    json: { about: 'one JSON document: {"file", "test", "ok", "verdict", "wish", "parting"}' },
  },
  async run(asked, { out, root, build }) {
    const [file] = takeWords(asked, ['a file'])
    const name = nameOf(asked.values.name?.[0], file)
    const recording = await readRecordingAt(file)
    const [unknown] = Object.keys(recording.unknownTypes)
    if (unknown !== undefined) {
      throw refused(`${unknown} is not known to this build, so the recording cannot be re-executed strictly`)
    }
    const { text, cut, kept } = await asTest(recording)
    const path = join(keptRecordings(root), `${name}.jsonl`)
    const said = readWish(asked.values)
    const isWished = said.expect.length + said.not.length > 0
    if (isWished) refuseOutside(said, kept.records)
    const test = relative(root, path).replaceAll('\\', '/')
    const there = await readFile(path, 'utf8').catch(() => undefined)
    if (there !== undefined && there !== text) {
      throw refused(`${test} is there already and is another recording: --name gives this one its own`)
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
    if (cut > 0)
      out.write(`the file was truncated: it was ended before its last input, ${counts(cut, 'line')} left out\n`)
    if (recording.header.redaction === 'plain') {
      out.write(
        "it is plain: it holds its visitor's addresses and signatures; npm run replay -- redact replaces them\n",
      )
    }
    out.write(verdictLines(verdicts, kept.header, test, build))
    const files = wish ? `${shellWord(test)} ${shellWord(wishFileOf(test))}` : shellWord(test)
    out.write(
      ok
        ? `${test} is a test now: git add ${files}\n`
        : `${test} is a test now, and it fails until this is mended: git add ${files}\n`,
    )
    if (!wish && there === undefined) {
      out.write(
        'it has no wish, so tests/replay/corpus.ts has to name its story; a bug is told with --expect or --not\n',
      )
    }
    out.write(`alone it runs with npx vitest run --project unit tests/replay -t ${shellWord(name)}\n`)
    return ok ? 0 : 1
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
