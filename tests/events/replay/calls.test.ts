import { describe, expect, test } from 'vitest'
import { collectCalls } from '../../../src/events/replay/calls.ts'
import { momentsOf } from '../../../src/runtime/story/moments.ts'
import { storyOf } from '../../../src/runtime/story/story.ts'
import { timelineOf } from '../../../src/events/replay/timeline.ts'
import { momentLink, placeOf } from '../../../src/ui/replayer/moment.ts'
import { boot, connectedLog, createLog, parsed } from '../recordedLog.ts'

function callsOf(records: ReturnType<typeof parsed>) {
  const { calls, take } = collectCalls()
  for (const [index, recorded] of records.entries()) take(recorded, index)
  return calls
}

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

  test('to services name the call, and one whose answer is a fallback has failed', () => {
    const log = createLog()
    log.input(boot(1))
    const ask = (call: string) => log.input({ type: 'service.ask', data: { ask: { call } } })['service.call'] ?? ''
    const chains = { call: 'supportedChains', http: [], ws: [], dropped: 0 }
    log.input({
      type: 'service.answered',
      data: { answer: chains, failure: { code, message: 'no' } },
      to: ask('supportedChains'),
    })
    log.input({ type: 'service.answered', data: { answer: chains }, to: ask('supportedChains') })
    const told = callsOf(parsed(log.lines)).filter(({ type }) => type === 'service.call')
    expect(told.map(({ lane, status, told }) => [lane, status, told])).toEqual([
      ['rpc', 'failed', 'service.answered, supportedChains, unreachable'],
      ['rpc', 'answered', 'service.answered, supportedChains'],
    ])
  })

  test('to services name the call that failed, was refused, is pending or waited for the networks', () => {
    const log = createLog()
    log.input(boot(1))
    const gasPrice = { call: 'gasPrice', chainId: 'eip155:1' }
    const history = { call: 'history', address: 'a', chainId: 'solana:x' }
    const ask = (asked: object) => log.input({ type: 'service.ask', data: { ask: asked } })['service.call'] ?? ''
    const chains = ask(gasPrice)
    ask(history)
    ask({ ...history, cursor: '2' })
    const answer = { call: 'supportedChains', http: ['eip155:1', 'solana:x'], ws: [], dropped: 0 }
    log.input({ type: 'service.answered', data: { answer }, to: chains })
    const failure = { code: 'bad_input', message: 'no' }
    const balance = ask({ call: 'balance', address: 'a', chainId: 'solana:x' })
    log.input({ type: 'service.refused', data: { failure, reasons: ['no'] }, to: balance })
    const sessions = ask({ call: 'sessions', account: 'a' })
    expect(sessions).toBe('')
    log.input({ type: 'effect.failed', data: { failure }, to: ask({ ...history, cursor: '3' }) })
    const told = callsOf(parsed(log.lines)).filter(({ type }) => type.startsWith('service.'))
    expect(told.map(({ asked, status }) => [asked, status])).toEqual([
      ['supportedChains', 'answered'],
      ['gasPrice', 'pending'],
      ['history', 'pending'],
      ['history', 'pending'],
      ['balance', 'failed'],
      ['history', 'failed'],
    ])
  })

  test('over HTTP tell what was asked, the status, and which calls failed', () => {
    const log = createLog()
    log.input(boot(1))
    const calls = [
      { method: 'getMultipleAccounts', count: 1 },
      { method: 'getSlot', count: 2 },
    ]
    const asks = [{ pool: 'sale', endpoints: 1, first: 1, calls, kind: 'single' }]
    const post = () => log.input({ type: 'rpc.asked', data: { asks } })['http.post'] ?? ''
    log.input({ type: 'http.answered', data: { status: 200 }, to: post() })
    log.input({ type: 'http.answered', data: { status: 429 }, to: post() })
    const errors = [{ call: 1, code: 'rate_limited' }]
    log.input({ type: 'http.answered', data: { status: 200, failed: 1, errors }, to: post() })
    const posts = callsOf(parsed(log.lines)).filter(({ type }) => type === 'http.post')
    expect(posts.slice(0, 3).map(({ asked, status, told }) => [asked, status, told])).toEqual([
      ['getMultipleAccounts, getSlot', 'answered', 'HTTP 200'],
      ['getMultipleAccounts, getSlot', 'failed', 'HTTP 429'],
      ['getMultipleAccounts, getSlot', 'failed', 'HTTP 200, rate_limited'],
    ])
  })

  test('that an earlier answer served say so', () => {
    const log = createLog()
    log.input(boot(1))
    const ask = () => log.input({ type: 'service.ask', data: { ask: { call: 'supportedChains' } } })['service.call']
    const to = ask() ?? ''
    ask()
    const answer = { call: 'supportedChains', http: ['eip155:1'], ws: [], dropped: 0 }
    log.input({ type: 'service.answered', data: { answer }, to })
    ask()
    const reused = callsOf(parsed(log.lines)).filter(({ type }) => type === 'service.ask')
    expect(reused.map(({ asked, status, ms, told }) => [asked, status, ms, told])).toEqual([
      ['supportedChains', 'answered', 0, 'joined one under way'],
      ['supportedChains', 'answered', 0, 'reused an answer 1000 ms old'],
    ])
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
