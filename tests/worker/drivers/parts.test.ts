/** Lazily loaded parts: each is compared with its hash, with everything it imports, before it runs. */
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fetchChecked, type Listed, listBeside, serveParts } from '../../../src/worker/drivers/parts.ts'

let folder: string
let base: string
/** Each requested file with its cache mode. */
let asked: string[]
const file = (name: string) => new URL(name, base).href
const hash = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mai-parts-'))
  base = pathToFileURL(join(folder, 'core.mjs')).href
  asked = []
  vi.stubGlobal('fetch', async (url: string, { cache }: RequestInit) => {
    const path = new URL(url)
    asked.push(`${path.pathname.split('/').at(-1)} ${cache}`)
    if (!existsSync(path)) return new Response('', { status: 404 })
    return new Response(readFileSync(path))
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(globalThis, Symbol.for('mai.part'))
  rmSync(folder, { recursive: true, force: true })
})

const write = (name: string, text: string) => writeFileSync(join(folder, name), text)

test('parts: a file with the published bytes is returned', async () => {
  write('a.mjs', 'export {}')
  expect(new TextDecoder().decode(await fetchChecked(file('a.mjs'), hash('export {}')))).toBe('export {}')
  expect(asked).toEqual(['a.mjs default'])
})

test.each(['export  {}', 'export {}\n', 'Export {}', ''])(
  'parts: a file with other bytes is refused: %j',
  async text => {
    write('a.mjs', text)
    const refused = { code: 'bad_response', message: 'a.mjs expected the bytes that were published, others came' }
    await expect(fetchChecked(file('a.mjs'), hash('export {}'))).rejects.toMatchObject(refused)
    // The cached copy may be the damaged one, so it is fetched again
    expect(asked).toEqual(['a.mjs default', 'a.mjs reload'])
  },
)

test('parts: a file without a hash is refused, a missing one asks for a reload', async () => {
  write('a.mjs', '')
  await expect(fetchChecked(file('a.mjs'), undefined)).rejects.toMatchObject({ code: 'bad_response' })
  await expect(fetchChecked(file('b.mjs'), hash(''))).rejects.toMatchObject({ code: 'reload_needed' })
})

test('parts: a file has 120 s; then it and its part count as a chunk that failed to load', async () => {
  const limits: number[] = []
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(ms => {
    limits.push(ms)
    return AbortSignal.abort(new DOMException('late', 'TimeoutError'))
  })
  vi.stubGlobal('fetch', async (_: string, { signal }: RequestInit) => {
    signal?.throwIfAborted()
    return new Response('export {}')
  })
  serveParts(async () => ({ 'late.mjs': [hash('export {}')] }), base)
  await expect(bring('./late.mjs')).rejects.toMatchObject({
    name: 'ChunkLoadError',
    code: 'reload_needed',
    message: 'Loading chunk late.mjs failed: late.mjs expected an answer of the server, got none',
  })
  expect(limits).toEqual([120_000])
  vi.restoreAllMocks()
})

const bring = (path: string): Promise<Record<string, unknown>> => {
  const part = (globalThis as Record<symbol, unknown>)[Symbol.for('mai.part')] as (path: string) => Promise<never>
  return part(path)
}
const ran = () => (globalThis as { ran?: string[] }).ran ?? []

function threeParts(): Listed {
  Object.assign(globalThis, { ran: [] })
  const texts = {
    'late.mjs': 'import "./shared.mjs"; globalThis.ran.push("late"); export const late = 1',
    'shared.mjs': 'import "./deep.mjs"; globalThis.ran.push("shared")',
    'deep.mjs': 'globalThis.ran.push("deep")',
  }
  for (const [name, text] of Object.entries(texts)) write(name, text)
  return {
    'late.mjs': [hash(texts['late.mjs']), 'shared.mjs'],
    'shared.mjs': [hash(texts['shared.mjs']), 'deep.mjs'],
    'deep.mjs': [hash(texts['deep.mjs'])],
  }
}

test('parts: a part runs when it and its imports are as published', async () => {
  const listed = threeParts()
  serveParts(async () => listed, base)
  expect(await bring('./late.mjs')).toMatchObject({ late: 1 })
  expect(ran()).toEqual(['deep', 'shared', 'late'])
  expect([...asked].sort()).toEqual(['deep.mjs default', 'late.mjs default', 'shared.mjs default'])
})

test.each(['late.mjs', 'shared.mjs', 'deep.mjs'])('parts: with %s altered nothing of the part runs', async name => {
  const listed = threeParts()
  serveParts(async () => listed, base)
  const published = readFileSync(join(folder, name), 'utf8')
  write(name, `${published} `)
  await expect(bring('./late.mjs')).rejects.toMatchObject({ code: 'reload_needed' })
  expect(ran()).toEqual([])
  write(name, published)
  await bring('./late.mjs')
  expect(ran()).toEqual(['deep', 'shared', 'late'])
})

test('parts: an unlisted part never runs, nor does the function give way to another', async () => {
  const listed = threeParts()
  serveParts(async () => listed, base)
  write('other.mjs', 'globalThis.ran.push("other")')
  await expect(bring('./other.mjs')).rejects.toMatchObject({ code: 'reload_needed' })
  await expect(bring('./constructor')).rejects.toMatchObject({ code: 'reload_needed' })
  expect(ran()).toEqual([])
  expect(Reflect.set(globalThis, Symbol.for('mai.part'), () => undefined)).toBe(false)
})

test('parts: an altered list is refused', async () => {
  const text = JSON.stringify(threeParts())
  write('parts.json', text)
  expect(await listBeside(`parts.json ${hash(text)}`, base)()).toMatchObject({ 'deep.mjs': [expect.any(String)] })
  write('parts.json', text.replace('deep', 'Deep'))
  await expect(listBeside(`parts.json ${hash(text)}`, base)()).rejects.toMatchObject({ code: 'reload_needed' })
})
