import { describe, expect, test } from 'vitest'
import { callsOf } from '../../../src/events/replay/calls.ts'
import { momentsOf } from '../../../src/runtime/story/moments.ts'
import { storyOf } from '../../../src/runtime/story/story.ts'
import { timelineOf } from '../../../src/events/replay/timeline.ts'
import { momentLink, placeOf } from '../../../src/ui/replayer/moment.ts'
import { boot, connectedLog, createLog, parsed } from '../recordedLog.ts'

const log = createLog()
const asked = log.input(boot(1))
const code = 'unreachable'
log.input({
  type: 'chain.identified',
  data: { genesisHash: 'g', caip2: 'solana:g' },
  to: asked['chain.identify'] ?? '',
})
log.input({ type: 'effect.failed', data: { failure: { code, message: 'no' } }, to: asked['chain.readTerms'] ?? '' })
log.input(boot(2, 'lost'))
const records = parsed(log.lines)
const calls = callsOf(records)
const of = (type: string) => calls.filter(call => call.type === type)

describe('the calls of a recording', () => {
  test('have the status, the duration and the answer', () => {
    expect(of('chain.identify')[0]).toMatchObject({
      lane: 'rpc',
      status: 'answered',
      ms: 1000,
      told: 'chain.identified',
      index: 0,
    })
    expect(of('chain.readTerms')[0]).toMatchObject({ status: 'failed', ms: 2000, told: 'effect.failed, unreachable' })
  })

  test('without an answer are pending, and a later life calls anew', () => {
    expect(of('chain.identify')[1]).toMatchObject({ status: 'pending', id: expect.stringMatching(/^e2\.4\./) })
    expect(of('chain.identify')[1]).not.toHaveProperty('ms')
  })

  test('are drawn once where they cover the same columns', () => {
    const { rpc, relay } = timelineOf(storyOf(records, momentsOf(records)), [...calls, ...calls]).calls
    expect(relay).toEqual([])
    expect(rpc).toContainEqual({ from: 0, to: 1333, status: 'failed' })
    expect(new Set(rpc.map(bar => JSON.stringify(bar))).size).toBe(rpc.length)
  })
})

describe('a link to a moment', () => {
  const lines = parsed(connectedLog())
  const story = storyOf(lines, momentsOf(lines))

  test('leads back to its entry, one of an input behind its facts', () => {
    story.forEach((entry, place) => {
      const found = placeOf(story, momentLink(entry))
      const { record } = entry
      const own = story.flatMap((other, at) =>
        record.k === 'i' && other.record.k !== 'p' && other.record.n === record.n ? [at] : [],
      )
      expect(found).toBe(own.at(-1) ?? place)
    })
  })

  test.each(['', '#', '#n=99', '#fact=x', '#page=1', '#else'])('%j leads nowhere', hash => {
    expect(placeOf(story, hash)).toBeUndefined()
  })
})
