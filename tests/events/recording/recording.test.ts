import { createHash } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { emptyCoreModel, emptyModel } from '../../../src/events/emptyModel.ts'
import { encode, versionOf } from '../../../src/events/log/codec.ts'
import type { PageRecord } from '../../../src/runtime/log/record.ts'
import { longestLine } from '../../../src/runtime/log/createDecoder.ts'
import { Fault } from '../../../src/runtime/failure.ts'
import { readRecording } from '../../../src/events/recording/readRecording.ts'
import { writeRecording } from '../../../src/runtime/recording/recording.ts'
import { recordingLimits } from '../../../src/runtime/recording/recordingBudget.ts'
import { checkpointLines, subjectHashes } from '../../../src/events/checkpoint/snapshot.ts'
import { connectedLog, header, modelOfLog, recordingOf, spliced } from '../recordedLog.ts'

/** Node's hash, not the implementation that wrote the recording. */
const sha256 = async (text: string) => createHash('sha256').update(text).digest('hex')

const lines = connectedLog()
const whole = await recordingOf(lines)
const read = (text: string) => readRecording(text, sha256)

async function sentence(text: string): Promise<string> {
  const cause = await read(text).then(
    () => 'was read',
    (fault: unknown) => fault,
  )
  expect(cause).toBeInstanceOf(Fault)
  expect((cause as Fault).code).toBe('bad_input')
  return (cause as Fault).message
}

/** The log with one line replaced under a valid trailer: a forgery by somebody who knows the format. */
const forged = (index: number, line: string) => recordingOf(spliced(lines, index, 1, line))
const indexOf = (text: string) => lines.findIndex(line => line.includes(text))
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

describe('a recording', () => {
  test('comes back as it was written, line for line', async () => {
    const recording = await read(whole)
    expect(recording.header).toEqual(header)
    expect(recording.records.map(({ line }) => line)).toEqual(lines)
    expect(recording.records.map(({ number }) => number)).toEqual(lines.map((_, index) => index + 2))
    expect(recording).toMatchObject({ complete: true, unknownTypes: {} })
    expect(recording).not.toHaveProperty('truncatedAt')
  })

  test('states the model at its end by subject, when its writer knows it', async () => {
    const state = subjectHashes(modelOfLog())
    expect(Object.keys(state)).toContain('connection')
    const text = await writeRecording({ header, lines, state }, sha256)
    expect((await read(text)).header).toEqual({ ...header, state })
    expect((await read(whole)).header).not.toHaveProperty('state')
    const of = (told: string) => text.replace(JSON.stringify(state), told)
    expect(await sentence(of('"d41d8cd9"'))).toBe('recording, line 1: state expected hashes by subject, got "d41d8cd9"')
    expect(await sentence(of('{"relay":7}'))).toBe('recording, line 1: state.relay expected 8 hex digits, got 7')
    expect(await sentence(of('{"__proto__":"00000000"}'))).toContain('__proto__')
    expect(await sentence(of('{}'))).toContain('the recording was edited')
  })

  test('ends with its counts and the hash of everything before', async () => {
    const [end = '', rest] = whole.split('\n').slice(-2)
    const before = whole.slice(0, whole.indexOf('{"k":"end"'))
    expect(rest).toBe('')
    expect(JSON.parse(end)).toEqual({
      k: 'end',
      records: lines.length,
      inputs: lines.filter(line => line.startsWith('{"k":"i"')).length,
      facts: lines.filter(line => line.startsWith('{"k":"f"')).length,
      pages: lines.filter(line => line.startsWith('{"k":"p"')).length,
      sha256: await sha256(before),
    })
  })

  test('that comes in parts is searched for line ends once, however long a line is', async () => {
    const text = `${whole.slice(0, whole.indexOf('\n') + 1)}{"k":"${'x'.repeat(longestLine / 2)}`
    const find = String.prototype.indexOf
    let searched = 0
    const spied = vi.spyOn(String.prototype, 'indexOf').mockImplementation(function (this: string, sought, from = 0) {
      const found = find.call(this, sought, from)
      if (sought === '\n') searched += (found < 0 ? this.length : found + 1) - from
      return found
    })
    async function* parts() {
      for (let at = 0; at < text.length; at += 1000) yield text.slice(at, at + 1000)
    }
    const recording = await readRecording(parts(), sha256)
    spied.mockRestore()
    expect(recording).toMatchObject({ complete: false, truncatedAt: 2 })
    expect(searched).toBe(text.length)
  })

  test('of an empty log is read too', async () => {
    expect(await read(await writeRecording({ header, lines: [] }, sha256))).toMatchObject({
      complete: true,
      records: [],
    })
  })

  test('holds a page fact once, though the page sent it twice', async () => {
    const first = lines.findIndex(line => line.includes('"type":"screen.opened"'))
    const again = spliced(lines, first + 1, 0, lines[0] ?? '', lines[first] ?? '')
    expect(await recordingOf(again)).toBe(whole)
  })

  test('keeps and counts types of a newer build', async () => {
    const newer = lines[indexOf('"type":"screen.closed"')]?.replace('screen.closed', 'screen.tilted') ?? ''
    const recording = await read(await forged(indexOf('"type":"screen.closed"'), newer))
    expect(recording.unknownTypes).toEqual({ 'screen.tilted': 1 })
    expect(recording.records[indexOf('"type":"screen.closed"')]?.line).toBe(newer)
  })
})

