import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkpointLines } from '../../src/events/checkpoint/snapshot.ts'
import { type Recording, writeRecording } from '../../src/runtime/recording/recording.ts'
import { readRecordingFile } from '../../src/main/page/redaction/recordingFile.ts'
import { sha256Hex } from '../../src/worker/drivers/digest.ts'
import { boot, connectedLog, createLog, header, recordingOf, spliced } from '../events/recordedLog.ts'
import { changeLines, changesOf } from './changes.ts'
import { inTodaysWords, rewrite } from './rewrite.ts'
import { strictly } from './strictly.ts'

const recorded = ['recordings', 'scripted'].flatMap(folder =>
  readdirSync(join(import.meta.dirname, folder))
    .filter(name => name.endsWith('.jsonl'))
    .map(name => join(folder, name)),
)
const read = (text: string): Promise<Recording> => readRecordingFile(new Blob([text]))
const lines = connectedLog()
const at = lines.findIndex(line => line.includes('"type":"network.offline"'))

/** Removes one fact; the later ones move up. */
const without = (index: number) =>
  spliced(lines, index, 1).map((line, place) =>
    place < index
      ? line
      : line.replace(/"(seq|after)":(\d+)/g, (_, key: string, seq: string) => `"${key}":${Number(seq) - 1}`),
  )

describe('a recording made anew from its inputs', () => {
  test.each(recorded)('%s keeps every line, in the newest version of its type', async name => {
    const text = readFileSync(join(import.meta.dirname, name), 'utf8')
    const recording = await read(text)
    const { header, records } = recording
    const { state } = header
    const today = await writeRecording({ header, lines: inTodaysWords(records), state }, sha256Hex)
    expect(await rewrite(recording, 'today')).toBe(today)
    if (!records.some(({ lifted }) => lifted)) expect(today).toBe(text)
  })

  test("has today's facts and effects, and page facts at the corresponding places", async () => {
    const old = await recordingOf(without(at))
    const text = await rewrite(await read(old), 'today')
    expect(await strictly(text)).toMatchObject({ ok: true, inputs: 8, facts: 6 })
    const [{ records, header }, original] = [await read(text), await read(await recordingOf(lines))]
    expect(header.coreBuild).toBe('today')
    expect(records.map(({ line }) => line)).toEqual(original.records.map(({ line }) => line))
  })

  test('writes its checkpoints anew, and continues from its first one', async () => {
    const log = createLog()
    const stand = (n: number, build: string) =>
      checkpointLines(
        { n, seq: log.core.seq, life: 1, at: header.startedAt, build, transient: log.core.memory() },
        log.core.model,
      )
    log.input(boot(1))
    const first = stand(1, 'old')
    const from = log.lines.length
    log.input({ type: 'page.online', data: { online: false } })
    const middle = stand(2, 'old').map(line => line.replace('"online":false', '"online":true'))
    const tail = log.lines.length
    log.input({ type: 'page.online', data: { online: true } })
    const recorded = [...first, ...log.lines.slice(from, tail), ...middle, ...log.lines.slice(tail)]
    const offline = recorded.map(line => line.replace('"network.offline"', '"network.online"'))
    const { records } = await read(await rewrite(await read(await recordingOf(offline)), 'today'))
    const kinds = records.map(({ record }) => record.k).join('')
    expect(kinds).toMatch(/^cr+ife?cr+ife?$/)
    const told = records.map(({ line }) => line)
    expect(told.slice(0, first.length)).toEqual(first)
    expect(told.find(line => line.startsWith('{"k":"c","format":2,"n":2'))).toContain('"build":"today"')
    expect(told.join('\n')).toContain('"network.restated","v":2,"data":{"network":{"phase":"unknown","online":false}}')
  })
})

describe('the differences of a rewritten recording', () => {
  test('are given by type where the inputs are the same', async () => {
    const before = await read(await recordingOf(without(at)))
    const made = lines.findIndex(line => line.includes('"type":"connection.made"'))
    const other = lines.map((line, index) => (index === made ? line.replace('Lantern', 'Lanterm') : line))
    const now = await read(await recordingOf(other))
    const changes = changesOf(before.records, now.records)
    expect(changeLines('x.jsonl', changes)).toBe(
      'x.jsonl: 8 inputs, other facts:\n  connection.made: 1 changed\n  network.offline: 1 added\n',
    )
    expect(changeLines('x.jsonl', changesOf(now.records, now.records))).toBe('x.jsonl: 8 inputs, the same facts\n')
  })

  test('are given by number where another run has other ids and times', async () => {
    const log = createLog()
    log.input(boot(3))
    const now = await read(await recordingOf(log.lines))
    const before = await read(await recordingOf(lines))
    const told = changeLines('x.jsonl', changesOf(before.records, now.records))
    expect(told).toMatch(/^x\.jsonl: 8 → 1 input, other facts:\n {2}connection\.made: 1 removed\n/)
    expect(told).not.toContain('changed')
  })
})
