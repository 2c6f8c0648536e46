/**
 * Writes `src/events/values/text/confusables.json` from Unicode's table of confusable characters (UTS 39), as packaged by
 * unhomoglyph: `node --import tsx scripts/confusables.ts`. A test compares the committed file with this output.
 * @see https://www.unicode.org/reports/tr39/#Confusable_Detection
 */
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bareLetters } from '../src/events/values/text/bareLetters.ts'

export const confusablesFile = join(import.meta.dirname, '../src/events/values/text/confusables.json')

/** @returns the file's text: for each prototype, the characters confusable with it */
export function confusablesText(): string {
  const table = createRequire(import.meta.url)('unhomoglyph/data.json') as Record<string, string>
  const byPrototype = new Map<string, string[]>()
  for (const [from, prototype] of Object.entries(table)) {
    const to = bareLetters(prototype)
    // Skip characters that normalisation decomposes or drops before the table is consulted
    if ([...from].length > 1 || bareLetters(from) !== from || to === '' || to === from) continue
    byPrototype.set(to, [...(byPrototype.get(to) ?? []), from])
  }
  const lines = [...byPrototype].sort(([a], [b]) => (a < b ? -1 : 1))
  return `${JSON.stringify(Object.fromEntries(lines.map(([to, from]) => [to, from.sort().join('')])), null, 2)}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(confusablesFile, confusablesText())
