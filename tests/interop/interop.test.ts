/** The plain story and some quick faults; `npm run interop` plays all of them, in Node and in a browser. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { behaving } from '../stack/relay/switches.ts'
import { type Stack, startStack } from '../stack/start.ts'
import { everyCase } from '../everyCase.ts'
import { configFor } from '../worker/tabs/page.ts'
import { playByLinks } from './byLinks.ts'
import { faultRuns } from './faults.ts'
import { play, wrongIn } from './interop.ts'
import { startNodeDapp } from './nodeDapp.ts'
import { signIn } from './signIn.ts'
import { story } from './story.ts'

describe('our client and the official wallet kit', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack({
      clock: 'manual',
      seed: 'interop',
      baseUnix: Math.floor(Date.now() / 1000),
      cacheDir: join(process.cwd(), 'node_modules/.cache'),
    })
  }, 60_000)
  afterAll(() => stack?.close())

  test.each(faultRuns.filter(({ quick, name }) => quick && (everyCase || name === 'pushes out of order')))(
    'tell the whole story: $name',
    async run => {
      const played = await play(run, stack, () => startNodeDapp(configFor(stack)), story)
      expect(wrongIn(played)).toBeUndefined()
    },
  )

  test.each(faultRuns.filter(({ name }) => name === 'plain' || (everyCase && name === 'every push twice')))(
    'sign in by one-click auth, or by what stands beside it: $name',
    async run => {
      const played = await play(run, stack, () => startNodeDapp(configFor(stack)), signIn)
      expect(wrongIn(played)).toBeUndefined()
    },
  )

  test.each(everyCase ? (['none', 'twice', 'out of order'] as const) : (['out of order'] as const))(
    'do without a relay, by links: %s',
    async fault => {
      expect(wrongIn(await playByLinks(fault, stack))).toBeUndefined()
    },
  )
})

test('every switch and every act of the relay has a run', () => {
  const acts = ['dropSockets', 'garbage']
  const covered = new Set<string>(faultRuns.flatMap(({ covers }) => covers))
  expect([...Object.keys(behaving), ...acts].filter(name => !covered.has(name))).toEqual([])
})

test('a run does what it says it covers', () => {
  for (const { name, covers, always = {}, each = {}, first, after } of faultRuns) {
    const said = { ...always, ...each, ...first?.control, ...after?.control }
    expect([name, Object.keys(said).sort()]).toEqual([name, [...covers].sort()])
  }
})
