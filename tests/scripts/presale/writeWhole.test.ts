/** Files that are written to their last octet, and folders that cannot be made. */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeFolder, writeAll } from '../../../scripts/presale/writeWhole.ts'

const folder = mkdtempSync(join(tmpdir(), 'mai-writing-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a text is written whole, also where the system takes three octets at a time', () => {
  const path = join(folder, 'text')
  const file = openSync(path, 'w')
  const threeAtOnce = (to: number, bytes: Buffer, at: number) =>
    writeSync(to, bytes, at, Math.min(3, bytes.length - at))
  writeAll(file, 'dvě stě řádků\n', threeAtOnce as typeof writeSync)
  closeSync(file)
  expect(readFileSync(path, 'utf8')).toBe('dvě stě řádků\n')
})

test('a file in the place of a folder is named in one sentence', () => {
  const path = join(folder, 'file')
  writeFileSync(path, '')
  expect(() => makeFolder('the folder of --out', path)).toThrow(
    `cannot make the folder of --out ${path}: a file has this name`,
  )
})
