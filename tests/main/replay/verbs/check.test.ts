import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { connectedLog, recordingOf } from '../../../events/recordedLog.ts'
import { ownFolder, jsonLines } from '../running.ts'

const { file, folder, replay } = ownFolder()
const lines = connectedLog()
const whole = await recordingOf(lines)
const at = lines.findIndex(line => line.includes('"type":"connection.made"'))
const otherLines = lines.map((line, index) => (index === at ? line.replace('Lantern', 'Lanterm') : line))
const other = await recordingOf(otherLines)

const corpus = join(folder, 'corpus')
mkdirSync(join(corpus, 'deeper'), { recursive: true })
for (let i = 0; i < 12; i++) writeFileSync(join(corpus, i % 2 ? 'deeper' : '.', `r${i}.jsonl`), whole)
writeFileSync(join(corpus, 'packed.jsonl.gz'), gzipSync(whole))
writeFileSync(join(corpus, 'notes.txt'), 'not a recording')
symlinkSync(corpus, join(corpus, 'deeper', 'round'))
symlinkSync(file('behind.jsonl', whole), join(corpus, 'linked.jsonl'))

describe('check of one recording', () => {
  test('prints the first difference on one screen, with the command to repeat it', async () => {
    const { code, out } = await replay('check', file('it differs.jsonl', other))
    expect(code).toBe(1)
    const report = out.slice(0, out.indexOf('\nre-executed'))
    expect(report.split('\n').length).toBeLessThanOrEqual(24)
    expect(report).toMatch(/^First difference at input 4, wallet\.connected \(line \d+ of the file\)\n/)
    expect(report).toContain('\n  field       data.wallet.name\n    recorded  "Lanterm"\n    now       "Lantern"\n')
    expect(report).toMatch(/\n {2}connection {2}attempt \{"phase":"none"\}\n/)
    expect(report).toContain('\n  recorded by core core-build\n  run by      core running-build\n')
    expect(report).toContain(`\n  run again   npm run replay -- check '${join(folder, 'it differs.jsonl')}'\n`)
    expect(out).toMatch(/\nre-executed 3 inputs, 2 facts: different from input 4 on\n$/)
  })

  test('names the end of a truncated file and re-executes the rest', async () => {
    const cut = whole.slice(0, whole.indexOf('{"k":"end"'))
    const { code, out } = await replay('check', file('cut.replay.jsonl', cut))
    expect(code).toBe(0)
    expect(out).toContain(`truncated: the file has no trailer and ends at line ${lines.length + 2}`)
  })
})

describe('check of many', () => {
  test('reads folders, prints a line for each file, and sums up', async () => {
    const { code, out } = await replay('check', corpus)
    const told = out.trimEnd().split('\n')
    expect(code).toBe(0)
    expect(told).toHaveLength(15)
    expect(told[0]).toMatch(/^\[ 1\/14\] .*\.jsonl: re-executed 8 inputs, 6 facts: identical$/)
    expect(told.at(-1)).toMatch(
      /^14 recordings: 14 identical, 0 different, 0 unreadable; 112 inputs, 84 facts in \d+\.\d s$/,
    )
  })

  test('is quiet about identical files, and reads a file named twice once', async () => {
    const { code, out } = await replay('check', '--quiet', corpus, join(corpus, 'r0.jsonl'), corpus)
    expect(code).toBe(0)
    expect(out.split('\n')).toHaveLength(2)
    expect(out).toContain('14 recordings: 14 identical')
  })

  test('continues after a differing and an unreadable one, and exits with the worse code', async () => {
    const files = [file('b.jsonl', other), file('a.jsonl', whole)]
    expect(await replay('check', ...files)).toMatchObject({
      code: 1,
      out: expect.stringContaining('2 recordings: 1 identical, 1 different, 0 unreadable'),
    })
    const { code, out } = await replay('check', ...files, join(folder, 'none.jsonl'), file('letter.jsonl', 'Dear team'))
    expect(code).toBe(2)
    expect(out).toContain('none.jsonl could not be read: there is no such file')
    expect(out).toContain('letter.jsonl: this is not a recording')
    expect(out).toContain('4 recordings: 1 identical, 1 different, 2 unreadable')
  })

  test('prints JSON, one line for a recording and one for the sum', async () => {
    const { code, out } = await replay('check', '--json', file('b.jsonl', other), corpus, join(folder, 'none.jsonl'))
    const told = jsonLines(out)
    expect(code).toBe(2)
    expect(told).toHaveLength(17)
    expect(told[0]).toMatchObject({
      file: join(folder, 'b.jsonl'),
      ok: false,
      difference: {
        n: 4,
        field: 'data.wallet.name',
        values: { expected: '"Lanterm"', actual: '"Lantern"' },
        around: { subject: 'connection', model: { attempt: { phase: 'none' } } },
      },
      builds: { recorded: 'core-build', running: 'running-build' },
    })
    expect(told[1]).toMatchObject({ ok: true, inputs: 8, facts: 6, complete: true, unknownTypes: {} })
    expect(told[15]).toMatchObject({ error: expect.stringContaining('there is no such file') })
    expect(told[16]).toMatchObject({ sum: { recordings: 16, identical: 14, different: 1, unreadable: 1 } })
  })

  test('shards cover every recording once, and stay stable when others come', async () => {
    const inShard = async (shard: string, ...more: string[]) => {
      const { out } = await replay('check', '--json', '--shard', shard, corpus, ...more)
      return jsonLines(out).flatMap(line => (line as { file?: string }).file ?? [])
    }
    const shards = [await inShard('1/3'), await inShard('2/3'), await inShard('3/3')]
    expect(shards.flat().sort()).toEqual([...new Set(shards.flat())].sort())
    expect(shards.flat()).toHaveLength(14)
    expect(Math.max(...shards.map(shard => shard.length))).toBeLessThan(14)
    const later = await inShard('2/3', file('one more.jsonl', whole))
    expect(later).toEqual(expect.arrayContaining(shards[1] ?? []))
  })

  test('of a folder without recordings exits with 2', async () => {
    const empty = join(folder, 'empty')
    mkdirSync(empty)
    expect(await replay('check', empty)).toMatchObject({
      code: 2,
      err: `${empty} expected recordings (.jsonl or .jsonl.gz) in it, got none\n`,
    })
  })
})
