import { describe, expect, test } from 'vitest'
import { emptyCoreModel } from '../../../src/events/emptyModel.ts'
import { encode } from '../../../src/events/log/codec.ts'
import type { Effect, InputRecord } from '../../../src/runtime/log/record.ts'
import type { Decider } from '../../../src/worker/core/context.ts'
import { createCore } from '../../../src/worker/core/core.ts'
import { isLeftOut } from '../../../src/runtime/failure.ts'
import { effectRecord } from '../../../src/runtime/core/coreMachine.ts'
import { deciders } from '../../../src/worker/deciders/index.ts'
import { visit } from '../../simulation/visit.ts'
import { bootData, noon } from '../world.ts'

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
    const ordered = effectRecord(one, effects)
    return [...facts.map(encode), ...(ordered ? [encode(ordered)] : [])]
  })
}

describe('a step', () => {
  test('before the boot is a mistake of its caller', () => {
    const core = createCore(deciders, emptyCoreModel())
    expect(() => core.step(input(1, 'page.resumed', {}))).toThrow(/expected core.boot as its first input/)
  })

  test('that throws leaves one fact about it, no effects, and the model as before', () => {
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
      {
        seq: 2,
        type: 'core.faulted',
        data: { input: 'page.resumed', message: 'an unforeseen TypeError stopped this step' },
      },
    ])
    expect(effects).toEqual([])
    expect(core.model.core.faults).toBe(1)
    expect(JSON.stringify({ ...core.model, core: undefined })).toBe(before)
    expect(core.step(input(3, 'page.resumed', {})).facts[0]?.seq).toBe(3)
  })

  test('that throws drops the waits of its effects', () => {
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

  test('that throws on an answer ends the wait for that answer', () => {
    const told: unknown[] = []
    const faulty: Decider = {
      'page.resumed': ctx => void ctx.effect('chain.readTerms', {}, { about: 'the terms' }),
      'chain.identified': () => {
        throw new Error('no')
      },
      failed: { 'chain.readTerms': (ctx, { code }, about) => told.push([ctx.cause, code, about]) },
    }
    const core = createCore([faulty], emptyCoreModel())
    core.step(boot(1))
    const [asked] = core.step(input(2, 'page.resumed', {})).effects
    core.step(input(3, 'chain.identified', { genesisHash: 'g', caip2: 'c' }, { to: asked?.id ?? '' }))
    expect(told).toEqual([[{ type: 'chain.readTerms', about: 'the terms' }, 'bad_response', 'the terms']])
  })

  test('that throws on a wallet’s answer leaves its outcome to the chain', () => {
    const told: unknown[] = []
    const faulty: Decider = {
      'wallet.sent': () => {
        throw new Error('no')
      },
      'wallet.failed': (ctx, { failure }) => told.push([ctx.input.to, failure.code]),
    }
    const core = createCore([faulty], emptyCoreModel())
    core.step(boot(1))
    core.step(input(2, 'wallet.sent', { signature: 's' }, { to: 'e0.7.0' }))
    expect(told).toEqual([['e0.7.0', 'wallet_gone']])
  })

  test('that throws on a timer sets it again a minute later, and on a message still acknowledges it', () => {
    const faulty: Decider = {
      timers: {
        watch: () => {
          throw new Error('no')
        },
      },
      'relay.message': () => {
        throw new Error('no')
      },
    }
    const core = createCore([...deciders, faulty], emptyCoreModel())
    core.step(boot(1))
    const fired = core.step(input(2, 'timer.fired', { timerId: 'watch:o' }))
    expect(fired.effects).toMatchObject([{ type: 'timer.set', data: { timerId: 'watch:o', at: noon + 2 + 60_000 } }])
    const data = { pushId: '7', topic: 't', hash: 'h', publishedAt: 1, tag: 1, payload: { kind: 'ping', id: '1' } }
    const heard = core.step(input(3, 'relay.message', data))
    expect(heard.effects).toMatchObject([{ type: 'relay.acknowledge', data: { pushId: '7' }, after: 'stored' }])
  })

  test('that throws again during its recovery leaves the one fact', () => {
    const faulty: Decider = {
      'wallet.sent': () => {
        throw new Error('one')
      },
      'wallet.failed': ctx => {
        ctx.fact('network.offline', {})
        throw new Error('two')
      },
    }
    const core = createCore([faulty], emptyCoreModel())
    core.step(boot(1))
    const { facts, effects } = core.step(input(2, 'wallet.sent', { signature: 's' }, { to: 'e0.7.0' }))
    expect(facts).toMatchObject([
      { seq: 2, type: 'core.faulted', data: { message: 'an unforeseen Error stopped this step' } },
    ])
    expect(effects).toEqual([])
    expect(core.seq).toBe(2)
  })

  test('that throws at the boot lets every other subject resume', () => {
    const faulty: Decider = {
      resume: ctx => {
        ctx.fact('network.offline', {})
        throw new Error('no')
      },
    }
    const sound: Decider = { resume: ctx => void ctx.effect('chain.identify', {}) }
    const core = createCore([sound, faulty, sound], emptyCoreModel())
    const { facts, effects } = core.step(boot(1))
    expect(facts.map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'core.faulted'],
      [2, 'core.started'],
    ])
    expect(effects.map(({ id }) => id)).toEqual(['e1.1.0', 'e1.1.1'])
  })

  test('gives the failure of an effect to the deciders that order such effects, and to no other', () => {
    const told: string[] = []
    const asker: Decider = {
      'page.resumed': ctx => void ctx.effect('chain.readTerms', {}, { about: 'the terms' }),
      failed: { 'chain.readTerms': (_, { code }, about) => told.push(`${code} for ${about}`) },
    }
    const other: Decider = { failed: { 'chain.identify': () => told.push('of another effect') } }
    const core = createCore([other, asker], emptyCoreModel())
    core.step(boot(1))
    const [asked] = core.step(input(2, 'page.resumed', {})).effects
    const failure = { code: 'timeout', message: '' }
    for (const n of [3, 4]) core.step(input(n, 'effect.failed', { failure }, { to: asked?.id ?? '' }))
    expect(told).toEqual(['timeout for the terms'])
  })

  test('in place of a quarantined input says so and ends its waits', () => {
    const told: unknown[] = []
    const waiting: Decider = {
      'page.resumed': ctx => void ctx.effect('chain.readTerms', {}),
      failed: { 'chain.readTerms': (ctx, failure) => told.push(ctx.cause?.type, isLeftOut(failure)) },
    }
    const core = createCore([waiting], emptyCoreModel())
    core.step(boot(1))
    const [asked] = core.step(input(2, 'page.resumed', {})).effects
    const { facts } = core.step(input(3, 'core.setAside', { input: 'chain.terms' }, { to: asked?.id ?? '' }))
    expect(facts).toMatchObject([{ type: 'core.inputSetAside', data: { input: 'chain.terms' } }])
    expect(told).toEqual(['chain.readTerms', true])
    expect(core.model.core.dropped).toEqual({ count: 1, input: 'chain.terms' })
  })

  test('in place of an answer that makes a decider throw tells a failure that another attempt may end', () => {
    const told: unknown[] = []
    const faulty: Decider = {
      'page.resumed': ctx => void ctx.effect('chain.readTerms', {}),
      'chain.identified': () => {
        throw new Error('no')
      },
      failed: { 'chain.readTerms': (_, failure) => told.push(failure.code, isLeftOut(failure)) },
    }
    const core = createCore([faulty], emptyCoreModel())
    core.step(boot(1))
    const [asked] = core.step(input(2, 'page.resumed', {})).effects
    core.step(input(3, 'chain.identified', { genesisHash: 'g', caip2: 'solana:g' }, { to: asked?.id ?? '' }))
    expect(told).toEqual(['bad_response', false])
  })

  test('in place of a quarantined timer sets it again a minute later', () => {
    const core = createCore([], emptyCoreModel())
    core.step(boot(1))
    const { effects } = core.step(input(2, 'core.setAside', { input: 'timer.fired', timerId: 'watch:o' }))
    expect(effects).toMatchObject([{ type: 'timer.set', data: { timerId: 'watch:o', at: noon + 2 + 60_000 } }])
  })

  test('that throws at the boot leaves later cores working', () => {
    const faulty: Decider = {
      resume: () => {
        throw new Error('no')
      },
    }
    createCore([faulty], emptyCoreModel()).step(boot(1))
    expect(emptyCoreModel().core.faults).toBe(0)
  })

  test('numbers facts without a gap, dates them by their input, and carries the command’s ref', () => {
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
    expect(facts).toMatchObject([{ n: 2, at: noon + 2, ref: 'c1', v: 2 }])
    expect(facts[0]?.seq).toBe(core.seq)
  })

  test('names effects by life, input and place, so an answer to another life matches none', () => {
    const core = createCore(deciders, emptyCoreModel())
    const { effects } = core.step(boot(1, 3))
    expect(effects.map(effect => effect.id)).toEqual(effects.map((_, index) => `e3.1.${index}`))
    const stranger = core.step(
      input(2, 'effect.failed', { failure: { code: 'unknown', message: '' } }, { to: 'e2.1.0' }),
    )
    expect(stranger).toEqual({ facts: [], effects: [] })
  })

  test('with an unknown input or timer does nothing', () => {
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

  test('matches an answer to its effect only once', () => {
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

describe('equal inputs', () => {
  const { inputs, facts, model } = visit('WalletConnect sign')

  test('yield the same lines, byte for byte, with the same effects', () => {
    const lines = linesOf(inputs)
    expect(linesOf(inputs)).toEqual(lines)
    expect(lines.filter(line => line.startsWith('{"k":"f"'))).toEqual(facts.map(encode))
    expect(lines.some(line => line.includes('"types":["chain.submit"'))).toBe(true)
  })

  test('with another seed yield other ids', () => {
    const other = inputs.map(one => (one.type === 'core.boot' ? { ...one, data: { ...one.data, seed: 'other' } } : one))
    expect(linesOf(other)).not.toEqual(linesOf(inputs))
  })

  test('need no clock, no chance and no I/O', () => {
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

  test('yield the same model when their facts are folded again', () => {
    const core = createCore(deciders, emptyCoreModel())
    for (const fact of facts) core.recall(fact)
    expect(core.model).toEqual(model)
    expect(core.seq).toBe(facts.at(-1)?.seq)
  })
})

test.each(['installed sign', 'installed signAndSend', 'WalletConnect bareSignature'] as const)(
  'core: irreversible effects wait for the commit, through a purchase with %s',
  way => {
    const core = createCore(deciders, emptyCoreModel())
    const effects = visit(way).inputs.flatMap(one => core.step(one).effects)
    const final = effects.filter(({ type }) => /sign|submit|publish|propose|acknowledge|forget/i.test(type))
    expect(final.length).toBeGreaterThan(1)
    // A message that asks a wallet for nothing moves no money, so it may leave before its commit
    const isLight = (type: string, data: object) => /propose/.test(type) || ('tag' in data && data.tag !== 1108)
    const wanted = (type: string, data: object) => (isLight(type, data) ? ['written', 'stored'] : ['stored'])
    const early = final.filter(({ type, data, after = '' }) => !wanted(type, data).includes(after))
    expect(early.filter(({ type }) => type !== 'chain.insertSignature')).toEqual([])
  },
)

test('core: the hash of effects covers every word, and no effects have no line', () => {
  const effect = { id: 'e1.1.0', type: 'chain.identify' as const, data: {} }
  const place = { n: 1, at: 1000 }
  const hash = (...effects: Effect[]) => effectRecord(place, effects)?.h
  expect(effectRecord(place, [])).toBeUndefined()
  expect(effectRecord(place, [effect])).toEqual({ k: 'e', types: ['chain.identify'], h: hash(effect) })
  const timer = { id: 'e1.1.1', type: 'timer.set' as const, data: { timerId: 'sale:poll', at: 2000 } }
  const hashes = [
    hash(effect),
    hash({ ...effect, after: 'stored' }),
    hash({ ...effect, tab: 't1' }),
    hash({ ...effect, data: { a: 1 } }),
    hash({ ...effect, id: 'e1.1.1' }),
    hash({ ...effect, id: 'e1.2.0' }),
    hash({ ...effect, id: 'e2.1.0' }),
    hash(effect, timer),
    hash(effect, { ...timer, id: 'e1.1.0' }),
    hash(effect, { ...timer, data: { ...timer.data, at: 2001 } }),
    hash(effect, { ...timer, data: { ...timer.data, timerId: 'relay:pulse' } }),
    hash(timer, effect),
  ]
  expect(new Set(hashes).size).toBe(hashes.length)
})

test('core: equal effects after another input have the same line', () => {
  const orders = (n: number, at: number): Effect[] => [
    { id: `e1.${n}.0`, type: 'chain.identify', data: {} },
    { id: `e1.${n}.1`, type: 'timer.set', data: { timerId: 'sale:poll', at: at + 500 } },
  ]
  const line = (n: number, at: number) => effectRecord({ n, at }, orders(n, at))
  expect(line(12, 7000)).toEqual(line(1, 1000))
})
