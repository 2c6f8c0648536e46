/**
 * Recorded exchanges replayed with our client and our core in place of the recorded dapp: the relay's frames, the time
 * and the random numbers are the recording's, and our frames must equal the dapp's.
 */
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { FactRecord } from '../../../src/runtime/log/record.ts'
import { fromBase64 } from '../../../src/worker/walletconnect/crypto/base64.ts'
import { fromHex } from '../../../src/worker/walletconnect/crypto/encoding.ts'
import { openEnvelope } from '../../../src/worker/walletconnect/crypto/envelope.ts'
import { parsePayload, parseRelayFrame } from '../../../src/worker/walletconnect/relay/jsonrpc.ts'
import { requirePairingUri } from '../../../src/worker/walletconnect/link/uri.ts'
import { createClientAndCore } from './clientAndCore.ts'
import { type Step, type Transcript, vectors } from './vectors.ts'

type Params = Record<string, unknown>
type Said = { method: string; topic: string; envelope: string; text: string; publishing: Params; step?: string }

afterEach(() => void vi.restoreAllMocks())

/** The message a frame publishes, with its text; undefined for other frames. */
function saidIn(frame: string, keyOf: (topic: string) => Uint8Array): Said | undefined {
  const message = parseRelayFrame(frame)
  if (message.kind !== 'request') return undefined
  const params = message.params as Params
  const isProposal = message.method === 'wc_proposeSession'
  const topic = String(isProposal ? params.pairingTopic : params.topic)
  const envelope = isProposal ? params.sessionProposal : params.message
  if (typeof envelope !== 'string') return undefined
  const { tag, ttl, prompt } = params
  const text = openEnvelope(envelope, { symKey: keyOf(topic) })
  return { method: message.method, topic, envelope, text, publishing: { tag, ttl, prompt } }
}

function dappSaid(transcript: Transcript): Said[] {
  const keyOf = (topic: string) => fromHex(transcript.symKeysByTopic[topic] ?? '')
  return transcript.frames.flatMap(({ who, dir, frame, step }) => {
    const said = who === 'dapp' && dir === 'client->relay' && frame ? saidIn(frame, keyOf) : undefined
    return said ? [{ ...said, ...(step === undefined ? {} : { step }) }] : []
  })
}

const idIn = (text: string) => Number(parsePayload(text).id)
/** Time of a payload from its id, ms. */
const momentOf = (text: string) => Math.floor(idIn(text) / 1000)

/** Replaces random numbers by the recording's secrets: its keys, and the IV of each envelope. */
function chanceOf(transcript: Transcript) {
  const { getRandomValues } = crypto
  const queue: Uint8Array[] = []
  vi.spyOn(crypto, 'getRandomValues').mockImplementation(array => {
    const bytes = array as unknown as Uint8Array
    const next = queue.findIndex(forced => forced.length === bytes.length)
    if (next < 0) return getRandomValues.call(crypto, array)
    bytes.set(queue.splice(next, 1)[0] ?? [])
    return array
  })
  const { clientSeed, x25519 = {} } = transcript.keyPairs.dapp
  const { symKey } = requirePairingUri(transcript.uri, { nowMs: 0 })
  const recorded = dappSaid(transcript)
  return {
    before(type: string, data: Params): void {
      if (type === 'relay.open') queue.push(fromHex(clientSeed))
      if (type === 'vault.makePairing' || type === 'vault.makeAuth')
        queue.push(fromHex(symKey), ...Object.values(x25519).map(secret => fromHex(secret)))
      if (type !== 'vault.seal') return
      const { payload, topic } = data as { payload: { id: string }; topic: string }
      const same = recorded.find(said => said.topic === topic && String(idIn(said.text)) === payload.id)
      if (same) queue.push(fromBase64(same.envelope).slice(1, 13))
    },
  }
}

type Press = (said: Said | undefined) => [type: string, data: Params]

/** Plays a recording. `presses` are the person's actions, by the step they begin. */
async function play(transcript: Transcript, presses: Record<string, Press>) {
  const recorded = dappSaid(transcript)
  const [proposal] = recorded
  const beginnings = recorded.filter(
    ({ publishing, method }) => method === 'wc_proposeSession' || /^(1100|1116)$/.test(String(publishing.tag)),
  )
  if (!proposal) throw new Error('the recording expected a proposal')
  const { proposer, requester } = JSON.parse(proposal.text).params
  const chance = chanceOf(transcript)
  const world = createClientAndCore({
    at: momentOf(proposal.text),
    boot: { metadata: (proposer ?? requester).metadata },
    hooks: {
      before: chance.before,
      // Ids are drawn once their pairing exists
      comes: type =>
        /^vault\.(pairing|auth)Made$/.test(type) && world.force(...beginnings.map(({ text }) => idIn(text) % 1000)),
    },
  })
  try {
    for (const { who, dir, event, frame, step } of transcript.frames) {
      const said = recorded.find(one => one.step !== undefined && one.step === step)
      const press = step === undefined ? undefined : presses[step]
      if (press) {
        const { text } = said ?? proposal
        world.setTime(momentOf(text))
        if (said) world.force(idIn(text) % 1000)
        await world.command(...press(said ?? proposal))
      }
      if (who !== 'dapp' || event !== undefined || dir !== 'relay->client' || frame === undefined) continue
      const message = parseRelayFrame(frame)
      if (message.kind !== 'push') continue
      if (message.publishedAt !== null) world.setTime(message.publishedAt)
      await world.push(frame)
    }
  } finally {
    world.close()
  }
  const keyOf = (topic: string) => fromHex(transcript.symKeysByTopic[topic] ?? '')
  const ours = world.sent.flatMap(frame => saidIn(frame, keyOf) ?? [])
  return { world, ours, recorded: recorded.map(({ step: _, ...said }) => said) }
}

