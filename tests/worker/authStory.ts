/**
 * Steps of one-click auth: the request, its keys, the published messages, and the official wallet's recorded answer.
 */
import type { AnyAuth } from '../events/anyAuth.ts'
import type { InputData } from '../../src/worker/core/context.ts'
import { readStatements } from '../../src/worker/drivers/walletconnect/statements.ts'
import { readIncoming } from '../../src/worker/walletconnect/relay/incoming.ts'
import { ready } from './story.ts'
import { message, type Payload, publicKey, sealAll, takeAll } from './wcStory.ts'
import { type RawCacao, type RecordedAnswer, recordedPlain } from './walletconnect/recordedCacaos.ts'
import { vectors } from './walletconnect/vectors.ts'
import type { Came, World } from './world.ts'

export const pairingTopic = 'pairing-a'
export const responseTopic = 'response-a'

/** The recorded dapp's request. */
export const asking = (changes: Partial<InputData<'auth.request'>> = {}): InputData<'auth.request'> => ({
  chains: ['eip155:1', 'eip155:137'],
  domain: 'dapp.example',
  uri: 'https://dapp.example/login',
  nonce: '12345678',
  statement: 'Sign in',
  resources: ['https://dapp.example/tos'],
  methods: ['personal_sign', 'eth_sendTransaction'],
  ...changes,
})

export function theAuth(world: World): AnyAuth {
  const [auth, ...more] = Object.values(world.model.auth)
  if (!auth || more.length > 0) throw new Error(`expected one auth, got ${more.length + (auth ? 1 : 0)}`)
  return auth
}

/** Keys exist, and both messages are with the relay. */
export function asked(changes: Partial<InputData<'auth.request'>> = {}, world = ready()): World {
  world.command('auth.request', asking(changes))
  makeKeys(world)
  if (world.ordered('relay.open').some(effect => !effect.answered)) world.answer('relay.open', 'relay.opened', {})
  sealAll(world)
  takeAll(world)
  return world
}

export function makeKeys(world: World): Came {
  const { authId } = world.last('vault.makeAuth').data
  return world.answer('vault.makeAuth', 'vault.authMade', { authId, pairingTopic, responseTopic, publicKey })
}

/** The recorded answer, as the driver reads it; `change` works on each of its CACAOs before. */
export function recordedAnswer(
  world: World,
  change: (cacao: RawCacao) => void = () => undefined,
  to = theAuth(world),
): Payload {
  const answer = JSON.parse(recordedPlain(vectors.transcripts.oneClickAuth, 1117)) as RecordedAnswer
  answer.result.cacaos.forEach(change)
  const { payload, cacaos } = readIncoming(JSON.stringify(answer))
  return { ...payload, ...readStatements(cacaos), id: to.sent?.payloadId ?? '' }
}

/** The same with every signature verdict set to `valid`, for statements that name another account or purpose. */
export function signedAnswer(world: World, change: (cacao: RawCacao) => void = () => undefined): Payload {
  const { signed = [], ...payload } = recordedAnswer(world, change)
  return { ...payload, signed: signed.map(one => ({ ...one, verdict: 'valid' })) }
}

export const answer = (world: World, payload: Payload): Came => message(world, responseTopic, payload)
