import { describe, expect, test } from 'vitest'
import type { Model } from '../../../../src/events/app.ts'
import {
  agreedByAll,
  askOf,
  blocksLeft,
  blocksOnTop,
  isDead,
  isBeforeWallet,
  isOpen,
  openOrder,
} from '../../../../src/events/subjects/order/order.ts'
import type { OrderPhase } from '../../../../src/events/subjects/order/orderState.ts'
import type { OrderFact } from '../../../../src/events/subjects/order/orderFacts.ts'
import { given, refusal, after } from '../given.ts'

const orderId = 'o1'
const transfer = { kind: 'transfer', from: 'a', to: 't', lamports: '1', references: [] } as const
const built = {
  orderId,
  bytesRef: 'b1',
  blockhash: 'h',
  validUntilHeight: 150,
  slot: 1,
  orderRef: 'r',
  memo: 'm',
  fee: '5000',
  transfer: { ...transfer, references: [] as string[] },
}
const failure = refusal
const drafted: OrderFact = {
  type: 'order.drafted',
  data: { orderId, account: 'a', connectionId: 'c', walletName: 'Lantern', asset: 'SOL', units: '1' },
}
const facts: { [T in OrderFact['type']]: Extract<OrderFact, { type: T }> } = {
  'order.drafted': drafted,
  'order.quoted': { type: 'order.quoted', data: { orderId, quoted: '2', min: '1' } },
  'order.accepted': { type: 'order.accepted', data: { orderId, termsHash: 't', orderKey: 'k' } },
  'order.built': { type: 'order.built', data: built },
  'order.simulated': { type: 'order.simulated', data: { orderId, unitsConsumed: 9 } },
  'order.pressAwaited': { type: 'order.pressAwaited', data: { orderId } },
  'order.asked': { type: 'order.asked', data: { orderId, askId: 'e1', means: 'sign' } },
  'order.signed': { type: 'order.signed', data: { orderId, signature: 's1', bytesRef: 'b2' } },
  'order.sending': { type: 'order.sending', data: { orderId } },
  'order.seen': { type: 'order.seen', data: { orderId, slot: 5 } },
  'order.confirmed': { type: 'order.confirmed', data: { orderId, slot: 5 } },
  'order.progressed': { type: 'order.progressed', data: { orderId, height: 6, nodeSlot: 23 } },
  'order.finalised': { type: 'order.finalised', data: { orderId, slot: 5 } },
  'order.accounted': { type: 'order.accounted', data: { orderId, slot: 9 } },
  'order.unseen': { type: 'order.unseen', data: { orderId } },
  'order.rejected': { type: 'order.rejected', data: { orderId, failure } },
  'order.simulationFailed': { type: 'order.simulationFailed', data: { orderId, failure } },
  'order.gateRefused': { type: 'order.gateRefused', data: { orderId, failure } },
  'order.expired': { type: 'order.expired', data: { orderId, height: 151 } },
  'order.failedOnChain': { type: 'order.failedOnChain', data: { orderId, slot: 5, failure } },
  'order.abandoned': { type: 'order.abandoned', data: { orderId, failure } },
  'order.unknown': { type: 'order.unknown', data: { orderId, failure } },
  'order.mismatched': {
    type: 'order.mismatched',
    data: { orderId, signature: 's9', slot: 5, failure, differences: [] },
  },
  'order.disputed': { type: 'order.disputed', data: { orderId, lying: 1 } },
  'order.unanswered': { type: 'order.unanswered', data: { orderId, hosts: ['rpc.example'] } },
  'order.dismissed': { type: 'order.dismissed', data: { orderId } },
}

const path = [
  'drafted',
  'quoted',
  'accepted',
  'built',
  'simulated',
  'asked',
  'signed',
  'sending',
  'seen',
  'confirmed',
  'finalised',
  'accounted',
] as const
/** An order up to this fact. */
function until(last: (typeof path)[number], ...more: OrderFact['type'][]): Model {
  const names = path.slice(0, path.indexOf(last) + 1).map(name => `order.${name}` as const)
  return given(...names.map(name => facts[name]), ...more.map(name => facts[name]))
}
const phaseOf = (model: Model) => model.order[orderId]?.phase

