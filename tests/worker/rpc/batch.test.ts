import { describe, expect, test } from 'vitest'
import { Fault } from '../../../src/runtime/failure.ts'
import { callKey, readAnswers, requestText, resultOf, type WireCall } from '../../../src/worker/rpc/batch.ts'
import { splitCalls } from '../../../src/worker/rpc/calls.ts'

const slot: WireCall = { id: 1, method: 'getSlot', params: [] }
const balance: WireCall = { id: 2, method: 'getBalance', params: ['a'] }
const node = 'the Solana RPC at x'
const faultOf = (run: () => unknown): Fault => {
  try {
    run()
  } catch (cause) {
    if (cause instanceof Fault) return cause
    throw cause
  }
  throw new Error('nothing was thrown')
}

describe('a request', () => {
  test('with one call is an object, with two a list', () => {
    expect(JSON.parse(requestText([slot]))).toEqual({ jsonrpc: '2.0', id: 1, method: 'getSlot', params: [] })
    expect(JSON.parse(requestText([slot, balance]))).toHaveLength(2)
  })

  test('holds a thousand calls at most', () => {
    const requests = splitCalls(Array.from({ length: 2001 }, (_, at) => at))
    expect(requests.map(request => request.length)).toEqual([1000, 1000, 1])
    expect(requests.flat()).toEqual(Array.from({ length: 2001 }, (_, at) => at))
  })

  test('has equal keys for equal calls only', () => {
    expect(callKey({ method: 'getBalance', params: ['a'] })).toBe(callKey({ method: 'getBalance', params: ['a'] }))
    expect(callKey({ method: 'getBalance', params: ['a'] })).not.toBe(callKey({ method: 'getBalance', params: ['b'] }))
  })
})

describe('answers', () => {
  test('are matched by id, whatever their order', () => {
    const body = [
      { id: 2, result: 20 },
      { id: 99, result: 'nobody asked' },
      { id: 1, result: 10 },
    ]
    expect(readAnswers([slot, balance], body, node)).toEqual([{ result: 10 }, { result: 20 }])
  })

  test('of a gateway that turns ids into text are still matched', () => {
    expect(readAnswers([slot], { id: '1', result: 10 }, node)).toEqual([{ result: 10 }])
  })

  test('with a repeated id count once, the first time', () => {
    const body = [
      { id: 1, result: 10 },
      { id: 1, result: 11 },
      { id: 2, result: null },
    ]
    expect(readAnswers([slot, balance], body, node)).toEqual([{ result: 10 }, { result: null }])
  })

  test('that are missing are a fault of that call alone', () => {
    const [first, second] = readAnswers([slot, balance], [{ id: 2, result: 20 }], node)
    expect(faultOf(() => resultOf(first ?? { result: 0 }, 'getSlot', node))).toMatchObject({ code: 'bad_response' })
    expect(second).toEqual({ result: 20 })
  })

  test('with neither result nor error are a fault', () => {
    const [only] = readAnswers([slot], { id: 1 }, node)
    expect(faultOf(() => resultOf(only ?? { result: 0 }, 'getSlot', node)).message).toContain(
      'neither result nor error',
    )
  })

  test('that refuse the whole batch refuse every call', () => {
    const body = { id: null, error: { code: -32600, message: 'no batches' } }
    expect(readAnswers([slot, balance], body, node)).toEqual([
      { error: { code: -32600, message: 'no batches' } },
      { error: { code: -32600, message: 'no batches' } },
    ])
  })

  test.each([[null], ['text'], [7], [[]], [[null, 1, 'x']], [{}]])('of another form (%j) are faults', body => {
    for (const outcome of readAnswers([slot, balance], body, node)) {
      expect(faultOf(() => resultOf(outcome, 'getSlot', node)).code).toBe('bad_response')
    }
  })
})

describe('errors of a node', () => {
  const codeOf = (error: unknown) => {
    const [outcome] = readAnswers([slot], { id: 1, error }, node)
    return faultOf(() => resultOf(outcome ?? { result: 0 }, 'getSlot', node)).code
  }

  test('are told apart by their code', () => {
    expect(codeOf({ code: -32601, message: 'Method not found' })).toBe('unsupported')
    expect(codeOf({ code: -32602, message: 'Invalid param: WrongSize' })).toBe('bad_input')
    expect(codeOf({ code: -32429, message: 'Too many requests' })).toBe('rate_limited')
    expect(codeOf({ code: -32016, message: 'Minimum context slot has not been reached' })).toBe('unreachable')
    expect(codeOf({ code: 12345, message: 'what nobody knows' })).toBe('bad_response')
  })

  test.each([
    [-32700, 'bad_response'],
    [-32600, 'bad_input'],
    [-32603, 'unreachable'],
    [-32000, 'unreachable'],
    [-32002, 'simulation_failed'],
    [-32006, 'bad_input'],
    [-32008, 'unreachable'],
    [-32012, 'unreachable'],
    [-32013, 'bad_input'],
    [4001, 'user_rejected'],
    [4100, 'unauthorized'],
    [4200, 'unsupported'],
    [4900, 'unreachable'],
    [4901, 'unreachable'],
    [4902, 'wrong_cluster'],
    [5000, 'user_rejected'],
    [5700, 'unsupported'],
    [5710, 'unsupported'],
    [5720, 'bad_input'],
    [5730, 'bad_input'],
    [5740, 'bad_input'],
    [5750, 'user_rejected'],
    [5760, 'unsupported'],
  ])('with code %i are %s', (code, named) => {
    expect(codeOf({ code, message: '' })).toBe(named)
  })

  test('with code -32005 mean a node behind or a limit, by their message', () => {
    expect(codeOf({ code: -32005, message: 'Node is behind by 42 slots', data: { numSlotsBehind: 42 } })).toBe(
      'unreachable',
    )
    expect(codeOf({ code: -32005, message: 'daily request count exceeded' })).toBe('rate_limited')
  })

  test('of another form are still errors', () => {
    expect(codeOf('broken')).toBe('bad_response')
    expect(codeOf({})).toBe('bad_response')
    expect(codeOf([])).toBe('bad_response')
  })

  test('do not quote the node’s message', () => {
    const [outcome] = readAnswers([slot], { id: 1, error: { code: 1, message: 'no such key: 4242' } }, node)
    const { message } = faultOf(() => resultOf(outcome ?? { result: 0 }, 'getSlot', node))
    expect(message).toBe('the Solana RPC at x expected to answer getSlot, got error 1')
  })
})
