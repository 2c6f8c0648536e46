import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { shareTags } from '../../scripts/shareTags.ts'

const tagsOf = (address?: string) => (shareTags(address).transformIndexHtml as unknown as () => { attrs: object }[])()
const page = readFileSync(new URL('../../src/main/index.html', import.meta.url), 'utf8')

test('share tags: the page’s address gives canonical and picture, absolute', () => {
  expect(tagsOf('https://sale.example/mai/').map(({ attrs }) => attrs)).toEqual([
    { rel: 'canonical', href: 'https://sale.example/mai/' },
    { property: 'og:url', content: 'https://sale.example/mai/' },
    { property: 'og:image', content: 'https://sale.example/mai/share.png' },
    { property: 'og:image:width', content: '1200' },
    { property: 'og:image:height', content: '630' },
  ])
})

test('share tags: without an address there are none, and anything but https is refused', () => {
  expect(tagsOf()).toEqual([])
  expect(() => shareTags('http://sale.example')).toThrow('VITE_PAGE_URL expected an https address')
})

test.each(['name="description"', 'property="og:title"', 'property="og:description"', 'rel="apple-touch-icon"'])(
  'share tags: the page itself has %s',
  tag => expect(page).toContain(tag),
)