const chosen = { walletId: 'walletConnect', name: 'WalletConnect' }

const connect: Press = said => {
  const { optionalNamespaces, sessionProperties, scopedProperties = {} } = JSON.parse(said?.text ?? '').params
  const scoped = Object.entries(scopedProperties).map(([key, value]) => [key, JSON.stringify(value)])
  const proposal = {
    required: {},
    optional: optionalNamespaces,
    ...(sessionProperties && { sessionProperties }),
    ...(scoped.length > 0 && { scopedProperties: Object.fromEntries(scoped) }),
  }
  return ['connection.connectWalletConnect', { wallet: chosen, proposal }]
}

const ask: Press = said => {
  const { request, chainId } = JSON.parse(said?.text ?? '').params
  return [
    'request.send',
    { sessionTopic: said?.topic, chainId, method: request.method, params: JSON.stringify(request.params) },
  ]
}

const said = (facts: readonly FactRecord[], type: string) =>
  facts.flatMap(fact => (fact.type === type ? [fact.data as Params] : []))

const signIn: Press = said => {
  const { authPayload } = JSON.parse(said?.text ?? '').params
  const { chains, domain, aud: uri, nonce, statement, resources } = authPayload
  const methods = ['personal_sign', 'eth_sendTransaction']
  return ['auth.request', { chains, domain, uri, nonce, statement, resources: resources.slice(0, 1), methods }]
}

function contentOf(said: Said | undefined): unknown {
  const { id: _, params, ...rest } = JSON.parse(said?.text ?? '')
  return { topic: said?.topic, ...rest, params: { ...params, id: 0 } }
}

const acksOf = (steps: readonly Step[]) =>
  steps.flatMap(({ who, dir, frame = '' }) =>
    who === 'dapp' && dir === 'client->relay' && parseRelayFrame(frame).kind === 'result' ? [frame] : [],
  )

describe('our client in the place of the recorded dapp', () => {
  test('proposes, settles, asks, is told of events and changes, pings and leaves, in the very envelopes', async () => {
    const { happySession } = vectors.transcripts
    const { world, ours, recorded } = await play(happySession, {
      'dapp connect': connect,
      solana_signMessage: ask,
      solana_signTransaction: ask,
      'request rejected by wallet (5000)': ask,
      'ping by dapp': said => ['session.ping', { sessionTopic: said?.topic }],
      'dapp disconnect': said => ['session.disconnect', { sessionTopic: said?.topic }],
    })
    expect(world.wrongs).toEqual([])
    expect(ours).toEqual(recorded)
    expect(ours).toHaveLength(10)
    const sent = new Set(world.sent)
    for (const ack of acksOf(happySession.frames)) expect(sent.has(ack)).toBe(true)

    const told = (type: string) => said(world.facts, type)
    const [settled] = told('session.settled')
    expect(settled).toMatchObject({ controllerKey: Object.keys(happySession.keyPairs.wallet.x25519 ?? {})[0] })
    expect(told('request.answered').map(({ result }) => Object.keys(JSON.parse(String(result))))).toEqual([
      ['signature'],
      expect.arrayContaining(['signature', 'transaction']),
    ])
    expect(told('request.failed')).toMatchObject([{ failure: { code: 'user_rejected' }, error: /5000/ }])
    expect(told('session.updated')).toHaveLength(1)
    expect(told('session.extended')).toHaveLength(1)
    expect(told('session.callEnded')).toHaveLength(1)
    expect(told('session.deleted')).toMatchObject([{ by: 'person' }])
    expect([world.model.session, world.model.outbox]).toEqual([{}, {}])
  })

  test.each([
    ['signs in with one press, and has a session without a settlement', 'oneClickAuth'],
    ['hears that the person would not sign in', 'oneClickAuthRejected'],
  ] as const)('%s', async (_what, name) => {
    const transcript = vectors.transcripts[name]
    const { world, ours, recorded } = await play(transcript, { 'dapp authenticate': signIn })
    expect(world.wrongs).toEqual([])
    expect(ours).toHaveLength(2)
    expect(ours[0]).toEqual(recorded[0])
    // The official client writes this proposal's members in another order, and its id is not always the later one
    expect(contentOf(ours[1])).toEqual(contentOf(recorded[1]))
    for (const ack of acksOf(transcript.frames)) expect(world.sent).toContain(ack)
    const sessions = Object.values(world.model.session)
    if (name === 'oneClickAuthRejected') {
      expect(sessions).toEqual([])
      expect(said(world.facts, 'auth.failed')).toMatchObject([{ failure: { code: 'user_rejected' } }])
      return
    }
    expect(sessions.map(({ sessionTopic }) => Object.hasOwn(transcript.symKeysByTopic, sessionTopic))).toEqual([true])
    expect(sessions[0]?.namespaces.eip155).toMatchObject({
      methods: expect.arrayContaining(['eth_sendTransaction', 'personal_sign']),
      accounts: ['eip155:1:', 'eip155:137:'].map(chain => expect.stringContaining(chain)),
    })
  })

  test('hears that the person refused', async () => {
    const { rejection } = vectors.transcripts
    const { world, ours, recorded } = await play(rejection, { 'dapp connect': connect })
    expect(world.wrongs).toEqual([])
    expect(ours).toEqual(recorded)
    expect(world.model.connection.attempt).toMatchObject({ phase: 'failed', failure: { code: 'user_rejected' } })
    for (const ack of acksOf(rejection.frames)) expect(world.sent).toContain(ack)
  })
})
