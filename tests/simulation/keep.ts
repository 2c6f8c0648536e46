/** Saves a simulated run as an ordinary recording. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeRecording } from '../../src/runtime/recording/recording.ts'
import { registryHash } from '../../src/events/schema/registryHash.ts'
import { sha256Hex } from '../../src/worker/drivers/digest.ts'
import { noon } from '../worker/world.ts'
import type { Simulated } from './simulate.ts'

/** @returns the path of the file */
export async function keep({ seed, lines }: Simulated, folder: string): Promise<string> {
  const header = {
    format: 'mai-recording' as const,
    version: 2 as const,
    logId: `log-simulated-${seed}`,
    appBuild: 'simulated',
    coreBuild: 'core-build',
    registryHash: registryHash(),
    startedAt: noon,
    redaction: 'plain' as const,
  }
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `seed-${seed}.replay.jsonl`)
  writeFileSync(path, await writeRecording({ header, lines }, sha256Hex))
  return path
}
