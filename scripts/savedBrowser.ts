import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The tests' browser: `CHROME_BIN`, else the one found by `scripts/ready.mjs --browser`.
 *
 * @returns path of an executable; undefined before the first search
 */
export function savedBrowser(): string | undefined {
  if (process.env.CHROME_BIN) return process.env.CHROME_BIN
  const root = dirname(dirname(fileURLToPath(import.meta.url)))
  const file = join(root, 'node_modules', '.cache', 'ready', 'browser')
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
