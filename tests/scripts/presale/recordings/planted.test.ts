/** A replay finds whatever differs, and names it with its line. */
import { describe, expect, test } from 'vitest'
import { everyCase } from '../../../everyCase.ts'
import type { RunLine, StepLine } from '../../../../scripts/presale/recording/format.ts'
import { linesOf, presale, recordedRun, replayLines, replayText } from './replaying.ts'

type Kind = RunLine['kind']
type Of<K extends Kind> = Extract<RunLine, { kind: K }>

const pause = linesOf(recordedRun('pause'))
const killed = linesOf(recordedRun('refund-killed'))

/** @returns the lines with the nth one of a kind changed or left out, and its number, from 1 */
function changed<K extends Kind>(
  lines: RunLine[],
  kind: K,
  { nth = 0, fits = () => true }: { nth?: number; fits?: (line: Of<K>) => boolean },
  change: (line: Of<K>) => RunLine[],
): { lines: RunLine[]; at: number } {
  const places = lines.flatMap((line, at) => (line.kind === kind && fits(line as Of<K>) ? [at] : []))
  const at = places[nth]
  if (at === undefined) throw new Error(`expected ${nth + 1} lines of ${kind}, got ${places.length}`)
  return { lines: lines.flatMap((line, place) => (place === at ? change(line as Of<K>) : [line])), at: at + 1 }
}

/** Replays, and expects the difference at a line, told so. */
async function expectFound({ lines, at }: { lines: RunLine[]; at: number }, expected: RegExp, got: RegExp) {
  const { code, out } = await replayLines(lines)
  const [title, was, is] = out.split('\n')
  expect([code, title]).toEqual([1, expect.stringMatching(new RegExp(`^run\\.jsonl: \\w+ differs at line ${at}$`))])
  expect(was).toMatch(new RegExp(`^ {2}expected {2}.*${expected.source}`))
  expect(is).toMatch(new RegExp(`^ {2}got {7}.*${got.source}`))
}

const isStatuses = ({ method }: { method: string }) => method === 'getSignatureStatuses'

