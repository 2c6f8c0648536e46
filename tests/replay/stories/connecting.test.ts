import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { failureCodes } from '../../../src/events/failureCodes.ts'
import { pageFactDefinitions } from '../../../src/events/schema/definitions.ts'
import { failures, type Shown, ways } from './connecting.ts'
import { missingStories, told } from './story.ts'

const root = join(import.meta.dirname, '../../..')

/** Recordings of a folder by name, with the folder before it unless journeys made them. */
function recordingsIn(folder: string): [name: string, text: string][] {
  const path = join(root, 'tests/replay', folder)
  const names = readdirSync(path).filter(name => name.endsWith('.jsonl'))
  const before = folder === 'recordings' ? '' : `${folder}/`
  return names.map(name => [`${before}${name.slice(0, -'.jsonl'.length)}`, readFileSync(join(path, name), 'utf8')])
}
const journeys = new Map(recordingsIn('recordings'))
const named = new Map([...journeys, ...recordingsIn('scripted')])

/** A fact names its code beside it, or in its own type. */
const storyOf = (code: string, shown: Extract<Shown, { recording: string }>) =>
  told(code, shown.recording, shown.fact.endsWith(`.${code}`) ? shown.fact : `${shown.fact} ${code}`)
const entries = Object.entries(failures)
const stories = entries.flatMap(([code, shown]) => ('recording' in shown ? [storyOf(code, shown)] : []))

test('connecting: each way has its recording, made by a journey', () => {
  expect(missingStories(ways, journeys)).toEqual([])
})

test('connecting: each code of the closed list has its recording', () => {
  expect(failureCodes.filter(code => !Object.hasOwn(failures, code))).toEqual([])
  expect(missingStories(stories, named)).toEqual([])
})

test('connecting: a code without its recording, and one that the recording does not name, are missing', () => {
  const without = new Map(named)
  without.delete('installed-wallet-fails')
  expect(missingStories(stories, without)).toHaveLength(4)
  const text = (named.get('installed-wallet-fails') ?? '').replaceAll('"code":"busy"', '"code":"unknown"')
  expect(missingStories(stories, new Map(named).set('installed-wallet-fails', text))).toEqual([
    expect.stringContaining('busy: installed-wallet-fails expected the fact connection.failed busy'),
  ])
})

test('connecting: the codes that end a connection anywhere are those whose recording shows such an end', () => {
  const found = new Set<string>()
  for (const [, text] of [...named, ...recordingsIn('simulated')])
    for (const [, code = ''] of text.matchAll(/"type":"connection\.(?:failed|missing)",.*?"failure":\{"code":"(\w+)"/g))
      found.add(code)
  const listed = stories.filter(({ facts: [fact = ''] }) => /^connection\.(?:failed|missing) /.test(fact))
  expect([...found].sort()).toEqual(listed.map(({ story }) => story).sort())
})

test('connecting: a code that no build of today writes is in no recording', () => {
  const unwritten = entries.flatMap(([code, shown]) => ('unwritten' in shown ? [code] : []))
  const all = [...named, ...recordingsIn('simulated')]
  expect(unwritten.filter(code => all.some(([, text]) => text.includes(`"code":"${code}"`)))).toEqual([])
})

test('recordings: journeys have shown every screen of the modal', () => {
  const screens = Object.keys(pageFactDefinitions['screen.shown'].fields.screen.variants?.of ?? {})
  expect(screens.length).toBeGreaterThan(20)
  const all = [...journeys.values()].join('\n')
  expect(screens.filter(name => !all.includes(`"screen":{"name":"${name}"`))).toEqual([])
})

test('recordings.md has the table of ways and that of codes', () => {
  const page = readFileSync(join(root, 'docs/recordings.md'), 'utf8')
  const rowsOfWays = ways.map(({ story, recording }) => `| ${story} | \`${recording}\` |`)
  const rowsOfCodes = entries.map(([code, shown]) =>
    'recording' in shown
      ? `| \`${code}\` | \`${shown.recording}\` | \`${shown.fact}\` |`
      : `| \`${code}\` | none: ${shown.unwritten} | |`,
  )
  expect(page).toContain(['| Way to connect | Recording |', '|---|---|', ...rowsOfWays, ''].join('\n'))
  expect(page).toContain(['| Code | Recording | Fact |', '|---|---|---|', ...rowsOfCodes, ''].join('\n'))
})
