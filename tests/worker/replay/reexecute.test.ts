import { describe, expect, test } from 'vitest'
import { emptyCoreModel } from '../../../src/events/emptyModel.ts'
import type { InputRecord } from '../../../src/runtime/log/record.ts'
import type { Recorded } from '../../../src/runtime/recording/recording.ts'
import { shortHash } from '../../../src/runtime/log/shortHash.ts'
import { subjectHashes } from '../../../src/events/checkpoint/snapshot.ts'
import { createCore } from '../../../src/worker/core/core.ts'
import { deciders } from '../../../src/worker/deciders/index.ts'
import { reexecute } from '../../../src/worker/replay/reexecute.ts'
import { boot, connectedLog, createLog, modelOfLog, parsed, spliced } from '../../events/recordedLog.ts'

const lines = connectedLog()

/** The same log with one line changed. */
function changed(find: string, from: string | RegExp, to: string): { records: Recorded[]; index: number } {
  const index = lines.findIndex(line => line.includes(find))
  const line = lines[index] ?? ''
  expect(line).toMatch(from)
  return { records: parsed(spliced(lines, index, 1, line.replace(from, to))), index }
}

const causeOf = (index: number) =>
  lines.slice(0, index).reduce((last, line, at) => (line.startsWith('{"k":"i"') ? at : last), -1)

