/** Steps of WalletConnect stories: a code is shown, a wallet answers and settles, requests and answers follow. */
import type { Proposal } from '../../src/events/schema/fields.ts'
import type { BootData, InputData } from '../../src/worker/core/context.ts'
import { account, caip2, ready, walletConnect } from './story.ts'
import type { Came, World } from './world.ts'

export type Payload = InputData<'relay.message'>['payload']
export const walletKey = 'ab'.repeat(32)
export const publicKey = 'cd'.repeat(32)

let messages = 0
/**
 * A message from the relay, new unless its hash is given. The returned types leave out the fact that records it as
 * handled or ignored.
 */
export function message(world: World, topic: string, payload: Payload, hash = `hash-${++messages}`): Came {
  const came = world.input('relay.message', {
    pushId: `push-${hash}`,
    topic,
    hash,
    publishedAt: world.at,
    tag: 1,
    payload,
  })
  return { ...came, types: came.types.filter(type => !type.startsWith('mail.')) }
}

/** The relay is open. */
export function open(world: World): Came {
  return world.answer('relay.open', 'relay.opened', {})
}

/** Completes all pending seals. @returns the steps of their answers */
export function sealAll(world: World): Came[] {
  const came: Came[] = []
  for (const effect of world.ordered('vault.seal')) {
    if (effect.answered) continue
    effect.answered = true
    const { callId } = effect.data
    came.push(world.input('vault.sealed', { callId, messageRef: `sealed-${callId}` }, { to: effect.id }))
  }
  return came
}

/** The relay takes every published message. */
export function takeAll(world: World): void {
  for (const { callId } of Object.values(world.model.outbox)) world.input('relay.taken', { callId })
}

/** A code on the screen, its proposal at the relay. */
export function shown(world = ready(), pairingTopic = 'pairing-1', proposal?: Proposal): World {
  world.command('connection.connectWalletConnect', { wallet: walletConnect, ...(proposal && { proposal }) })
  const { attemptId } = world.last('vault.makePairing').data
  if (world.ordered('relay.open').some(effect => !effect.answered)) open(world)
  world.answer('vault.makePairing', 'vault.pairingMade', { attemptId, pairingTopic, publicKey })
  sealAll(world)
  takeAll(world)
  return world
}

export const idOf = (world: World, pairingTopic = 'pairing-1') =>
  world.model.pairing.open[pairingTopic]?.proposalId ?? ''

/** The wallet answers the proposal; the session's key is derived. */
export function answered(world: World, pairingTopic = 'pairing-1', sessionTopic = 'session-1'): void {
  message(world, pairingTopic, { kind: 'result', id: idOf(world, pairingTopic), responderKey: walletKey })
  world.answer('vault.deriveSession', 'vault.sessionDerived', { pairingTopic, sessionTopic })
}

export const namespaces = (methods = ['solana_signTransaction'], accounts = [`${caip2}:${account}`]) => ({
  solana: { accounts, methods, events: ['accountsChanged'] },
})

export const settlement = (world: World, changes: Partial<Payload> = {}): Payload => ({
  kind: 'settle',
  id: '1798999000000001',
  controllerKey: walletKey,
  expiresAt: world.at + 604_800_000,
  peer: { name: 'Torch', url: 'https://torch.example', description: '', icons: [] },
  namespaces: namespaces(),
  ...changes,
})

/** A settled session. */
export function settled(methods = ['solana_signTransaction'], changes: Partial<BootData> = {}): World {
  const world = shown(ready(changes))
  answered(world)
  message(world, 'session-1', settlement(world, { namespaces: namespaces(methods) }))
  sealAll(world)
  takeAll(world)
  if (world.ordered('chain.readBalances').some(effect => !effect.answered))
    world.answer('chain.readBalances', 'chain.balances', { account, slot: 1000, amounts: { SOL: '20000000000' } })
  return world
}
