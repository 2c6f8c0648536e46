import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readContent } from '../../../src/worker/services/content.ts'

const base = 'https://sale.example/v1/terms.json'
const roadmap = [
  { when: 'Q4 2026', title: 'Program audited', text: 'Two firms, both reports public.', done: true },
  { when: 'After the sale', title: 'Launch' },
]
const file = (more: object) => JSON.stringify({ format: 'mai-presale-content/1', questions: [], links: [], ...more })
const readWith = (entries: unknown) => () => readContent(file({ roadmap: entries }), base)
const misfitAt = (place: string) => `the content file expected its own shape, but not so at "${place}"`

describe('the roadmap of a content file', () => {
  test('is read as published, and is absent where the file has none', () => {
    expect(readWith(roadmap)()).toEqual({ roadmap, questions: [], links: [] })
    expect(readContent(file({}), base)).toEqual({ questions: [], links: [] })
    const twelve = Array.from({ length: 12 }, () => ({
      when: 'w'.repeat(40),
      title: 't'.repeat(100),
      text: 'x'.repeat(300),
    }))
    expect(readWith(twelve)().roadmap).toEqual(twelve)
  })

  test('stands beside tokenomics and the project', () => {
    const about = { title: 'MAI', text: 'A token.' }
    const tokenomics = { supply: '5', rows: [{ name: 'Sale', tokens: '5', bps: 10_000 }] }
    expect(readContent(file({ about, tokenomics, roadmap }), base)).toEqual({
      about,
      tokenomics: { rows: [{ name: 'Sale', tokens: '5' }] },
      roadmap,
      questions: [],
      links: [],
    })
  })

  const [first, second] = roadmap
  test.each<[string, unknown, string]>([
    ['no entry', [], 'roadmap'],
    ['13 entries', Array.from({ length: 13 }, () => second), 'roadmap'],
    ['an entry without a title', [first, { when: 'Later' }], 'roadmap.1.title'],
    ['an entry without its time', [{ title: 'Launch' }], 'roadmap.0.when'],
    ['an empty text', [{ ...second, text: '' }], 'roadmap.0.text'],
    ['a time of 41 characters', [{ ...second, when: 'w'.repeat(41) }], 'roadmap.0.when'],
    ['a title of 101 characters', [{ ...second, title: 't'.repeat(101) }], 'roadmap.0.title'],
    ['a text of 301 characters', [{ ...second, text: 'x'.repeat(301) }], 'roadmap.0.text'],
    ['a title that turns around', [{ ...second, title: 'a\u202eb' }], 'roadmap.0.title'],
    ['a text with a hidden character', [{ ...second, text: 'a\u200bb' }], 'roadmap.0.text'],
    ['a key that is unknown', [{ ...second, link: 'https://sale.example/' }], 'roadmap.0.link'],
    ['an entry that is not done by a word', [{ ...second, done: false }], 'roadmap.0.done'],
    ['a list by name', { first }, 'roadmap'],
  ])('with %s is refused by the name of its place', (_, entries, place) => {
    expect(readWith(entries)).toThrow(misfitAt(place))
  })
})

test('the operator’s guide shows a content file that is read, with each of its parts', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/operator.md'), 'utf8')
  const [, example = ''] = /```json\n(\{\n {2}"format": "mai-presale-content\/1"[^`]*)```/.exec(guide) ?? []
  expect(Object.keys(readContent(example, base)).sort()).toEqual([
    'about',
    'links',
    'questions',
    'roadmap',
    'tokenomics',
  ])
})
