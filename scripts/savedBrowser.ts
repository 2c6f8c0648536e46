import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cache = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules', '.cache', 'ready')

/**
 * The tests' browser: `CHROME_BIN`, else the one found by `scripts/ready.mjs --browser`.
 *
 * @returns path of an executable; undefined before the first search
 */
export function savedBrowser(): string | undefined {
  if (process.env.CHROME_BIN) return process.env.CHROME_BIN
  const file = join(cache, 'browser')
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** @returns the folder of the Chromium fetched by `scripts/ready.mjs --pinned`; undefined where there is none */
export function pinnedBrowser(): string | undefined {
  const file = join(cache, 'pinned')
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