describe('a truncated recording', () => {
  const withoutTrailer = whole.slice(0, whole.indexOf('{"k":"end"'))

  test('is valid to its last whole line, wherever it was cut', async () => {
    for (const cut of [withoutTrailer, whole.slice(0, -20), `${withoutTrailer}{"k":"f","se`]) {
      expect(await read(cut)).toMatchObject({ complete: false, truncatedAt: lines.length + 2 })
    }
    const middle = await read(withoutTrailer.slice(0, -10))
    expect(middle).toMatchObject({ complete: false, truncatedAt: lines.length + 1 })
    expect(middle.records.map(({ line }) => line)).toEqual(lines.slice(0, -1))
  })

  test('is whole when only the very last line end is missing', async () => {
    expect(await read(whole.slice(0, -1))).toMatchObject({ complete: true })
  })

  test('that ends inside its header is refused', async () => {
    expect(await sentence(whole.slice(0, 30))).toBe('recording, line 1: expected JSON, got text that does not parse')
    expect(await sentence(JSON.stringify(header))).toMatch(/line 1: expected a whole header line/)
  })
})

describe('a file that is no recording', () => {
  test.each([
    ['an empty file', '', 'this is not a recording: the file is empty'],
    ['a picture', '\u0089PNG\r\n\u001a\n', 'this is not a recording: line 1 expected a header in JSON'],
    ['a table', 'Time,Paid\r\n2026-11-23,2.5\r\n', 'this is not a recording: line 1 expected a header in JSON'],
    ['a web page', '<!doctype html>\n<p>', 'this is not a recording: line 1 expected a header in JSON'],
    ['other JSON', '{"a":1}\n', 'this is not a recording: line 1 expected format "mai-recording", got nothing'],
    ['a JSON list', '[1]\n', 'this is not a recording'],
    ['another format', '{"format":"har"}\n', 'got "har"'],
  ])('%s is refused with the reason', async (_name, text, told) => {
    expect(await sentence(text)).toContain(told)
  })

  test('with a later format’s version is refused by that version', async () => {
    expect(await sentence(whole.replace('"version":2', '"version":3'))).toMatch(
      /line 1: version expected 1 or 2, got 3/,
    )
    expect(await sentence(whole.replace('"version":2', '"version":"1"'))).toMatch(/version expected 1 or 2, got "1"/)
  })

  test.each([
    ['logId', '"logId":"log-1"', '"logId":7'],
    ['startedAt', '"startedAt":1800000000000', '"startedAt":"now"'],
    ['redaction', '"redaction":"plain"', '"redaction":"none"'],
  ])('a header with a wrong %s names the key', async (key, from, to) => {
    expect(await sentence(whole.replace(from, to))).toContain(`recording, line 1: ${key} expected`)
  })
})

