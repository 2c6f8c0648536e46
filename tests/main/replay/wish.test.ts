/** A bug's recording and its wish: the test fails until the bug is fixed, and then the recording is written anew. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { deciders } from '../../../src/worker/deciders/index.ts'
import { divergenceOf } from '../../../src/main/replay/divergence.ts'
import { readWishText, wishTextOf } from '../../../src/main/replay/wish.ts'
import { account, boot, connectedLog, createLog, parsed, recordingOf, spliced } from '../../events/recordedLog.ts'
import { rerunFolder } from '../../replay/rerunFolder.ts'
import { strictly, wishedFor } from '../../replay/strictly.ts'
import { ownFolder, replayIn } from './running.ts'

const { file, folder } = ownFolder()
const whole = await recordingOf(connectedLog())

/** Written by a core that ignores a wallet's approval: the visitor tries again, in vain. */
async function buggy(): Promise<string> {
  const deaf = deciders.map(decider => {
    const { 'wallet.connected': _, ...others } = decider
    return others
  })
  const log = createLog(deaf)
  const wallet = { walletId: 'w1', name: 'Lantern' }
  const press = (ref: string) =>
    log.input({ type: 'connection.connectInstalled', data: { walletKey: 'k1', wallet }, tab: 't1', ref })
  const approve = (to = '') =>
    log.input({ type: 'wallet.connected', data: { accounts: [account], features: ['signTransaction'] }, to, tab: 't1' })
  log.input(boot(1))
  log.input({ type: 'page.attached', data: { visible: true, asking: [], answered: [] }, tab: 't1' })
  const first = press('c1')
  approve(first['wallet.connect'])
  const timerId = `attempt:${first['wallet.connect']}`
  log.input({ type: 'timer.fired', data: { timerId }, to: first['timer.set'] ?? '' })
  approve(press('c2')['wallet.connect'])
  log.input({ type: 'page.online', data: { online: false } })
  return recordingOf(log.lines)
}

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(folder, 'root-'))
})
const kept = (name: string) => join(root, 'tests/replay/recordings', name)

describe('to-test with a wish', () => {
  test('stores a test that fails until the wish holds, with a verdict of its own', async () => {
    const { code, out } = await replayIn(
      root,
      'to-test',
      file('download.jsonl', whole),
      '--name=approved-twice',
      '--expect=4: connection.failed',
      '--not=network.offline',
      '--not=4: network.online',
    )
    expect(code).toBe(1)
    expect(out).toContain(
      [
        'as recorded: re-executed 8 inputs, 6 facts: identical',
        'as wished: 1 of 3 holds',
        '  input 4, wallet.connected: expected the fact connection.failed, got connection.made',
        '  input 5, page.online: expected no fact network.offline, got one',
        'tests/replay/recordings/approved-twice.jsonl is a test now, and it fails until this is fixed: git add tests/replay/recordings/approved-twice.jsonl tests/replay/recordings/approved-twice.wish.json',
        '',
      ].join('\n'),
    )
    const [text, wish] = ['approved-twice.jsonl', 'approved-twice.wish.json'].map(name =>
      readFileSync(kept(name), 'utf8'),
    )
    expect(await strictly(text ?? '')).toMatchObject({ ok: true })
    expect(await wishedFor(text ?? '', wish ?? '')).toMatchObject({ ok: false, wishes: 3, missed: { length: 2 } })
  })

  test('keeps the wish when the same file is given again without one, and prints both verdicts in JSON', async () => {
    const path = file('again.jsonl', whole)
    await replayIn(root, 'to-test', path, '--expect', '4: connection.made')
    const { code, out } = await replayIn(root, 'to-test', path, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      verdict: { ok: true },
      wish: { ok: true, wishes: 1, missed: [] },
    })
    const looked = await replayIn(root, 'check', kept('again.jsonl'))
    expect(looked.out).toContain('identical\nas wished: 1 of 1 holds\n')
  })

  test('names the corpus for a recording without a wish', async () => {
    const { out } = await replayIn(root, 'to-test', file('plain.jsonl', whole))
    expect(out).toContain('it has no wish: describe it in tests/replay/corpus.ts')
  })

  test.each([
    [['--expect', 'connection.made'], '--expect expected 19: order.rejected, got connection.made\n'],
    [['--expect', ''], '--expect expected 19: order.rejected, got nothing\n'],
    [['--expect', '4: connection.mode'], 'got connection.mode: did you mean connection.made?\n'],
    [['--expect', '0: connection.made'], 'a wish expected the number of an input, 1 to 8, got 0\n'],
    [['--not', '99: connection.made'], 'a wish expected the number of an input, 1 to 8, got 99\n'],
    [['--not', 'x: connection.made'], '--not expected order.unknown or 19: order.unknown, got x: connection.made\n'],
    [['--not', 'zzz'], '--not expected the type of a fact, got zzz\n'],
  ])('refuses %j and writes nothing', async (args, sentence) => {
    const { code, out, err } = await replayIn(root, 'to-test', file('refused.jsonl', whole), ...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(sentence)
    expect(existsSync(join(root, 'tests'))).toBe(false)
  })

  test('reads a wish as written, and refuses another file beside a recording', async () => {
    const wish = { expect: [{ n: 4, type: 'connection.made' }], not: [{ type: 'order.unknown' }] }
    expect(readWishText(wishTextOf(wish))).toEqual(wish)
    const path = file('beside.jsonl', whole)
    file('beside.wish.json', '[]')
    expect(await replayIn(root, 'check', path)).toMatchObject({
      code: 2,
      err: expect.stringContaining('beside.wish.json could not be read: a wish expected {"expect": […], "not": […]}'),
    })
  })
})

