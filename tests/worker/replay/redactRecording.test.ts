import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { everyCase } from '../../everyCase.ts'
import { encode } from '../../../src/events/log/codec.ts'
import { Fault } from '../../../src/runtime/failure.ts'
import type { LogRecord, InputRecord } from '../../../src/runtime/log/record.ts'
import type { Recording } from '../../../src/runtime/recording/recording.ts'
import { readRecording } from '../../../src/events/recording/readRecording.ts'
import { transientDefinition } from '../../../src/worker/core/transientShape.ts'
import { createRedactor, type Policy } from '../../../src/events/recording/redact.ts'
import { strict } from '../../../src/main/replay/strict.ts'
import { deciders } from '../../../src/worker/deciders/index.ts'
import { redactRecording } from '../../../src/worker/replay/redactRecording.ts'
import { reexecute } from '../../../src/worker/replay/reexecute.ts'
import { secretsIn } from '../../events/personals.ts'
import { spellings } from '../../events/spellings.ts'

const folder = join(import.meta.dirname, '../../replay/recordings')
const names = readdirSync(folder).filter(name => name.endsWith('.jsonl'))
// Page facts stand between inputs and their results in the second one
const kept = [names.at(-1), 'several-wallets.jsonl']
const some = names.filter((name, at) => at % 5 === 0 || kept.includes(name))
const sha256 = async (text: string) => createHash('sha256').update(text).digest('hex')
const open = (name: string) => readRecording(readFileSync(join(folder, name), 'utf8'), sha256)
const redact = (recording: Recording, policy: Policy = 'tokens', key = 'a key') =>
  redactRecording(recording, { policy, key, build: recording.header.coreBuild, deciders }, sha256)

