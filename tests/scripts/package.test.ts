/** The package's declarations, its gates, and the example hosts' dependencies. */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { prunedDeclarations } from '../../scripts/declarations.ts'
import { filesIn } from '../../src/main/replay/filesIn.ts'
import { everyCase } from '../everyCase.ts'

const root = join(import.meta.dirname, '../..')

function pruned(files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(prunedDeclarations(path => files[path] ?? '', ['a/index.d.ts']))
}

test('declarations: only those that an entry needs stay, with their imports and comments', () => {
  const files = {
    'a/index.d.ts': `import { type Config, other } from '../b/config.ts';
import type { Port } from 'comlink';
/** Makes it; not by { or ; alone. */
declare function make(config: Config): void;
declare const port: Port;
export { make as create };
export type { State } from '../b/state.ts';`,
    'b/config.d.ts': `import { Deep as Inner } from './deep.ts';
export type Config = {
    name: 'a;b' | "}";
    inner: Inner;
};
export declare const other: import("./unused.ts").Unused;
interface Lone { a: 1 }`,
    'b/deep.d.ts': `export interface Deep { list: import('./listed.tsx').Listed[] }
export type Unused = 1;`,
    'b/listed.d.ts': 'export declare class Listed { }',
    'b/state.d.ts': 'type Hidden = 1;\nexport type State = Hidden;',
  }
  expect(pruned(files)).toEqual({
    'a/index.d.ts': `import type { Config } from '../b/config.js';
/** Makes it; not by { or ; alone. */
declare function make(config: Config): void;
export { make as create };
export type { State } from '../b/state.js';
export {};
`,
    'b/config.d.ts': `import type { Deep as Inner } from './deep.js';
export type Config = {
    name: 'a;b' | "}";
    inner: Inner;
};
export {};
`,
    'b/deep.d.ts': `export interface Deep { list: import('./listed.js').Listed[] }\nexport {};\n`,
    'b/listed.d.ts': 'export declare class Listed { }\nexport {};\n',
    'b/state.d.ts': 'type Hidden = 1;\nexport type State = Hidden;\nexport {};\n',
  })
})

test('declarations: an import of everything is refused by name', () => {
  expect(() => pruned({ 'a/index.d.ts': "import * as all from './b.ts';\nexport type A = all.A;" })).toThrow(
    'a/index.d.ts: expected imports of names, got import * as all',
  )
})

type Manifest = Partial<Record<'dependencies' | 'devDependencies', Record<string, string>>>
const manifest = (folder: string) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
const pins = ({ dependencies, devDependencies }: Manifest) => ({ ...dependencies, ...devDependencies })

/** Packages that only an example needs: the repository builds nothing with them. */
const ofExamples = { webpack: '5.113.0', 'webpack-cli': '6.0.1' }

test.each(readdirSync(join(root, 'examples')))('example %s: its packages are those of the repository', example => {
  const { 'mai-modal': own, ...others } = pins(manifest(`examples/${example}`))
  expect(own).toBe('file:../../dist-package/mai-modal-0.1.0.tgz')
  expect({ ...pins(manifest('.')), ...ofExamples }).toMatchObject(others)
})

/** Sources as small as a package can be: its entries, each of one line. */
const entries = {
  'package/index.ts': 'export const a = 1',
  'package/react.tsx': 'export const a = 1',
  'package/vite.ts': 'export const a = 1',
  'package/core.ts': 'console.log(1)',
  'package/classic.ts': 'console.log(2)',
  'page/redaction/redactor.ts': 'console.log(3)',
  'embed.ts': 'export const a = 1',
}

describe('npm run package', () => {
  let folder: string
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'mai-package-')))
    for (const name of ['scripts', 'vite.config.ts']) cpSync(join(root, name), join(folder, name), { recursive: true })
    for (const [name, line] of Object.entries(entries)) write(`src/main/${name}`, `${line}\n`)
    const linked = ['node_modules', 'package.json', 'package-lock.json', 'tsconfig.json', 'LICENSE', 'docs']
    const sources = ['events', 'runtime', 'worker', 'main/replay', 'main/page/integrity'].map(name => `src/${name}`)
    for (const name of [...linked, ...sources]) symlinkSync(join(root, name), join(folder, name))
    write('budget.json', budget(1))
    write('dist-package/mai-modal/lib/index.js', 'earlier')
    write('dist-package/mai-modal-0.1.0.tgz', 'earlier')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const budget = (limitKB: number) =>
    JSON.stringify({ budgets: [{ name: 'entry', build: 'package', from: 'src/main/package/index.ts', limitKB }] })
  const packed = () => {
    const made = join(folder, 'dist-package')
    return Object.fromEntries(filesIn(made).map(file => [relative(made, file), readFileSync(file, 'latin1')]))
  }
  const run = (env: Record<string, string> = {}) =>
    spawnSync(process.execPath, ['--import', 'tsx', join(folder, 'scripts/package.ts')], {
      cwd: root,
      env: { ...process.env, ...env },
      encoding: 'utf8',
    })

  const plant = () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: object }
    const evil = { ...packages, 'node_modules/evil': { version: '1.0.0', integrity: `sha512-${'x'.repeat(86)}==` } }
    rmSync(join(folder, 'package-lock.json'))
    write('package-lock.json', JSON.stringify({ packages: evil }))
  }
  const occupy = () => {
    rmSync(join(folder, 'dist-package/mai-modal'), { recursive: true })
    write('dist-package/mai-modal/notes.txt', 'mine')
  }
  const carry = () =>
    write('src/main/package/index.ts', "import letters from 'unhomoglyph'\nexport const a = `${letters}`\n")

  type Case = [name: string, spoil: () => void, words: string, env?: Record<string, string>]
  const others: Case[] = [
    ['a package planted in the lockfile', plant, 'evil@1.0.0 is not in scripts/packages.json'],
    ['a folder of that name with other files', occupy, 'holds something else than a build'],
    ['a package no browser may get', carry, 'the build holds unhomoglyph, which scripts/packages.json'],
    ['an npm that cannot pack', () => undefined, 'spawn npm ENOENT', { PATH: '' }],
  ]
  test.each<Case>([
    ['an exceeded budget', () => write('budget.json', budget(0)), 'budget “entry” allows 0 kB'],
    ...(everyCase ? others : []),
  ])('with %s leaves the earlier folder and tarball', (_name, spoil, words, env) => {
    spoil()
    const earlier = packed()
    const done = run(env)
    expect(done.stderr).toContain(words)
    expect(done.status).toBe(1)
    expect(packed()).toEqual(earlier)
  })

  test('without a finding replaces both', () => {
    const done = run()
    expect(done.stdout).toContain(`Packed into ${join(folder, 'dist-package/mai-modal-0.1.0.tgz')}`)
    const { 'mai-modal-0.1.0.tgz': tarball = '', ...files } = packed()
    const names = Object.keys(files).map(name => name.replace('mai-modal/', ''))
    expect(names.filter(name => !name.includes('/'))).toEqual(['LICENSE', 'README.md', 'package.json'])
    expect(names.filter(name => name.startsWith('embed/'))).toEqual(
      ['embed.js', 'mai-modal.js', 'tag.txt'].map(name => `embed/${name}`),
    )
    expect(files['mai-modal/lib/index.js']).toContain('export { a }')
    expect(gunzipSync(Buffer.from(tarball, 'latin1')).toString('latin1')).toContain('package/lib/index.js')
  })
})
