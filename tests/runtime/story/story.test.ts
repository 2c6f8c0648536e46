import { describe, expect, test } from 'vitest'
import { momentsOf } from '../../../src/runtime/story/moments.ts'
import { beginOfStep, endsStep, nearestIndex, recordedIndex, storyOf } from '../../../src/runtime/story/story.ts'
import { isCommand } from '../../../src/events/replay/causes.ts'
import { connectedLog, parsed } from '../../events/recordedLog.ts'

const records = parsed(connectedLog())
const story = storyOf(records, momentsOf(records))
const types = story.map(({ record }) => `${record.k} ${record.type}`)
const at = (type: string) => types.indexOf(type)

describe('a story', () => {
  test('has every input, fact and page fact once, each input before its facts', () => {
    expect(story).toHaveLength(records.filter(({ record }) => record.k !== 'e').length)
    expect(new Set(story.map(({ index }) => index)).size).toBe(story.length)
    expect(at('i connection.connectInstalled')).toBe(at('f connection.requested') - 1)
    const inputs = story.flatMap(({ record }) => (record.k === 'i' ? [record.n] : []))
    expect(inputs).toEqual([...inputs].sort((a, b) => a - b))
  })

  test('rests, by inputs, after all facts of an input', () => {
    const rests = types.filter((_, place) => endsStep(story, place))
    expect(rests).toContain('f connection.requested')
    expect(rests).not.toContain('i connection.connectInstalled')
    expect(rests.filter(rest => rest.startsWith('p'))).toHaveLength(5)
    expect(beginOfStep(story, at('f connection.requested'))).toBe(at('i connection.connectInstalled'))
    expect(beginOfStep(story, at('p screen.opened'))).toBe(at('p screen.opened') - 1)
  })

  test('finds commands in both directions, and stays where there is none', () => {
    const command = at('i connection.connectInstalled')
    expect(nearestIndex(story, 0, 1, isCommand)).toBe(command)
    expect(nearestIndex(story, story.length - 1, -1, isCommand)).toBe(command)
    expect(nearestIndex(story, command, -1, isCommand)).toBe(command)
  })

  test('finds each record’s place', () => {
    story.forEach(({ index }, place) => expect(recordedIndex(story, index)).toBe(place))
    expect(
      recordedIndex(
        story,
        records.findIndex(({ record }) => record.k === 'e'),
      ),
    ).toBeUndefined()
  })
})
