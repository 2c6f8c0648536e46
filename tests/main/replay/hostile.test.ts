/** Hostile files for every verb: one sentence, exit code 2, and no terminal control characters on the output. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { writeRecording } from '../../../src/runtime/recording/recording.ts'
import { sha256Hex } from '../../../src/worker/drivers/digest.ts'
import { connectedLog, header, recordingOf, spliced } from '../../events/recordedLog.ts'
import { ownFolder } from './running.ts'

const { file, folder, replay } = ownFolder()
const lines = connectedLog()
const whole = await recordingOf(lines)
const good = file('good.jsonl', whole)
const empty = join(folder, 'nothing in it')
mkdirSync(empty)
const pipe = join(folder, 'pipe.jsonl')
execFileSync('mkfifo', [pipe])
const circle = join(folder, 'circle.jsonl')
symlinkSync(circle, circle)

/** A whole recording with a valid hash and one more line. */
const withLine = async (line: string) => recordingOf([...lines, line])
const input = (type: string, data: string) => `{"k":"i","n":9,"at":1800000009000,"type":"${type}","v":1,"data":${data}}`
const steering = '\u001b[2J\u009b31m\u202e<script>alert(1)</script>'

/** Each verb with a file as its recording. */
const verbs: Record<string, (path: string) => string[]> = {
  'a file alone': path => [path],
  show: path => ['show', path],
  check: path => ['check', path],
  at: path => ['at', '1', path],
  diff: path => ['diff', good, path],
  minimise: path => ['minimise', path, '-o', join(folder, 'never.jsonl')],
  explore: path => ['explore', path, '--drop', '2'],
  compat: path => ['compat', path],
  redact: path => ['redact', path, '-o', join(folder, 'never.jsonl')],
  'to-test': path => ['to-test', path, '--name', 'never'],
}

const files: Record<string, [path: string, sentence: RegExp]> = {
  'that is not there': [join(folder, 'none.jsonl'), /could not be read: there is no such file/],
  'that is a folder without recordings': [empty, /expected recordings .* got none|it is a folder/],
  'that is a pipe nobody writes to': [pipe, /it is not a file/],
  'that is a link to itself': [circle, /its links lead in a circle/],
  'whose name is a page long': [join(folder, 'x'.repeat(5000)), /its name is too long/],
  'that is empty': [file('empty.jsonl', ''), /the file is empty/],
  'that is a table': [file('table.jsonl', 'Time,Paid\r\n2026-11-23,2.5\r\n'), /this is not a recording/],
  'that is JSON on many lines': [file('pretty.jsonl', '{\n  "a": 1\n}\n'), /this is not a recording/],
  'that is a letter': [file('letter.jsonl', 'Dear team, it does not work.'), /this is not a recording/],
  'that is an image': [
    file('image.jsonl', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2])),
    /this is not a recording/,
  ],
  'of another program': [file('foreign.jsonl', '{"format":"har","version":1}\n'), /expected format "mai-recording"/],
  'of a later version': [file('future.jsonl', whole.replace('"version":2', '"version":7')), /expected 1 or 2, got 7/],
  'that was edited': [file('edited.jsonl', whole.replace('Lantern', 'Lanterm')), /sha256 .* was edited after/],
  'with two lines changed over': [
    file('order.jsonl', await recordingOf(swapped())),
    /after the effects of input 7, got f/,
  ],
  'that is cut within its header': [file('cut.jsonl', whole.slice(0, 60)), /recording/],
  'that is broken gzip': [
    file('broken.gz', gzipSync(whole).subarray(0, 200)),
    /it starts like gzip, but cannot be unpacked to its end/,
  ],
  'that unpacks to more than 64 MB': [
    file('bomb.gz', gzipSync([JSON.stringify(header), ...longLines(70)].join('\n'), { level: 1 })),
    /expected at most 67108864 bytes, got more after gunzip/,
  ],
  'with __proto__ as a key': [
    file('proto.jsonl', await withLine(input('page.resumed', '{"__proto__":{"a":1}}'))),
    /no key __proto__/,
  ],
  'with __proto__ as an id': [
    file('id.jsonl', await withLine(input('timer.fired', '{"timerId":"__proto__"}'))),
    /timerId expected an id, got "__proto__"/,
  ],
  'with a line of 10 MB': [
    file('long.jsonl', await withLine(`{"k":"i","x":"${'y'.repeat(10_000_000)}"}`)),
    /at most 1000000 characters/,
  ],
  'with 10,000 levels': [
    file('deep.jsonl', await withLine(input('page.resumed', `${'['.repeat(10_000)}`))),
    /at most 64 levels/,
  ],
  'with escapes and markup for a kind': [
    file('steer.jsonl', await withLine(JSON.stringify({ k: steering }))),
    /expected k to be/,
  ],
  'with escapes and markup for a name': [file(`${steering.replaceAll('/', '')}.jsonl`, 'no'), /not a recording/],
}

