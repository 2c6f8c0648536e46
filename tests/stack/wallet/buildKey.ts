import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * Cache key of a build: changes with a source or the lockfile.
 *
 * @param folders relative to the repository
 * @returns 16 hex digits
 */
export async function buildKey(folders: string[]): Promise<string> {
  const hash = createHash('sha256').update(await readFile(join(root, 'package-lock.json')))
  for (const folder of folders) {
    const found = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
    const files = found.filter(one => one.isFile()).map(one => join(one.parentPath, one.name))
    for (const file of files.sort())
      hash
        .update(file.slice(root.length))
        .update('\0')
        .update(await readFile(file))
  }
  return hash.digest('hex').slice(0, 16)
}
