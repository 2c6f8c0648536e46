import { expect, test } from 'vitest'
import { placeProblem } from '../../../src/main/embed/embedParts.ts'

const origin = 'https://host.example'

test('embed: it starts from its folder on the page’s own origin', () => {
  expect(placeProblem(`${origin}/shop/static/mai/embed.js`, origin)).toBeUndefined()
})

test.each([
  ['https://cdn.example/mai/embed.js', 'it came from https://cdn.example: copy the folder embed/ there'],
  [`${origin}/assets/index-Dk3s.js`, 'a bundler moved it into another file: serve the folder embed/ as it is'],
  ['file:///home/app/node_modules/mai/index.js', 'a bundler moved it into another file'],
])('embed: from %s it is refused with a sentence that says what to do', (url, sentence) => {
  expect(placeProblem(url, origin)).toContain(sentence)
})
