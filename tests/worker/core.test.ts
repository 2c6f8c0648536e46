import { describe, expect, test } from 'vitest'
import { emptyCoreModel } from '../../src/events/app.ts'
import { encode } from '../../src/events/codec.ts'
import type { InputRecord } from '../../src/events/record.ts'
import type { Decider } from '../../src/worker/context.ts'
import { createCore, effectRecord } from '../../src/worker/core.ts'
import { deciders } from '../../src/worker/deciders/index.ts'
import { visit } from '../simulation/visit.ts'
import { bootData, noon } from './world.ts'

const input = (
  n: number,
  type: string,
  data: Record<string, unknown>,
  more: Partial<InputRecord> = {},
): InputRecord => ({
  k: 'i',
  n,
  at: noon + n,
  type,
  v: 1,
  data,
  ...more,
})
const boot = (n: number, life = 1) => input(n, 'core.boot', bootData(life))

function linesOf(inputs: readonly InputRecord[], by = deciders): string[] {
  const core = createCore(by, emptyCoreModel())
  return inputs.flatMap(one => {
    const { facts, effects } = core.step(one)
    const ordered = effectRecord(one.n, effects)
    return [...facts.map(encode), ...(ordered ? [encode(ordered)] : [])]
  })
}

describe('a step', () => {
  test('before the boot is a mistake of whoever calls', () => {
    const core = createCore(deciders, emptyCoreModel())
    expect(() => core.step(input(1, 'page.resumed', {}))).toThrow(/expected core.boot as its first input/)
  })

  test('that throws leaves one fact that says so, no effects, and the model as it was', () => {
    const faulty: Decider = {
      'page.resumed': ctx => {
        ctx.fact('network.offline', {})
        ctx.effect('chain.identify', {})
        throw new TypeError('no')
      },
    }
    const core = createCore([faulty], emptyCoreModel())
    core.step(boot(1))
    const before = JSON.stringify({ ...core.model, core: undefined })
    const { facts, effects } = core.step(input(2, 'page.resumed', {}))
    expect(facts).toMatchObject([
      { seq: 2, type: 'core.faulted', data: { input: 'page.resumed', message: 'TypeError: no' } },
    ])
    expect(effects).toEqual([])
    expect(core.model.core.faults).toBe(1)
    expect(JSON.stringify({ ...core.model, core: undefined })).toBe(before)
    expect(core.step(input(3, 'page.resumed', {})).facts[0]?.seq).toBe(3)
  })

  test('that throws waits for nothing it had ordered', () => {
    let waiting: string[] = []
    const faulty: Decider = {
      'page.resumed': ctx => {
        ctx.effect('chain.identify', {})
        throw new Error('no')
      },
      'page.left': ctx => {
        waiting = Object.keys(ctx.transient.asked)
      },
    }
    const core = createCore([faulty], emptyCoreModel())
    core.step(boot(1))
    core.step(input(2, 'page.resumed', {}))
    core.step(input(3, 'page.left', {}))
    expect(waiting).toEqual([])
  })

  test('that throws at the boot does not spoil the cores that come after it', () => {
    const faulty: Decider = {
      resume: () => {
        throw new Error('no')
      },
    }
    createCore([faulty], emptyCoreModel()).step(boot(1))
    expect(emptyCoreModel().core.faults).toBe(0)
  })

  test('numbers facts without a gap, dates them by their input, and carries the command along', () => {
    const core = createCore(deciders, emptyCoreModel())
    core.step(boot(1))
    const { facts } = core.step(
      input(
        2,
        'connection.connectInstalled',
        { walletKey: 'k', wallet: { walletId: 'w', name: 'W' } },
        { ref: 'c1', tab: 't' },
      ),
    )
    expect(facts).toMatchObject([{ n: 2, at: noon + 2, ref: 'c1', v: 1 }])
    expect(facts[0]?.seq).toBe(core.seq)
  })

  test('names effects by life, input and place, so an answer to another life names nothing here', () => {
    const core = createCore(deciders, emptyCoreModel())
    const { effects } = core.step(boot(1, 3))
    expect(effects.map(effect => effect.id)).toEqual(effects.map((_, index) => `e3.1.${index}`))
    const stranger = core.step(
      input(2, 'effect.failed', { failure: { code: 'unknown', message: '' } }, { to: 'e2.1.0' }),
    )
    expect(stranger).toEqual({ facts: [], effects: [] })
  })

  test('with an input of nobody, or a timer of nobody, does nothing', () => {
    const core = createCore(deciders, emptyCoreModel())
    core.step(boot(1))
    for (const [type, data] of [
      ['vault.failed', { failure: { code: 'unknown', message: '' } }],
      ['timer.fired', { timerId: 'nobody:1' }],
      ['timer.fired', { timerId: 'constructor' }],
      ['something.new', {}],
    ] as const)
      expect(core.step(input(2, type, data))).toEqual({ facts: [], effects: [] })
  })

  test('knows what an answer is about only once', () => {
    const heard: (string | undefined)[] = []
    const asking: Decider = {
      resume: ctx => void ctx.effect('chain.identify', {}, { about: 'this' }),
      'chain.identified': ctx => void heard.push(ctx.cause?.about),
    }
    const core = createCore([asking], emptyCoreModel())
    const [asked] = core.step(boot(1)).effects
    const answer = () => input(2, 'chain.identified', { genesisHash: 'g', caip2: 'c' }, { to: asked?.id ?? '' })
    core.step(answer())
    core.step(answer())
    expect(heard).toEqual(['this', undefined])
  })
})

