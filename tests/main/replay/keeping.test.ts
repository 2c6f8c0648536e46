/** The verbs that write into the repository: to-test and compat. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { strictly } from '../../replay/strictly.ts'
import { connectedLog, recordingOf } from '../../events/recordedLog.ts'
import { ownFolder, replayIn } from './running.ts'

const { file, folder } = ownFolder()
const lines = connectedLog()
const whole = await recordingOf(lines)
const at = lines.findIndex(line => line.includes('"type":"connection.made"'))
const other = await recordingOf(lines.map((line, index) => (index === at ? line.replace('Lantern', 'Lanterm') : line)))

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(folder, 'root-'))
})
const keptAs = (name: string) => join(root, 'tests/replay/recordings', `${name}.jsonl`)

describe('to-test', () => {
  test('stores a download under a sane name and names the files to commit', async () => {
    const { code, out } = await replayIn(
      root,
      'to-test',
      file('mai-2027 (Böse) Überfahrt.replay.jsonl.gz', gzipSync(whole)),
    )
    expect(code).toBe(0)
    expect(out).toContain('re-executed 8 inputs, 6 facts: identical\n')
    expect(out).toContain('tests/replay/recordings/mai-2027-b-se-berfahrt.jsonl is a test now: git add ')
    expect(out).toContain('it is not redacted: it has the visitor')
    expect(await strictly(readFileSync(keptAs('mai-2027-b-se-berfahrt'), 'utf8'))).toMatchObject({ ok: true })
  })

  test('stores a differing one as a failing test, with a note', async () => {
    const { code, out } = await replayIn(root, 'to-test', file('download.jsonl', other), '--name', 'wallet-renamed')
    expect(code).toBe(1)
    expect(out).toMatch(/^it is not redacted.*\nFirst difference at input 4, /)
    expect(out).toContain('wallet-renamed.jsonl is a test now, and it fails until this is fixed')
    expect(await strictly(readFileSync(keptAs('wallet-renamed'), 'utf8'))).toMatchObject({ ok: false })
  })

  test('ends a truncated file before its last input, so that it is whole', async () => {
    const cut = whole.slice(0, whole.indexOf('"type":"connection.made"'))
    const { code, out } = await replayIn(root, 'to-test', file('cut.jsonl', cut))
    expect(code).toBe(0)
    expect(out).toContain('the file was truncated: cut before its last input, 1 line left out\n')
    expect(await strictly(readFileSync(keptAs('cut'), 'utf8'))).toMatchObject({ ok: true, inputs: 3 })
  })

  test('may be repeated with the same file, but never replaces another', async () => {
    const path = file('again.jsonl', whole)
    expect(await replayIn(root, 'to-test', path)).toMatchObject({ code: 0 })
    expect(await replayIn(root, 'to-test', path, '--json')).toMatchObject({ code: 0 })
    const { code, err } = await replayIn(root, 'to-test', file('other.jsonl', other), '--name', 'again')
    expect(code).toBe(2)
    expect(err).toContain('again.jsonl exists already and is another recording: choose another name with --name')
    expect(readFileSync(keptAs('again'), 'utf8')).toBe(whole)
  })

  test.each([
    [['--name', '../../escape'], '--name expected small letters, digits and hyphens'],
    [['--name', 'Big'], '--name expected small letters, digits and hyphens, such as declined-twice, got Big'],
    [['--name', ''], '--name expected small letters'],
  ])('refuses %j and writes nothing', async (args, sentence) => {
    const { code, out, err } = await replayIn(root, 'to-test', file('named.jsonl', whole), ...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(sentence)
    expect(readdirSync(root)).toEqual([])
  })

  test('refuses a file without a name, of another build, and one that is no recording', async () => {
    const newer = `{"k":"i","n":9,"at":1800000009000,"type":"page.tilted","v":1,"data":{}}`
    const refusals = [
      await replayIn(root, 'to-test', file('—.jsonl', whole)),
      await replayIn(root, 'to-test', file('newer.jsonl', await recordingOf([...lines, newer]))),
      await replayIn(root, 'to-test', file('letter.jsonl', 'Dear team')),
    ]
    expect(refusals.map(({ code }) => code)).toEqual([2, 2, 2])
    expect(refusals.map(({ err }) => err).join('')).toMatch(
      /choose a name with --name\n.*page\.tilted is unknown.*\n.*not a recording/,
    )
    expect(readdirSync(root)).toEqual([])
  })
})

describe('compat', () => {
  const record = () => join(root, 'tests/replay/compat/old.json')

  test('of an identical recording needs no record', async () => {
    expect(await replayIn(root, 'compat', file('old.jsonl', whole))).toMatchObject({
      code: 0,
      out: expect.stringMatching(/old\.jsonl: no difference\n$/),
    })
    expect(existsSync(record())).toBe(false)
  })

  test('fails for an unreviewed difference, runs to the end, and passes once it is accepted', async () => {
    const path = file('old.replay.jsonl', other)
    const first = await replayIn(root, 'compat', path)
    expect(first.code).toBe(1)
    expect(first.out).toMatch(/^input 4, wallet\.connected\n {2}- connection\.made .*\n {2}\+ connection\.made /)
    expect(first.out).toContain('1 input differs, not reviewed; --accept writes tests/replay/compat/old.json')
    const accepted = await replayIn(root, 'compat', '--accept', path)
    expect(accepted).toMatchObject({ code: 0, out: expect.stringContaining('review it, then commit it') })
    expect(JSON.parse(readFileSync(record(), 'utf8'))).toMatchObject({
      recordedBy: 'core-build',
      differences: [{ n: 4, type: 'wallet.connected', recorded: [{ type: 'connection.made' }] }],
    })
    expect(await replayIn(root, 'compat', path)).toMatchObject({ code: 0 })
    expect(JSON.parse((await replayIn(root, 'compat', '--json', path)).out)).toMatchObject({
      ok: true,
      fresh: [],
      stale: [],
    })
  })

  test('fails when the difference is not the reviewed one, or is gone', async () => {
    const path = file('old.jsonl', other)
    await replayIn(root, 'compat', '--accept', path)
    writeFileSync(record(), readFileSync(record(), 'utf8').replace('Lanterm', 'Lanterx'))
    const { code, out } = await replayIn(root, 'compat', path)
    expect(code).toBe(1)
    expect(out).toContain('1 reviewed difference no longer found')
    expect(await replayIn(root, 'compat', file('old.jsonl', whole))).toMatchObject({ code: 1 })
  })

  test('finds effects that differ inside only', async () => {
    const inside = lines.map(line =>
      line.includes('"types":["wallet.connect"') ? line.replace(/"h":"\w+"/, '"h":"00000000"') : line,
    )
    const { code, out } = await replayIn(root, 'compat', file('old.jsonl', await recordingOf(inside)))
    expect(code).toBe(1)
    expect(out).toMatch(
      /^input 3, connection\.connectInstalled\n {2}- → effects .*hash 00000000\n {2}\+ → wallet\.connect /,
    )
  })

  test('continues after a file that cannot be run, and refuses an invalid record', async () => {
    const { code, out, err } = await replayIn(
      root,
      'compat',
      file('letter.jsonl', 'Dear team'),
      file('old.jsonl', whole),
    )
    expect(code).toBe(2)
    expect(err).toMatch(/letter\.jsonl: this is not a recording/)
    expect(out).toContain('old.jsonl: no difference')
    await replayIn(root, 'compat', '--accept', file('old.jsonl', other))
    writeFileSync(record(), '[]')
    expect(await replayIn(root, 'compat', file('old.jsonl', other))).toMatchObject({
      code: 2,
      err: expect.stringContaining('tests/replay/compat/old.json expected JSON {"differences": […]}'),
    })
  })
})
