/// <reference types="node" />
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { filesIn } from './filesIn.ts'

/**
 * Hashes the sources, the same on every machine. Recordings carry the hash, so that a replay knows whether the code that wrote
 * them is the code that runs.
 *
 * @param root the repository
 * @param part `core`: runtime, events and the worker without its drivers, which a re-execution runs; `app`: all of `src`
 * @returns 16 hex digits
 */
export function sourceHash(root: string, part: 'core' | 'app'): string {
  const folders = part === 'core' ? ['src/events', 'src/runtime', 'src/worker'] : ['src']
  const hash = createHash('sha256')
  for (const file of folders.flatMap(folder => filesIn(join(root, folder)))) {
    const path = relative(root, file).replaceAll('\\', '/')
    if (part === 'core' && path.startsWith('src/worker/drivers/')) continue
    hash.update(`${path}\n`).update(readFileSync(file)).update('\n')
  }
  return hash.digest('hex').slice(0, 16)
}
