/**
 * A relay hands out a wallet's messages in any order, twice, over cut sockets and worker deaths: the model ends as
 * after delivery in order.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ready, walletConnect } from '../story.ts'
import { failing, type Came, type World } from '../world.ts'
import {
  idOf,
  message,
  namespaces,
  open,
  publicKey,
  sealAll,
  settlement,
  takeAll,
  walletKey,
  type Payload,
} from '../wcStory.ts'

const [pairingTopic, sessionTopic] = ['pairing-1', 'session-1']

type Sent = { topic: string; hash: string; payload: Payload; acked: boolean }

/** A message of the wallet after its settlement: its kind, and the index of the method an update names. */
type Said = { kind: 'update' | 'ping' | 'extend' | 'event' | 'delete'; method: number }
const methods = ['solana_signTransaction', 'solana_signMessage', 'solana_signAndSendTransaction']
const updated = (method: number) => namespaces([methods[method] ?? ''])

/** An effect with the fields that this story's relay and vault read. */
type Ordered = {
  type: string
  data: {
    topics?: string[]
    topic?: string
    pushId?: string
    payload?: { id?: string; result?: true; error?: unknown }
  }
}

/**
 * A relay that stores messages until their acknowledgement, and a vault that holds the session's key once it is
 * derived.
 */
function stage(said: readonly Said[]) {
  const world: World = ready()
  world.command('connection.connectWalletConnect', { wallet: walletConnect })
  const { attemptId } = world.last('vault.makePairing').data
  open(world)
  world.answer('vault.makePairing', 'vault.pairingMade', { attemptId, pairingTopic, publicKey })
  sealAll(world)
  takeAll(world)
  const first = world.at
  const told: Pick<Sent, 'topic' | 'payload'>[] = [
    { topic: pairingTopic, payload: { kind: 'result', id: idOf(world), responderKey: walletKey } },
    { topic: sessionTopic, payload: settlement(world, { id: `${first}000` }) },
    ...said.map(({ kind, method }, index) => {
      const id = `${first + 1 + index}000`
      if (kind === 'update') return { topic: sessionTopic, payload: { kind, id, namespaces: updated(method) } }
      if (kind !== 'event') return { topic: sessionTopic, payload: { kind, id } }
      return { topic: sessionTopic, payload: { kind, id, event: 'accountsChanged', chainId: '', accounts: [] } }
    }),
  ]
  const sent: Sent[] = told.map((one, index) => ({ ...one, hash: `h${index}`, acked: false }))
  let subscribed = new Set<string>()
  let hasKey = false
  let isOpen = true
  const answers = new Map<string, number>()
  let lastAcked: Sent[] = []

  function see(came: Came): void {
    lastAcked = []
    for (const { type, data } of came.effects as unknown as Ordered[]) {
      if (type === 'relay.subscribe') for (const topic of data.topics ?? []) subscribed.add(topic)
      if (type === 'relay.unsubscribe') subscribed.delete(data.topic ?? '')
      const { id = '', ...says } = data.payload ?? {}
      if (type === 'vault.seal' && ('result' in says || 'error' in says)) answers.set(id, (answers.get(id) ?? 0) + 1)
      if (type !== 'relay.acknowledge') continue
      const acked = sent.find(one => !one.acked && `push-${one.hash}` === data.pushId)
      if (!acked) continue
      lastAcked.push(acked)
      acked.acked = true
    }
  }
  const due = () => {
    while ((world.timers().get('relay:overtaken')?.at ?? Infinity) <= world.at) see(world.fire('relay:overtaken'))
  }
  const stageHand = {
    world,
    sent,
    answers,
    deliver(index: number): void {
      const one = sent[index % sent.length] as Sent
      if (!isOpen || (one.topic === sessionTopic && !subscribed.has(sessionTopic) && index % 2 === 0)) return
      const isReadable = one.topic === sessionTopic ? hasKey : true
      see(message(world, one.topic, isReadable ? one.payload : { kind: 'unopened', id: '0' }, one.hash))
    },
    derive(): void {
      if (!world.ordered('vault.deriveSession').some(effect => !effect.answered)) return
      hasKey = true
      see(world.answer('vault.deriveSession', 'vault.sessionDerived', { pairingTopic, sessionTopic }))
    },
    /** The vault has the key a moment before the core gets the answer. */
    key(): void {
      if (world.ordered('vault.deriveSession').length > 0) hasKey = true
    },
    seal(): void {
      for (const came of sealAll(world)) see(came)
    },
    take: () => takeAll(world),
    due,
    cut(): void {
      if (isOpen) see(world.input('relay.closed', { code: 1006, ...failing('unreachable') }))
      isOpen = false
      subscribed = new Set()
    },
    reopen(): void {
      if (isOpen) return
      if (!world.ordered('relay.open').some(effect => !effect.answered)) {
        if (!world.timers().has('relay:retry')) return
        see(world.fire('relay:retry'))
        if (!world.ordered('relay.open').some(effect => !effect.answered)) return
      }
      isOpen = true
      see(open(world))
    },
    die(lose: number): void {
      // Acknowledgements of the lost step waited for its commit, so they never left
      if (lose > 0) for (const one of lastAcked) one.acked = false
      isOpen = false
      subscribed = new Set()
      see(world.kill('lost', lose))
    },
    /** No faults from here on. */
    heal(): void {
      for (let round = 0; round < 8; round++) {
        for (let tries = 0; tries < 30 && !isOpen; tries++) stageHand.reopen()
        stageHand.derive()
        stageHand.seal()
        stageHand.take()
        due()
        for (const [index, { topic, acked }] of sent.entries())
          if (!acked && subscribed.has(topic)) stageHand.deliver(index)
        due()
        if (round % 2 === 1) stageHand.cut()
      }
    },
  }
  return stageHand
}

