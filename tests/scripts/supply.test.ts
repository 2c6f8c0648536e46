/** The gate for packages: today's lockfile and build pass, a planted package does not. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Allowed, bundleFindings, bundled, type Locked, lockFindings } from '../../scripts/supply.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }
const allowed = JSON.parse(read('scripts/packages.json')) as Allowed
const hash = `sha512-${'x'.repeat(86)}==`

/** Findings of the gate with one package planted into the lockfile or a known one altered. */
const planted = (path: string, entry: Locked, list: Allowed = allowed) =>
  lockFindings({ ...packages, [path]: { version: '1.0.0', integrity: hash, ...entry } }, list)
const altered = (path: string, entry: Locked) => planted(path, { ...packages[path], ...entry })

describe('the lockfile', () => {
  test('holds the allowed packages only', () => {
    expect(lockFindings(packages, allowed)).toEqual([])
  })

  test('is installed without install scripts', () => {
    expect(read('.npmrc').split('\n')).toContain('ignore-scripts=true')
  })

  test.each<[string, string, Locked, string]>([
    ['a package', 'node_modules/flatmap-stream', {}, 'flatmap-stream@1.0.0 is not in scripts/packages.json'],
    ['a package below another', 'node_modules/react/node_modules/left-pad', {}, 'left-pad@1.0.0 is not in'],
    ['a second version', 'node_modules/a/node_modules/@noble/hashes', { version: '9.0.0' }, '@noble/hashes@9.0.0 is'],
    ['a package beside node_modules', '../x', {}, '../x@1.0.0 is not in scripts/packages.json'],
    ['a package named like a member of every object', 'node_modules/constructor', {}, 'constructor@1.0.0 is not in'],
    ['an install script', 'node_modules/x', { hasInstallScript: true }, 'has an install script'],
    ['a package without a hash', 'node_modules/x', { integrity: '' }, 'x@1.0.0 has no integrity'],
    ['a linked folder', 'node_modules/x', { link: true }, 'x@1.0.0 has no integrity'],
    ['a repository', 'node_modules/x', { resolved: 'git+ssh://x' }, 'x@1.0.0 comes from an address of its own'],
    ['an archive', 'node_modules/x', { resolved: 'https://x.example/x.tgz' }, 'comes from an address of its own'],
  ])('with %s planted is refused', (_name, path, entry, words) => {
    expect(planted(path, entry).join('\n')).toContain(words)
  })

  test.each<[string, string, Locked, string]>([
    ['another version', 'node_modules/react', { version: '19.3.2' }, 'react@19.3.2 is not in scripts/packages.json'],
    ['another hash', 'node_modules/react', { integrity: hash }, 'react@19.3.1 has another hash than scripts/'],
    ['another hash in development', 'node_modules/vite', { integrity: hash }, 'vite@8.3.8 has another hash than'],
    ['a package behind its name', 'node_modules/react', { name: 'evil' }, 'react@npm:evil@19.3.1 is not in'],
    ['an address of its own', 'node_modules/react', { resolved: 'https://x.example/' }, 'comes from an address of its'],
    ['an install script', 'node_modules/react', { hasInstallScript: true }, 'has an install script'],
  ])('in which a package has %s is refused', (_name, path, entry, words) => {
    expect(altered(path, entry).join('\n')).toContain(words)
  })

  test.each([
    ['public long enough', `2026-11-16 ${hash}`, undefined],
    ['too young', `2026-11-17 ${hash}`, 'x@1.0.0 was published on 2026-11-17, less than 7 days before 2026-11-23'],
    ['of no day', hash, 'x@1.0.0 expected a day and a sha512 hash'],
    ['of a day that there is not', `2026-13-01 ${hash}`, 'x@1.0.0 was published on 2026-13-01, less than'],
    ['of a weak hash', '2026-01-01 sha1-x', 'x@1.0.0 expected a day and a sha512 hash'],
  ])('may hold one more listed package: one that is %s', (_name, known, words) => {
    const list = { ...allowed, judged: '2026-11-23', locked: { ...allowed.locked, 'x@1.0.0': known } }
    const found = planted('node_modules/x', {}, list)
    if (words === undefined) expect(found).toEqual([])
    else expect(found.join('\n')).toContain(words)
    expect(lockFindings(packages, list).join()).toContain('x@1.0.0 is in scripts/packages.json, but not in')
  })

  test('needs a list with a day that is not in the future', () => {
    const today = Date.parse('2026-12-01')
    const says = (judged: string) => lockFindings(packages, { ...allowed, judged }, today).join('\n')
    expect(says('2026-12-01')).toBe('')
    for (const judged of ['2026-12-02', ''])
      expect(says(judged)).toContain(`scripts/packages.json expected to be judged by today, got ${judged}`)
  })
})

test('supply: an unlisted package in a build’s scripts is named', () => {
  const chunk = { fileName: 'a.js', imports: [], css: [], entryOf: undefined, size: 1 }
  const modules = ['node_modules/react/index.js', 'node_modules/x/node_modules/@evil/drain/a.js', 'src/main/app.tsx']
  const names = bundled({ chunks: new Map([['a.js', { ...chunk, modules }]]), cssSizes: new Map() })
  expect(names).toEqual(['@evil/drain', 'react'])
  expect(bundleFindings(names, allowed)).toEqual([
    'the build holds @evil/drain, which scripts/packages.json does not allow in a browser',
  ])
})

test('supply: a build stops at a planted package, and builds nothing', () => {
  const root = join(import.meta.dirname, '../..')
  const folder = mkdtempSync(join(tmpdir(), 'mai-supply-'))
  try {
    cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true })
    for (const name of ['src', 'node_modules', 'vite.config.ts', 'package.json', 'tsconfig.json'])
      symlinkSync(join(root, name), join(folder, name))
    const evil = { ...packages, 'node_modules/evil': { version: '1.0.0', integrity: hash } }
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: evil }))
    const env = {
      ...process.env,
      VITE_SALE_AUTHORITY: '6NHBtZjnVhcsp6P4USe7icFZVBtxHsjTLbAWDutvcad3',
      VITE_SALE_ID: 'mai-presale-1',
    }
    const args = ['--import', 'tsx', join(folder, 'scripts/build.ts')]
    const done = spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' })
    expect(done.stderr).toContain('evil@1.0.0 is not in scripts/packages.json')
    expect(done.status).toBe(1)
    expect(existsSync(join(folder, 'dist'))).toBe(false)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
