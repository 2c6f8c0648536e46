import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { momentsOf } from '../../../src/runtime/story/moments.ts'
import { foldTo, storyFolds } from '../../../src/events/replay/foldTo.ts'
import { storyOf, type Entry } from '../../../src/runtime/story/story.ts'
import { createWalk, withKnownParts } from '../../../src/runtime/story/walk.ts'
import { boot, connectedLog, createLog, parsed } from '../../events/recordedLog.ts'

const records = parsed(connectedLog())
const moments = momentsOf(records)
const once = storyOf(records, moments)
/** Long enough for intermediate models. */
const many: Entry[] = Array.from({ length: 600 }, () => once).flat()

const facts = (story: readonly Entry[]) =>
  story.flatMap(({ record, index }) => (record.k === 'i' ? [] : [{ record, index }]))
const folded = (story: readonly Entry[], place: number) => foldTo(facts(story.slice(0, place + 1)), place)

describe('walking a story', () => {
  test('gives at every place the fold from nothing', () => {
    const walk = createWalk(storyFolds, once)
    for (let place = -1; place < once.length; place++) expect(walk.at(place)).toEqual(folded(once, place))
  })

  test('gives the same in whatever order places are visited', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1, max: many.length + 5 }), { maxLength: 12 }), places => {
        const walk = createWalk(storyFolds, many)
        for (const place of places) expect(walk.at(place)).toEqual(folded(many, Math.min(place, many.length - 1)))
      }),
      { numRuns: 15 },
    )
  })

  test('returns the same objects for unchanged values, and never writes into them', () => {
    const walk = createWalk(storyFolds, once)
    const at = once.findIndex(({ record }) => record.type === 'connection.made')
    const before = walk.at(at - 1)
    const kept = structuredClone(before)
    const after = walk.at(at)
    expect(after.connection).not.toBe(before.connection)
    expect([after.sale === before.sale, after.listing === before.listing, after.screen === before.screen]).toEqual([
      true,
      true,
      true,
    ])
    walk.at(once.length - 1)
    expect(before).toEqual(kept)
  })

  test('shows the page of the tab that is asked for', () => {
    const log = createLog()
    log.input(boot(1))
    for (const [tab, width] of [
      ['t1', 1280],
      ['t2', 390],
    ] as const)
      log.page('tab.opened', { width, theme: 'light', language: 'en' }, { tab })
    const two = parsed(log.lines)
    const walk = createWalk(storyFolds, storyOf(two, momentsOf(two)))
    const end = log.lines.length
    expect([walk.at(end).tab.width, walk.at(end, 't1').tab.width, walk.at(end, 't2').tab.width]).toEqual([
      390, 1280, 390,
    ])
  })
})

test('a copy shares equal parts, with any values', () => {
  // The reader refuses lines with such a key
  const read = fc.jsonValue().filter(value => !JSON.stringify(value).includes('"__proto__":'))
  fc.assert(
    fc.property(read, read, (value, known) => {
      expect(withKnownParts(value, known)).toEqual(value)
      expect(withKnownParts(structuredClone(value), value)).toBe(value)
    }),
  )
})
