/** Small files that would take much memory: each is refused by name after little of it is read. */
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Fault } from '../../src/runtime/failure.ts'
import { readRecording } from '../../src/events/recording/readRecording.ts'
import { recordingLimits as limits } from '../../src/runtime/recording/recordingBudget.ts'
import { readRecordingFile } from '../../src/main/page/redaction/recordingFile.ts'
import { sha256Hex } from '../../src/worker/drivers/digest.ts'
import { connectedLog, header, recordingOf } from './recordedLog.ts'

const head = `${JSON.stringify(header)}\n`
const megabyte = 1024 * 1024

/** A page line of an unknown type, whose data no reader validates. */
function pageLine(p: number, data: string, type = 'page.novel'): string {
  return `{"k":"p","p":${p},"life":1,"after":0,"tab":"t1","at":1,"type":"${type}","v":1,"data":${data}}\n`
}

/** Reads an endless file, and counts the characters read. */
async function consumed(next: (index: number) => string): Promise<{ fault: Fault; characters: number }> {
  let characters = 0
  async function* source(): AsyncGenerator<string> {
    for (let index = 0; ; index++) {
      const part = index === 0 ? head : next(index)
      characters += part.length
      yield part
    }
  }
  const fault = await readRecording(source(), sha256Hex).then(
    () => new Error('it was read'),
    (cause: unknown) => cause,
  )
  expect(fault).toBeInstanceOf(Fault)
  return { fault: fault as Fault, characters }
}

afterEach(() => vi.restoreAllMocks())

describe('reading stops', () => {
  test('at a line that has no end', async () => {
    const { fault, characters } = await consumed(index => (index === 1 ? '{"k":"p","x":"' : 'y'.repeat(65_536)))
    expect(fault.message).toBe('recording, line 2: expected at most 1000000 characters, got more')
    expect(characters).toBeLessThan(1.2 * megabyte)
  })

  test('at a first line that has no end', async () => {
    let asked = 0
    async function* source(): AsyncGenerator<string> {
      for (; ; asked += 65_536) yield ' '.repeat(65_536)
    }
    await expect(readRecording(source(), sha256Hex)).rejects.toThrow('this is not a recording')
    expect(asked).toBeLessThan(1.2 * megabyte)
  })

  test.each([
    ['numbers', `[${'1,'.repeat(60_000)}1]`],
    ['empty objects', `[${'{},'.repeat(60_000)}{}]`],
    ['one key again and again', `{${'"a":1,'.repeat(60_000)}"a":1}`],
  ])('before a line of many %s is parsed', async (_name, data) => {
    const line = pageLine(1, data)
    const parse = vi.spyOn(JSON, 'parse')
    const { fault } = await consumed(() => line)
    expect(fault.message).toMatch(/^recording, line 2: expected at most 50000 values, got \d+$/)
    expect(parse.mock.calls.filter(([text]) => text.startsWith('{"k":"p"'))).toEqual([])
  })

  test('before a line of many levels is parsed', async () => {
    const line = pageLine(1, `{"a":${'['.repeat(70)}${']'.repeat(70)}}`)
    const parse = vi.spyOn(JSON, 'parse')
    const { fault } = await consumed(() => line)
    expect(fault.message).toBe('recording, line 2: expected at most 64 levels of nesting, got 65')
    expect(parse.mock.calls.filter(([text]) => text.startsWith('{"k":"p"'))).toEqual([])
  })

  test('when the scratch memory of a checkpoint is wide', async () => {
    const memory = `{"random":[${'[],'.repeat(60_000)}[]]}`
    const line = `{"k":"c","format":2,"n":1,"seq":1,"life":1,"at":1,"build":"b","state":"00000000","transient":${memory},"rows":0}\n`
    const { fault, characters } = await consumed(() => line)
    expect(fault.message).toMatch(/^recording, line 2: expected at most 50000 values/)
    expect(characters).toBeLessThan(head.length + 2 * line.length)
  })

  test('at a set number of lists in unknown records', async () => {
    const lists = 24_000
    const data = `{"a":[${'[],'.repeat(lists - 1)}[]]}`
    const { fault, characters } = await consumed(index => pageLine(index, data))
    expect(fault.message).toBe('the recording expected at most 2000000 lists and objects, got more')
    expect(fault.facts?.containers).toBeLessThanOrEqual(limits.containers + lists + 3)
    expect(characters).toBeLessThan(7 * megabyte)
  })

  test('at a set number of values in unknown records', async () => {
    const numbers = 49_000
    const data = `{"a":[${'1,'.repeat(numbers - 1)}1]}`
    const { fault, characters } = await consumed(index => pageLine(index, data))
    expect(fault.message).toBe('the recording expected at most 6000000 values, got more')
    expect(fault.facts?.values).toBeLessThanOrEqual(limits.values + numbers + 12)
    expect(characters).toBeLessThan(13 * megabyte)
  })

  test('at a set number of lines', async () => {
    const at = (part: number) =>
      Array.from({ length: 1000 }, (_, index) => pageLine(part * 1000 + index, '{}')).join('')
    const { fault } = await consumed(at)
    expect(fault.message).toBe('the recording expected at most 500000 lines, got more')
    expect(fault.facts?.lines).toBe(limits.lines + 1)
  })

  test('at a set number of unknown types', async () => {
    const { fault } = await consumed(index => pageLine(index, '{}', `page.novel${index}`))
    expect(fault.message).toBe('the recording expected at most 100 unknown types, got more')
    expect(fault.facts?.lines).toBe(limits.unknownTypes + 1)
  })

  test('at an unknown type with a long name', async () => {
    const { fault } = await consumed(() => pageLine(1, '{}', 'x'.repeat(900_000)))
    expect(fault.message).toBe('recording, line 2: type expected at most 200 characters, got 900000')
  })
})

