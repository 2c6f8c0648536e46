import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { replayCommand } from '../../src/main/replayCommand.ts'
import { connectedLog, recordingOf } from '../events/recordedLog.ts'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'replay-'))
const lines = connectedLog()
const whole = await recordingOf(lines)

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

async function replay(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' }
  const code = await replayCommand(args, { write: text => (said.out += text) }, { write: text => (said.err += text) })
  return { code, ...said }
}

describe('npm run replay', () => {
  test('tells what happened, one line a fact, and that every byte is the same', async () => {
    const { code, out, err } = await replay(file('whole.replay.jsonl', whole))
    const told = out.trimEnd().split('\n')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(told).toHaveLength(lines.filter(line => /^{"k":"[fp]"/.test(line)).length + 1)
    expect(told[0]).toBe('page  08:00:00.010  tab.opened  width 1280, theme light, language en')
    expect(told.at(-1)).toBe('re-executed 8 inputs, 6 facts: identical')
  })

  test('reads gzip, and is quiet when asked', async () => {
    const { code, out } = await replay('--quiet', file('whole.replay.jsonl.gz', gzipSync(whole)))
    expect({ code, out }).toEqual({ code: 0, out: 're-executed 8 inputs, 6 facts: identical\n' })
  })

  test('ends with 1 and the first difference when something comes out otherwise', async () => {
    const at = lines.findIndex(line => line.includes('"type":"connection.made"'))
    const other = lines.map((line, index) => (index === at ? line.replace('Lantern', 'Lanterm') : line))
    const { code, out } = await replay('--quiet', file('other.replay.jsonl', await recordingOf(other)))
    expect(code).toBe(1)
    expect(out).toMatch(
      /^First difference at input 4, wallet\.connected \(line \d+ of the file\)\n {2}field {7}data\.wallet\.name\n/,
    )
    expect(out).toMatch(/re-executed 3 inputs, 2 facts: different from input 4 on\n$/)
  })

  test('says where a truncated file ends and re-executes what is there', async () => {
    const cut = whole.slice(0, whole.indexOf('{"k":"end"'))
    const { code, out } = await replay('--quiet', file('cut.replay.jsonl', cut))
    expect(code).toBe(0)
    expect(out).toContain(`truncated: the file has no trailer and ends at line ${lines.length + 2}`)
  })

  test('ends with 2 and one sentence when the file cannot be read', async () => {
    const edited = await replay(file('edited.replay.jsonl', whole.replace('Lantern', 'Lanterm')))
    expect(edited).toMatchObject({ code: 2, out: '' })
    expect(edited.err).toMatch(/^recording, line \d+: sha256 .* was edited after it was made\n$/)
    const none = await replay(join(folder, 'none.jsonl'))
    expect(none).toMatchObject({
      code: 2,
      err: `${join(folder, 'none.jsonl')} could not be read: there is no such file\n`,
    })
    const broken = await replay(file('broken.gz', gzipSync(whole).subarray(0, 200)))
    expect(broken).toMatchObject({ code: 2, err: expect.stringContaining('it does not unpack to its end') })
  })

  test('stops a small file that unpacks to more than 64 MB', async () => {
    const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024))
    expect(bomb.length).toBeLessThan(100_000)
    const { code, err } = await replay(file('bomb.gz', bomb))
    expect(code).toBe(2)
    expect(err).toBe('the recording expected at most 67108864 bytes, got more after gunzip\n')
  })

  test('explains itself', async () => {
    const help = await replay('--help')
    expect(help).toMatchObject({ code: 0, err: '' })
    expect(help.out).toContain('npm run replay -- FILE [--quiet]')
    expect(await replay()).toMatchObject({ code: 2, err: expect.stringContaining('expected one file, got 0') })
    expect(await replay('--loud', 'x')).toMatchObject({ code: 2, err: expect.stringContaining('--loud') })
  })

  test('gives its verdict as the exit code of the process', async () => {
    const run = (path: string) =>
      new Promise<number>(resolve => {
        execFile(process.execPath, ['--import', 'tsx', 'src/main/replay.cli.ts', path], { cwd: root }, fault =>
          resolve(fault ? Number(fault.code) : 0),
        )
      })
    expect(await run(file('whole.replay.jsonl', whole))).toBe(0)
    expect(await run(folder)).toBe(2)
  })
})