describe('a malformed line', () => {
  const at = indexOf('"type":"network.offline"')
  const line = lines[at] ?? ''

  test.each([
    ['no JSON', '{"k":"f",', 'expected JSON, got text that does not parse'],
    ['a list', '[1]', 'expected an object'],
    ['an unknown kind', line.replace('"k":"f"', '"k":"x"'), 'expected k to be i, f, e, p, c or r, got "x"'],
    ['a number that is text', line.replace(/"seq":(\d+)/, '"seq":"$1"'), 'seq expected whole number, got string'],
    ['a field too many', line.replace('"data":{}', '"data":{"x":1}'), 'network.offline: '],
    ['an empty line', '', 'expected a record, got an empty line'],
    ['a converted line end', `${line}\r`, 'expected lines that end with LF'],
    [
      'a key that reaches prototypes',
      line.replace('"data":{}', '"data":{"__proto__":{"x":1}}'),
      'expected no key __proto__',
    ],
    ['such a key, escaped', line.replace('"data":{}', '"data":{"\\u005f_proto__":{}}'), 'expected no key __proto__'],
    ['the key constructor', line.replace('"data":{}', '"data":{"a":{"constructor":1}}'), 'expected no key constructor'],
    [
      'an id that reaches prototypes',
      line.replace('"at"', '"ref":"__proto__","at"'),
      'ref expected an id, got "__proto__"',
    ],
    [
      'deep nesting',
      line.replace('"data":{}', `"data":{"x":${nested(63)}}`),
      'expected at most 64 levels of nesting, got 65',
    ],
    [
      'bottomless nesting',
      line.replace('"data":{}', `"data":{"x":${nested(200_000)}}`),
      'expected at most 64 levels of nesting',
    ],
    [
      'endless length',
      line.replace('"data":{}', `"data":{"x":"${'a'.repeat(longestLine)}"}`),
      `expected at most ${longestLine} characters`,
    ],
  ])('with %s is refused by its number', async (_name, hostile, told) => {
    const message = await sentence(await forged(at, hostile))
    expect(message).toContain(`recording, line ${at + 2}: `)
    expect(message).toContain(told)
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })

  test('64 levels are not too deep', async () => {
    const deep = line.replace('network.offline', 'network.tilted').replace('"data":{}', `"data":{"x":${nested(62)}}`)
    expect(await read(await forged(at, deep))).toMatchObject({ complete: true })
  })

  test('brackets inside texts are no nesting', async () => {
    const flat = line
      .replace('network.offline', 'network.tilted')
      .replace('"data":{}', `"data":{"x":"${'[{\\"'.repeat(100)}"}`)
    expect(await read(await forged(at, flat))).toMatchObject({ complete: true })
  })
})

describe('lines in the wrong order', () => {
  const fact = indexOf('"type":"network.offline"')
  const input = fact - 1
  const page = indexOf('"type":"screen.opened"')
  const effects = lines.findIndex(line => line.startsWith('{"k":"e"'))

  test.each([
    ['an input is missing', spliced(lines, input, 2), input, 'n expected'],
    ['a fact is missing', spliced(lines, fact, 1), fact + 1, 'seq expected'],
    ['an input stands twice', spliced(lines, input, 0, lines[input] ?? ''), input + 1, 'n expected'],
    [
      'a fact stands before its input',
      spliced(lines, input, 2, lines[fact] ?? '', lines[input] ?? ''),
      input,
      'n expected',
    ],
    ['a page fact is missing', spliced(lines, page, 1), page + 1, 'p expected'],
    ['effects stand twice', spliced(lines, effects, 0, lines[effects] ?? ''), effects + 1, 'k expected i, c or p'],
    ['effects stand before any input', [lines[effects] ?? '', ...lines], 0, 'k expected i before any effects'],
    ['a log begins in the middle', lines.slice(fact + 1), 0, 'n expected 1, got'],
  ])('%s', async (_name, wrong, index, told) => {
    const message = await sentence(await recordingOf(wrong))
    expect(message).toContain(told)
    expect(Number(/line (\d+)/.exec(message)?.[1])).toBeGreaterThanOrEqual(index + 2)
  })

  test('is none where a page wrote to another log meanwhile and restates itself', async () => {
    const last = JSON.parse(lines.filter(line => line.startsWith('{"k":"p"')).at(-1) ?? '') as Record<string, unknown>
    const { screen, tab: shown } = emptyModel()
    const { width, theme, language } = shown
    const restated = { width, theme, language, life: 1, otherBuild: false, screen, installed: [] }
    const written = (p: number, type: string, data: object) =>
      encode({ ...last, p, type, v: versionOf('p', type), data } as unknown as PageRecord)
    const p = Number(last.p)
    const back = [written(p + 6, 'tab.attached', { life: 1 }), written(p + 7, 'tab.restated', restated)]
    expect(await read(await recordingOf([...lines, ...back]))).toMatchObject({ complete: true })
    expect(await sentence(await recordingOf([...lines, ...back.slice(0, 1)]))).toContain(`p expected ${p + 1}`)
  })
})