/** @returns a pattern of the line, with a number in place of each omitted amount */
function computedIn(line: string): RegExp {
  const parts = line.split('…').map(part => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join(String.raw`\d+`)}$`)
}

/** @returns a function that makes something on its first call, and returns it again on every other */
function once<T>(make: () => T): () => T {
  let made: { of: T } | undefined
  return () => (made ??= { of: make() }).of
}

describe.each(everyCase ? names : some)('%s', name => {
  const opened = once(() => open(name))
  const redacted = {
    tokens: once(async () => redact(await opened())),
    view: once(async () => redact(await opened(), 'view')),
  }

  test('with tokens re-executes strictly, and is marked as such', async () => {
    const { text, dropped } = await redacted.tokens()
    const reread = await readRecording(text, sha256)
    expect(reread).toMatchObject({ complete: true, unknownTypes: {}, header: { redaction: 'standIns' } })
    expect(reread.header.state).toBeDefined()
    expect(strict(reread, reread.header.coreBuild)).toMatchObject({ ok: true })
    expect(dropped).toEqual({})
  })

  const secrets = once(async () => {
    const records = (await opened()).records.map(({ record }) => record)
    return secretsIn(records).map(value => ({ value, forms: spellings(value) }))
  })

  test.each(['tokens', 'view'] as const)('with %s holds no personal value in any form', async policy => {
    const { text } = await redacted[policy]()
    const found = (await secrets()).flatMap(({ value, forms }) =>
      forms.filter(form => text.includes(form)).map(form => `${value} as ${form}`),
    )
    expect(found).toEqual([])
    // A visit without a purchase leaves few personal values
    expect((await secrets()).length).toBeGreaterThan(name.includes('buy') ? 5 : 0)
  })

  test.each(['tokens', 'view'] as const)('with %s holds no clock of the device, not even in an id', async policy => {
    const recording = await opened()
    const { text } = await redacted[policy]()
    const told = text.replace(/"(?:chainTime|time|paidAt)":\d+/g, '')
    const clocks = [...told.matchAll(/(?<!\d)(?:\d{13}|\d{16}|\d{19})(?!\d)/g)].map(([run]) => Number(run.slice(0, 13)))
    const dayMs = 86_400_000
    expect(clocks.filter(clock => Math.abs(clock - recording.header.startedAt) < dayMs)).toEqual([])
  })

  test('executes redacted inputs to the redacted facts', async () => {
    const recording = await opened()
    const records = recording.records.map(({ record }) => record)
    const { text, isExact } = await redacted.tokens()
    const redactor = createRedactor(records, { key: 'a key', policy: 'tokens', isExact })
    const expected = records
      .filter(({ k }) => 'ifp'.includes(k))
      .map(record => encode(redactor.record(record) as never))
    const lines = text.split('\n').filter(line => /^\{"k":"[ifp]"/.test(line))
    // An amount in no input has no stand-in; the core computes it from those of the others
    const told = lines.map((line, at) => (computedIn(expected[at] ?? '').test(line) ? expected[at] : line))
    expect(told).toEqual(expected)
  })

  test('for viewing has no amounts, and refuses tokens', async () => {
    const { text } = await redacted.view()
    const looked = await readRecording(text, sha256)
    expect(looked.header.redaction).toBe('blanked')
    const measures = text.match(/"(?:units|lamports|amount|slot)":("?)([0-9]+)\1/g) ?? []
    expect(measures.filter(one => !/:"?0"?$/.test(one))).toEqual([])
    await expect(redact(looked)).rejects.toThrow(/it is for looking only/)
  })
})

describe.each(some)('%s', name => {
  test('of two keys shares no token, and of one key is the same file', async () => {
    const recording = await open(name)
    const [one, again, other] = await Promise.all([
      redact(recording),
      redact(recording),
      redact(recording, 'tokens', 'another key'),
    ])
    expect(again.text).toBe(one.text)
    expect(other.text).not.toBe(one.text)
  })
})

describe('a recording', () => {
  const first = 'connect-installed-buy-sol.jsonl'

  test('that does not re-execute is refused with a sentence', async () => {
    const recording = await open(first)
    const at = recording.records.findIndex(({ record }) => record.k === 'f' && record.type === 'connection.requested')
    const records = recording.records.map((one, index) =>
      index === at ? { ...one, line: one.line.replace('"installed"', '"walletConnect"') } : one,
    )
    const cause = await redact({ ...recording, records }).catch((fault: unknown) => fault)
    expect(cause).toBeInstanceOf(Fault)
    expect((cause as Fault).message).toMatch(/expected a recording that re-executes: from input \d+ \(connection\./)
  })

  test('of a newer page keeps its unknown page facts without their data, and counts them', async () => {
    const recording = await open(first)
    const page = recording.records.find(({ record }) => record.k === 'p')?.record as Extract<LogRecord, { k: 'p' }>
    const strange = { ...page, type: 'screen.tilted', data: { account: 'x'.repeat(40) }, p: page.p }
    const records = recording.records.map(one =>
      one.record === page ? { ...one, record: strange, line: encode(strange) } : one,
    )
    const { text, dropped } = await redact({ ...recording, records })
    expect(dropped).toEqual({ 'screen.tilted': 1 })
    expect(text).toContain('"type":"screen.tilted","v":1,"data":{}')
    expect(text).not.toContain('xxxx')
  })

  test('cut anywhere is redacted up to the cut', async () => {
    const recording = await open('walletconnect-buy-sol.jsonl')
    const starts = recording.records.length
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: starts }), async length => {
        const records = recording.records.slice(0, length)
        if (records.at(-1)?.record.k === 'c') return
        const { text } = await redact({ ...recording, records, complete: false, truncatedAt: length + 2 })
        const redacted = await readRecording(text, sha256)
        expect(reexecute(redacted.records, deciders)).toMatchObject({ ok: true })
      }),
      { numRuns: 25 },
    )
  })
})

test('redact: the clock in the last payload id of a checkpoint is moved like every other', () => {
  const at = 1_795_320_739_123
  const record: InputRecord = { k: 'i', n: 1, at, type: 'page.online', v: 1, data: { online: true } }
  const redactor = createRedactor([record], { key: 'a key', policy: 'tokens' })
  const id = (ms: number) => ms * 1000 + 7
  expect(redactor.time(at)).not.toBe(at)
  expect(redactor.data(transientDefinition, { lastPayloadId: id(at) })).toEqual({
    lastPayloadId: id(redactor.time(at)),
  })
})

test('redact: digits in the seed of a core are no clock, even when they read like one', async () => {
  const [name = ''] = names
  const { header, records } = await open(name)
  const inputs = records.map(({ record }) => record)
  const boot = inputs.find(record => record.k === 'i' && record.type === 'core.boot') as InputRecord
  const seed = `d${header.startedAt}db8cbc07bd3ce6c8d1`
  expect(seed).toHaveLength(32)
  const redactor = createRedactor(inputs, { key: 'a key', policy: 'tokens' })
  expect(redactor.record({ ...boot, data: { ...boot.data, seed } })).toMatchObject({ data: { seed } })
})
