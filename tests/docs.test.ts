/** Files named in the documentation exist. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keys } from '../src/ui/replayer/hooks/useKeys.ts'

const root = join(import.meta.dirname, '..')
/** Paths in threats.md are below `tests`; `threats.test.ts` checks them. */
const pages = ['README.md', 'CONTRIBUTING.md', ...readdirSync(join(root, 'docs')).map(name => `docs/${name}`)].filter(
  name => name.endsWith('.md') && name !== 'docs/threats.md',
)

test.each(pages)('%s names files and folders that exist', page => {
  const text = readFileSync(join(root, page), 'utf8')
  const named = [...text.matchAll(/`((?:src|tests|scripts|docs)\/[\w./-]*)`/g)].map(([, path = '']) => path)
  const linked = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)\)/g)].map(([, path = '']) => join(page, '..', path))
  expect([...named, ...linked].filter(path => !existsSync(join(root, path)))).toEqual([])
})

const readme = readFileSync(join(root, 'README.md'), 'utf8')

test('README.md begins with the commands and pictures, and leaves reference to docs', () => {
  const shell = readme.slice(readme.indexOf('```sh'))
  expect(shell).toMatch(/^```sh\nnpm start .*\nnpm test .*\n```/)
  for (const picture of ['page', 'modal', 'replayer']) {
    expect(readme).toContain(`](docs/${picture}.png)`)
    expect(statSync(join(root, `docs/${picture}.png`)).size).toBeLessThan(200_000)
  }
  expect(readme).toContain('```mermaid')
  expect(readme.split('\n').length).toBeLessThan(120)
})

test('README.md leads to every document, and to the licence of the package', () => {
  const leads = [...readme.matchAll(/\]\((docs\/[\w.-]+\.md)\)/g)].map(([, path]) => path)
  const documents = readdirSync(join(root, 'docs')).filter(name => name.endsWith('.md'))
  expect(documents.filter(name => !leads.includes(`docs/${name}`))).toEqual([])
  const { license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { license: string }
  expect(readFileSync(join(root, 'LICENSE'), 'utf8')).toContain(`${license} License`)
})

test('commands.md has every script of the package', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const told = readFileSync(join(root, 'docs/commands.md'), 'utf8')
  const named = (script: string) => [`npm ${script}`, `npm run ${script}`].some(name => told.includes(`| \`${name}`))
  expect(Object.keys(scripts).filter(script => !named(script))).toEqual([])
})

test('services.md has every variable of a build', () => {
  const source = ['scripts/addresses.ts', 'vite.config.ts'].map(path => readFileSync(join(root, path), 'utf8')).join()
  const read = [...source.matchAll(/(?:^ {2}|process\.env\.)(VITE_[A-Z_]+)/gm)].map(([, name = '']) => name)
  expect(read.length).toBeGreaterThan(10)
  const rows = readFileSync(join(root, 'docs/services.md'), 'utf8').split('\n')
  expect(read.filter(name => !rows.some(row => row.startsWith('| `VITE_') && row.includes(`\`${name}\``)))).toEqual([])
})

test('recordings.md has the replayer’s keys', () => {
  const told = readFileSync(join(root, 'docs/recordings.md'), 'utf8')
  expect(keys.filter(([key]) => !told.includes(`| ${key} |`) && key !== '⇧ ← →')).toEqual([])
})
