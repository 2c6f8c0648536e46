/**
 * Recordings as a visitor saves them: downloaded by the link in the page's foot, read, and re-executed on the spot.
 *
 * With `RECORD=1` the named ones are written to `tests/replay/recordings/`; see `record.ts`.
 */
import { expect, type Page } from '@playwright/test'
import { copyFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Recording } from '../../src/events/recording.ts'
import { differenceReport } from '../../src/events/verdict.ts'
import { readRecordingFile } from '../../src/main/recordingFile.ts'
import { deciders } from '../../src/worker/deciders/index.ts'
import { reexecute } from '../../src/worker/reexecute.ts'

const kept = fileURLToPath(new URL('../replay/recordings/', import.meta.url))

/** A recording on disk and what was read from it. */
export type Saved = { path: string; text: string; recording: Recording }

/**
 * Presses "Save a recording" and holds the file to what it promises: whole, and re-executed byte for byte.
 *
 * @param name under which it is committed when recordings are made; absent for one that is only checked
 */
export async function saveRecording(page: Page, name?: string): Promise<Saved> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('download-recording').click()])
  expect(download.suggestedFilename()).toMatch(/^mai-.*\.replay\.jsonl$/)
  const path = await download.path()
  const bytes = await readFile(path)
  const recording = await readRecordingFile(new Blob([bytes]))
  expect(recording).toMatchObject({ complete: true, unknownTypes: {} })
  const verdict = reexecute(recording.records, deciders)
  expect(verdict.ok ? '' : differenceReport(verdict.difference), 're-execution').toBe('')
  if (name !== undefined && process.env.RECORD === '1') {
    await mkdir(kept, { recursive: true })
    await copyFile(path, join(kept, `${name}.jsonl`))
  }
  return { path, text: bytes.toString('utf8'), recording }
}