describe('the same inputs', () => {
  const { inputs, facts, model } = visit('WalletConnect sign')

  test('come out as the same lines, byte for byte, with the same effects', () => {
    const lines = linesOf(inputs)
    expect(linesOf(inputs)).toEqual(lines)
    expect(lines.filter(line => line.startsWith('{"k":"f"'))).toEqual(facts.map(encode))
    expect(lines.some(line => line.includes('"types":["chain.submit"'))).toBe(true)
  })

  test('with another seed come out with other ids', () => {
    const other = inputs.map(one => (one.type === 'core.boot' ? { ...one, data: { ...one.data, seed: 'other' } } : one))
    expect(linesOf(other)).not.toEqual(linesOf(inputs))
  })

  test('without the world around them: no clock, no chance, no outside is asked', () => {
    const names = ['fetch', 'setTimeout', 'WebSocket', 'indexedDB', 'queueMicrotask', 'crypto'] as const
    const kept = names.map(name => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
    const random = Math.random
    const now = Date.now
    const forbidden = (name: string) => () => {
      throw new Error(`the core reached for ${name}`)
    }
    const expected = linesOf(inputs)
    let lines: string[] = []
    try {
      for (const name of names) Object.defineProperty(globalThis, name, { configurable: true, get: forbidden(name) })
      Math.random = forbidden('Math.random')
      Date.now = forbidden('Date.now')
      lines = linesOf(inputs)
    } finally {
      Math.random = random
      Date.now = now
      for (const [name, descriptor] of kept)
        if (descriptor) Object.defineProperty(globalThis, name, descriptor)
        else Reflect.deleteProperty(globalThis, name)
    }
    expect(lines).toEqual(expected)
  })

  test('folded again from their facts are the same model', () => {
    const core = createCore(deciders, emptyCoreModel())
    for (const fact of facts) core.recall(fact)
    expect(core.model).toEqual(model)
    expect(core.seq).toBe(facts.at(-1)?.seq)
  })
})

test.each(['installed sign', 'installed signAndSend', 'WalletConnect bareSignature'] as const)(
  'whatever cannot be undone waits for the disk, all through a purchase with %s',
  way => {
    const core = createCore(deciders, emptyCoreModel())
    const effects = visit(way).inputs.flatMap(one => core.step(one).effects)
    const final = effects.filter(({ type }) => /sign|submit|publish|propose|acknowledge|forget|derive|seal/i.test(type))
    expect(final.length).toBeGreaterThan(1)
    expect(final.filter(({ type, after }) => after !== 'stored' && type !== 'chain.insertSignature')).toEqual([])
  },
)

test('effects are told apart by every word in them, and none have no line', () => {
  const effect = { id: 'e1.1.0', type: 'chain.identify' as const, data: {} }
  expect(effectRecord(1, [])).toBeUndefined()
  const one = effectRecord(1, [effect])
  expect(one).toMatchObject({ k: 'e', n: 1, types: ['chain.identify'] })
  expect(effectRecord(1, [{ ...effect, after: 'stored' }])?.h).not.toBe(one?.h)
  expect(effectRecord(1, [{ ...effect, data: { a: 1 } }])?.h).not.toBe(one?.h)
})
