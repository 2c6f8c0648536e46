/** Hostile messages end to end: pushed at the relay's driver, opened by the vault, decided on by the core. */
import { hashMessage, topicOf } from '../../../src/worker/walletconnect/crypto/crypto.ts'
import { sealEnvelope } from '../../../src/worker/walletconnect/crypto/envelope.ts'
import { createFamilies } from '../../simulation/families.ts'
import { type ClientAndCore, createClientAndCore } from '../../worker/walletconnect/clientAndCore.ts'
import { deriveSymKey, keyPairFrom } from '../../worker/walletconnect/agreement.ts'
import { corpus } from '../corpus.ts'
import { changedText } from '../changedText.ts'
import { payloadText, pushText } from '../generated.ts'
import { changedJson } from '../hostileJson.ts'
import type { Random } from '../random.ts'
import { type Reader, refused, taken, wrong } from '../reader.ts'

/** Topic of a payload; `frame` is raw socket text. */
type Step = [on: 'pairing' | 'session' | 'nobody' | 'frame' | 'press', text: string]

const noon = 1_799_000_000_000
const wallet = keyPairFrom(new Uint8Array(32).fill(7))
const walletKey = Buffer.from(wallet.publicKey).toString('hex')
const address = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
const chain = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

const answer = `{"id":{P},"jsonrpc":"2.0","result":{"relay":{"protocol":"irn"},"responderPublicKey":"${walletKey}"}}`
const settlement = JSON.stringify({
  id: 1_799_000_000_001_001,
  jsonrpc: '2.0',
  method: 'wc_sessionSettle',
  params: {
    relay: { protocol: 'irn' },
    namespaces: {
      solana: { accounts: [`${chain}:${address}`], methods: ['solana_signTransaction'], events: ['accountsChanged'] },
    },
    controller: { publicKey: walletKey, metadata: { name: 'W', description: '', url: 'https://w.example', icons: [] } },
    expiry: 1_799_604_800,
  },
})

const mostly = (random: Random, text: string) => (random.oneIn(6) ? changedJson(random, text) : text)

function hostileStep(random: Random): Step {
  const way = random.below(12)
  if (way === 0) return ['frame', changedJson(random, random.pick(corpus.pushes))]
  if (way === 1) return ['frame', pushText(random, random.pick(['', 'AA==', '!']))]
  if (way === 2) return ['frame', changedText(random, random.pick(corpus.frames), '{}')]
  if (way === 3) return ['press', random.pick(['ask', 'leave', 'connect'])]
  const text = random.oneIn(3) ? changedJson(random, random.pick(corpus.payloads)) : payloadText(random)
  return [random.pick(['pairing', 'session', 'session', 'session', 'nobody'] as const), text]
}

export const stories: Reader = {
  name: 'stories',
  share: 4,
  make(random) {
    const steps: Step[] = []
    if (!random.oneIn(8)) steps.push(['pairing', mostly(random, answer)])
    if (!random.oneIn(8)) steps.push(['session', mostly(random, settlement)])
    for (let count = 2 + random.below(5); count > 0; count--)
      steps.splice(random.below(steps.length + 1), 0, hostileStep(random))
    return JSON.stringify(steps)
  },
  pieces: input => (JSON.parse(input) as Step[]).map(step => JSON.stringify(step)),
  whole: pieces => `[${pieces.join(',')}]`,
  async judge(input) {
    const world = createClientAndCore({ at: noon })
    try {
      await world.command('connection.connectWalletConnect', {
        wallet: { walletId: 'walletConnect', name: 'WalletConnect' },
      })
      const talk = await talkTo(world)
      const steps = JSON.parse(input) as Step[]
      for (const [at, [on, text]] of steps.entries()) {
        world.setTime(noon + at * 1000)
        const before = world.sent.length
        const isExpected = on === 'pairing' || on === 'session' ? isInUse(world, talk.topics[on]) : false
        if (on === 'press') await press(world, text)
        else if (on === 'frame') await world.frame(text)
        else await world.push(talk.push(on, text, at))
        const acks = world.sent.slice(before).filter(frame => frame === talk.ackOf(at)).length
        // An unexpected message may wait at the relay until it is expected
        if (acks > 1 || (isExpected && acks !== 1))
          return wrong(false, `a message is acknowledged ${acks} times: ${on}`)
        const found = world.wrongs[0] ?? breach(world)
        if (found !== undefined) return wrong(false, found)
      }
      return world.facts.some(({ type }) => type === 'session.settled') ? taken : refused
    } finally {
      world.close()
    }
  },
}

function isInUse({ model }: ClientAndCore, topic: string): boolean {
  return model.session[topic] !== undefined || model.pairing.open[topic] !== undefined
}

async function press(world: ClientAndCore, what: string): Promise<void> {
  const [sessionTopic = 'nobody'] = Object.keys(world.model.session)
  const { active } = world.model.connection
  if (what === 'ask')
    return world.command('request.send', {
      sessionTopic,
      chainId: chain,
      method: 'solana_signTransaction',
      params: '{}',
    })
  if (what === 'connect')
    return world.command('connection.connectWalletConnect', {
      wallet: { walletId: 'walletConnect', name: 'WalletConnect' },
    })
  if (active !== null) await world.command('connection.disconnect', { connectionId: active })
}

/** The peer of the first pairing: its keys, and pushes sealed with them. */
async function talkTo(world: ClientAndCore) {
  const shown = world.model.pairing.shown ?? ''
  const uri = (await world.pairingUri(shown)) ?? ''
  const { publicKey = '', proposalId = '' } = world.model.pairing.open[shown] ?? {}
  const pairingKey = Buffer.from(/symKey=([0-9a-f]{64})/.exec(uri)?.[1] ?? '', 'hex')
  const sessionKey = deriveSymKey(wallet.privateKey, Buffer.from(publicKey, 'hex'))
  const keys = {
    pairing: new Uint8Array(pairingKey),
    session: sessionKey,
    nobody: new Uint8Array(32).fill(9),
  }
  const idOf = (at: number) => `1795226335321326${701 + 2 * at}`
  return {
    topics: { pairing: topicOf(keys.pairing), session: topicOf(keys.session) },
    ackOf: (at: number) => `{"id":${idOf(at)},"jsonrpc":"2.0","result":true}`,
    push(on: 'pairing' | 'session' | 'nobody', text: string, at: number): string {
      const iv = new Uint8Array(12).fill(at + 1)
      const message = sealEnvelope({ text: text.replaceAll('{P}', proposalId), symKey: keys[on], iv })
      const topic = topicOf(keys[on])
      return `{"id":${idOf(at)},"jsonrpc":"2.0","method":"irn_subscription","params":${JSON.stringify({
        id: hashMessage(topic),
        data: { topic, message, publishedAt: noon, tag: 1100, attestation: null },
      })}}`
    },
  }
}

/** @returns a contradiction in the facts so far, or in the model */
function breach({ facts, model }: ClientAndCore): string | undefined {
  let found: string | undefined
  const families = createFamilies(what => (found ??= what))
  for (const { type, data } of facts) families.hears(type, data as Record<string, string>)
  if (found !== undefined) return found
  const sessions = Object.keys(model.session)
  const settled = facts.filter(({ type }) => type === 'session.settled').length
  if (sessions.length > settled) return 'there are more sessions than were settled'
  for (const { phase, sessionTopic } of Object.values(model.request))
    if (phase !== 'ended' && !model.session[sessionTopic]) return 'a request waits for a session that has ended'
  return undefined
}
