/** The same worlds in a visitor's engine: their logs equal those of Node, byte for byte. */
import { commands } from 'vitest/browser'
import { describe, expect, test } from 'vitest'
import { type Simulated, simulateSeed } from './simulate.ts'

declare module 'vitest/browser' {
  interface BrowserCommands {
    /** @returns hashes of these seeds' logs in Node, in order */
    simulateInNode: (from: number, count: number) => Promise<string[]>
  }
}

const atOnce = 25

describe.each([0, 25, 50, 75])('worlds with 25 seeds from %i', from => {
  test('hold in Chromium and leave the log that they leave in Node', { timeout: 120_000 }, async () => {
    const inNode = commands.simulateInNode(from, atOnce)
    const here: Simulated[] = []
    for (let seed = from; seed < from + atOnce; seed++) here.push(await simulateSeed(seed))
    expect(here.flatMap(({ seed, wrong }) => (wrong === undefined ? [] : `${seed}: ${wrong}`))).toEqual([])
    expect(here.map(({ hash }) => hash)).toEqual(await inNode)
  })
})
