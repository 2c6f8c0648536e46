/** Files named in the documentation exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
/** Paths in threats.md are below `tests`; `threats.test.ts` checks them. */
const pages = ['README.md', ...readdirSync(join(root, 'docs')).map(name => `docs/${name}`)].filter(
  name => name.endsWith('.md') && name !== 'docs/threats.md',
)

test.each(pages)('%s names files and folders that exist', page => {
  const text = readFileSync(join(root, page), 'utf8')
  const named = [...text.matchAll(/`((?:src|tests|scripts|docs)\/[\w./-]*)`/g)].map(([, path = '']) => path)
  const linked = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)\)/g)].map(([, path = '']) => join(page, '..', path))
  expect([...named, ...linked].filter(path => !existsSync(join(root, path)))).toEqual([])
})
