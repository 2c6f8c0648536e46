/** Damaged, edited or forged recordings: each is refused with a sentence, or read without harm. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../src/runtime/failure.ts'
import { type Recording, writeRecording } from '../../src/runtime/recording/recording.ts'
import { readRecording } from '../../src/events/recording/readRecording.ts'
import { momentsOf } from '../../src/runtime/story/moments.ts'
import { foldTo } from '../../src/events/replay/foldTo.ts'
import { checkpointLines } from '../../src/events/checkpoint/snapshot.ts'
import { readRecordingFile } from '../../src/main/page/redaction/recordingFile.ts'
import { sha256Hex } from '../../src/worker/drivers/digest.ts'
import { createCore } from '../../src/worker/core/core.ts'
import { foldCoreFact } from '../../src/events/coreFolds.ts'
import { emptyCoreModel } from '../../src/events/emptyModel.ts'
import type { InputRecord } from '../../src/runtime/log/record.ts'
import { deciders } from '../../src/worker/deciders/index.ts'
import { reexecute } from '../../src/worker/replay/reexecute.ts'
import { connectedLog, header, recordingOf, spliced } from './recordedLog.ts'

const folder = join(process.cwd(), 'tests/replay/recordings')
const committed = readdirSync(folder)
  .filter(name => name.endsWith('.jsonl'))
  .map(name => readFileSync(join(folder, name), 'utf8'))
const read = (text: string | Uint8Array<ArrayBuffer>) => readRecordingFile(new Blob([text]))

/** The outcome of reading a file: the sentence of its refusal, or the recording. */
async function fateOf(text: string): Promise<Recording | string> {
  try {
    return await read(text)
  } catch (cause) {
    expect(cause).toBeInstanceOf(Fault)
    expect(cause).toMatchObject({ code: 'bad_input' })
    return (cause as Fault).message
  }
}

/** A log with a checkpoint before its last input: transient and rows are among its lines. */
function checkpointed(): string[] {
  const lines = connectedLog()
  const core = createCore(deciders, emptyCoreModel())
  const inputs = lines.filter(line => line.startsWith('{"k":"i"')).map(line => JSON.parse(line) as InputRecord)
  for (const input of inputs.slice(0, -1)) core.step(input)
  const { n = 0, at = 0 } = inputs.at(-2) ?? {}
  const place = { n, seq: core.seq, life: core.model.core.life, at, build: 'core-build' }
  const block = checkpointLines({ ...place, transient: core.memory() }, core.model)
  const last = lines.map(line => line.startsWith('{"k":"i"')).lastIndexOf(true)
  return [...lines.slice(0, last), ...block, ...lines.slice(last)]
}

const plain = checkpointed()
const plainText = await recordingOf(plain)
const texts = [...committed, plainText]
/** Draws the number of a log: two times of three the last one, whose reading is short. */
const mostlyLast = (count: number) => fc.oneof({ arbitrary: fc.constant(count - 1), weight: 2 }, fc.nat(count - 1))

