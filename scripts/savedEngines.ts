import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Programs of the engines beside Chromium, as far as this machine has them. */
export type Engines = { firefox?: string; webkit?: string }

/** @returns what `scripts/ready.mjs --engines` found; none when it has not looked yet */
export function savedEngines(): Engines {
  const root = dirname(dirname(fileURLToPath(import.meta.url)))
  const file = join(root, 'node_modules', '.cache', 'ready', 'engines.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Engines) : {}
}
