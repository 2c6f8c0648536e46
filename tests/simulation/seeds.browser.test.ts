/** The same worlds in a visitor's engine: their logs equal those of Node, byte for byte. */
import { commands } from 'vitest/browser'
import { describe, expect, test } from 'vitest'
import { everyCase } from '../everyCase.ts'
import { type Simulated, simulate } from './simulate.ts'

declare module 'vitest/browser' {
  interface BrowserCommands {
    /** @returns hashes of these seeds' logs in Node, in order */
    simulateInNode: (from: number, count: number) => Promise<string[]>
  }
}

const seeds = everyCase ? 100 : 6
const atOnce = Math.min(25, seeds)
let inNode: Promise<string[]> | undefined

/** Starting a process for them takes longer than some of the worlds. */
const hashesInNode = (): Promise<string[]> => (inNode ??= commands.simulateInNode(0, seeds))

describe.each(Array.from({ length: seeds / atOnce }, (_, at) => at * atOnce))(
  `${atOnce} worlds from seed %i on`,
  from => {
    test('hold in Chromium and leave the log that they leave in Node', { timeout: 300_000 }, async () => {
      const expected = hashesInNode()
      const here: Simulated[] = []
      for (let seed = from; seed < from + atOnce; seed++) here.push(await simulate(seed))
      expect(here.flatMap(({ seed, wrong }) => (wrong === undefined ? [] : `${seed}: ${wrong}`))).toEqual([])
      expect(here.map(({ hash }) => hash)).toEqual((await expected).slice(from, from + atOnce))
    })
  },
)
