import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { badExpressions, problemOf } from './expressions.ts'

const root = join(import.meta.dirname, '..')

/** Files that build an expression from safe parts: a number, another expression's source, or escaped text. */
const madeAtRunTime = [
  'src/runtime/replay/names.ts',
  'src/runtime/schema/registry.ts',
  'src/ui/replayer/hooks/useFound.ts',
]

test('regular expressions: none in src has a quantifier in a repeated group or a back reference', () => {
  const files = readdirSync(join(root, 'src'), { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile() && /\.(?:tsx?|js)$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))
  expect(files.length).toBeGreaterThan(300)
  const bad = files.flatMap(file => badExpressions(relative(root, file), readFileSync(file, 'utf8')))
  expect(bad.map(sentence => sentence.replace(/:.*\/\(\?:\.\*\)\*\/.*/, '')).sort()).toEqual(madeAtRunTime)
})

test.each([
  ['the one that hung the page', String.raw`^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--[^]*?-->\s*)*<svg[\s>]`],
  ['a star in a star', '(a*)*'],
  ['a plus in a count', '(?:a+b){2,9}'],
  ['an option in a star', '(?:ab?)*'],
  ['a count in a lookahead in a star', '(?:(?=a{1,3})b)+'],
  ['a reference back', String.raw`(a|b)\1`],
  ['a reference by name', String.raw`(?<x>a)\k<x>`],
])('regular expressions: %s is refused', (_, pattern) => {
  expect(problemOf(pattern, '')).toBeDefined()
})

test.each([String.raw`^[a-z]+:\/\/[^?#]*$`, '(?:ab{2}c)*', '(?:a|b)?c+', String.raw`\p{M}{3}\p{M}+`])(
  'regular expressions: %s is accepted',
  pattern => {
    expect(problemOf(pattern, 'u')).toBeUndefined()
  },
)

test('regular expressions: a planted one is found in any position, also one built at run time', () => {
  const source = `const a = <p>{text.replace(/x/g, '')}</p>
    export const b = (s: string) => s.match(/^(?:a+)+$/u) ?? new RegExp('(b*)*') ?? RegExp(s)`
  expect(badExpressions('planted.tsx', source).map(sentence => sentence.split(' ').slice(0, 2))).toEqual([
    ['planted.tsx:2', '/^(?:a+)+$/u'],
    ['planted.tsx:2', '/(b*)*/'],
    ['planted.tsx:2', '/(?:.*)*/'],
  ])
})