/** One model for each phase. */
const phases: { [P in OrderPhase]: Model } = {
  drafted: until('drafted'),
  quoted: until('quoted'),
  accepted: until('accepted'),
  built: until('built'),
  simulated: until('simulated'),
  pressAwaited: until('simulated', 'order.pressAwaited'),
  awaitingSignature: until('asked'),
  signed: until('signed'),
  sending: until('sending'),
  seen: until('seen'),
  confirmed: until('confirmed'),
  finalised: until('finalised'),
  accounted: until('accounted'),
  rejected: until('asked', 'order.rejected'),
  simulationFailed: until('accepted', 'order.simulationFailed'),
  gateRefused: until('signed', 'order.gateRefused'),
  expired: until('sending', 'order.expired'),
  failedOnChain: until('sending', 'order.failedOnChain'),
  abandoned: until('simulated', 'order.abandoned'),
  unknown: until('asked', 'order.unknown'),
}

/** Phases whose model above has no request or no signature, with both. */
const signedIn: { [P in OrderPhase]?: Model } = {
  unknown: until('sending', 'order.unknown'),
  rejected: until('asked', 'order.rejected', 'order.signed'),
  abandoned: until('asked', 'order.pressAwaited', 'order.abandoned', 'order.signed'),
}

const early: OrderPhase[] = ['drafted', 'quoted', 'accepted', 'built', 'simulated', 'pressAwaited']
const out: OrderPhase[] = ['awaitingSignature', 'signed', 'sending', 'unknown']
/** Where the chain is searched. */
const searched: OrderPhase[] = ['signed', 'sending', 'unknown', 'rejected', 'gateRefused', 'seen', 'confirmed']
/** Refused orders come back to life only by what the chain shows. */
const refused: OrderPhase[] = ['rejected', 'gateRefused', 'abandoned']
/** Where the signature may be known, and the chain has not shown it. */
const landable: OrderPhase[] = ['signed', 'sending', 'unknown', ...refused]

/** Transitions of the purchase: the phases in which a fact may come, and the phase it leads to. */
const arrows: [OrderFact['type'], OrderPhase[], OrderPhase][] = [
  ['order.quoted', ['drafted'], 'quoted'],
  ['order.accepted', ['quoted'], 'accepted'],
  ['order.built', ['accepted', 'built', 'simulated', 'pressAwaited'], 'built'],
  ['order.simulated', ['built'], 'simulated'],
  ['order.pressAwaited', ['simulated', 'awaitingSignature'], 'pressAwaited'],
  ['order.asked', ['simulated', 'pressAwaited'], 'awaitingSignature'],
  ['order.signed', ['awaitingSignature', 'unknown'], 'signed'],
  ['order.sending', ['signed'], 'sending'],
  ['order.seen', landable, 'seen'],
  ['order.confirmed', [...landable, 'seen'], 'confirmed'],
  ['order.finalised', [...landable, 'seen', 'confirmed', 'expired'], 'finalised'],
  ['order.accounted', ['finalised'], 'accounted'],
  ['order.unseen', ['seen', 'confirmed'], 'sending'],
  ['order.rejected', ['awaitingSignature', 'unknown'], 'rejected'],
  ['order.simulationFailed', early, 'simulationFailed'],
  ['order.gateRefused', [...early, 'awaitingSignature', 'signed', 'unknown'], 'gateRefused'],
  ['order.expired', out, 'expired'],
  ['order.failedOnChain', [...landable, 'seen', 'confirmed'], 'failedOnChain'],
  ['order.abandoned', early, 'abandoned'],
  ['order.mismatched', [...out, ...refused, 'seen', 'confirmed', 'expired'], 'unknown'],
  ['order.unknown', ['awaitingSignature', 'signed', 'sending', 'unknown'], 'unknown'],
]

test('order: each test model is in the phase of its name', () => {
  for (const [phase, model] of Object.entries(phases)) expect(phaseOf(model)).toBe(phase)
})

