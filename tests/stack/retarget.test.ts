import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { retarget } from './retarget.ts'

const made: string[] = []

afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true })
})

const hash = (text: string, by: string) => `${by}-${createHash(by).update(text).digest('base64')}`

/** A page that loads an entry, which loads a part, which holds the address. */
function folderOf(address: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'mai-retarget-'))
  made.push(dir)
  const part = `call("${address}")`
  const style = 'body{}'
  const entry = `load("part.js","${hash(part, 'sha256')}")`
  const page = `<script src="entry.js" integrity="${hash(entry, 'sha384')}"></script><link integrity="${hash(style, 'sha384')}"> ${address}`
  for (const [name, text] of Object.entries({
    'part.js': part,
    'style.css': style,
    'entry.js': entry,
    'page.html': page,
  }))
    writeFileSync(join(dir, name), text)
  return dir
}

const textsIn = (dir: string) =>
  ['part.js', 'style.css', 'entry.js', 'page.html'].map(name => readFileSync(join(dir, name), 'utf8'))

test('retarget: every file is as built for the new address, hashes of changed files included', () => {
  const dir = folderOf('http://127.0.0.1:1')
  retarget(dir, [['http://127.0.0.1:1', 'http://127.0.0.1:40000']])
  expect(textsIn(dir)).toEqual(textsIn(folderOf('http://127.0.0.1:40000')))
})

test('retarget: an address that the build lacks is an error', () => {
  const dir = folderOf('http://127.0.0.1:1')
  expect(() => retarget(dir, [['http://127.0.0.1:2', 'http://127.0.0.1:3']])).toThrow('expected to hold')
})
