/** Targets of a build: a failed build, or one with the test door, never lands in `dist`. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildBeside, folderProblem } from '../../scripts/build.ts'
import { everyCase } from '../everyCase.ts'

const root = join(import.meta.dirname, '../..')
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mai-beside-'))
  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'dist/index.html'), 'before')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const make = (problems: string[]) => async (made: string) => {
  mkdirSync(made)
  writeFileSync(join(made, 'new.html'), 'after')
  return { measured: [], problems }
}

test('build: a failed gate leaves the previous build unchanged, and no other folder', async () => {
  const { problems } = await buildBeside(join(folder, 'dist'), make(['a.js contains a source map comment']))
  expect(problems).toHaveLength(1)
  expect(readdirSync(folder)).toEqual(['dist'])
  expect(readFileSync(join(folder, 'dist/index.html'), 'utf8')).toBe('before')
})

test('build: an aborted one leaves the previous build unchanged, and no other folder', async () => {
  const broken = async (made: string) => {
    mkdirSync(made)
    throw new Error('broken off')
  }
  await expect(buildBeside(join(folder, 'dist'), broken)).rejects.toThrow('broken off')
  expect(readdirSync(folder)).toEqual(['dist'])
})

test('build: a successful one replaces the previous build, whole', async () => {
  await buildBeside(join(folder, 'dist'), make([]))
  expect(readdirSync(folder)).toEqual(['dist'])
  expect(readdirSync(join(folder, 'dist'))).toEqual(['new.html'])
})

test('build: it replaces an earlier build or nothing, never another folder', () => {
  const place = join(folder, 'site')
  expect(folderProblem(place)).toBeUndefined()
  mkdirSync(place)
  expect(folderProblem(place)).toBeUndefined()
  writeFileSync(join(place, 'headers.json'), '{}')
  expect(folderProblem(place)).toBeUndefined()
  expect(folderProblem(join(folder, 'dist'))).toContain('holds something else than a build')
  for (const one of [root, join(root, '..'), '/']) expect(folderProblem(one)).toContain('holds the sources')
  expect(folderProblem(join(root, 'src'))).toContain('holds something else than a build')
})

test.each([[['--out', './x/../dist/']], ...(everyCase ? [[[]], [['--out', 'dist/door']]] : [])])(
  'build: the test door is refused in dist: %j',
  args => {
    const before = existsSync(join(root, 'dist'))
    const done = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts', '--door', ...args], {
      cwd: root,
      encoding: 'utf8',
    })
    expect(done.status).toBe(1)
    expect(done.stderr).toContain('A build with the door for tests is never published')
    expect(existsSync(join(root, 'dist'))).toBe(before)
  },
)
