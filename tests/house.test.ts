import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { deadExports, sharedExports } from './deadExports.ts'
import { broken, importsOf } from './house.ts'
import { riddles } from './prose.ts'
import { timedAssertions } from './timing.ts'

const root = join(import.meta.dirname, '..')
const configs = readdirSync(root).filter(name => name.endsWith('.config.ts'))
const texts = configs.map(name => [name, readFileSync(join(root, name), 'utf8')] as const)

function sources(...folders: string[]): Map<string, string> {
  const files = folders.flatMap(folder => readdirSync(join(root, folder), { withFileTypes: true, recursive: true }))
  return new Map(
    files
      .filter(entry => entry.isFile() && /\.(?:tsx?|mjs)$/.test(entry.name))
      .map(entry => join(entry.parentPath, entry.name))
      .map(path => [relative(root, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')] as const),
  )
}

describe('this house', () => {
  test('every import is allowed in its room, and files are named and cut by the rules', () => {
    expect(broken(sources('src', 'tests', 'scripts'))).toEqual([])
  })

  test('no test is skipped, singled out or tried again', () => {
    const tests = [...sources('tests')].filter(([path]) => /\.(?:test|spec|journey)\.tsx?$/.test(path))
    const mark = /^\s*(?:test|describe|it)\.(?:skip|only|todo|fixme)\b|^\s*(?:test|it)\(.*\{[^}]*\bretry:/m
    const marked = tests.filter(([, text]) => mark.test(text))
    expect(marked.map(([path]) => path)).toEqual([])
  })

  test('references of a log are taken apart where they are put together, timers by the core', () => {
    const apart = /\b(?:purpose|about|timerId)\??\.(?:startsWith|slice|split|indexOf)\(|\.slice\('[a-z]+:'\.length/
    expect(apart.test("if (purpose.startsWith('order:'))")).toBe(true)
    const files = [...sources('src')].filter(([, text]) => apart.test(text))
    expect(files.map(([path]) => path)).toEqual(['src/runtime/core/timerOf.ts'])
  })

  test('no test asserts time or memory', () => {
    const tests = [...sources('tests')].filter(([path]) => !/^tests\/(?:house\.test|timing)\.ts$/.test(path))
    expect(timedAssertions(new Map(tests))).toEqual([])
  })
})

describe('a comment', () => {
  test('begins no sentence with What, Who, So many or Whatever, and has no nobody or whoever', () => {
    expect(configs).toContain('vite.config.ts')
    expect(riddles(new Map([...sources('src', 'tests', 'scripts'), ...texts]))).toEqual([])
  })

  const found = (text: string) => riddles(new Map([['src/a.ts', `export const a = 1\n${text}\n`]]))

  test.each([
    ['/** What a page shows. */', 'What a page shows'],
    ['/**\n * Whoever asks\n * is told.\n */', 'Whoever asks is told'],
    ['/** The queue of a page. Nobody waits for it. */', 'Nobody waits for it'],
    ['/** A queue that nobody waits for. */', 'nobody waits for'],
    ['/** Its sender, whoever\n * that is. */', 'whoever that is'],
    ['// The queue is full.\n// So many inputs wait', 'So many inputs wait'],
    ['const b = 2 // Whatever is left', 'Whatever is left'],
    ['function b() {\n  // Who dies first\n}', 'Who dies first'],
    ['const b = <p>{/* Whichever is newer */}</p>', 'Whichever is newer'],
  ])('that does is found: %s', (text, sentence) => {
    expect(found(text)).toEqual([expect.stringMatching(`^src/a.ts:[23]: ${sentence}`)])
  })

  test.each([
    '/** The page, which shows what a wallet sent. */',
    '/** Whole inputs. */',
    "const b = 'https://example.org/ // What'",
    "const b = '/** What */'",
    "throw new Fault('bad_input', 'What? // Who')",
    'const What = 1',
  ])('that does not is left alone: %s', text => {
    expect(found(text)).toEqual([])
  })
})

describe('an export', () => {
  test('is imported by some other file', () => {
    expect(deadExports(new Map([...sources('src', 'tests', 'scripts'), ...texts]))).toEqual([])
  })

  /** @returns the names of the dead exports of four */
  const dead = (others: Record<string, string>) => {
    const a = 'export const { gone, one: renamed } = both\nexport function kept() {}\nexport type Known = typeof gone'
    return deadExports(new Map(Object.entries({ 'src/a.ts': a, ...others }))).map(found => found.split(' ').at(-1))
  }

  test.each([
    ['by name', { 'src/b.ts': "import { gone as left, renamed, type Known } from './a.ts'" }, ['kept']],
    ['for its type', { 'src/b.ts': "import type { kept } from './a.ts'" }, ['gone', 'renamed', 'Known']],
    ['in a type', { 'src/b.ts': "type B = import('./a.ts').Known" }, ['kept', 'gone', 'renamed']],
    ['with the whole module', { 'src/b.ts': "import * as all from './a.ts'" }, []],
    [
      'by a list of exports',
      { 'src/b.ts': "export { gone as left, kept } from './a.ts'", 'src/c.ts': "import { left } from './b.ts'" },
      ['renamed', 'Known', 'kept'],
    ],
    [
      'at run time',
      { 'src/b.ts': "const late = () => import('./a.ts')", 'src/c.ts': 'const { gone, kept, Known } = await late()' },
      ['renamed', 'Known'],
    ],
  ])('is imported %s', (_how, others, expected) => {
    expect(dead(others)).toEqual(expected)
  })

  test('that shares its name with another one is found', () => {
    const others = {
      'src/b.ts': "import { kept } from './a.ts'\nimport { gone, Known } from './c.ts'\nconst renamed = 1",
    }
    expect(dead(others)).toEqual(['gone', 'renamed', 'Known'])
  })

  test('of an interface that another module extends is imported', () => {
    const files = new Map([
      ['src/a.ts', 'export interface Codes {}\nexport interface Others {}'],
      ['src/b.ts', "declare module './a.ts' {\n  interface Codes extends Record<'a', true> {}\n}"],
    ])
    expect(deadExports(files)).toEqual(['src/a.ts: no other file imports Others'])
  })

  test('that only tests import is found', () => {
    const files = new Map([
      ['src/a.ts', '/** As old as old is. */\nexport const old = 1\nexport const own = 2\nconst twice = own * 2'],
      ['src/b.ts', 'export function publicKeyOf() {}'],
      ['tests/a.test.ts', "import { old, own } from '../src/a.ts'\nimport { publicKeyOf } from '../src/b.ts'"],
    ])
    expect(deadExports(files)).toEqual(['src/a.ts: only tests import old'])
  })

  test('has a name of its own', () => {
    expect(sharedExports(sources('src'))).toEqual([])
  })

  test('whose name another file exports is found', () => {
    const files = new Map([
      ['src/a.ts', 'export type Known = 1'],
      ['src/b.ts', 'export const Known = 2\nconst kept = 1'],
      ['src/c.ts', 'export const kept = 1'],
    ])
    expect(sharedExports(files)).toEqual(['Known is exported by src/a.ts and src/b.ts'])
  })
})

describe('a test that asserts time or memory', () => {
  const says = (path: string, line: string) => timedAssertions(new Map([[path, `import 'x'\n${line}`]])).join()

  test.each([
    ['tests/a.test.ts', 'const began = performance.now()'],
    ['tests/fuzz/a.ts', 'const before = process.cpuUsage()'],
    ['tests/a.ts', 'return process.memoryUsage().heapUsed'],
    ['tests/a.test.tsx', 'expect(Date.now() - began).toBeLessThan(50)'],
    ['tests/a.test.ts', 'expect(expiresAt).toBeGreaterThan(Date.now())'],
    ['tests/journeys/a.journey.ts', 'const took = Date.now() - began'],
    ['tests/journeys/a.journey.ts', "await page.waitForEvent('worker', { timeout: 7500 })"],
    ['tests/a.ts', 'await vi.waitFor(check)'],
    ['tests/a.browser.test.ts', 'await expect.poll(text, { timeout: 10_000 }).toBe(1)'],
  ])('is found in %s: %s', (path, line) => {
    expect(says(path, line)).toContain(`${path}:2: `)
  })

  test.each([
    ['tests/bench/a.ts', 'const began = performance.now()'],
    ['tests/a.test.ts', 'const now = () => Date.now() + ahead'],
    ['tests/a.test.ts', 'test("x", { timeout: 60_000 }, run)'],
    ['tests/journeys/a.journey.ts', "await readUntil(page, () => expect(text).toContainText('x', { timeout: 500 }))"],
    ['src/a.ts', 'const began = performance.now()'],
  ])('is not found in %s: %s', (path, line) => {
    expect(says(path, line)).toBe('')
  })
})

describe('the reading of import lines', () => {
  const kinds = (text: string) => importsOf(text).map(({ specifier, kind }) => `${kind} ${specifier}`)

  test('tells imports of values, of types and at run time apart', () => {
    expect(kinds("import { a } from './a.ts'")).toEqual(['value ./a.ts'])
    expect(kinds("import b, { type B } from './b.ts'")).toEqual(['value ./b.ts'])
    expect(kinds("import './c.css'")).toEqual(['value ./c.css'])
    expect(kinds("import * as d from 'd'")).toEqual(['value d'])
    expect(kinds("export { e } from './e.ts'")).toEqual(['value ./e.ts'])
    expect(kinds("export * from './f.ts'")).toEqual(['value ./f.ts'])
    expect(kinds("import type { G } from './g.ts'")).toEqual(['type ./g.ts'])
    expect(kinds("import { type H, type I } from './h.ts'")).toEqual(['type ./h.ts'])
    expect(kinds("import {\n  type J,\n  k,\n} from './j.ts'")).toEqual(['value ./j.ts'])
    expect(kinds("const l = await import('./l.ts')")).toEqual(['dynamic ./l.ts'])
  })

  test('tells the names that are imported', () => {
    const names = (text: string) => importsOf(text).flatMap(one => one.names)
    expect(names("import a, { b as c, type D } from './a.ts'")).toEqual(['default', 'b', 'D'])
    expect(names("import type { E } from './a.ts'\nimport * as f from 'f'")).toEqual(['E', '*'])
    expect(names("export { g as h } from './a.ts'\nimport './i.css'")).toEqual(['g'])
    expect(names("type J = import('./a.ts').J\nvoid import('./a.ts')")).toEqual(['J'])
  })

  test('ignores comments and exports that import nothing', () => {
    expect(kinds("// import { a } from './a.ts'\n/**\n * import './b.ts'\n */")).toEqual([])
    expect(kinds("export const a = 'b'\nexport type C = { d: 'e' }")).toEqual([])
    expect(kinds("export default 'x'\nexport function f() { return 'y' }")).toEqual([])
  })
})

describe('a house with one thing wrong', () => {
  const says = (files: Record<string, string>) => broken(new Map(Object.entries(files))).join('\n')

  test.each([
    ['the runtime using a fact of the product', 'src/runtime/log/a.ts', "import type { B } from '../../events/b.ts'"],
    ['the runtime using the worker', 'src/runtime/a.ts', "import { b } from '../worker/b.ts'"],
    ['the core reaching for the disk', 'src/runtime/core/a.ts', "import { b } from '../journal/b.ts'"],
    ['events reaching for the disk', 'src/events/a.ts', "import type { B } from '../runtime/journal/b.ts'"],
    ['the ui with a core', 'src/ui/a.ts', "import { b } from '../runtime/core/b.ts'"],
    ['the runtime with a lock of the product', 'src/runtime/tabs/a.ts', "import { b } from '../../events/wire.ts'"],
    ['a page with the tabs of workers', 'src/main/page/a.ts', "import { b } from '../../runtime/tabs/b.ts'"],
    ['a page with a journal', 'src/main/page/a.ts', "import { b } from '../../runtime/journal/b.ts'"],
    ['events reaching into the worker', 'src/events/a.ts', "import { b } from '../worker/b.ts'"],
    ['events with a type of the page', 'src/events/a.ts', "import type { B } from '../ui/b.ts'"],
    ['the worker reaching into the page', 'src/worker/a.ts', "import { b } from '../main/b.ts'"],
    ['the ui reaching into the worker', 'src/ui/a.ts', "import type { B } from '../worker/b.ts'"],
    ['the ui reaching into main', 'src/ui/a.ts', "import { b } from '../main/b.ts'"],
    ['a decider that calls a driver', 'src/worker/deciders/a.ts', "import { b } from '../drivers/b.ts'"],
    ['a driver that calls a decider', 'src/worker/drivers/a.ts', "import { b } from '../deciders/b.ts'"],
    ['the core starting drivers', 'src/worker/core/core.ts', "import { b } from '../drivers/b.ts'"],
    ['one feature using another', 'src/ui/send/A.tsx', "import { B } from '../account/B.tsx'"],
    ['the kit using a feature', 'src/ui/kit/A.tsx', "import { B } from '../account/B.tsx'"],
    ['a source that imports the local stack', 'src/main/a.ts', "import { b } from '../../tests/stack/b.ts'"],
  ])('%s is found', (_name, path, text) => {
    expect(says({ [path]: text })).toContain(`${path}:1: `)
    expect(says({ [path]: text })).toContain('is not for this room')
  })

  test.each([
    ['a database in the ui', 'src/ui/a.ts', "import { openDB } from 'idb'", 'idb'],
    ['react in the worker', 'src/worker/a.ts', "import { useState } from 'react'", 'react'],
    ['a store in a pure room', 'src/worker/rpc/a.ts', "import { openDB } from 'idb'", 'idb'],
    [
      'web3.js outside the drivers',
      'src/worker/chains/solana/a.ts',
      "const x = await import('@solana/web3.js')",
      '@solana/web3.js',
    ],
    ['a store in the core', 'src/runtime/core/a.ts', "import { openDB } from 'idb'", 'idb'],
    ['Node in events', 'src/events/a.ts', "import { readFileSync } from 'node:fs'", 'node:fs'],
  ])('%s is found', (_name, path, text, library) => {
    expect(says({ [path]: text })).toBe(`${path}:1: this room does not use ${library}`)
  })

  test('circles of values and of types are found, a circle with a dynamic import is none', () => {
    const a = "import { b } from './b.ts'\nexport const a = 1"
    expect(says({ 'src/ui/a.ts': a, 'src/ui/b.ts': "import { a } from './a.ts'" })).toBe(
      'src/ui/a.ts → src/ui/b.ts → src/ui/a.ts: a circle of imports',
    )
    for (const back of ["import type { A } from './a.ts'", "import { type A } from './a.ts'"])
      expect(says({ 'src/ui/a.ts': a, 'src/ui/b.ts': back })).toBe(
        'src/ui/a.ts → src/ui/b.ts → src/ui/a.ts: a circle of imports',
      )
    expect(says({ 'src/ui/a.ts': a, 'src/ui/b.ts': "void import('./a.ts')" })).toBe('')
  })

  test.each(['scripts/presale', 'tests/stack'])('a circle in %s is found', folder => {
    const files = {
      [`${folder}/a.ts`]: "import { b } from './b.ts'",
      [`${folder}/b.ts`]: "import type { A } from './a.ts'",
    }
    expect(says(files)).toBe(`${folder}/a.ts → ${folder}/b.ts → ${folder}/a.ts: a circle of imports`)
  })

  test('a test in a folder that src does not have is found', () => {
    const test = { 'tests/worker/tabs/a.test.ts': '' }
    expect(says({ ...test, 'src/worker/a.ts': '' })).toContain('which has no worker/tabs/')
    expect(says({ ...test, 'src/worker/tabs/a.ts': '' })).toBe('')
  })

  test('a meaningless file name and a file that is too long are found', () => {
    expect(says({ 'src/ui/dateUtils.ts': '' })).toContain('the name says nothing')
    expect(says({ 'src/ui/a.ts': '\n'.repeat(400) })).toContain('401 lines')
    expect(says({ 'src/runtime/schema/registry.ts': '\n'.repeat(400) })).toBe('')
  })

  test('allowed imports pass', () => {
    expect(
      says({
        'src/ui/modal/screens.tsx': "import { A } from '../account/A.tsx'",
        'src/ui/send/B.tsx':
          "import { c } from '../kit/C.tsx'\nimport { useModel } from '../react.tsx'\nimport { d } from '../../events/d.ts'",
        'src/worker/worker.ts': "import { e } from './drivers/e.ts'",
        'src/worker/drivers/e.ts': "import { f } from '../chains/f.ts'\nconst w = await import('@solana/web3.js')",
        'src/main/g.ts': "import workerUrl from '../worker/worker.ts?worker&url'",
      }),
    ).toBe('')
  })
})
