import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ui = join(import.meta.dirname, '../../../src/ui')

/** Attributes that a person reads or hears. */
const spoken = /\b(?:aria-label|title|alt|placeholder|label|fact|about|name)="([^"]*\p{L}[^"]*)"/gu
/** Text between tags, at the beginning of a line or behind a tag; code and types are no such text. */
const between = /(?:^\s+|[a-z"}/]>)(\p{Lu}[\p{L}’]*(?:[ ,][\p{L}’,.?]+)*[.?]?)\s*(?:<|\{|$)/gmu
/** Names that are the same in each language, and a type in a component's head. */
const names = /^(?:Pick|MAI|SOL|USDC|WalletConnect|Wallet|UTC)$/

/** @returns texts in a component that its catalogue does not hold */
function literalsOf(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').replace(/<\/?[A-Z]\w*(?:\.\w+)?/g, '<x')
  const found = [...code.matchAll(spoken), ...code.matchAll(between)].map(([, text = '']) => text)
  return found.filter(text => !names.test(text))
}

test('texts: no component holds one of its own', () => {
  const components = readdirSync(ui, { recursive: true, encoding: 'utf8' }).filter(
    path => path.endsWith('.tsx') && !path.startsWith('replayer'),
  )
  const found = components.flatMap(path =>
    literalsOf(readFileSync(join(ui, path), 'utf8')).map(text => `${path}: ${text}`),
  )
  expect(components.length).toBeGreaterThan(60)
  expect(found).toEqual([])
})

test('texts: one in an attribute and one between tags are found', () => {
  expect(literalsOf('<p aria-label="Your order">\n  Pay now\n</p>')).toEqual(['Your order', 'Pay now'])
})
