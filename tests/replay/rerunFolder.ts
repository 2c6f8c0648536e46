/** Writes every recording of a folder anew from its own inputs; all are executed before the first is written. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Recording } from '../../src/runtime/recording/recording.ts'
import { readRecordingFile } from '../../src/main/page/redaction/recordingFile.ts'
import { divergenceLines, divergenceOf } from '../../src/main/replay/divergence.ts'
import { changeLines, changesOf } from './changes.ts'
import { rewrite } from './rewrite.ts'

/** @returns a folder's recordings by file name */
export async function recordingsOf(folder: string): Promise<Map<string, Recording>> {
  const found = new Map<string, Recording>()
  for (const name of readdirSync(folder).filter(name => name.endsWith('.jsonl'))) {
    found.set(name, await readRecordingFile(new Blob([readFileSync(join(folder, name))])))
  }
  return found
}

/**
 * @param build of the executing core
 * @returns the changes of each recording, and its inputs that now belong to another story
 */
export async function rerunFolder(folder: string, build: string): Promise<string> {
  const texts = new Map<string, string>()
  let told = ''
  for (const [name, recording] of await recordingsOf(folder)) {
    const text = await rewrite(recording, build)
    const { records } = await readRecordingFile(new Blob([text]))
    const parting = divergenceOf(recording.records)
    texts.set(name, text)
    told += changeLines(name, changesOf(recording.records, records)) + (parting ? divergenceLines(parting) : '')
  }
  for (const [name, text] of texts) writeFileSync(join(folder, name), text)
  return told
}
