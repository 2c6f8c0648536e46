/** Every row of the list of threats names an existing test, and at least one that `npm test` runs. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { longFiles } from './everyCase.ts'

const named = /`([\w/.-]+\.(?:test|journey)\.tsx?)`(?: › ([^|;`]+))?/g

/** Replaces every form of the apostrophe by one. */
const plain = (text: string) => text.replaceAll(/\\'|’/g, "'")

/** @returns whether `npm test` leaves out the tests of a file whose names begin with these words; without words, all of it */
function isLong(path: string, text: string, words: string): boolean {
  if (longFiles.includes(`tests/${path}`)) return true
  const heads = text.split(/\btest(?:\.each)?\(/).slice(1)
  const meant = heads.map(head => plain(head.split('=>')[0] ?? '')).filter(head => head.includes(plain(words)))
  return meant.length > 0 && meant.every(head => head.includes('@long'))
}

/** @returns one sentence for each row without a test, and for each missing test */
function missing(list: string, read: (path: string) => string | undefined): string[] {
  const rows = list.split('\n').filter(line => line.startsWith('| ') && !/^\| (?:-|Threat \|)/.test(line))
  return rows.flatMap(row => {
    const tests = [...row.matchAll(named)]
    if (tests.length === 0) return [`no test is named: ${row}`]
    const found = tests.flatMap(([, path = '', words = '']) => {
      const text = read(path)
      if (text === undefined) return [`${path} is not there: ${row}`]
      return plain(text).includes(plain(words.trim())) ? [] : [`${path} has no test “${words.trim()}”`]
    })
    const isLeftOut = tests.every(([, path = '', words = '']) => isLong(path, read(path) ?? '', words.trim()))
    return found.length === 0 && isLeftOut ? [`each test is @long: ${row}`] : found
  })
}

const read = (path: string) => {
  const file = join(import.meta.dirname, path)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

test('threats: the files left out by npm test exist', () => {
  expect(longFiles.filter(file => !existsSync(join(import.meta.dirname, '..', file)))).toEqual([])
})

test('threats: every row names an existing test', () => {
  const list = readFileSync(join(import.meta.dirname, '../docs/threats.md'), 'utf8')
  expect(list.split('\n').filter(line => line.startsWith('| ')).length).toBeGreaterThan(40)
  expect(missing(list, read)).toEqual([])
})

test('threats: a row whose every test is @long or in a long file is found', () => {
  const row = (tests: string) => `| a | b | ${tests} |`
  const files: Record<string, string> = {
    'a.journey.ts':
      "test.describe.configure({})\ntest('one @long', async () => 1)\ntest('two', { tag: '@long' }, async () => 2)",
    'b.journey.ts': "test('three', async () => 3)\ntest('four @long', async () => 4)",
    'simulation/shrink.test.ts': "test('five', () => 5)",
  }
  const found = (tests: string) => missing(row(tests), path => files[path]).length
  expect([found('`a.journey.ts`'), found('`b.journey.ts` › four'), found('`a.journey.ts` › two')]).toEqual([1, 1, 1])
  expect(found('`simulation/shrink.test.ts` › five')).toBe(1)
  expect([found('`b.journey.ts`'), found('`a.journey.ts`; `b.journey.ts` › three')]).toEqual([0, 0])
})

test('threats: a row without a test, of a missing file or a missing name is found', () => {
  const row = (tests: string) => `| Threat | Defence | Test |\n|---|---|---|\n| a | b | ${tests} |`
  expect(missing(row('none'), read)[0]).toContain('no test is named')
  expect(missing(row('`gone.test.ts`'), read)[0]).toContain('gone.test.ts is not there')
  expect(missing(row('`house.test.ts` › lost words; `house.test.ts`'), read)).toEqual([
    'house.test.ts has no test “lost words”',
  ])
})
