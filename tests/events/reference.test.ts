/**
 * `docs/events.md`: every type that may stand in a log, derived from the registry.
 * Made anew with `npx vitest run tests/events/reference.test.ts -u`; fails when it is stale.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandDefinitions } from '../../src/events/command.ts'
import { factDefinitions, pageFactDefinitions } from '../../src/events/definitions.ts'
import { inputDefinitions } from '../../src/events/input.ts'
import { restatedDefinitions } from '../../src/events/restated.ts'
import type { Definitions, Field, Fields } from '../../src/events/registry.ts'

const root = join(import.meta.dirname, '../..')

/** What the comment above each type says. */
function meanings(): Map<string, string> {
  const found = new Map<string, string>()
  for (const folder of ['src/events', 'src/events/subjects'])
    for (const name of readdirSync(join(root, folder)).filter(name => name.endsWith('.ts'))) {
      const source = readFileSync(join(root, folder, name), 'utf8')
      for (const [, comment = '', type = ''] of source.matchAll(
        /^ {2,4}\/\*\*((?:(?!\*\/)[^])*)\*\/\n +'([a-z]+\.[A-Za-z]+)':/gm,
      ))
        found.set(
          type,
          comment
            .replace(/\n *\* ?/g, ' ')
            .replace(/\s+/g, ' ')
            .trim(),
        )
    }
  return found
}

function shown(field: Field): string {
  if (field.list) return `list of ${shown(field.list)}`
  if (field.map) return `by ${field.keys ? `${shown(field.keys)} ` : ''}name: ${shown(field.map)}`
  if (field.parts) return `{ ${fieldsShown(field.parts)} }`
  if (field.variants) {
    const { tag, of } = field.variants
    return Object.entries(of)
      .map(([word, fields]) => `${tag} \`${word}\` { ${fieldsShown(fields)} }`)
      .join(' or ')
  }
  return field.after ? `personal after ${field.after.map(word => `\`${word}:\``).join(', ')}` : (field.cls ?? '')
}

function fieldsShown(fields: Fields): string {
  return Object.entries(fields)
    .map(([name, field]) => `\`${name}${field.optional ? '?' : ''}\` ${shown(field)}`)
    .join(', ')
}

function page(): string {
  const said = meanings()
  const tables: [string, Definitions][] = [
    ['Commands: inputs a page asks for', commandDefinitions],
    ['Other inputs', inputDefinitions],
    ['Facts of the core', factDefinitions],
    ['Facts of a page', pageFactDefinitions],
    ['Restated facts of a checkpoint', restatedDefinitions],
  ]
  const sections = tables.map(([title, table]) => {
    const types = Object.entries(table).map(([type, { version, fields }]) => {
      const meaning = said.get(type)
      const told = Object.keys(fields).length === 0 ? 'no fields' : fieldsShown(fields)
      return `### \`${type}\` v${version}\n\n${meaning ? `${meaning}\n\n` : ''}${told}\n`
    })
    return `## ${title}\n\n${types.join('\n')}`
  })
  return `# Every type a log may hold

Derived from the registry in \`src/events\`; \`tests/events/reference.test.ts\` fails when this page is stale. Beside each field
stands who may read it: \`personal\` becomes a token when a recording is redacted, \`measure\` is kept, or blanked in a recording
for looking only, \`open\` stays as it is. A field with \`?\` may be absent.

${sections.join('\n')}`
}

test('the reference page says what the registry says', async () => {
  await expect(page()).toMatchFileSnapshot('../../docs/events.md')
})