const landings = ['order.seen', 'order.confirmed', 'order.finalised', 'order.failedOnChain'] as const
const needsSignature: ReadonlySet<OrderFact['type']> = new Set([...landings, 'order.mismatched'])

describe.each(arrows)('%s', (type, from, to) => {
  test.each(from)(`leads from %s to ${to}, and dates it`, phase => {
    const before = needsSignature.has(type) ? (signedIn[phase] ?? phases[phase]) : phases[phase]
    const model = after(before, facts[type], 99_000)
    expect(phaseOf(model)).toBe(to)
    expect(model.order[orderId]?.times[to]).toBe(99_000)
  })

  // Refused orders stay in their phase and gain fields: see below
  const learns = ['order.expired', 'order.signed'].includes(type) ? ['rejected', 'gateRefused'] : []
  const elsewhere = (Object.keys(phases) as OrderPhase[]).filter(
    phase => !from.includes(phase) && !learns.includes(phase),
  )
  test.each(elsewhere)('in %s changes nothing', phase => {
    const before = phases[phase]
    expect(after(before, facts[type])).toBe(before)
  })
})

describe.each(landings)('%s', type => {
  const unsigned = ['awaitingSignature', 'unknown', 'rejected', 'abandoned', 'simulationFailed'] as const
  test.each(unsigned)('of an order in %s without a signature leaves the very same object', phase => {
    const before = phases[phase]
    expect(after(before, facts[type])).toBe(before)
  })

  test.each(['order.gateRefused', 'order.abandoned'] as const)('after %s before the prompt counts for nothing', end => {
    const before = until('simulated', end)
    for (const one of [facts[type], facts['order.mismatched'], facts['order.signed'], facts['order.expired']])
      expect(after(before, one)).toBe(before)
  })
})

