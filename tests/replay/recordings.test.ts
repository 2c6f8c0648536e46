/**
 * Recordings made by the journeys, re-executed on every run. `recordings.browser.test.ts` does the same in Chromium.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { corpus } from './corpus.ts'
import { missingStories } from './stories/story.ts'
import { strictly, wishedFor } from './strictly.ts'

const folder = join(import.meta.dirname, 'recordings')
const names = existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.jsonl')) : []

const wishes = names.flatMap(name => {
  const path = join(folder, name.replace(/\.jsonl$/, '.wish.json'))
  return existsSync(path) ? [{ name, wish: readFileSync(path, 'utf8') }] : []
})
const texts = new Map(names.map(name => [name.replace('.jsonl', ''), readFileSync(join(folder, name), 'utf8')]))

test('recordings: every story of the corpus has a recording', () => {
  expect(missingStories(corpus, texts)).toEqual([])
})

test('recordings: every one without a wish tells a story of the corpus', () => {
  const told = new Set([...corpus.map(({ recording }) => recording), ...wishes.map(({ name }) => name.slice(0, -6))])
  expect([...texts.keys()].filter(name => !told.has(name))).toEqual([])
})

test('recordings: a story without its recording or its facts is missing', () => {
  const stories = corpus.filter(({ recording }) => recording === 'connect-installed-buy-usdc')
  expect(stories).toHaveLength(1)
  expect(missingStories(stories, new Map())[0]).toContain('there is none')
  const cut = (texts.get('connect-installed-buy-usdc') ?? '').replaceAll('"type":"order.finalised"', '"type":"x"')
  expect(missingStories(stories, new Map([['connect-installed-buy-usdc', cut]]))[0]).toContain('order.finalised')
  const paused = corpus.filter(({ recording }) => recording === 'paused-while-wallet-asks')
  const other = (texts.get('paused-while-wallet-asks') ?? '').replaceAll('"code":"paused"', '"code":"ended"')
  expect(missingStories(paused, new Map([['paused-while-wallet-asks', other]]))[0]).toContain(
    'order.gateRefused paused',
  )
})

for (const name of names) {
  test(`${name} comes out byte for byte as it was recorded`, async () => {
    expect(await strictly(readFileSync(join(folder, name), 'utf8'))).toMatchObject({ ok: true })
  })
}

for (const { name, wish } of wishes) {
  test(`${name} causes the facts that are wished for`, async () => {
    expect(await wishedFor(readFileSync(join(folder, name), 'utf8'), wish)).toMatchObject({ ok: true, missed: [] })
  })
}