describe('a small packed file', () => {
  const fateOf = async (parts: Uint8Array[]): Promise<Fault> => {
    const file = new Blob([new Uint8Array(Buffer.concat(parts))])
    expect(file.size).toBeLessThan(2_000_000)
    const fault = await readRecordingFile(file).catch((cause: unknown) => cause)
    expect(fault).toBeInstanceOf(Fault)
    return fault as Fault
  }

  test('that unpacks to a gigabyte of zeros is dropped after its first megabyte', async () => {
    const part = gzipSync(Buffer.alloc(32 * megabyte, 32))
    const fault = await fateOf(Array.from({ length: 32 }, () => part))
    expect(fault.message).toMatch(/^this is not a recording/)
    expect(fault.facts?.bytes).toBeLessThan(2 * megabyte)
  })

  test('that unpacks to long lines is dropped at 64 MB', async () => {
    const text = `{"text":"${'y'.repeat(990_000)}"}`
    const part = (from: number) =>
      gzipSync(Array.from({ length: 16 }, (_, index) => pageLine(from + index, text)).join(''), { level: 1 })
    const fault = await fateOf([gzipSync(head), ...[0, 16, 32, 48, 64].map(part)])
    expect(fault.message).toBe('the recording expected at most 67108864 bytes, got more after gunzip')
  })

  test('that unpacks to millions of lists is dropped at their limit', async () => {
    const data = `{"a":[${'[],'.repeat(23_999)}[]]}`
    const parts = Array.from({ length: 130 }, (_, index) => gzipSync(pageLine(index, data)))
    const fault = await fateOf([gzipSync(head), ...parts])
    expect(fault.message).toContain('lists and objects')
    expect(fault.facts?.bytes).toBeLessThan(8 * megabyte)
  })
})

test('unknown types named like members of Object.prototype are counted each', async () => {
  const names = ['constructor', 'toString', 'hasOwnProperty', 'valueOf']
  const text = await recordingOf([
    ...connectedLog().filter(line => !line.startsWith('{"k":"p"')),
    ...names.map((name, p) => pageLine(p, '{}', name).trimEnd()),
  ])
  const { unknownTypes } = await readRecording(text, sha256Hex)
  expect(Object.entries(unknownTypes)).toEqual(names.map(name => [name, 1]))
  expect(unknownTypes['isPrototypeOf']).toBeUndefined()
})