describe('an order', () => {
  test('gains fields as it proceeds and drops outdated ones', () => {
    expect(phases.finalised.order[orderId]).toMatchObject({
      quote: { quoted: '2', min: '1' },
      accepted: { termsHash: 't', orderKey: 'k' },
      built: { bytesRef: 'b1', validUntilHeight: 150 },
      ask: { askId: 'e1', means: 'sign' },
      signed: { signature: 's1', bytesRef: 'b2' },
      slot: 5,
    })
    const unknown = until('sending', 'order.unknown')
    expect(unknown.order[orderId]).toMatchObject({ failure: refusal })
    expect(after(unknown, facts['order.seen']).order[orderId]).not.toHaveProperty('failure')
  })

  test('is open while it may still move money', () => {
    const open = (Object.keys(phases) as OrderPhase[]).filter(phase => openOrder(phases[phase]))
    expect(open).toEqual([...early, 'awaitingSignature', 'signed', 'sending', 'seen', 'confirmed', 'unknown'])
    for (const model of Object.values(phases)) {
      const order = model.order[orderId]
      if (order) expect(isOpen(order) && isDead(order)).toBe(false)
      if (order && isBeforeWallet(order)) expect(askOf(order)).toBeUndefined()
    }
  })

  test.each(Object.keys(phases) as OrderPhase[])('in %s has its progress only while that is shown', phase => {
    const before = phases[phase]
    const model = after(before, facts['order.progressed'])
    const order = model.order[orderId]
    if (!['sending', 'confirmed', 'unknown'].includes(phase)) return expect(model).toBe(before)
    expect(order).toMatchObject({ phase, progress: { height: 6, nodeSlot: 23 } })
    expect(order && [blocksLeft(order), blocksOnTop(order)]).toEqual(
      { sending: [112, undefined], confirmed: [undefined, 18] }[phase as string] ?? [undefined, undefined],
    )
    expect(after(model, facts['order.progressed'])).toBe(model)
  })

  test.each(Object.keys(phases) as OrderPhase[])(
    'in %s has the number of lying providers while they are asked',
    phase => {
      const before = phases[phase]
      const model = after(before, facts['order.disputed'])
      if (!searched.includes(phase)) return expect(model).toBe(before)
      expect(model.order[orderId]).toMatchObject({ phase, lying: 1 })
      const none: OrderFact = { type: 'order.disputed', data: { orderId, lying: 0 } }
      expect(after(model, none).order[orderId]).toEqual(before.order[orderId])
    },
  )

  test.each(Object.keys(phases) as OrderPhase[])(
    'in %s learns which providers do not answer, while they are asked',
    phase => {
      const before = phases[phase]
      const model = after(before, facts['order.unanswered'])
      if (!searched.includes(phase)) return expect(model).toBe(before)
      expect(model.order[orderId]).toMatchObject({ phase, silent: ['rpc.example'] })
      const none: OrderFact = { type: 'order.unanswered', data: { orderId, hosts: [] } }
      expect(after(model, none).order[orderId]).toEqual(before.order[orderId])
    },
  )

  test('is proved gone by all only where none of them lied, or was silent', () => {
    const agreed: OrderFact = { type: 'order.expired', data: { orderId, height: 151, providers: 2 } }
    const proved = (model: Model) => {
      const order = after(model, agreed).order[orderId]
      return order?.phase === 'expired' && agreedByAll(order)
    }
    expect(proved(phases.sending)).toBe(true)
    expect(proved(after(phases.sending, facts['order.disputed']))).toBe(false)
    expect(proved(after(phases.sending, facts['order.unanswered']))).toBe(false)
  })

  test('drafted a second time stays unchanged', () => {
    const before = phases.sending
    expect(after(before, drafted)).toBe(before)
  })

  test('signed by a bare signature gets its bytes by a second fact', () => {
    const bare: OrderFact = { type: 'order.signed', data: { orderId, signature: 's1' } }
    const model = after(phases.awaitingSignature, bare)
    expect(model.order[orderId]).toMatchObject({ phase: 'signed', signed: { signature: 's1' } })
    expect(model.order[orderId]).not.toHaveProperty('signed.bytesRef')
    const whole = after(model, facts['order.signed'])
    expect(whole.order[orderId]).toHaveProperty('signed.bytesRef', 'b2')
    expect(after(whole, bare)).toBe(whole)
  })

  test('with another landed copy follows that one, and does not send its own bytes for it', () => {
    const other: OrderFact = { type: 'order.signed', data: { orderId, signature: 's2' } }
    const order = after(phases.sending, other).order[orderId]
    expect(order).toMatchObject({ phase: 'signed', signed: { signature: 's2' } })
    expect(order).not.toHaveProperty('signed.bytesRef')
  })

  test.each(['rejected', 'gateRefused'] as const)(
    'that was %s stays so: it learns what to look for, and that none can come',
    phase => {
      const learned = after(phases[phase], { type: 'order.signed', data: { orderId, signature: 's9' } })
      expect(learned.order[orderId]).toMatchObject({ phase, signed: { signature: 's9' } })
      const proved = after(learned, facts['order.expired'])
      expect(proved.order[orderId]).toMatchObject({ phase, proof: { providers: 1 } })
      for (const type of ['order.seen', 'order.failedOnChain', 'order.signed'] as const)
        expect(after(proved, facts[type])).toBe(proved)
      // A proof is as good as the endpoints that gave it; a landing is there
      expect(after(proved, facts['order.finalised']).order[orderId]).not.toHaveProperty('proof')
      expect(after(proved, facts['order.dismissed']).order[orderId]?.dismissed).toBe(true)
    },
  )

  test('with another payment landed under its key is open until the person has read it', () => {
    const model = after(phases.sending, facts['order.mismatched'])
    expect(model.order[orderId]).toMatchObject({
      phase: 'unknown',
      alarm: { signature: 's9', differences: [] },
      signed: { signature: 's9' },
      failure,
    })
    expect(openOrder(model)).toBeDefined()
    const read = after(model, facts['order.dismissed'])
    expect(openOrder(read)).toBeUndefined()
    expect(openOrder(after(read, facts['order.mismatched']))).toBeDefined()
  })

  test.each(Object.keys(phases) as OrderPhase[])('in %s is dismissed only when it has ended', phase => {
    const ended = !openOrder(phases[phase])
    expect(after(phases[phase], facts['order.dismissed']).order[orderId]?.dismissed).toBe(ended ? true : undefined)
  })
})
