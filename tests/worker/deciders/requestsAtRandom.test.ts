/** A page's requests under random events: each ends once, with its own answer, and none is sent after its end. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { requestsIn } from '../../events/anyRequest.ts'
import { caip2, ready } from '../story.ts'
import { answered, message, namespaces, open, sealAll, settlement, shown, takeAll } from '../wcStory.ts'
import type { World } from '../world.ts'

const ether = 'eip155:1'
const holder = '0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb'
const method = 'eth_sendTransaction'

function sessions(): World {
  const world = ready()
  for (const at of [1, 2]) {
    const asked = { chains: [ether], methods: [method], events: [] }
    const solana = { chains: [caip2], methods: ['solana_signTransaction'], events: [] }
    shown(world, `pairing-${at}`, { required: {}, optional: { eip155: asked, solana } })
    answered(world, `pairing-${at}`, `session-${at}`)
    const eip155 = { accounts: [`${ether}:${holder}`], methods: [method], events: [] }
    message(world, `session-${at}`, settlement(world, { namespaces: { ...namespaces(), eip155 } }))
    sealAll(world)
    takeAll(world)
  }
  return world
}

const topic = fc.constantFrom('session-1', 'session-2')
const nth = fc.nat(4)
const action = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('ask' as const), topic, life: fc.constantFrom(300, 900) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('seal' as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('take' as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      topic,
      nth,
      how: fc.constantFrom('result', 'error', 'unopened', 'long', 'otherSigner'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('cut' as const, 'connect' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(50, 1000, 20_000, 400_000) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sleep' as const), ms: fc.constantFrom(310_000, 1_000_000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('die' as const, 'reload' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('leave' as const, 'end' as const), topic }) },
)
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

function run(actions: readonly Action[]) {
  const world = sessions()
  const before = world.facts.length
  /** answers to each request on its own topic before it ended */
  const said = new Map<string, string[]>()
  const gone = new Set<string>()
  const faults: string[] = []
  const over = new Set<string>()
  let answers = 0
  let looked = 0
  let forgets = 0

  /** Reads this life's new effects. */
  function look(): void {
    const orders = world.ordered('relay.publish')
    for (const { data } of orders.slice(looked)) {
      if (data.tag !== 1108) continue
      const id = idOf.get(data.messageRef)
      if (id === undefined) faults.push('published what nobody sealed')
      else if (over.has(id)) faults.push(`asked ${id} that was over`)
      else if (gone.has(id)) faults.push(`asked ${id} again`)
    }
    looked = orders.length
    const requests = requestsIn(world.model)
    const named = requests.flatMap(({ end, late }) => [end?.how === 'answered' && end.resultRef, late?.resultRef])
    const forgotten = world.ordered('bytes.forget')
    for (const { data } of forgotten.slice(forgets))
      for (const ref of data.refs) if (named.includes(ref)) faults.push(`forgot ${ref}, which is somebody's answer`)
    forgets = forgotten.length
    const waiting = Object.values(world.model.outbox).map(({ payloadId }) => payloadId)
    if (new Set(waiting).size < waiting.length) faults.push('two messages ask the same')
    for (const { requestId, phase } of requests) if (phase === 'ended') over.add(requestId)
  }
  const idOf = new Map<string, string>()

  function seal(): void {
    for (const { data, answered: isDone } of world.ordered('vault.seal'))
      if (!isDone && 'method' in data.payload && data.payload.method === 'wc_sessionRequest') {
        if (gone.has(data.payload.id)) faults.push(`sealed ${data.payload.id} again`)
        idOf.set(`sealed-${data.callId}`, data.payload.id)
      }
    sealAll(world)
  }

  function answer({ topic: on, nth: place, how }: Extract<Action, { do: 'answer' }>): void {
    const open = Object.values(world.model.request).at(-1 - place)
    if (!open) return
    const { requestId: id, sessionTopic, phase } = open
    answers += 1
    const text = `"${answers}"`
    const payloads = {
      result: { kind: 'result', id, answer: text },
      error: { kind: 'error', id, error: { code: 5000, message: '' }, answer: `{"code":${answers}}` },
      unopened: { kind: 'unopened', id, error: { code: 0, message: '' } },
      long: { kind: 'result', id, answerRef: `ref-${answers % 3}` },
      otherSigner: { kind: 'result', id, otherSigner: true },
    } as const
    const isTheirs = on === sessionTopic && world.model.session[on] !== undefined
    if (isTheirs && phase !== 'ended')
      said.set(id, [...(said.get(id) ?? []), how === 'long' ? `ref-${answers % 3}` : text])
    message(world, on, payloads[how as keyof typeof payloads])
  }

  function perform(one: Action): void {
    switch (one.do) {
      case 'ask':
        world.command('request.send', {
          sessionTopic: one.topic,
          chainId: ether,
          method,
          params: '[]',
          expirySeconds: one.life,
        })
        return
      case 'seal':
        return seal()
      case 'take':
        for (const { callId, purpose = '', messageRef } of Object.values(world.model.outbox)) {
          if (!world.ordered('relay.publish').some(({ data }) => data.callId === callId)) continue
          world.input('relay.taken', { callId })
          if (purpose.startsWith('request:')) gone.add(idOf.get(messageRef) ?? '')
        }
        return
      case 'answer':
        return answer(one)
      case 'cut':
        if (world.model.relay.phase === 'connected')
          world.input('relay.closed', { code: 1006, failure: { code: 'unreachable', message: 'gone' } })
        return
      case 'connect':
        if (world.timers().has('relay:retry')) world.fire('relay:retry')
        if (world.ordered('relay.open').some(effect => !effect.answered)) open(world)
        return
      case 'pass':
        return void world.pass(one.ms)
      case 'sleep':
        return world.wait(one.ms)
      case 'die':
      case 'reload':
        world.kill(one.do === 'die' ? 'lost' : 'start')
        looked = 0
        forgets = 0
        return void world.attach()
      case 'leave':
        return void world.command('session.disconnect', { sessionTopic: one.topic, namespace: 'eip155' })
      case 'end':
        message(world, one.topic, { kind: 'delete', id: String(1_799_000_000_000_000 + ++answers) })
    }
  }

  for (const one of actions) {
    perform(one)
    look()
  }
  seal()
  world.pass(2_000_000)
  look()
  return { world, faults, said, facts: world.facts.slice(before) }
}

test('requests at random: each ends once, with an answer of its own wallet, and is not sent after its end or delivery', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40 }), actions => {
      const { world, faults, said, facts } = run(actions)
      expect(faults).toEqual([])
      const ends = facts.flatMap(({ type, data }) =>
        type === 'request.answered' || type === 'request.failed' || type === 'request.refused'
          ? [String(data.requestId)]
          : [],
      )
      expect(ends.length).toBe(new Set(ends).size)
      const all = requestsIn(world.model)
      expect(all.filter(({ phase }) => phase !== 'ended')).toEqual([])
      for (const { requestId, end } of all) {
        if (end?.how !== 'answered') continue
        expect(said.get(requestId)).toContain(end.resultRef ?? end.result)
      }
    }),
    { numRuns: 150 },
  )
})
