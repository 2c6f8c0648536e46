/**
 * The log format's number keeps an older build from writing a newer build's log. Every new type or version that a start
 * reads adds an entry here and raises the number; the flag -u does both, and no entry is ever removed.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { snapshotTables } from '../../src/events/checkpoint/tables.ts'
import { checkpointFormat } from '../../src/runtime/log/record.ts'
import { logFormat } from '../../src/events/log/logFormat.ts'
import { shortHash } from '../../src/runtime/log/shortHash.ts'
import { factDefinitions } from '../../src/events/schema/definitions.ts'
import type { Definitions } from '../../src/runtime/schema/registry.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8')

const checkpoint = `checkpoint@${checkpointFormat}`
const typesOf = (table: Definitions) => Object.entries(table).map(([type, { version }]) => `${type}@${version}`)

test('log format: every new type or version of a fact raises the number', async () => {
  const history = read('logFormats.txt').split('\n').filter(Boolean)
  const now = shortHash([...typesOf(factDefinitions), ...typesOf(snapshotTables), checkpoint].sort().join('\n'))
  const all = history.at(-1) === now ? history : [...history, now]
  await expect(`${all.join('\n')}\n`).toMatchFileSnapshot('logFormats.txt')
  const source = read('../../src/events/log/logFormat.ts')
  const raised = source.replace(/logFormat = \d+/, `logFormat = ${all.length}`)
  await expect(raised).toMatchFileSnapshot('../../src/events/log/logFormat.ts')
  expect(logFormat).toBeGreaterThan(0)
})