/** Lines of an unknown type, of nearly a megabyte each. */
function longLines(count: number): string[] {
  const tail = `,"type":"page.novel","v":1,"data":{"text":"${'y'.repeat(990_000)}"}}`
  return Array.from({ length: count }, (_, p) => `{"k":"p","p":${p},"life":1,"after":1,"tab":"t9","at":1${tail}`)
}

function swapped(): string[] {
  const [a = '', b = '', ...rest] = lines.slice(-4)
  return [...lines.slice(0, -4), b, a, ...rest]
}

/** Files that take long to read, each with a verb: all verbs share the reader, and `diff` reads two files. */
const large: Record<string, string> = { 'that unpacks to more than 64 MB': 'check', 'with a line of 10 MB': 'diff' }

describe.each(Object.entries(verbs))('%s', (verb, args) => {
  const mine = Object.entries(files).filter(([what]) => (large[what] ?? verb) === verb)

  test.each(mine)('refuses a file %s with one sentence', async (_what, [path, sentence]) => {
    const { code, out, err } = await replay(...args(path))
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(sentence)
    expect(err).toMatch(/^[^\n]+\n$/)
    expect(err.length).toBeLessThan(5500)
    expect(err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  })
})

describe('a recording of unknown types', () => {
  const newer = () => withLine(input('page.tilted', JSON.stringify({ by: steering })))

  test('is shown and folded, with a note', async () => {
    const path = file('newer.jsonl', await newer())
    const { code, out } = await replay('show', '--inputs', path)
    expect(code).toBe(0)
    expect(out).toContain('page.tilted')
    expect(out).toContain('unknown: 1 record of page.tilted, newer than this build')
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    expect(await replay('at', '1', path)).toMatchObject({ code: 0 })
  })

  test('is not re-executed', async () => {
    expect(await replay('check', file('newer.jsonl', await newer()))).toMatchObject({
      code: 2,
      err: expect.stringMatching(/page\.tilted version 1 is not known to this build, .*\n$/),
    })
  })

  test('is printed in JSON without terminal control characters', async () => {
    const { out } = await replay('show', '--json', '--inputs', file('newer.jsonl', await newer()))
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    expect(out).toContain('\\u202e<script>')
  })
})

describe('a recording with markup and escapes in every text that may hold them', () => {
  /** The line with one of its texts replaced. */
  function steered(line: string, pick: number): string {
    const record = JSON.parse(line) as object
    const holders: [Record<string, unknown>, string][] = []
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      for (const [key, member] of Object.entries(value)) {
        if (typeof member === 'string') holders.push([value as Record<string, unknown>, key])
        else visit(member)
      }
    }
    visit(record)
    const [holder, key] = holders[pick % holders.length] ?? []
    if (holder && key !== undefined) holder[key] = `${String(holder[key])}${steering}\n\r`
    return JSON.stringify(record)
  }

  const looking: Record<string, (path: string) => string[]> = {
    show: path => ['show', '--inputs', path],
    'show in JSON': path => ['show', '--json', path],
    check: path => ['check', path],
    at: path => ['at', '1', path],
    diff: path => ['diff', good, path],
    explore: path => ['explore', path, '--drop', '2'],
  }

  /** Files by the line that is steered; texts of one line are steered once each. */
  const steeredFiles = lines.flatMap((line, at) =>
    [...new Set(Array.from({ length: 6 }, (_, pick) => steered(line, pick)))].map(async (changed, pick) => ({
      number: at + 2,
      path: file(`steered-${at}-${pick}.jsonl`, await recordingOf(spliced(lines, at, 1, changed))),
    })),
  )

  test.each(Object.entries(looking))('(%s) prints no terminal control characters', async (verb, args) => {
    let read = 0
    for (const { number, path } of await Promise.all(steeredFiles)) {
      const { code, out, err } = await replay(...args(path))
      if (code !== 2) read += 1
      expect(`${out}${err}`, `line ${number}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
      if (code === 2) expect(err).toMatch(/^[^\n]+\n$/)
    }
    expect(read, `files that ${verb} could read`).toBeGreaterThan(5)
  })

  test.each(['logId', 'appBuild', 'coreBuild', 'registryHash'])('nor does one with such a %s', async key => {
    const text = await writeRecording({ header: { ...header, [key]: steering }, lines }, sha256Hex)
    for (const args of Object.values(looking)) {
      const { out, err } = await replay(...args(file('header.jsonl', text)))
      expect(`${out}${err}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    }
  })
})