describe('a recording of a notice', () => {
  test('as it is, is equal', async () => {
    expect((await replayLines(pause)).code).toBe(0)
    expect((await replayLines(killed)).code).toBe(0)
  })

  test('with another request is found at its line', async () => {
    const planted = changed(pause, 'call', { nth: 1, fits: isStatuses }, line => [{ ...line, params: [['other'], {}] }])
    await expectFound(
      planted,
      /call \d+ to node\.test: getSignatureStatuses \[\["other"\],\{\}\]/,
      /getSignatureStatuses/,
    )
  })

  test('without one of its calls is found where the call is missing', async () => {
    const planted = changed(pause, 'call', { fits: ({ method }) => method === 'sendTransaction' }, () => [])
    await expectFound(planted, /(getEpochInfo|wait \d+)/, /sendTransaction/)
  })

  test('without its last call is found where nothing more was expected', async () => {
    const lines = linesOf(recordedRun('check'))
    const nth = lines.filter(({ kind }) => kind === 'call').length - 1
    const planted = changed(lines, 'call', { nth }, () => [])
    await expectFound(
      planted,
      /no further request/,
      new RegExp(`call ${nth + 1} to node\\.test: getSignaturesForAddress`),
    )
  })

  test('with a call that is not made is found, once the verb waits for another one', async () => {
    const made: RunLine = { kind: 'failure', host: 'node.test', id: 90, method: 'getHealth', params: [] }
    const planted = changed(pause, 'call', { nth: 6 }, line => [made, line])
    await expectFound(planted, /call 90 to node\.test: getHealth \[\]/, /get/)
  })

  test('with a call after all others is found at the end of the run', async () => {
    const made: RunLine = { kind: 'failure', host: 'node.test', id: 90, method: 'getHealth', params: [] }
    const planted = changed(pause, 'end', {}, line => [made, line])
    await expectFound(planted, /getHealth/, /the end of the run with exit code 0/)
  })

  test('with another answer is found where the verb does something else', async () => {
    const planted = changed(pause, 'call', { nth: 3 }, line => [{ ...line, status: 500, answer: '' }])
    await expectFound({ ...planted, at: planted.at + 1 }, /call /, /random number below 76/)
  })

  test('with a signature that the key did not make is found at the signature', async () => {
    const planted = changed(pause, 'sign', {}, line => [
      { ...line, signature: Buffer.from(line.signature, 'base64').reverse().toString('base64') },
    ])
    await expectFound(
      planted,
      /signature of \w+ over the message with sha256/,
      /a signature that this key did not make/,
    )
  })

  test('with a signature over another message is found', async () => {
    const planted = changed(pause, 'sign', {}, line => [{ ...line, message: '0'.repeat(64) }])
    await expectFound(planted, /sha256 0{64}/, /sha256 (?!0{64})/)
  })

  test('with another key is found', async () => {
    const address = '2xiXgcbXRt31ToWT6KSudLTgjCPMeem8DFY64xM88C3f'
    const planted = changed(pause, 'key', {}, line => [{ ...line, address }])
    const { code, out } = await replayLines(planted.lines)
    expect([code, out]).toEqual([1, expect.stringContaining('got       the end of the run with exit code 2')])
  })

  test('with another wait is found', async () => {
    const planted = changed(pause, 'wait', {}, line => [{ ...line, ms: line.ms + 1 }])
    await expectFound(planted, /wait 1, of 1001 ms/, /wait 1, of 1000 ms/)
  })

  test('with another random number is found by the wait that it makes', async () => {
    const planted = changed(pause, 'random', {}, line => [{ ...line, value: 1 }])
    await expectFound({ ...planted, at: planted.at + 1 }, /wait 2, of 225 ms/, /wait 2, of 151 ms/)
  })

  test('with another output is found at its line, with the place', async () => {
    const planted = changed(pause, 'out', {}, line => [{ ...line, text: line.text.replace('final', 'finai') }])
    await expectFound(planted, /output .*finai in slot/, /output .*final in slot/)
  })

  test('with an output less is found at the end', async () => {
    const outputs = pause.filter(({ kind }) => kind === 'out').length
    const planted = changed(pause, 'out', { nth: outputs - 1 }, () => [])
    await expectFound({ ...planted, at: planted.lines.length }, /output /, /output .*the sale is paused/)
  })

  test('with another exit code is found', async () => {
    const planted = changed(pause, 'end', {}, line => [{ ...line, code: 1 }])
    await expectFound(planted, /exit code 1/, /exit code 0/)
  })

  test.each<[string, (files: Of<'end'>['files']) => Of<'end'>['files'], RegExp, RegExp]>([
    [
      'another content',
      ([first, ...files]) => [{ path: first?.path ?? '', sha256: '0'.repeat(64) }, ...files],
      /file .* with sha256 0{64}/,
      /file .* with sha256 (?!0{64})/,
    ],
    ['one less', ([, ...files]) => files, /no file /, /file .* with sha256/],
    [
      'one more',
      files => [...files, { path: 'more.txt', sha256: '0'.repeat(64) }],
      /file more\.txt/,
      /no file more\.txt/,
    ],
  ])('with written files, %s, is found', async (_name, change, expected, got) => {
    const planted = changed(pause, 'end', {}, line => [{ ...line, files: change(line.files) }])
    await expectFound(planted, expected, got)
  })

  test('with lines of several megabytes is read', async () => {
    const path = `presale-state/recorded/plans/${'0'.repeat(64)}.json`
    const planted = changed(pause, 'head', {}, line => [
      { ...line, inputs: [...line.inputs, { path, text: '–'.repeat(3_000_000) }] },
    ])
    expect((await replayLines(planted.lines)).code).toBe(0)
  })

  test('without a file that the verb does not read is equal', async () => {
    const planted = changed(pause, 'head', {}, line => [
      { ...line, inputs: line.inputs.filter(({ path }) => !path.endsWith('notices.json')) },
    ])
    expect((await replayLines(planted.lines)).code).toBe(0)
  })

  test('without a file that the verb reads is found', async () => {
    const other = changed(pause, 'head', {}, line => [
      { ...line, inputs: line.inputs.filter(({ path }) => !path.endsWith('journal.jsonl')) },
    ])
    const { code, out } = await replayLines(other.lines)
    expect([code, out]).toEqual([1, expect.stringContaining('differs at line')])
  })

  test('with a warning that was not given is found in the error output', async () => {
    const planted = changed(pause, 'key', {}, line => [{ ...line, warning: 'warning: none\n' }])
    await expectFound({ ...planted, at: pause.length }, /error output $/, /error output warning: none/)
  })
})

