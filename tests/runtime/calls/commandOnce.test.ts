import { describe, expect, test } from 'vitest'
import type { Command } from '../../../src/events/command.ts'
import { createCommandOnce } from '../../../src/runtime/calls/commandOnce.ts'
import { unlogged } from '../../../src/worker/host/calls/onceRules.ts'

const refresh: Command = { type: 'balance.refresh', data: {} }
const request = (method: string): Command => ({
  type: 'request.send',
  data: { sessionTopic: 's', chainId: 'eip155:1', method, params: '[]' },
})
const logged = (ref: string) => JSON.stringify({ k: 'i', n: 1, at: 1, type: 'balance.refresh', v: 1, data: {}, ref })

/** A core over a log with these refs; records the order of its commands. */
function coreOver(...refs: string[]) {
  const taken: string[] = []
  let reads = 0
  const lines = async () => {
    reads += 1
    await new Promise<void>(resolve => setImmediate(resolve))
    return refs.map(logged)
  }
  const once = createCommandOnce({ lines }, unlogged)
  const give = (ref: string, again = false, command = refresh) =>
    once({ command, ref, again }, async () => void taken.push(ref))
  return { give, taken, reads: () => reads }
}

describe('a command given again', () => {
  test('is acknowledged, not repeated, when an earlier core left it in the log', async () => {
    const { give, taken } = coreOver('c1')
    expect(await give('c1', true)).toBe(true)
    expect(taken).toEqual([])
  })

  test('is taken when no core has had it', async () => {
    const { give, taken } = coreOver('c1')
    expect(await give('c2', true)).toBe(false)
    expect(taken).toEqual(['c2'])
  })

  test('is taken once when the first comes late, or comes twice', async () => {
    const { give, taken } = coreOver()
    expect(await Promise.all([give('c1', true), give('c1'), give('c1', true)])).toEqual([false, true, true])
    await give('c1')
    expect(taken).toEqual(['c1'])
  })

  test('is taken before later commands', async () => {
    const { give, taken } = coreOver('c2')
    await Promise.all([give('c1', true), give('c2', true), give('c3', true), give('c4')])
    expect(taken).toEqual(['c1', 'c3', 'c4'])
  })

  test.each([
    ['personal_sign', 'may have been published before its commit, so it is refused', []],
    ['eth_sendTransaction', 'waits for its commit, so it is taken', ['c1']],
  ])('and is the request %s %s', async (method, _, expected) => {
    const { give, taken } = coreOver()
    const end = await give('c1', true, request(method)).catch((cause: unknown) => cause)
    expect(taken).toEqual(expected)
    if (expected.length === 0) expect(end).toMatchObject({ code: 'unknown' })
  })

  test('among many reads the log for all that come meanwhile', async () => {
    const { give, taken, reads } = coreOver('c1', 'c500')
    const refs = Array.from({ length: 500 }, (_, index) => `c${index + 1}`)
    await Promise.all(refs.map(ref => give(ref, true)))
    expect(taken).toEqual(refs.slice(1, -1))
    expect(reads()).toBe(1)
    await Promise.all([give('d1', true), new Promise(setImmediate).then(() => give('d2', true)), give('d3', true)])
    expect([taken.slice(-3), reads()]).toEqual([['d1', 'd3', 'd2'], 3])
  })

  test('after a refusal may come once more', async () => {
    const { give, taken } = coreOver()
    await expect(give('c1', true, request('personal_sign'))).rejects.toThrow('may have published it')
    await give('c1')
    expect(taken).toEqual(['c1'])
  })
})

test('command once: first commands are taken at once, without reading the log', () => {
  const { give, taken, reads } = coreOver()
  void give('c1')
  void give('c2')
  expect([taken, reads()]).toEqual([['c1', 'c2'], 0])
})
