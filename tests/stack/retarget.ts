/**
 * Gives a finished build other addresses, so that several stacks share one build. Each file's hash stands in the files that
 * load it; a changed file's new hash replaces the old one there, and so on up to the pages.
 *
 * Names of files keep the hashes of the build.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Replacements: text of the build, text for it. */
export type Replacements = readonly (readonly [from: string, to: string])[]

const algorithms = ['sha256', 'sha384'] as const
const textual = /\.(?:js|css|html|json|txt)$/

/**
 * @param dir folder of the build, changed in place
 * @param replacements no text in them holds another
 * @throws Error when a text to replace is nowhere in the build
 */
export function retarget(dir: string, replacements: Replacements): void {
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter(name => textual.test(name))
  const built = new Map(names.map(name => [name, readFileSync(join(dir, name), 'utf8')]))
  const texts = new Map(built)
  /** Texts whose hashes the others hold. */
  const listed = new Map(built)
  const changed = new Set<string>()
  const replaceAll = (from: string, to: string): boolean => {
    const holders = [...texts].filter(([, text]) => text.includes(from))
    for (const [name, text] of holders) {
      texts.set(
        name,
        text.replaceAll(from, () => to),
      )
      changed.add(name)
    }
    return holders.length > 0
  }
  for (const [from, to] of replacements)
    if (!replaceAll(from, to)) throw new Error(`the build expected to hold ${from}, it does not`)
  // Ends, for no file can hold its own hash
  for (const name of changed) {
    changed.delete(name)
    const [old = '', now = ''] = [listed.get(name), texts.get(name)]
    listed.set(name, now)
    for (const algorithm of algorithms) replaceAll(hashOf(old, algorithm), hashOf(now, algorithm))
  }
  for (const [name, text] of texts) if (text !== built.get(name)) writeFileSync(join(dir, name), text)
}

function hashOf(text: string, algorithm: (typeof algorithms)[number]): string {
  return `${algorithm}-${createHash(algorithm).update(text).digest('base64')}`
}