describe('a wish after the fix', () => {
  const wish = ['--name', 'approval-lost', '--expect', '4: connection.made']

  test('holds, the recording differs, and inputs of the other story are named', async () => {
    const { code, out } = await replayIn(root, 'to-test', file('bug.jsonl', await buggy()), ...wish)
    expect(code).toBe(1)
    expect(out).toMatch(/^as recorded: re-executed 3 inputs, .*: different from input 4 on$/m)
    expect(out).toContain(
      [
        'as wished: 1 of 1 holds',
        'input 4 has the first different outcome; 2 of 4 inputs after it belong to the recorded run only',
        '  input 5, timer.fired: answers timer.set, which is not pending now',
        '  input 6, connection.connectInstalled: a command, given on a screen that is different now',
        "npm run record -- --rerun writes the core's present output into the recording",
      ].join('\n'),
    )
  })

  test('holds after a rerun without a commit, as recorded and as wished', async () => {
    await replayIn(root, 'to-test', file('bug.jsonl', await buggy()), ...wish)
    const folder = dirname(kept('approval-lost.jsonl'))
    mkdirSync(folder, { recursive: true })
    writeFileSync(kept('other.jsonl'), whole)
    const told = await rerunFolder(folder, 'today')
    expect(told).toMatch(
      /approval-lost\.jsonl: 8 inputs, other facts:\n(?: {2}.*\n)*input 4 has .* 2 of 4 inputs after it belong /,
    )
    expect(told).toContain('other.jsonl: 8 inputs, the same facts\n')
    expect(readFileSync(kept('other.jsonl'), 'utf8')).toBe(whole)
    expect(await replayIn(root, 'check', kept('approval-lost.jsonl'))).toMatchObject({
      code: 0,
      out: expect.stringMatching(/as recorded: .*identical\nas wished: 1 of 1 holds\n$/),
    })
  })

  test('counts an input that names a missing entity to the other story', () => {
    const log = createLog()
    log.input(boot(1))
    log.input({ type: 'page.online', data: { online: false } })
    const connectionId = 'connection-1.2.0a0b0c0d'
    // That core made a connection where today's core makes none
    const made = `{"k":"f","seq":3,"n":2,"at":1800000002000,"type":"connection.made","v":2,"data":{"connectionId":"${connectionId}"}}`
    const from = log.lines.length
    log.input({ type: 'connection.disconnect', data: { connectionId }, tab: 't1', ref: 'c1' })
    const records = parsed(spliced(log.lines, from, 0, made))
    expect(divergenceOf(records)).toEqual({
      from: 2,
      behind: 1,
      strays: [{ n: 3, type: 'connection.disconnect', why: `names ${connectionId}, which no fact has now` }],
    })
    expect(divergenceOf(parsed(log.lines))).toBeUndefined()
  })
})
