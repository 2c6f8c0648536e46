/**
 * Recordings as a visitor saves them: downloaded by the link in the page's footer, read, and re-executed at once.
 *
 * With `RECORD=1` the named ones are written to `tests/replay/recordings/`; see `record.ts`.
 */
import { expect, type Page } from '@playwright/test'
import { copyFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Recording } from '../../src/runtime/recording/recording.ts'
import { differenceReport } from '../../src/runtime/replay/verdict.ts'
import { readRecordingFile } from '../../src/main/page/redaction/recordingFile.ts'
import { deciders } from '../../src/worker/deciders/index.ts'
import { reexecute } from '../../src/worker/replay/reexecute.ts'
import { spellings } from '../events/spellings.ts'
import { storedText } from './secrets.ts'

const kept = fileURLToPath(new URL('../replay/recordings/', import.meta.url))

/** A recording on disk, with its parsed content. */
export type Saved = { path: string; text: string; recording: Recording }

/**
 * Presses "Download a problem report" and checks the file's promises: complete, re-executed byte for byte, without personal values.
 *
 * @param name committed file name when recordings are regenerated; absent: only checked
 */
export async function saveRecording(page: Page, name?: string): Promise<Saved> {
  const link = page.getByRole('button', { name: 'Download a problem report' })
  // By keyboard: the foot of a sheet moves while its content arrives, and a mouse may let go beside it
  const [download] = await Promise.all([page.waitForEvent('download'), link.press('Enter')])
  expect(download.suggestedFilename()).toMatch(/^mai-.*\.replay\.jsonl$/)
  const path = await download.path()
  const bytes = await readFile(path)
  const recording = await readRecordingFile(new Blob([bytes]))
  expect(recording).toMatchObject({ complete: true, unknownTypes: {}, header: { redaction: 'standIns' } })
  const verdict = reexecute(recording.records, deciders)
  expect(verdict.ok ? '' : differenceReport(verdict.difference), 're-execution').toBe('')
  const text = bytes.toString('utf8')
  const known = await personalValues(page, text)
  if (text.includes('"type":"connection.made"')) expect(known).not.toEqual([])
  for (const value of known)
    for (const form of spellings(value)) expect(text.includes(form), `${value} as ${form}`).toBe(false)
  if (name !== undefined && process.env.RECORD === '1') {
    await mkdir(kept, { recursive: true })
    await copyFile(path, join(kept, `${name}.jsonl`))
  }
  return { path, text, recording }
}

/** Accounts, topics, signatures and order keys, from the page and from the log on the device. */
async function personalValues(page: Page, text: string): Promise<string[]> {
  const seen = await page
    .locator('[data-address], [data-signature]')
    .evaluateAll(elements =>
      elements.flatMap(element => [element.getAttribute('data-address'), element.getAttribute('data-signature')]),
    )
  const stored = await storedText(page)
  const named =
    /"(?:account|address|sessionTopic|pairingTopic|responseTopic|topic|signature|orderKey|from|feePayer|nonce)":"([0-9A-Za-z]{16,})/g
  for (const [, value = ''] of stored.replaceAll('\\', '').matchAll(named)) seen.push(value)
  // Values in the terms are public: every payment names the treasury
  const terms = text.split('\n').filter(line => line.includes('"type":"chain.terms"'))
  return [...new Set(seen)].filter(value => value !== null).filter(value => !terms.some(line => line.includes(value)))
}
