/** The operator's journal and lock on disk. */
import { spawnSync } from 'node:child_process'
import fs, {
  existsSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type JournalLine, openState, readState } from '../../../scripts/presale/state.ts'

const of = { presale: 'presale reference', genesisHash: 'genesis hash' }
const opened = { kind: 'opened', ...of }
let folder: string
let path: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'mai-state-')), 'state')
  path = join(folder, 'journal.jsonl')
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

/** A journal with its first line and these. */
function written(...lines: JournalLine[]): string {
  const state = openState(folder, of)
  for (const line of lines) state.journal.add(line)
  state.close()
  return readFileSync(path, 'utf8')
}
const line = (at: number): JournalLine => ({ kind: 'note', at, text: `größer ${at}`, list: ['1', { deep: null }] })

test('lines come back in order, and others follow them', () => {
  written(line(1), line(2))
  const state = openState(folder, of)
  expect(state.journal.lines).toEqual([opened, line(1), line(2)])
  state.journal.add(line(3))
  expect(state.journal.lines).toHaveLength(4)
  state.close()
  expect(readState(folder, of)).toEqual([opened, line(1), line(2), line(3)])
})

test('a directory that does not exist has no lines, and reading does not make it', () => {
  expect(readState(folder, of)).toEqual([])
  expect(existsSync(folder)).toBe(false)
})

test('a last line that was torn anywhere is dropped, and the next line takes its place', () => {
  const text = Buffer.from(written(line(1), line(2)))
  const end = text.length - 1
  const start = text.lastIndexOf('\n', end - 1) + 1
  for (let length = start; length <= end; length += 1) {
    writeFileSync(path, text)
    truncateSync(path, length)
    const state = openState(folder, of)
    expect(state.journal.lines).toEqual([opened, line(1)])
    state.journal.add(line(2))
    state.close()
    expect(readFileSync(path)).toEqual(text)
  }
})

test('no line follows one whose writing failed in the middle, and the journal opens again', () => {
  written(line(1))
  let isFull = false
  const half = (file: number, bytes: Buffer, at: number) => {
    if (at > 0) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    return writeSync(file, bytes, at, isFull ? 20 : bytes.length)
  }
  const state = openState(folder, of, half as typeof writeSync)
  isFull = true
  expect(() => state.journal.add(line(2))).toThrow(/cannot write .*journal\.jsonl: ENOSPC/)
  isFull = false
  expect(() => state.journal.add(line(3))).toThrow(/cannot write .*journal\.jsonl: ENOSPC/)
  state.close()
  expect(written(line(4)).split('\n')).toHaveLength(4)
  expect(readState(folder, of)).toEqual([opened, line(1), line(4)])
})

test('a line counts once it is forced to the disk whole, and not when that fails', () => {
  /** the journal as each call for it found it */
  const forced: string[] = []
  let isBroken = false
  const { fsyncSync } = fs
  const spy = vi.spyOn(fs, 'fsyncSync').mockImplementation(file => {
    if (isBroken) throw Object.assign(new Error('broken'), { code: 'EIO' })
    fsyncSync(file)
    if (existsSync(path) && fstatSync(file).ino === statSync(path).ino) forced.push(readFileSync(path, 'utf8'))
  })
  syncBuiltinESMExports()
  try {
    const state = openState(folder, of)
    expect(forced).toEqual([readFileSync(path, 'utf8')])
    for (const at of [1, 2]) {
      state.journal.add(line(at))
      expect(forced.splice(1)).toEqual([readFileSync(path, 'utf8')])
    }
    isBroken = true
    expect(() => state.journal.add(line(3))).toThrow(/cannot write .*journal\.jsonl: EIO/)
    expect(state.journal.lines).toEqual([opened, line(1), line(2)])
    state.close()
  } finally {
    spy.mockRestore()
    syncBuiltinESMExports()
  }
})

test('zeros after the last line, as a loss of power leaves them, are dropped', () => {
  const text = written(line(1))
  writeFileSync(path, Buffer.concat([Buffer.from(text), Buffer.alloc(100)]))
  const state = openState(folder, of)
  expect(state.journal.lines).toEqual([opened, line(1)])
  state.close()
})

const damages: [string, (lines: string[]) => string[]][] = [
  ['an altered value', ([a = '', b = '', c = '']) => [a, b.replace('"at":1', '"at":7'), c]],
  ['a removed line', ([a = '', , c = '']) => [a, c]],
  ['exchanged lines', ([a = '', b = '', c = '']) => [a, c, b]],
  ['a line cut short', ([a = '', b = '', c = '']) => [a, b.slice(0, 20), c]],
  ['a line twice', ([a = '', b = '', c = '']) => [a, b, b, c]],
  ['an empty line', ([a = '', b = '', c = '']) => [a, '', b, c]],
]
test.each(damages)('%s in the middle is refused by its number', (_, damaged) => {
  const lines = written(line(1), line(2)).split('\n').slice(0, -1)
  const text = damaged(lines)
    .map(one => `${one}\n`)
    .join('')
  writeFileSync(path, text)
  expect(() => openState(folder, of)).toThrow(
    /journal\.jsonl, line [23]: expected a line that follows the one before it/,
  )
  expect(readFileSync(path, 'utf8')).toBe(text)
  expect(existsSync(join(folder, 'lock'))).toBe(false)
})

test('the directory of another sale or chain is refused', () => {
  written()
  expect(() => openState(folder, { ...of, presale: 'other' })).toThrow('expected sale other on chain genesis hash')
  expect(() => readState(folder, { ...of, genesisHash: 'other' })).toThrow('give each sale its own --state')
})

test('a directory that cannot be made is named', () => {
  const file = join(folder, '..', 'file')
  writeFileSync(file, '')
  expect(() => openState(join(file, 'below'), of)).toThrow(/cannot make the state directory .*: ENOTDIR/)
})

test.each(['journal.jsonl', `lock.${process.pid}`])('a folder at the place of %s is told in one sentence', name => {
  mkdirSync(join(folder, name), { recursive: true })
  const sentence = `the state directory ${folder} expected a folder where files can be written, got EISDIR`
  expect(() => openState(folder, of)).toThrow(sentence)
  expect(existsSync(join(folder, 'lock'))).toBe(false)
})

test('a journal that cannot be read is named', () => {
  mkdirSync(path, { recursive: true })
  expect(() => readState(folder, of)).toThrow(`cannot read ${path}: it is a folder`)
})

test('a second command is refused while the first one works', () => {
  const state = openState(folder, of)
  expect(() => openState(folder, of)).toThrow(`expected no other command at work, got process ${process.pid}`)
  state.close()
  openState(folder, of).close()
  expect(existsSync(join(folder, 'lock'))).toBe(false)
})

test('the lock of a dead process is taken over; that of another machine is not', () => {
  written()
  const { pid } = spawnSync(process.execPath, ['--version'])
  writeFileSync(join(folder, 'lock'), `${pid} ${hostname()}\n`)
  openState(folder, of).close()
  writeFileSync(join(folder, 'lock'), `${pid} another-machine\n`)
  expect(() => openState(folder, of)).toThrow(`got process ${pid} another-machine`)
  writeFileSync(join(folder, 'lock'), 'cut')
  openState(folder, of).close()
})
