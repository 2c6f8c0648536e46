import { execFile, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { connectedLog, recordingOf } from '../../events/recordedLog.ts'
import { ownFolder } from './running.ts'

const { file, folder, replay } = ownFolder()
const root = join(import.meta.dirname, '../../..')
const lines = connectedLog()
const whole = await recordingOf(lines)
const kept = file('whole.replay.jsonl', whole)
/** Apart, because other tests of the process put circular links into the folder. */
const alone = join(folder, 'alone')
mkdirSync(alone, { recursive: true })
file('alone/whole.replay.jsonl', whole)

describe('npm run replay with a file alone', () => {
  test('prints the facts, one per line, and that every byte is the same', async () => {
    const { code, out, err } = await replay(kept)
    const told = out.trimEnd().split('\n')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(told).toHaveLength(lines.filter(line => /^{"k":"[fp]"/.test(line)).length + 1)
    expect(told[0]).toBe('p1      08:00:00.010  page  tab.opened            width 1280, theme light, language en')
    expect(told.at(-1)).toBe('re-executed 8 inputs, 6 facts: identical')
  })

  test('reads gzip, and is quiet on request', async () => {
    const { code, out } = await replay('--quiet', file('whole.replay.jsonl.gz', gzipSync(whole)))
    expect({ code, out }).toEqual({ code: 0, out: 're-executed 8 inputs, 6 facts: identical\n' })
  })
})

describe('the words of npm run replay', () => {
  test('are printed by --help, for each verb', async () => {
    expect(await replay('--help')).toMatchObject({ code: 0, out: expect.stringContaining('Exit code: 0 ') })
    for (const verb of ['show', 'check', 'at', 'diff', 'minimise', 'explore', 'compat', 'redact', 'to-test']) {
      expect((await replay('--help')).out).toContain(`\n  ${verb} `)
      const help = await replay(verb, '--help')
      expect(help).toMatchObject({ code: 0, err: '' })
      expect(help.out).toMatch(new RegExp(`^Usage: npm run replay -- ${verb} .*\n\n[^]*\n +--json .*\n +--help`))
    }
  })

  test.each([
    [['chek', 'x'], 'there is no verb chek: did you mean check?'],
    [['shwo', 'x'], 'there is no verb shwo: did you mean show?'],
    [['frobnicate', 'x'], 'there is no verb frobnicate (a file of that name is ./frobnicate)'],
    [['minimize', 'x'], 'there is no verb minimize: did you mean minimise?'],
    [['check', '--quite', 'x'], 'check has no option --quite: did you mean --quiet?'],
    [['--loud', 'x'], 'replay has no option --loud'],
    [['check', '--quiet=1', 'x'], '--quiet of check expected no value, got one'],
    [['show', 'x', '--type'], '--type of show expected PREFIX after it, got nothing'],
    [['check', '--shard', '1/2', '--shard', '2/2', 'x'], '--shard of check expected to be given once, got it twice'],
    [['check', '--shard', '3/2', 'x'], '--shard expected i/n with i from 1 to n, such as 2/4, got 3/2'],
    [['check', '--shard', 'half', 'x'], '--shard expected i/n with i from 1 to n, such as 2/4, got half'],
    [['redact', kept, '-o', 'x', kept, alone], '-o expected one file, got '],
    [['check'], 'expected a file or a folder, got nothing'],
    [['diff', 'x'], 'expected A and B, got x'],
    [['at', '5'], 'at expected a point, a file and perhaps a path, got 1'],
    [['at', 'noon', 'x'], 'a point expected 812 (a fact)'],
    [['\u001b[2J.jsonl'], '·[2J.jsonl could not be read: there is no such file'],
  ])('%j are refused with one sentence', async (args, sentence) => {
    const { code, out, err } = await replay(...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(sentence)
    expect(err.split('\n')).toHaveLength(2)
  })

  test('left out altogether bring the usage', async () => {
    const { code, err } = await replay()
    expect(code).toBe(2)
    expect(err).toMatch(/^expected a verb or a file, got nothing\n\nUsage: /)
  })
})

describe('the process', () => {
  const run = (...args: string[]) =>
    new Promise<number>(resolve => {
      execFile(process.execPath, ['--import', 'tsx', 'src/main/replay.cli.ts', ...args], { cwd: root }, fault =>
        resolve(fault ? Number(fault.code) : 0),
      )
    })

  test('ends with the verdict as its exit code', async () => {
    expect(await run(kept)).toBe(0)
    expect(await run('diff', kept, file('shorter.jsonl', await recordingOf(lines.slice(0, 4))))).toBe(1)
    expect(await run(join(folder, 'nobody.jsonl'))).toBe(2)
  })

  test('ends quietly when its output is closed', async () => {
    const long = file('long.jsonl', await recordingOf([...lines, ...pages(20_000)]))
    const child = spawn(process.execPath, ['--import', 'tsx', 'src/main/replay.cli.ts', 'show', long], { cwd: root })
    let err = ''
    child.stderr.on('data', text => (err += String(text)))
    child.stdout.once('data', () => child.stdout.destroy())
    const code = await new Promise(resolve => child.once('exit', resolve))
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })
})

function pages(count: number): string[] {
  const line = (p: number) =>
    `{"k":"p","p":${p},"life":1,"after":1,"tab":"t9","at":1800000000000,"type":"screen.closed","v":1,"data":{}}`
  return Array.from({ length: count }, (_, index) => line(index + 1))
}
