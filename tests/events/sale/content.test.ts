import { describe, expect, test } from 'vitest'
import { loggedContent } from '../../../src/events/sale/content.ts'

const isContentLike = (value: unknown) => loggedContent.check(value) === undefined

describe('content in a log from elsewhere', () => {
  const content = {
    tokenomics: { note: 'n', rows: [{ name: 'Team', tokens: '5' }] },
    roadmap: [
      { when: 'w', title: 't', text: 'x', done: true },
      { when: 'w', title: 't' },
    ],
    questions: [{ question: 'q', answer: 'a' }],
    links: [{ name: 'n', url: 'https://x.example/' }],
  }

  test('is taken when its lists are of texts', () => {
    expect(isContentLike(content)).toBe(true)
    expect(isContentLike({ questions: [], links: [] })).toBe(true)
  })

  test.each([
    [null],
    [{}],
    [{ ...content, questions: 'q' }],
    [{ ...content, questions: [{ question: 'q' }] }],
    [{ ...content, links: [null] }],
    [{ ...content, roadmap: 'x' }],
    [{ ...content, roadmap: [{ when: 'w' }] }],
    [{ ...content, roadmap: [{ when: 'w', title: 't', done: 'yes' }] }],
    [{ ...content, tokenomics: 'x' }],
    [{ ...content, tokenomics: { rows: [{ name: 'Team', tokens: '-5' }] } }],
    [{ ...content, tokenomics: { note: 1, rows: [] } }],
  ])('is refused as %j', value => {
    expect(isContentLike(value)).toBe(false)
  })
})
