/** The gate for packages: what the lockfile and the build hold today passes, and a planted package does not. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Allowed, bundleFindings, bundled, type Locked, lockFindings } from '../../scripts/supply.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }
const allowed = JSON.parse(read('scripts/packages.json')) as Allowed

/** What the gate says when one package is planted into the lockfile. */
const planted = (path: string, entry: Locked, list: Allowed = allowed) =>
  lockFindings({ ...packages, [path]: { version: '1.0.0', integrity: 'sha512-x', ...entry } }, list)

describe('the lockfile', () => {
  test('holds the packages that are allowed, and no others', () => {
    expect(lockFindings(packages, allowed)).toEqual([])
  })

  test('is installed without install scripts', () => {
    expect(read('.npmrc').split('\n')).toContain('ignore-scripts=true')
  })

  test.each<[string, string, Locked, string]>([
    ['a package', 'node_modules/flatmap-stream', {}, 'flatmap-stream@1.0.0 is not in scripts/packages.json'],
    ['a package below another', 'node_modules/react/node_modules/left-pad', {}, 'left-pad@1.0.0 is not in'],
    ['another version', 'node_modules/react', { version: '19.3.2' }, 'react@19.3.2 is not in scripts/packages.json'],
    [
      'a second version',
      'node_modules/a/node_modules/@noble/hashes',
      { version: '9.0.0' },
      '@noble/hashes@9.0.0 is not',
    ],
    [
      'an install script in development',
      'node_modules/x',
      { dev: true, hasInstallScript: true },
      'has an install script',
    ],
    ['a package without a hash', 'node_modules/x', { dev: true, integrity: '' }, 'x@1.0.0 has no integrity'],
    ['a linked folder', 'node_modules/x', { dev: true, link: true }, 'x@1.0.0 has no integrity'],
    [
      'an address of its own',
      'node_modules/x',
      { dev: true, resolved: 'git+ssh://x' },
      'comes from an address of its own',
    ],
  ])('with %s planted is refused', (_name, path, entry, words) => {
    expect(planted(path, entry).join('\n')).toContain(words)
  })

  test('may hold one more package that was public long enough when it was added', () => {
    const list = (dates: { published?: string; added?: string }): Allowed => ({
      ...allowed,
      production: { ...allowed.production, 'x@1.0.0': dates },
    })
    const says = (dates: { published?: string; added?: string }) => planted('node_modules/x', {}, list(dates))
    expect(says({ published: '2026-11-20', added: '2026-12-01' })).toEqual([])
    expect(says({ published: '2026-11-28', added: '2026-12-01' }).join()).toContain('less than 7 days before')
    expect(says({ published: '2026-11-20' }).join()).toContain('expected the days of its publication and its addition')
    expect(lockFindings(packages, list({})).join()).toContain('but not in the lockfile')
  })
})

test('a package that slips into the scripts of a build is named', () => {
  const chunk = { fileName: 'a.js', imports: [], css: [], entryOf: undefined, size: 1 }
  const modules = ['node_modules/react/index.js', 'node_modules/x/node_modules/@evil/drain/a.js', 'src/main/app.tsx']
  const names = bundled({ chunks: new Map([['a.js', { ...chunk, modules }]]), cssSizes: new Map() })
  expect(names).toEqual(['@evil/drain', 'react'])
  expect(bundleFindings(names, allowed)).toEqual([
    'the build holds @evil/drain, which scripts/packages.json does not allow in a browser',
  ])
})
