/**
 * Builds twice from scratch and compares every byte; with `--with`, builds once and compares with the build in that folder.
 *
 *   node --import tsx scripts/reproducible.ts [--with FOLDER]
 */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { addressesFrom } from './addresses.ts'
import { buildSite } from './build.ts'
import { filesIn } from '../src/main/replay/filesIn.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Names of files that differ between two folders or exist in one only. */
export function differences(first: string, second: string): string[] {
  const [one, other] = [hashes(first), hashes(second)]
  const names = [...new Set([...one.keys(), ...other.keys()])].sort()
  return names.filter(name => one.get(name) !== other.get(name))
}

function hashes(folder: string): Map<string, string> {
  return new Map(
    filesIn(folder).map(file => [
      relative(folder, file),
      createHash('sha256').update(readFileSync(file)).digest('hex'),
    ]),
  )
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { with: { type: 'string' } } })
  const fresh = (values.with === undefined ? [0, 1] : [0]).map(() => mkdtempSync(join(tmpdir(), 'mai-build-')))
  try {
    const addresses = addressesFrom(root, 'production')
    for (const outDir of fresh) await buildSite({ outDir, addresses, door: false })
    const [first = '', second = ''] = [...fresh, ...(values.with === undefined ? [] : [resolve(values.with)])]
    const different = differences(first, second)
    for (const name of different) console.error(`${name} differs between two builds of the same sources`)
    if (different.length > 0) process.exitCode = 1
    else console.log(`${filesIn(first).length} files, the same in both builds`)
  } finally {
    for (const folder of fresh) rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
