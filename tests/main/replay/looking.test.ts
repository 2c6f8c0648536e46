/** The read-only verbs: show, at and diff. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { boot, connectedLog, createLog, recordingOf } from '../../events/recordedLog.ts'
import type { LogRecord } from '../../../src/runtime/log/record.ts'
import { createVisitComparison } from '../../../src/main/replay/alike.ts'
import { replayCommand } from '../../../src/main/replay/command.ts'
import { keptRecordings } from '../../../src/main/replay/files.ts'
import { ownFolder, jsonLines } from './running.ts'

const root = join(import.meta.dirname, '../../..')

const { file, replay } = ownFolder()
const lines = connectedLog()
const whole = file('whole.jsonl', await recordingOf(lines))

const told = async (...args: string[]) => {
  const { code, out, err } = await replay(...args)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out.trimEnd().split('\n')
}
/** Types in order. */
const types = (shown: readonly string[]) => shown.map(line => /(?:input|core|page) +(\S+)/.exec(line)?.[1])

describe('show', () => {
  test('prints each input right before its facts', async () => {
    const shown = await told('show', '--inputs', whole)
    expect(shown).toHaveLength(lines.filter(line => !line.startsWith('{"k":"e"')).length)
    const all = types(shown)
    expect(all[all.indexOf('connection.made') - 1]).toBe('wallet.connected')
    expect(shown.find(line => line.includes('wallet.connected'))).toMatch(
      /^ +n4 {2}08:00:04\.000 {2}input {2}wallet\.connected +accounts/,
    )
    expect(all.at(-1)).toBe('page.attached')
  })

  test('filters by types and by a range', async () => {
    expect(types(await told('show', whole, '--type', 'connection', '--type', 'network.off'))).toEqual([
      'connection.requested',
      'connection.made',
      'network.offline',
    ])
    expect(types(await told('show', whole, '--from', '2', '--to', '3'))).toEqual([
      'connection.requested',
      'screen.shown',
      'connection.made',
    ])
    expect(types(await told('show', whole, '--inputs', '--from', 'n:5', '--to', 'n:6'))).toEqual([
      'page.online',
      'network.offline',
      'page.online',
      'network.online',
    ])
    expect(types(await told('show', whole, '--from', '08:00:05', '--to', '08:00:05.500'))).toContain('network.offline')
  })

  test('prints the numbers that at, --from and explore take, in columns', async () => {
    expect((await told('show', whole)).slice(0, 5)).toEqual([
      'p1      08:00:00.010  page  tab.opened            width 1280, theme light, language en',
      '#1  n1  08:00:01.000  core  core.started          life 1, build core-build, cause start, storage durable',
      'p2      08:00:02.010  page  tab.attached          life 1',
      'p3      08:00:02.010  page  screen.opened         screen Connect',
      '#2  n3  08:00:03.000  core  connection.requested  attemptId e1.3.0, connector installed, wallet Lantern',
    ])
  })

  test('numbers the pages of several tabs', async () => {
    const shown = await told('show', join(keptRecordings(root), 'bought-in-a-second-tab.jsonl'))
    const opened = shown.filter(line => line.includes('tab.opened'))
    expect(opened.map(line => /(page \d) /.exec(line)?.[1])).toEqual(['page 1', 'page 2'])
    const times = shown.map(line => /\d\d:\d\d:\d\d\.\d{3}/.exec(line)?.[0] ?? '')
    expect(times).toEqual([...times].sort())
  })

  describe('in a terminal', () => {
    const drawn = async (env: Record<string, string>, columns?: number, ...args: string[]) => {
      let text = ''
      const out = { write: (more: string) => (text += more), isTTY: true, ...(columns ? { columns } : {}) }
      const err = { write: () => undefined }
      await replayCommand(['show', ...(args.length > 0 ? args : [whole])], { out, err, build: 'b', root, env })
      return text.trimEnd().split('\n')
    }

    test('cuts lines to its width', async () => {
      const cut = await drawn({ NO_COLOR: '1' }, 60)
      expect(Math.max(...cut.map(line => line.length))).toBe(60)
      expect(cut[4]).toBe('#2  n3  08:00:03.000  core  connection.requested  attemptId…')
    })

    test('dims the numbers, colours cut lines to their end, and is plain with NO_COLOR or TERM=dumb', async () => {
      expect((await drawn({}, 60))[4]).toBe(
        '\u001b[2m#2  \u001b[22m\u001b[2mn3  \u001b[22m\u001b[2m08:00:03.000  \u001b[22mcore  \u001b[1mconnection.requested  \u001b[22mattemptId…',
      )
      for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) {
        expect((await drawn(env)).join('')).not.toContain('\u001b')
      }
    })

    const reds = async (shown: string) =>
      [...(await drawn({}, undefined, '--inputs', shown)).join('\n').matchAll(/\u001b\[31m(\S+) *\u001b\[39m/g)].map(
        ([, type]) => type,
      )

    test.each([
      ['order.failedOnChain', 'payment-failed-on-chain'],
      ['order.mismatched', 'wallet-sent-another-payment'],
      ['network.mismatched', 'another-chain-and-back'],
      ['core.inputSetAside', 'answer-set-aside'],
    ])('shows %s in red', async (type, name) => {
      const red = await reds(join(keptRecordings(root), `${name}.jsonl`))
      expect(red).toContain(type)
      expect(red).not.toContain('core.started')
    })

    test('shows what the core set aside, lost or failed at in red', async () => {
      const log = createLog()
      log.input(boot(1))
      log.input({ type: 'core.setAside', data: { input: 'order.place' } })
      log.input({ type: 'core.logDamaged', data: { records: 2 } })
      log.input({ type: 'page.online', data: { online: false } })
      const { n, at } = JSON.parse(log.lines.at(-1) ?? '')
      const data = { input: 'page.online', message: 'm' }
      const faulted = JSON.stringify({ k: 'f', seq: log.core.seq + 1, n, at, type: 'core.faulted', v: 1, data })
      expect(await reds(file('failures.jsonl', await recordingOf([...log.lines, faulted])))).toEqual([
        'core.setAside',
        'core.inputSetAside',
        'core.logDamaged',
        'core.faulted',
      ])
    })
  })

  test('answers in JSON, one record a line', async () => {
    const { out } = await replay('show', '--json', '--type', 'connection.made', whole)
    expect(jsonLines(out)).toEqual([
      { file: whole, by: 'core', record: JSON.parse(lines.find(line => line.includes('connection.made')) ?? '') },
    ])
  })
})

describe('at', () => {
  const model = async (point: string, ...path: string[]) => {
    const { code, out } = await replay('at', point, whole, ...path)
    expect(code).toBe(0)
    return JSON.parse(out) as unknown
  }

  test('prints the model right after a fact, after an input, and at a time', async () => {
    expect(await model('2')).toMatchObject({ connection: { attempt: { phase: 'asking' } }, network: { online: true } })
    expect(await model('3')).toMatchObject({ connection: { attempt: { phase: 'none' } } })
    expect(await model('n:3', 'connection.attempt.phase')).toBe('asking')
    expect(await model('n:5', 'network.online')).toBe(false)
    expect(await model('08:00:05.000', 'network.online')).toBe(false)
    expect(await model('2027-01-15T08:00:06.000Z', 'network.online')).toBe(true)
  })

  test('prints the model of the input before at one without facts', async () => {
    expect(await model('n:2')).toEqual(await model('n:1'))
  })

  test('prints the point beside the JSON, or in it', async () => {
    expect((await replay('at', '2', whole)).err).toBe('after fact 2, input 3, 08:00:03.000 UTC\n')
    const { out } = await replay('at', '2', whole, 'connection.attempt.phase', '--json')
    expect(JSON.parse(out)).toEqual({
      seq: 2,
      n: 3,
      at: 1_800_000_003_000,
      path: 'connection.attempt.phase',
      model: 'asking',
    })
  })

  test.each([
    [['0'], 'the recording has the facts 1 to 6, there is no fact 0'],
    [['7'], 'the recording has the facts 1 to 6, there is no fact 7'],
    [['n:9'], 'the recording has the inputs 1 to 8, there is no input 9'],
    [['999999999999999'], 'there is no fact 999999999999999'],
    [['07:00'], 'the recording goes from 2027-01-15T08:00:00.010Z to '],
    [['25:00'], 'a point expected 812 (a fact)'],
    [['2027-13-45T08:00:00Z'], 'a point expected 812 (a fact)'],
    [['-1'], 'at has no option -1'],
    [['3', 'conection'], 'the model has no conection at this point: did you mean connection?'],
    [['3', 'connection.attempt.phase.deep'], 'connection.attempt.phase has no deep at this point: it has no parts'],
    [['3', '__proto__'], 'the model has no __proto__ at this point'],
  ])('%j is refused in one sentence', async ([point = '', ...path], sentence) => {
    const { code, out, err } = await replay('at', point, whole, ...path)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(sentence)
  })
})

describe('diff', () => {
  const at = lines.findIndex(line => line.includes('"type":"network.online"'))

  test('of two visits ignores times, sequence numbers and ids that keep their role', async () => {
    const visit = async (name: string, edit: (line: string) => string) => file(name, await recordingOf(lines.map(edit)))
    const later = (line: string) =>
      line
        .replace(/"at":18000000/, '"at":18000777')
        .replaceAll('connection-1.4', 'connection-1.9')
        .replaceAll('"t1"', '"t7"')
    const other = await visit('later.jsonl', later)
    expect(await told('diff', whole, other)).toEqual([`the same ${lines.length} lines`])
    expect((await replay('diff', '--exact', whole, other)).out).toContain('first differing field: tab\n')
  })

  test('tells an id that changed its role', () => {
    const fact = (seq: number, orderId: string): LogRecord => ({
      k: 'f',
      seq,
      n: seq,
      at: seq,
      type: 'order.final',
      v: 1,
      data: { orderId },
    })
    const alike = createVisitComparison()
    expect(alike(fact(1, 'order-1.2.aaaaaaaa'), fact(5, 'order-1.9.bbbbbbbb'))).toBeUndefined()
    expect(alike(fact(2, 'order-1.2.aaaaaaaa'), fact(6, 'order-1.9.bbbbbbbb'))).toBeUndefined()
    expect(alike(fact(3, 'order-1.2.aaaaaaaa'), fact(7, 'order-1.9.cccccccc'))).toMatchObject({ path: 'data.orderId' })
  })

  test('of equal lines finds nothing', async () => {
    expect(await told('diff', whole, whole)).toEqual([`the same ${lines.length} lines`])
  })

  test('names the first differing field and the types with other counts', async () => {
    const changed = lines.map((line, index) =>
      index === at ? line.replace('network.online', 'network.offline') : line,
    )
    const { code, out } = await replay('diff', '--exact', whole, file('changed.jsonl', await recordingOf(changed)))
    expect(code).toBe(1)
    expect(out).toContain(`the same ${at} lines, then different:\n  A  line ${at + 2}`)
    expect(out).toContain('first differing field: type\n    A  "network.online"\n    B  "network.offline"\n')
    expect(out).toMatch(/fact +network\.offline {2}1 → 2\n +fact +network\.online +1 → 0\n$/)
  })

  test('reports when one of them ends, and prints everything in JSON', async () => {
    const shorter = file('shorter.jsonl', await recordingOf(lines.slice(0, at - 1)))
    const { code, out } = await replay('diff', '--exact', whole, shorter)
    expect(code).toBe(1)
    expect(out).toContain(`B  ends after ${at - 1} lines`)
    const json = JSON.parse((await replay('diff', '--exact', '--json', whole, shorter)).out)
    expect(json).toMatchObject({ same: false, first: { index: at - 1, a: { line: lines[at - 1] } } })
    expect(json.types).toContainEqual({ kind: 'fact', type: 'network.online', a: 1, b: 0 })
  })
})
