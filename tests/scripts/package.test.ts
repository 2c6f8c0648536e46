/** The package's declarations, and the example hosts' dependencies. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { prunedDeclarations } from '../../scripts/declarations.ts'

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