describe('a recording that was edited', () => {
  type Edit = { of: number; how: string; at: number; other: number; char: string }
  const edits = fc.record<Edit>({
    of: mostlyLast(texts.length),
    how: fc.constantFrom('delete', 'double', 'swap', 'flip', 'insert', 'leave out'),
    at: fc.nat(),
    other: fc.nat(),
    char: fc.oneof(
      fc.constantFrom('\n', '\r', ' ', '\u0000', '\ufeff', '}', '0', '1', '"'),
      fc.string({ minLength: 1, maxLength: 1 }),
    ),
  })

  function edited({ of, how, at, other, char }: Edit): string {
    const text = texts[of] ?? ''
    const lines = text.split('\n').slice(0, -1)
    const [one, two] = [at % lines.length, other % lines.length]
    const place = at % text.length
    switch (how) {
      case 'delete':
        return spliced(lines, one, 1).join('\n') + '\n'
      case 'double':
        return spliced(lines, one, 0, lines[one] ?? '').join('\n') + '\n'
      case 'swap':
        return spliced(spliced(lines, one, 1, lines[two] ?? ''), two, 1, lines[one] ?? '').join('\n') + '\n'
      case 'insert':
        return text.slice(0, place) + char + text.slice(place)
      case 'flip':
        return text.slice(0, place) + char + text.slice(place + 1)
      default:
        return text.slice(0, place) + text.slice(place + 1)
    }
  }

  test('in one place is refused by its line, or read as a truncated one', async () => {
    await fc.assert(
      fc.asyncProperty(edits, async edit => {
        const text = edited(edit)
        const whole = texts[edit.of] ?? ''
        // Skip edits that change nothing, or only drop the last line end
        fc.pre(text !== whole && `${text}\n` !== whole)
        const fate = await fateOf(text)
        if (typeof fate === 'string') expect(fate).toMatch(/line \d+|trailer|this is not a recording/)
        else expect(fate).toMatchObject({ complete: false, truncatedAt: expect.any(Number) })
      }),
      { numRuns: 750 },
    )
  })

  test('in any place of its trailer is refused, or read as one without a trailer', async () => {
    const whole = await recordingOf(
      plain.slice(
        0,
        plain.findIndex(line => line.startsWith('{"k":"i","n":2,')),
      ),
    )
    const start = whole.indexOf('{"k":"end"')
    for (let at = start; at < whole.length; at++)
      for (const char of ['', ' ', '1', '}', '\n']) {
        const text = `${whole.slice(0, at)}${char}${whole.slice(at + 1)}`
        if (text === whole || `${text}\n` === whole) continue
        const fate = await fateOf(text)
        if (typeof fate !== 'string') expect(fate.complete).toBe(false)
      }
    const spaced = `${whole.slice(0, -2)} }\n`
    expect(await fateOf(spaced)).toContain('the trailer expected to stand as it is written')
  })
})

