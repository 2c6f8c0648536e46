/**
 * `docs/events.md`: every type of a log, derived from the registry.
 * Written by `npx vitest run tests/events/reference.test.ts -u`; fails when it is stale.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandDefinitions } from '../../src/events/command.ts'
import { factDefinitions, pageFactDefinitions } from '../../src/events/schema/definitions.ts'
import { inputDefinitions } from '../../src/events/input.ts'
import { snapshotTables } from '../../src/events/checkpoint/tables.ts'
import { type Definitions, type Field, type Fields } from '../../src/runtime/schema/registry.ts'
import { scaleOf } from '../../src/events/schema/scales.ts'

const root = join(import.meta.dirname, '../..')

/** The comment above each type in the sources. */
function meanings(): Map<string, string> {
  const found = new Map<string, string>()
  const subjects = readdirSync(join(root, 'src/events/subjects')).map(group => `src/events/subjects/${group}`)
  for (const folder of ['src/events', 'src/events/checkpoint', ...subjects])
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
    const all = Object.entries(of).map(([word, fields]) => ({ word, told: allShown(fields) }))
    // Fields of every variant are told once, and equal variants together
    const common = all[0]?.told.filter(one => all.every(({ told }) => told.includes(one))) ?? []
    const words = new Map<string, string[]>()
    for (const { word, told } of all) {
      const its = told.filter(one => !common.includes(one)).join(', ')
      words.set(its, [...(words.get(its) ?? []), `\`${word}\``])
    }
    const variants = Array.from(words, ([its, named]) => `${tag} ${named.join(', ')}${its && ` { ${its} }`}`)
    return `${common.length > 0 ? `{ ${common.join(', ')} } and ` : ''}${variants.join(' or ')}`
  }
  if (field.after) return `personal after ${field.after.map(word => `\`${word}:\``).join(', ')}`
  const scale = scaleOf(field)
  return scale === undefined ? (field.cls ?? '') : `${field.cls} (${scale})`
}

function allShown(fields: Fields): string[] {
  return Object.entries(fields).map(([name, field]) => `\`${name}${field.optional ? '?' : ''}\` ${shown(field)}`)
}

function fieldsShown(fields: Fields): string {
  return allShown(fields).join(', ')
}

function page(): string {
  const said = meanings()
  const tables: [string, Definitions][] = [
    ['Commands: inputs a page asks for', commandDefinitions],
    ['Other inputs', inputDefinitions],
    ['Facts of the core', factDefinitions],
    ['Facts of a page', pageFactDefinitions],
    ['Rows of a checkpoint', snapshotTables],
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
stands who may read it: \`personal\` becomes a token when a recording is redacted, \`measure\` has a stand-in, or is blanked in a
recording for looking only, \`open\` stays as it is. A field with \`?\` may be absent.

## Redaction

The first line of a recording names in \`redaction\` what was done to it:

- \`plain\`: nothing.
- \`standIns\`: tokens and stand-ins; the redacted inputs went through the core again, and it decided the same.
- \`blanked\`: the same with \`0\` for every measure, for looking only. It is what "Download a problem report" gives of a log that does not
  re-execute on this build, or that decides otherwise by stand-ins.
- \`tokens\`, \`view\`: written by older builds, with the sale's addresses and all times, and in \`tokens\` all amounts and slots as they were.
  Such a file leads to its buyer: redact it again before it is passed on.

In brackets stands the scale of a value, which says how it is replaced:

| scale | rule |
|---|---|
| time, stamp | device times, and ids that hold a clock, moved by one distance drawn for the recording |
| chainTime, publishedTime | chain times, drawn anew within their stage of the sale; near ones keep their distances, those of a checkpoint do not |
| signedTime | when notices were known: a time of this device is moved like the others, a published one is drawn anew in its order among them |
| noticeNumber | drawn anew in its order: notices are published with their times |
| slot, publishedSlot, height | drawn anew in their order; near ones keep their distances, or nearly so where nothing is decided by them, and those of a checkpoint or a notice do not; growth between two readings fits their time where it did |
| amount | drawn anew in its order, on the same side of the least and the most that an order, and the orders of an account together, may pay |
| token | drawn anew in its order, low enough for every order that was taken |
| sale | the treasury's balances and the sale's totals, drawn anew in their order |
| fee, price, compute | the same for every usual transaction, and for every too dear one |
| key | an address of the sale, a hash of terms or a blockhash: a token, for each leads to a list of buyers |
| name | of a method, event or chain: well-known ones stay, others are tokens, for a wallet or a host chose them |
| blank | 0, for a time, an amount or a price that is shown and decides nothing |

Some things stay: the asset paid, the wallet's product, the order of amounts, and how long things took. A payment in it can still be found by the
time between it and another payment or a change of the sale. Seconds from the blockhash to the landing fit many payers.

${sections.join('\n')}`
}

test('docs/events.md matches the registry', async () => {
  await expect(page()).toMatchFileSnapshot('../../docs/events.md')
})
