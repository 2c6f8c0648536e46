import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Programs of the engines beside Chromium on this machine. */
export type Engines = { firefox?: string; webkit?: string }

/** @returns the engines found by `scripts/ready.mjs --engines`; empty before the first search */
export function savedEngines(): Engines {
  const root = dirname(dirname(fileURLToPath(import.meta.url)))
  const file = join(root, 'node_modules', '.cache', 'ready', 'engines.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Engines) : {}
}