describe('checkpoints in a recording', () => {
  const first = lines.findIndex((line, index) => index > 1 && line.startsWith('{"k":"i"'))
  const { n, seq } = lines.slice(0, first).reduce(
    (at, line) => {
      const record = JSON.parse(line) as { k: string; n: number; seq: number }
      return record.k === 'i' ? { ...at, n: record.n } : record.k === 'f' ? { ...at, seq: record.seq } : at
    },
    { n: 0, seq: 0 },
  )
  const kept = { n, seq, life: 1, at: 1, build: 'core-build', transient: {} }
  const block = checkpointLines(kept, emptyCoreModel())
  const among = (...wrong: string[]) => recordingOf([...lines.slice(0, first), ...wrong, ...lines.slice(first)])
  const [head = '', one = '', ...more] = block

  test('stand between two inputs', async () => {
    const recording = await read(await among(...block))
    expect(recording).toMatchObject({ complete: true, unknownTypes: {} })
    expect(recording.records).toHaveLength(lines.length + block.length)
  })

  test('may begin a recording, whose numbers continue from there', async () => {
    const tail = lines.slice(first).filter(line => !line.startsWith('{"k":"p"'))
    expect(await read(await recordingOf([...block, ...tail]))).toMatchObject({ complete: true })
  })

  test('of a newer build may have unknown rows', async () => {
    const strange = one.replace('core.restated', 'weather.restated')
    const recording = await read(await among(head, strange, ...more))
    expect(recording.unknownTypes).toEqual({ 'weather.restated': 1 })
  })

  const named = (from: string, to: string) => {
    expect(head).toContain(from)
    return [head.replace(from, to), one, ...more]
  }
  test.each([
    ['counts other inputs', named(`"n":${n}`, `"n":${n + 1}`), `n expected ${n}, got ${n + 1}`],
    ['counts other facts', named(`"seq":${seq}`, `"seq":${seq + 7}`), `seq expected ${seq}, got ${seq + 7}`],
    ['has too few rows', [head, ...more], 'k expected r, 1 more after their checkpoint, got '],
    ['has too many', [...block, one], 'k expected anything but r where no checkpoint wants one'],
    ['stands twice', [...block, ...block], 'k expected i or p after the checkpoint of input'],
    ['has a row that does not fit', [head, one.replace('"faults":0', '"faults":"0"'), ...more], 'core.faults'],
  ])('one that %s is refused', async (_name, wrong, told) => {
    expect(await sentence(await among(...wrong))).toContain(told)
  })

  test('before the last fact of their input are refused', async () => {
    const fact = lines.findIndex(line => line.startsWith('{"k":"f"'))
    const wrong = spliced(lines, fact, 0, ...checkpointLines({ ...kept, n: 1, seq: 0 }, emptyCoreModel()))
    expect(await sentence(await recordingOf(wrong))).toContain(
      'k expected i or p after the checkpoint of input 1, got f',
    )
  })

  test('cut inside at the end of a file are dropped; before a trailer they are refused', async () => {
    const cut = (await recordingOf([...lines.slice(0, first), head, one])).replace(/\{"k":"end".*\n$/, '')
    expect(await read(cut)).toMatchObject({ complete: false })
    const told = await sentence(await recordingOf([...lines.slice(0, first), head, one]))
    expect(told).toContain(`expected ${more.length} more rows of a checkpoint before the trailer`)
  })
})

describe('a wrong trailer', () => {
  test('an edited line is found by the hash', async () => {
    const edited = whole.replace('Lantern', 'Lanterm')
    expect(await sentence(edited)).toMatch(
      /sha256 in the trailer expected .* the recording was edited after it was made/,
    )
  })

  test('an edited header likewise', async () => {
    expect(await sentence(whole.replace('log-1', 'log-2'))).toMatch(/was edited/)
  })

  test('with wrong counts is refused', async () => {
    const facts = /"facts":(\d+)/.exec(whole)?.[1]
    expect(await sentence(whole.replace(/"facts":\d+/, '"facts":9999'))).toContain(
      `facts in the trailer expected ${facts}, got 9999`,
    )
  })

  test('a missing or malformed hash is named', async () => {
    expect(await sentence(whole.replace(/,"sha256":"[^"]*"/, ''))).toMatch(
      /sha256 in the trailer expected 64 hex digits, got nothing/,
    )
  })

  test('text after the trailer is refused', async () => {
    expect(await sentence(`${whole}${lines[0]}\n`)).toMatch(/expected nothing after the trailer/)
  })
})

test('a recording of more than 64 MB is refused before parsing', async () => {
  expect(await sentence(' '.repeat(recordingLimits.bytes + 1))).toContain(
    'expected at most 67108864 characters, got 67108865',
  )
})