describe('a converted file', () => {
  const whole = texts[0] ?? ''

  test.each<[string, string | Uint8Array<ArrayBuffer>, RegExp]>([
    ['a byte order mark', `\ufeff${whole}`, /line 1: expected \{, got a byte order mark before it/],
    [
      'a byte order mark, packed',
      new Uint8Array(gzipSync(`\ufeff${whole}`)),
      /line 1: expected \{, got a byte order mark/,
    ],
    ['CR LF', whole.replaceAll('\n', '\r\n'), /line 1: expected lines that end with LF, got CR LF/],
    ['CR LF after the header', whole.replace(/\n(?=\{"k":"f")/, '\r\n'), /line \d+: expected lines that end with LF/],
    ['UTF-16', new Uint8Array(Buffer.from(whole, 'utf16le')), /this is not a recording/],
    [
      'bytes that are no UTF-8',
      new Uint8Array(Buffer.from(whole.replace('"k"', '"\u00ff"'), 'latin1')),
      /expected UTF-8, got bytes that are not/,
    ],
    [
      'such bytes, packed',
      new Uint8Array(gzipSync(Buffer.from(whole.replace('"k"', '"\u00ff"'), 'latin1'))),
      /expected UTF-8/,
    ],
    ['a NUL byte between lines', whole.replace('\n{"k":"i"', '\n\u0000{"k":"i"'), /line \d+: the line expected JSON/],
    ['NUL bytes alone', '\u0000'.repeat(4096), /this is not a recording/],
    ['NUL bytes behind it', `${whole}${'\u0000'.repeat(512)}`, /expected nothing after the trailer/],
    [
      'gzip with more behind it',
      new Uint8Array(Buffer.concat([gzipSync(whole), Buffer.from('more')])),
      /it starts like gzip, but cannot be unpacked to its end/,
    ],
    ['gzip in gzip', new Uint8Array(gzipSync(gzipSync(whole))), /this is not a recording/],
  ])('(%s) is refused', async (_name, given, sentence) => {
    await expect(read(given)).rejects.toThrow(sentence)
  })
})

describe('names of Object.prototype’s members', () => {
  const names = ['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__']
  type Place = { at: number; path: (string | number)[]; isKey: boolean }

  /** Every text and every key of a line. */
  function placesIn(value: unknown, at: number, path: (string | number)[] = []): Place[] {
    if (typeof value === 'string') return [{ at, path, isKey: false }]
    if (typeof value !== 'object' || value === null) return []
    return Object.entries(value).flatMap(([key, member]) => {
      const here = [...path, Array.isArray(value) ? Number(key) : key]
      return [...(Array.isArray(value) ? [] : [{ at, path: here, isKey: true }]), ...placesIn(member, at, here)]
    })
  }

  function forged(lines: readonly string[], { at, path, isKey }: Place, name: string): string[] {
    // A `__proto__` key would set the object's prototype, so the text is edited
    const mark = 'a mark that stands nowhere else'
    const put = (value: unknown, [first, ...rest]: readonly (string | number)[]): unknown => {
      if (first === undefined) return mark
      const change = ([key, member]: [string, unknown]): [string, unknown] => {
        if (key !== String(first)) return [key, member]
        return rest.length === 0 && isKey ? [mark, member] : [key, put(member, rest)]
      }
      const entries = Object.entries(value as object).map(change)
      return Array.isArray(value) ? entries.map(([, member]) => member) : Object.fromEntries(entries)
    }
    return spliced(lines, at, 1, JSON.stringify(put(JSON.parse(lines[at] ?? ''), path)).replace(mark, name))
  }

  const own = () => [Object, Object.prototype, Function.prototype, Array.prototype].map(Object.getOwnPropertyNames)

  const walked = committed.map(text => text.split('\n').slice(1, -2))
  const logs = [...walked, plain]
  const places = new Map<number, Place[]>()
  function placesOf(log: number): Place[] {
    const known = places.get(log)
    if (known) return known
    const found = (logs[log] ?? []).flatMap((line, at) => placesIn(JSON.parse(line), at))
    places.set(log, found)
    return found
  }

  test('as an id or a key, anywhere, are refused or change nothing beyond the recording', async () => {
    const before = own()
    await fc.assert(
      fc.asyncProperty(mostlyLast(logs.length), fc.nat(), fc.constantFrom(...names), async (of, at, name) => {
        const mine = placesOf(of)
        const place = mine[at % mine.length]
        if (!place) return
        const lines = forged(logs[of] ?? [], place, name)
        const text = await writeRecording({ header, lines }, sha256Hex).catch(() => '')
        const fate = await fateOf(text)
        if (typeof fate !== 'string') {
          expect(name, 'an id that names the prototype').not.toBe('__proto__')
          const moments = momentsOf(fate.records)
          foldTo(moments, moments.length - 1)
          try {
            reexecute(fate.records, deciders)
          } catch (cause) {
            expect(cause).toBeInstanceOf(Fault)
          }
        }
        expect(own()).toEqual(before)
      }),
      { numRuns: 300 },
    )
  })

  test('terms with any key renamed are folded', () => {
    const lines = walked.find(one => one.some(line => line.includes('"type":"sale.legalRead"'))) ?? []
    const at = lines.findIndex(line => line.includes('"type":"sale.termsRead"'))
    const { data, ...fact } = JSON.parse(lines[at] ?? '') as { data: { terms: object } }
    const legal = lines.find(line => line.includes('"type":"sale.legalRead"')) ?? ''
    for (const key of Object.keys(data.terms)) {
      const terms = Object.fromEntries(
        Object.entries(data.terms).map(([name, of]) => [name === key ? 'other' : name, of]),
      )
      const facts = [lines[at] ?? '', legal, JSON.stringify({ ...fact, data: { ...data, terms } })]
      const model = emptyCoreModel()
      for (const line of facts) foldCoreFact(model, JSON.parse(line))
      expect(model.sale.terms.phase).toBe('read')
    }
  })

  test.each(names)('%s as the id of every fact does not reach Object.prototype', async name => {
    const before = own()
    const fact = (type: string, data: object) =>
      `{"k":"f","seq":1,"n":1,"at":1,"type":"${type}","v":1,"data":${JSON.stringify(data)}}`
    const failure = { code: 'unknown', message: '' }
    for (const line of [
      fact('session.extended', { sessionTopic: name, expiresAt: 7 }),
      fact('session.updated', { sessionTopic: name, namespaces: {}, order: 7 }),
      fact('session.deleted', { sessionTopic: name, by: 'wallet' }),
      fact('request.delivered', { requestId: name }),
      fact('request.failed', { requestId: name, failure }),
      fact('outbox.taken', { callId: name }),
      fact('pairing.proposed', { pairingTopic: name }),
      fact('pairing.settled', { pairingTopic: name }),
      fact('connection.ended', { connectionId: name, by: 'wallet' }),
      fact('connection.missing', { connectionId: name, failure }),
      fact('order.signed', { orderId: name, signature: 's', bytesRef: 'b' }),
      fact('order.dismissed', { orderId: name }),
      fact('balance.failed', { account: name, failure }),
      fact('purchase.failed', { account: name, failure }),
    ]) {
      const boot = connectedLog().find(one => one.startsWith('{"k":"i"')) ?? ''
      const fate = await fateOf(await writeRecording({ header, lines: [boot, line] }, sha256Hex))
      if (name === '__proto__') expect(fate).toContain('expected an id, got "__proto__"')
      else if (typeof fate !== 'string') foldTo(momentsOf(fate.records), 0)
      expect(own(), line).toEqual(before)
    }
  })

  test('in the transient of a checkpoint and in a row are refused by their line', async () => {
    const c = plain.findIndex(line => line.startsWith('{"k":"c"'))
    const inMemory = spliced(plain, c, 1, (plain[c] ?? '').replace('"transient":{', '"transient":{"zz":["__proto__"],'))
    expect(await fateOf(await recordingOf(inMemory))).toBe(
      `recording, line ${c + 2}: zz expected an id, got "__proto__"`,
    )
    const asKey = spliced(
      plain,
      c,
      1,
      (plain[c] ?? '').replace('"transient":{', '"transient":{"x":{"constructor":{}},'),
    )
    expect(await fateOf(await recordingOf(asKey))).toBe(
      `recording, line ${c + 2}: the line expected no key constructor, got one`,
    )
    const r = plain.findIndex(line => line.includes('connection.restated'))
    const row = spliced(
      plain,
      r,
      1,
      (plain[r] ?? '').replace(/"connectionId":"[^"]*"/, '"connectionId":"\\u005f_proto__"'),
    )
    expect(await fateOf(await recordingOf(row))).toBe(
      `recording, line ${r + 2}: connectionId expected an id, got "__proto__"`,
    )
  })
})

test.each(['n', 'seq', 'life', 'rows'])('a checkpoint with a negative %s is refused', async key => {
  const at = plain.findIndex(line => line.startsWith('{"k":"c"'))
  const lines = plain.slice(at)
  const wrong = spliced(lines, 0, 1, (lines[0] ?? '').replace(new RegExp(`"${key}":\\d+`), `"${key}":-1`))
  expect(await fateOf(await recordingOf(wrong))).toBe(`recording, line 2: ${key} expected 0 or more, got -1`)
})

test('a checkpoint with an impossible number of rows is refused at the end of the file', async () => {
  const at = plain.findIndex(line => line.startsWith('{"k":"c"'))
  const wrong = spliced(plain, at, 1, (plain[at] ?? '').replace(/"rows":\d+/, `"rows":${Number.MAX_SAFE_INTEGER}`))
  expect(await fateOf(await recordingOf(wrong))).toMatch(
    /line \d+: k expected r, 90071992547\d+ more after their checkpoint, got/,
  )
})

test('any text is refused with one short sentence, or is a truncated recording', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.json({ maxDepth: 6 }), fc.string({ unit: 'binary' }), fc.constantFrom(...plain)), {
        maxLength: 8,
      }),
      fc.boolean(),
      async (lines, headed) => {
        const text = `${headed ? `${JSON.stringify(header)}\n` : ''}${lines.join('\n')}`
        const fate = await readRecording(text, sha256Hex).catch((cause: unknown) => cause)
        if (fate instanceof Fault) expect(fate.message.length).toBeLessThan(400)
        else expect(fate).toMatchObject({ complete: false })
      },
    ),
    { numRuns: 500 },
  )
})
