/** Saves a simulated run as an ordinary recording. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeRecording } from '../../src/runtime/recording/recording.ts'
import type { RecordingHeader } from '../../src/runtime/recording/recordingHeader.ts'
import { registryHash } from '../../src/events/schema/registryHash.ts'
import { sha256Hex } from '../../src/worker/drivers/digest.ts'
import { noon } from '../worker/world.ts'
import type { Simulated } from './simulate.ts'

/** @returns the header of the recording of a visit without a device */
export const headerOf = (name: string): RecordingHeader => ({
  format: 'mai-recording',
  version: 2,
  logId: `log-${name}`,
  appBuild: 'simulated',
  coreBuild: 'core-build',
  registryHash: registryHash(),
  startedAt: noon,
  redaction: 'plain',
})

/** @returns the path of the file */
export async function keep({ seed, lines }: Simulated, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `seed-${seed}.replay.jsonl`)
  writeFileSync(path, await writeRecording({ header: headerOf(`simulated-${seed}`), lines }, sha256Hex))
  return path
}