describe('strict re-execution', () => {
  test('of an untouched log is identical, across two lives', () => {
    const verdict = reexecute(parsed(lines), deciders)
    expect(verdict).toEqual({
      ok: true,
      inputs: lines.filter(line => line.startsWith('{"k":"i"')).length,
      facts: lines.filter(line => line.startsWith('{"k":"f"')).length,
    })
    expect(verdict.facts).toBeGreaterThan(5)
  })

  test('compares the model at the end with the one that the recording states', () => {
    const state = subjectHashes(modelOfLog())
    expect(reexecute(parsed(lines), deciders, { state })).toMatchObject({ ok: true })
    const other = { ...state, connection: '00000000' }
    const { network, ...fewer } = state
    const last = causeOf(lines.length)
    expect(reexecute(parsed(lines), deciders, { state: other })).toMatchObject({
      ok: false,
      difference: {
        index: last,
        at: lines.length,
        line: 1,
        field: 'state.connection',
        values: { expected: '"00000000"', actual: `"${state.connection}"` },
        around: { subject: 'connection', model: modelOfLog().connection },
      },
    })
    expect(reexecute(parsed(lines), deciders, { state: fewer })).toMatchObject({
      ok: false,
      difference: { field: 'state.network', values: { actual: `"${network}"` } },
    })
  })

  test('finds a changed field of a fact at the input that caused it', () => {
    const { records, index } = changed('"type":"connection.requested"', 'Lantern', 'Lanterm')
    const verdict = reexecute(records, deciders)
    const cause = causeOf(index)
    expect(verdict).toMatchObject({
      ok: false,
      difference: {
        at: index,
        line: index + 2,
        index: cause,
        input: lines[cause],
        expected: records[index]?.line,
        actual: lines[index],
        field: 'data.wallet.name',
      },
    })
  })

  test('finds a changed input at its first difference', () => {
    const { records, index } = changed('"type":"wallet.connected"', /"at":\d+/, '"at":1800000999999')
    const verdict = reexecute(records, deciders)
    expect(verdict).toMatchObject({ ok: false, difference: { index, at: index + 1, field: 'at' } })
  })

  test('finds changed effects by their hash', () => {
    const { records, index } = changed('"types":["wallet.connect"', /"h":"[0-9a-f]{8}"/, '"h":"00000000"')
    expect(reexecute(records, deciders)).toMatchObject({ ok: false, difference: { at: index, field: 'h' } })
  })

  test('of effects in the file’s first version is identical, and finds one changed inside', () => {
    const core = createCore(deciders, emptyCoreModel())
    let n = 0
    let hash = ''
    const old = lines.map(line => {
      if (line.startsWith('{"k":"i"')) {
        const input = JSON.parse(line) as InputRecord
        n = input.n
        hash = shortHash(JSON.stringify(core.step(input).effects))
        const { to, tab, ref, ...rest } = input
        return JSON.stringify({ ...rest, to, tab, ref })
      }
      return line.startsWith('{"k":"e"')
        ? line.replace('"types"', `"n":${n},"types"`).replace(/"h":"\w+"/, `"h":"${hash}"`)
        : line
    })
    expect(old.filter((line, index) => line !== lines[index]).length).toBeGreaterThan(8)
    const whole = parsed(old)
    expect(reexecute(whole, deciders)).toEqual(reexecute(parsed(lines), deciders))
    const index = old.findIndex(line => line.includes('"types":["wallet.connect"'))
    const other = (old[index] ?? '').replace(/"h":"\w+"/, '"h":"00000000"')
    const verdict = reexecute(parsed(spliced(old, index, 1, other)), deciders)
    expect(verdict).toMatchObject({ ok: false, difference: { at: index, field: 'h', actual: old[index] } })
  })

  test('finds an unrecorded fact, and a missing one', () => {
    const index = lines.findIndex(line => line.includes('"type":"network.offline"'))
    const missing = reexecute(parsed(spliced(lines, index, 1)), deciders)
    expect(missing).toMatchObject({ ok: false, difference: { index: index - 1, actual: lines[index] } })
    expect(missing).not.toHaveProperty('difference.expected')
    const extra = lines[index]?.replace('network.offline', 'network.online') ?? ''
    const added = reexecute(parsed(spliced(lines, index + 1, 0, extra)), deciders)
    expect(added).toMatchObject({ ok: false, difference: { at: index + 1, expected: extra } })
    expect(added).not.toHaveProperty('difference.actual')
  })

  test('reports that only the order of keys differs', () => {
    const { records } = changed('"type":"network.offline"', /"seq":(\d+),"n":(\d+)/, '"n":$2,"seq":$1')
    expect(reexecute(records, deciders)).toMatchObject({ ok: false, difference: { field: 'order of keys' } })
  })

  test('of a log cut within the facts of its last input is identical up to the cut', () => {
    const last = lines.findIndex(line => line.includes('"type":"connection.made"'))
    const cut = parsed(lines.slice(0, last))
    expect(reexecute(cut, deciders)).toMatchObject({ ok: false })
    expect(reexecute(cut, deciders, { cut: true })).toMatchObject({ ok: true })
  })

  test('repeats a core’s fault: it is a fact like any other', () => {
    const faulty = [
      {
        'page.resumed': () => {
          throw new TypeError('no')
        },
      },
    ]
    const log = createLog(faulty)
    log.input(boot(1))
    log.input({ type: 'page.resumed', data: {} })
    expect(log.lines.at(-1)).toContain('"type":"core.faulted"')
    expect(reexecute(parsed(log.lines), faulty)).toMatchObject({ ok: true, inputs: 2 })
    expect(reexecute(parsed(log.lines), [])).toMatchObject({ ok: false, difference: { n: 2 } })
  })

  test('refuses a log that does not begin with a boot, and one without inputs', () => {
    const later = parsed(lines.slice(lines.findIndex(line => line.includes('"type":"page.attached"'))))
    expect(() => reexecute(later, deciders)).toThrow(
      /line 2: expected core.boot as the log.s first input, got page.attached/,
    )
    const facts = parsed(lines.slice(2))
    expect(() => reexecute(facts, deciders)).toThrow(/expected core.boot as the log.s first input, got core.started/)
    expect(() => reexecute([], deciders)).toThrow(/at least one input/)
    expect(() => reexecute(parsed(lines.slice(0, 1)), deciders)).toThrow(/at least one input/)
  })

  test('refuses types of a newer build, but skips an unknown page fact', () => {
    expect(() => reexecute(changed('"type":"page.online"', 'page.online', 'page.tilted').records, deciders)).toThrow(
      /page.tilted version 1 is not known/,
    )
    expect(() => reexecute(changed('"type":"network.offline"', '"v":1', '"v":2').records, deciders)).toThrow(
      /network.offline version 2 is not known/,
    )
    expect(reexecute(changed('"type":"screen.closed"', 'screen.closed', 'screen.tilted').records, deciders).ok).toBe(
      true,
    )
  })
})
