/**
 * A wallet scans a code, settles and sends one request after another, in a calm world where the worker can be killed at any
 * step.
 */
import type { CoreModel } from '../../src/events/app.ts'
import type { FactRecord, InputRecord } from '../../src/runtime/log/record.ts'
import { account, caip2, walletConnect } from '../worker/story.ts'
import { calmly, type Kill } from './calm.ts'
import { noDice } from './runtime/dice.ts'
import type { Payload } from './relay.ts'
import { createSimulatedWorld } from './world.ts'

/** Answers to a wallet's request: the error codes, 0 for success. */
export type Asked = { kind: Payload['kind']; answers: number[] }
export type Outcome = {
  steps: number
  asked: Asked[]
  inputs: InputRecord[]
  facts: FactRecord[]
  model: CoreModel
  /** session deletes the wallet received */
  deletes: number
}

const lookMs = 300
const longestMs = 60_000
/** Everything in flight arrives by then, ms. */
const restMs = 20_000

/** @param settles whether the wallet settles by the protocol, or with a different key than it answered with */
export function asks(settles: 'well' | 'badly', ...kills: Kill[]): Outcome {
  const { kept, setting } = calmly(kills)
  const world = createSimulatedWorld({
    ...setting,
    dice: { ...noDice(), strikes: name => name === 'wallet.settlesBadly' && settles === 'badly' },
    style: 'sign',
    hands: 'signTransaction',
  })
  const { queue, browser, relay } = world
  const begun = queue.now()
  const questions: { topic: string; payload: Payload }[] = []
  const ideas: Omit<Payload, 'id'>[] = [
    { kind: 'update', namespaces: solana(['solana_signTransaction', 'solana_signMessage']) },
    { kind: 'update', error: { code: 2, message: '' } },
    { kind: 'extend' },
    { kind: 'ping' },
    { kind: 'event', event: 'chainChanged', chainId: caip2 },
    { kind: 'delete', error: { code: 6000, message: 'User disconnected.' } },
  ]
  let presses = 0

  function ask(topic: string, idea: Omit<Payload, 'id'>): void {
    const payload: Payload = { ...idea, id: `${queue.now()}00${questions.length}` }
    questions.push({ topic, payload })
    relay.post(topic, payload)
  }

  /** The person requests a code until a wallet has settled; the wallet sends one request per look. */
  function look(): void {
    queue.after(lookMs, 'outside', look)
    const seen = world.model()
    const tab = browser.first()
    if (!seen || !tab || ideas.length === 0) return
    const { pairing, session, connection } = seen
    const [topic] = Object.keys(session)
    const next = topic === undefined ? undefined : ideas.shift()
    if (topic !== undefined && next) return ask(topic, next)
    if (world.log().facts.some(({ type }) => type === 'pairing.rejected')) return void ideas.splice(0)
    const code = pairing.shown
    if (code !== null && pairing.open[code]?.phase === 'proposed' && questions.length === 0)
      ask(code, { kind: 'pairingPing' })
    if (code !== null) relay.readFrom(code)
    else if (connection.attempt.phase !== 'asking')
      world.command(tab.name, 'connection.connectWalletConnect', { wallet: walletConnect }, `${tab.name}.c${++presses}`)
  }

  world.start()
  look()
  while (ideas.length > 0 && queue.next(begun + longestMs));
  const end = queue.now() + restMs
  while (queue.next(end));

  const settlements = new Map<string, { topic: string; payload: Payload }>()
  for (const { type, data } of kept.inputs) {
    const { topic, payload } = data as { topic: string; payload: Payload }
    if (type === 'relay.message' && payload.kind === 'settle') settlements.set(topic, { topic, payload })
  }
  const asked = [...settlements.values(), ...questions].map(({ topic, payload }) => ({
    kind: payload.kind,
    answers: relay
      .published(topic)
      .flatMap(one => (one.id !== payload.id ? [] : 'error' in one ? [one.error.code] : 'result' in one ? [0] : [])),
  }))
  const told = [...relay.topics].flatMap(topic => relay.published(topic))
  return {
    steps: kept.inputs.length,
    asked,
    inputs: kept.inputs,
    facts: world.log().facts,
    model: kept.model,
    deletes: told.filter(one => 'method' in one && one.method === 'wc_sessionDelete').length,
  }
}

function solana(methods: string[]) {
  return { solana: { accounts: [`${caip2}:${account}`], methods, events: ['accountsChanged', 'connect'] } }
}
