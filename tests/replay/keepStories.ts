/** Setup of a run of tests whose scripted visits are recorded: writes the logs of each test's worlds into `STORIES`. */
import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterEach, expect } from 'vitest'
import type { Stories } from '../worker/world.ts'
import type { Story } from './scriptedVisits.ts'

const into = process.env.STORIES ?? ''
const kept: string[][] = []
;(globalThis as Stories).stories = kept

afterEach(() => {
  const { testPath = '', currentTestName = '' } = expect.getState()
  for (const [nth, lines] of kept.splice(0).entries()) {
    if (lines.length === 0) continue
    const story: Story = { file: relative(process.cwd(), testPath), test: currentTestName, nth, lines }
    appendFileSync(into, `${JSON.stringify(story)}\n`)
  }
})
