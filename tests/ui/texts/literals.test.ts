import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { literalsOf } from '../../literals.ts'

const ui = join(import.meta.dirname, '../../../src/ui')

test('texts: no component holds one of its own, the replayer’s apart', () => {
  const components = readdirSync(ui, { recursive: true, encoding: 'utf8' }).filter(
    path => path.endsWith('.tsx') && !path.startsWith('replayer'),
  )
  const found = components.flatMap(path =>
    literalsOf(path, readFileSync(join(ui, path), 'utf8')).map(text => `${path}:${text}`),
  )
  expect(components.length).toBeGreaterThan(60)
  expect(found).toEqual([])
})

describe('a text of a component', () => {
  const found = (inside: string) => literalsOf('a.tsx', `export const A = ({ t, on }) => (\n  ${inside}\n)\n`)

  test.each([
    ['between tags', '<p>Pay now</p>', '2: Pay now'],
    ['in lower case and between others', '<p>{t.a} and <b>{t.b}</b></p>', '2: and'],
    ['in another alphabet', '<p>支払う</p>', '2: 支払う'],
    ['in an attribute', '<p aria-label="Your order" />', '2: Your order'],
    ['in braces', "<p title={'Your order'} />", '2: Your order'],
    ['in a prop of the kit', '<Row name="Disconnect" />', '2: Disconnect'],
    ['at one end of a choice', "<p>{on ? t.a : 'Off'}</p>", '2: Off'],
    ['behind a condition', "<p>{on && 'On'}</p>", '2: On'],
    ['around a value', '<p>{`Order ${on}`}</p>', '2: Order'],
    ['joined to a value', "<p>{on + ' left'}</p>", '2: left'],
    ['in a later line', '<p>\n    Pay now\n  </p>', '3: Pay now'],
  ])('%s is found', (_, inside, text) => {
    expect(found(inside)).toEqual([text])
  })

  test.each([
    ['of the catalogue', '<p title={t.title}>{t.text}</p>'],
    ['without letters', '<p>{on} · 12 %</p>'],
    ['that is a name in each language', '<p>MAI</p>'],
    ['that no person reads', '<p className="text-fine" data-testid="greeting" />'],
    ['in an argument', "<p>{t.of('asset')}</p>"],
    ['in a comparison', "<p>{on === 'dark' ? t.a : t.b}</p>"],
  ])('%s is none', (_, inside) => {
    expect(found(inside)).toEqual([])
  })
})