describe('a recording that was cut', () => {
  test('replays up to any line of it', async () => {
    for (let length = 1; length < killed.length; length += everyCase ? 1 : 4)
      expect([length, (await replayLines(killed.slice(0, length))).out]).toEqual([
        length,
        expect.stringContaining('equal up to its cut'),
      ])
  })

  test('inside a line replays up to the line before it', async () => {
    const text = killed.map(line => `${JSON.stringify(line)}\n`).join('')
    const { code, out } = await replayText(text.slice(0, -20))
    expect([code, out]).toEqual([
      0,
      `run.jsonl: refund, ${killed.filter(isStep).length - 1} steps: equal up to its cut: the process was killed there\n`,
    ])
  })

  test('with another request is found, though a request may be without an answer there', async () => {
    const planted = changed(killed, 'call', { fits: isStatuses }, line => [{ ...line, params: [['other'], {}] }])
    await expectFound(planted, /getSignatureStatuses \[\["other"\],\{\}\]/, /getSignatureStatuses/)
  })

  test('with a signature over another message is found, though a signature may be missing there', async () => {
    const planted = changed(killed, 'sign', {}, line => [{ ...line, message: '0'.repeat(64) }])
    await expectFound(planted, /sha256 0{64}/, /sha256 (?!0{64})/)
  })

  test('with another output is found', async () => {
    const lines = linesOf(recordedRun('plan-refunds')).slice(0, -1)
    const planted = changed(lines, 'out', {}, line => [{ ...line, text: `${line.text} ` }])
    await expectFound(planted, /output /, /output /)
  })
})

function isStep({ kind }: RunLine): boolean {
  return !['head', 'out', 'err', 'end'].includes(kind)
}

describe('a file that is no recording', () => {
  const [head, ...more] = pause as [Of<'head'>, ...StepLine[]]
  const text = (...lines: object[]) => lines.map(line => `${JSON.stringify(line)}\n`).join('')

  test.each<[string, string, string]>([
    ['of another kind', '{"a":1}\n', 'run.jsonl, line 1, kind: expected ("head" | "call"'],
    ['without a line', '', 'run.jsonl expected a recording (mai-presale-run/1), got no whole line'],
    ['that is no JSON', 'hello\n', 'run.jsonl, line 1'],
    [
      'of another version',
      text({ ...head, format: 'mai-presale-run/2' }),
      'line 1: expected format mai-presale-run/1, got mai-presale-run/2',
    ],
    ['without its head', text(...more), 'run.jsonl, line 1: expected the head of a recording, got a line of kind key'],
    ['with two heads', text(head, head), 'run.jsonl, line 2: expected one head, got a line of kind head'],
    [
      'that goes on after its end',
      text(...pause, ...more.slice(0, 1)),
      'expected nothing after the end, got a line of kind key',
    ],
    ['with a line of an unknown kind', text(head, { kind: 'guess' }), 'run.jsonl, line 2, kind: expected ("head"'],
    ['with a field less', text(head, { kind: 'wait' }), 'run.jsonl, line 2, id: expected number, got undefined'],
    ['of an unknown verb', text({ ...head, verb: 'steal' }), 'run.jsonl expected a run of check, ledger'],
    ['of a verb that reads keys', text({ ...head, verb: 'key' }), 'run.jsonl expected a run of check, ledger'],
    [
      'with an unknown option',
      text({ ...head, values: { ...head.values, force: ['x'] } }),
      'run.jsonl expected options of pause, got --force',
    ],
    [
      'with a flag that takes a value',
      text({ ...head, flags: ['rpc'] }),
      'run.jsonl expected options of pause, got --rpc',
    ],
  ])('%s, is refused with what was expected and what came', async (_name, content, sentence) => {
    const { code, out, err } = await replayText(content)
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(sentence)])
  })

  test.each(['/etc/passwd', '../../up', '../outside-0/x', 'a/../../b', '..', '../outside-1/../../b', 'a//b', ''])(
    'with the path %j is refused, and nothing is written there',
    async path => {
      const input = await replayText(text({ ...head, inputs: [{ path, text: 'x' }] }))
      expect([input.code, input.err]).toEqual([
        2,
        expect.stringContaining('run.jsonl, line 1, inputs.0.path: expected'),
      ])
      const option = await replayText(text({ ...head, values: { ...head.values, out: [path] } }))
      expect([option.code, option.err]).toEqual([2, expect.stringContaining('--out expected a path of a recording')])
    },
  )

  test('that is not there is named', async () => {
    const { code, err } = await presale('replay', 'nowhere.jsonl')
    expect([code, err]).toEqual([2, 'cannot read nowhere.jsonl: there is no such file\n'])
  })
})
