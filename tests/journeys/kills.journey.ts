/** The short form of `npm run kills`: the same rounds, fewer of them. */
import { killBrowsers } from '../kills/browsers.ts'
import type { Outcome, Told } from '../kills/docket.ts'
import { killWorkers } from '../kills/workers.ts'
import { type KillWorld, startKillWorld } from '../kills/world.ts'
import { expect, test } from './fixtures.ts'

const seed = 'journey'

// Both tests in one worker, with one world
test.describe.configure({ mode: 'default' })

let world: KillWorld

test.beforeAll(async ({ stack }) => {
  world = await startKillWorld(stack)
})

test.afterAll(() => world.close())

/** Collects the outcomes of a round: acknowledged records, and losses and errors with the kill that caused them. */
function listen(): { tell: Told; heard(): { outcomes: number; acknowledged: number; lost: number; wrongs: string[] } } {
  const outcomes: Outcome[] = []
  const wrongs: string[] = []
  const total = (key: 'acknowledged' | 'lost') => outcomes.reduce((sum, one) => sum + one[key], 0)
  return {
    tell(what, outcome) {
      outcomes.push(outcome)
      for (const wrong of outcome.wrongs) wrongs.push(`${outcomes.length}, ${what}: ${wrong}`)
    },
    heard: () => ({ outcomes: outcomes.length, acknowledged: total('acknowledged'), lost: total('lost'), wrongs }),
  }
}

test('a worker that is ended again and again in the middle of everything loses nothing it acknowledged', {
  tag: '@long',
}, async ({ browser }) => {
  const { tell, heard } = listen()
  await killWorkers(world, browser, { seed, round: 10, kills: 12 }, tell)
  const { acknowledged, ...rest } = heard()
  expect(rest).toEqual({ outcomes: 13, lost: 0, wrongs: [] })
  expect(acknowledged).toBeGreaterThan(150)
})

test('a whole browser that is killed during a visit leaves a log that lacks nothing it acknowledged', {
  tag: '@long',
}, async () => {
  const { tell, heard } = listen()
  await killBrowsers(world, { seed, round: 0, kills: 1, least: 21 }, tell)
  const { acknowledged, ...rest } = heard()
  expect(rest).toEqual({ outcomes: 1, lost: 0, wrongs: [] })
  expect(acknowledged).toBeGreaterThan(20)
})
