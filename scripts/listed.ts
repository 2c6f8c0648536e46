import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { filesIn } from '../src/main/replay/filesIn.ts'

/** Files no page loads as a script or style: the pages themselves, icons and the picture of a shared link, and files for the publisher. */
const free = /^(?:index\.html|replayer\.html|icon\.svg|touch-icon\.png|share\.png|headers\.json|embed\/tag\.txt)$/

/**
 * Finds files whose hash appears in no other file: no browser would notice if they were altered.
 *
 * @returns one sentence for each
 */
export function unlisted(dist: string): string[] {
  const files = filesIn(dist)
  const texts = new Map(
    files.filter(file => /\.(?:html|js|json|txt)$/.test(file)).map(file => [file, readFileSync(file, 'utf8')]),
  )
  return files
    .filter(file => !free.test(relative(dist, file).replaceAll('\\', '/')))
    .filter(file => {
      const hashes = ['sha256', 'sha384'].map(by => createHash(by).update(readFileSync(file)).digest('base64'))
      return ![...texts].some(([name, text]) => name !== file && hashes.some(hash => text.includes(hash)))
    })
    .map(file => `${relative(dist, file)} could be altered: its hash stands in no other file`)
}