const kinds = fc.constantFrom('update', 'update', 'ping', 'extend', 'event', 'delete') as fc.Arbitrary<Said['kind']>
const said = fc.array(fc.record({ kind: kinds, method: fc.nat({ max: 2 }) }), { maxLength: 6 })
const act = fc.oneof(
  { weight: 8, arbitrary: fc.record({ what: fc.constant('deliver'), index: fc.nat({ max: 20 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constantFrom('derive', 'key', 'seal', 'take', 'due'), index: fc.nat() }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constantFrom('cut', 'reopen'), index: fc.nat() }) },
)
const deadly = fc.oneof(act, act, act, fc.record({ what: fc.constant('die'), index: fc.nat({ max: 1 }) }))

function play(story: readonly Said[], acts: readonly { what: string; index: number }[]) {
  const hand = stage(story)
  for (const { what, index } of acts) {
    if (what === 'deliver') hand.deliver(index)
    else if (what === 'die') hand.die(index)
    else hand[what as 'derive']()
  }
  hand.heal()
  return hand
}

function expectTold({ world, sent }: ReturnType<typeof stage>, story: readonly Said[]): void {
  const isOver = story.some(({ kind }) => kind === 'delete')
  const last = [...story].reverse().find(({ kind }) => kind === 'update')
  const session = world.model.session[sessionTopic]
  const facts = world.facts.map(({ type }) => type)
  expect(facts.filter(type => type === 'session.settled')).toHaveLength(1)
  expect(facts.filter(type => type === 'session.deleted')).toHaveLength(isOver ? 1 : 0)
  expect(facts).not.toContain('core.faulted')
  if (isOver) expect(session).toBeUndefined()
  else expect(session?.namespaces).toEqual(last ? updated(last.method) : namespaces())
  expect(Object.keys(world.model.connection.made)).toHaveLength(isOver ? 0 : 1)
  // Topics of an ended session have no subscriber: their messages may wait until they expire
  if (!isOver) expect(sent.filter(({ acked }) => !acked)).toEqual([])
}

test('any order: messages in any order lead to the same model', () => {
  fc.assert(
    fc.property(said, fc.array(act, { maxLength: 40 }), (story, acts) => {
      const hand = play(story, acts)
      expectTold(hand, story)
      if (story.some(({ kind }) => kind === 'delete')) return
      for (const { payload } of hand.sent)
        if (/^(settle|update|ping|extend)$/.test(payload.kind)) expect(hand.answers.get(payload.id)).toBe(1)
    }),
    { numRuns: 150 },
  )
})

test('any order: messages in any order and deaths lead to the same model', () => {
  fc.assert(
    fc.property(said, fc.array(deadly, { maxLength: 40 }), (story, acts) => expectTold(play(story, acts), story)),
    { numRuns: 150 },
  )
})
