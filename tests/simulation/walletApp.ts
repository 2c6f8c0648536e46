/** Wallets at the other end of the relay, and their person: they answer late, twice or never, and act on their own. */
import type { OutgoingPayload } from '../../src/events/effect.ts'
import { internalErrors } from '../../src/worker/walletconnect/relay/errors.ts'
import { account, caip2, other } from '../worker/story.ts'
import type { Chain } from './chain.ts'
import type { Dice } from './dice.ts'
import type { Answers } from './answers.ts'
import type { Queue } from './runtime/queue.ts'
import { type Links, theirs, unopened, willing } from './links.ts'
import { type Payload, type Relay, sessionTopicOf } from './relay.ts'

/** Manner of answering: signed bytes, a bare signature, or sending by itself. */
export type Style = 'sign' | 'bareSignature' | 'signAndSend'

/** One of the person's wallets: its key in a session, and its name. */
type Wallet = { key: string; name: string }
const wallets: readonly Wallet[] = [
  { key: 'ab'.repeat(32), name: 'Lantern' },
  { key: 'be'.repeat(32), name: 'Beacon' },
]
/** Approved method for a page's own requests. */
export const pageMethod = 'solana_getAccounts'
/** The same, for one that moves money. */
export const moneyMethod = 'solana_signAllTransactions'
/** Approved event for a page beside Solana's. */
export const pageEvent = 'message'
const ethereum = `eip155:1:0x${'2c'.repeat(20)}`
/** The driver's error for a malformed request. */
const malformed = { code: internalErrors.MISSING_OR_INVALID.code, message: '' }
const approveMs = 1500
const weekMs = 604_800_000

type Ports = {
  queue: Queue
  answers: Answers
  dice: Dice
  chain: Chain
  style: Style
  relay: () => Relay
  links: Links
  asked(ref: string): void
  /** a page's own request reached the wallet */
  askedByHost(payloadId: string): void
}

export function createWalletApp({ queue, answers, dice, chain, style, relay, links, asked, askedByHost }: Ports) {
  const handled = new Set<string>()
  /** codes on which this wallet declined one-click auth as unknown */
  const unknowing = new Set<string>()
  /** codes of one-click auth */
  const signingIn = new Set<string>()
  /** A wallet with one-click auth ignores the fallback proposal; sometimes one answers both. */
  const hearsProposal = (topic: string) =>
    !signingIn.has(topic) || unknowing.has(topic) || dice.chance('answers both', 0.2)
  const prompts: string[] = []
  /** this wallet's sessions, by topic */
  const sessions = new Set<string>()
  /** sessions it ended with a delete */
  const ended = new Set<string>()
  /** codes whose proposals ask for more than Solana */
  const wide = new Set<string>()
  let count = 0

  /** Ids of a wallet's own requests contain its clock. */
  const ownId = () => `${queue.now()}${String(++count % 1000).padStart(3, '0')}`
  const methods = () => [style === 'signAndSend' ? 'solana_signAndSendTransaction' : 'solana_signTransaction']
  const namespaces = (accounts: string[], of = [...methods(), pageMethod, moneyMethod]) => ({
    // Its event `connect` was not requested
    solana: { accounts: accounts.map(one => `${caip2}:${one}`), methods: of, events: ['accountsChanged', 'connect'] },
  })

  /** The person reacts to the wallet, after a while or never. */
  function decide(run: () => void): void {
    if (dice.strikes('wallet.isSilent')) return
    if (dice.strikes('wallet.isQuick')) return answers.after(1, run)
    answers.after(dice.strikes('wallet.isLate') ? dice.between('late', 5000, 420_000) : approveMs, run)
  }

  /**
   * Answers the way the topic's last message went; sometimes switches between link and relay, but for a session's end: by the
   * other way it may overtake the settlement, and a link does not come again.
   *
   * @param begun the session that this begins, which goes on the same way
   */
  function say(topic: string, payload: Payload, begun?: string): void {
    const isOtherWay = dice.chance('goes the other way', 0.1) && payload.kind !== 'delete'
    const isByLink = links.goesBy(topic) !== isOtherWay
    const post = () => (isByLink ? links.hand(topic, payload) : relay().post(topic, payload))
    links.note(begun ?? topic, isByLink)
    post()
    if (dice.strikes('wallet.answersTwice')) {
      count += 1
      queue.after(dice.between('again', 0, 20_000), 'outside', post)
    }
    links.disturb()
    if (dice.strikes('wallet.sealsNothing'))
      relay().post(topic, unopened('relay envelope expected type 0 or 1, got type 2, which nobody sealed'))
  }
  const redirect = () =>
    dice.chance('takes links too', 0.6)
      ? { redirect: willing }
      : dice.chance('has a link', 0.3)
        ? { redirect: { universal: theirs } }
        : {}

  const rejection = { code: 5000, message: 'User rejected.' }

  function answerProposal(pairingTopic: string, id: string): void {
    if (dice.strikes('wallet.declines')) return say(pairingTopic, { kind: 'error', id, error: rejection })
    if (dice.strikes('wallet.talksNonsense'))
      return say(pairingTopic, { kind: 'error', id, error: { code: -32_000, message: '' } })
    const [one = wallets[0], another = wallets[1]] = dice.chance('the other wallet', 0.4)
      ? [...wallets].reverse()
      : wallets
    if (!one || !another) return
    if (dice.strikes('wallet.answersAnother')) say(pairingTopic, { kind: 'result', id: ownId(), responderKey: one.key })
    approve(one, pairingTopic, id)
    // A second wallet scanned the same code
    if (dice.strikes('wallet.isNotAlone'))
      queue.after(dice.between('the other answers', 0, 5000), 'outside', () => approve(another, pairingTopic, id))
  }

  /** Approves Solana and everything else requested; the second wallet has only Solana. */
  function approved(pairingTopic: string): NonNullable<Payload['namespaces']> {
    const eip155 = {
      accounts: [`eip155:1:0x${'ab'.repeat(20)}`],
      methods: ['personal_sign', 'eth_sign'],
      events: ['chainChanged', 'connect', pageEvent],
    }
    if (signingIn.has(pairingTopic)) return { eip155: { ...eip155, accounts: [ethereum] } }
    if (!wide.has(pairingTopic) || dice.chance('Solana alone', 0.2)) return namespaces([account])
    return dice.chance('nothing on Solana', 0.5) ? { eip155 } : { ...namespaces([account]), eip155 }
  }

  function approve({ key, name }: Wallet, pairingTopic: string, id: string): void {
    const sessionTopic = sessionTopicOf(pairingTopic, key)
    relay().walletListens(sessionTopic)
    const answer = () => say(pairingTopic, { kind: 'result', id, responderKey: key })
    // Older wallets settle first, and the relay stores that until the page subscribes
    const isEarly = dice.strikes('wallet.settlesFirst')
    if (!isEarly) answer()
    const settlement: Payload = {
      kind: 'settle',
      id: ownId(),
      controllerKey: key,
      expiresAt: queue.now() + (dice.chance('short session', 0.05) ? 180_000 : weekMs),
      peer: { name, url: `https://${name.toLowerCase()}.example`, description: '', icons: [] },
      namespaces: approved(pairingTopic),
      ...redirect(),
    }
    if (isEarly) queue.after(dice.between('answers behind', 0, 3000), 'outside', answer)
    const bad: Payload[] = [
      { ...settlement, controllerKey: 'ef'.repeat(32) },
      { ...settlement, namespaces: namespaces([account], ['solana_signMessage']) },
      { ...settlement, namespaces: { solana: { accounts: ['solana:nonsense:nobody'], methods: [], events: [] } } },
      { ...settlement, namespaces: { eip155: { accounts: [`eip155:1:0x0`], methods: [], events: [] } } },
      { ...settlement, namespaces: namespaces(['notAnAddress']) },
      { ...settlement, expiresAt: queue.now() - 1000 },
      { kind: 'settle', id: settlement.id, error: malformed },
    ]
    if (dice.strikes('wallet.settlesBadly')) return say(sessionTopic, dice.oneOf('bad settlement', bad))
    sessions.add(sessionTopic)
    say(sessionTopic, settlement)
    if (!signingIn.has(pairingTopic))
      queue.after(dice.between('idea', 5000, 60_000), 'outside', () => idea(sessionTopic, pairingTopic))
  }

  /** Unprompted messages of a wallet. */
  function idea(topic: string, pairingTopic: string): void {
    if (!sessions.has(topic) || dice.isCalm()) return
    queue.after(dice.between('idea', 10_000, 180_000), 'outside', () => idea(topic, pairingTopic))
    const id = ownId()
    if (dice.strikes('wallet.deletesSession')) {
      // Its link would overtake the late one that brings the session, and none comes again
      if (links.goesBy(topic) && !relay().vault().keys.has(topic)) return
      sessions.delete(topic)
      ended.add(topic)
      return say(topic, { kind: 'delete', id, error: { code: 6000, message: 'User disconnected.' } })
    }
    const both = dice.chance('both accounts', 0.5) ? [account, other] : [account]
    const ideas: [string, Payload][] = [
      [topic, { kind: 'ping', id }],
      [pairingTopic, { kind: 'pairingPing', id }],
      [topic, { kind: 'extend', id }],
      [topic, { kind: 'update', id, namespaces: namespaces(both, [...methods(), 'solana_signMessage']) }],
      [topic, { kind: 'update', id: '1000', namespaces: namespaces([other]) }],
      [topic, { kind: 'update', id, namespaces: {} }],
      [topic, { kind: 'update', id, error: malformed }],
      [topic, { kind: 'extend', id, error: malformed }],
      [topic, { kind: 'request', id, method: 'eth_sign' }],
      [topic, { kind: 'event', id, event: 'chainChanged', chainId: caip2 }],
      [topic, { kind: 'event', id, event: 'connect', chainId: dice.oneOf('event on', [caip2, 'eip155:1']), data: '1' }],
      [
        topic,
        { kind: 'event', id, event: pageEvent, chainId: dice.oneOf('event on', ['eip155:1', caip2]), data: '[]' },
      ],
      [topic, { kind: 'event', id: '2000', event: 'chainChanged', chainId: 'eip155:1', chain: 'eip155:5', data: '5' }],
      [topic, { kind: 'result', id, acknowledged: true }],
      [pairingTopic, { kind: 'pairingDelete', id, error: { code: 6000, message: 'User disconnected.' } }],
    ]
    // Two updates, the later one delivered first
    if (dice.strikes('wallet.changesTwice')) {
      const later = `${BigInt(id) + 5_000n}`
      say(topic, { kind: 'update', id: later, namespaces: namespaces([other, account]) })
      return say(topic, { kind: 'update', id, namespaces: namespaces([account]) })
    }
    if (dice.strikes('wallet.changesAccount')) {
      ideas.push([topic, { kind: 'event', id, event: 'accountsChanged', chainId: caip2, accounts: [other] }])
      ideas.push([topic, { kind: 'update', id, namespaces: namespaces([other]) }])
    }
    say(...dice.oneOf('idea', ideas))
  }

  /** Signs in on the auth topic, or declines it as unknown. */
  function answerAuth(
    topic: string,
    { id, asked }: Extract<OutgoingPayload, { method: 'wc_sessionAuthenticate' }>,
  ): void {
    const responses = `answers-of-${topic}`
    if (unknowing.has(topic))
      return say(topic, { kind: 'error', id, error: { code: 10_001, message: 'Unsupported wc_ method.' } })
    if (dice.strikes('wallet.declines')) return say(responses, { kind: 'error', id, error: rejection })
    if (dice.strikes('wallet.talksNonsense'))
      return say(responses, { kind: 'result', id, problem: 'nothing to be read' })
    const { domain, uri, nonce, methods } = asked
    const verdict = dice.oneOf('verdict', ['valid', 'valid', 'contract', 'invalid'] as const)
    const [, , address = ''] = ethereum.split(':')
    const given = { address, methods, cacao: '{}', domain, uri, nonce, verdict }
    const statements = asked.chains.map(chain => ({ ...given, chain, chains: [chain] }))
    // A statement for one of several chains may suffice
    const signed = dice.chance('signs for each chain', 0.7) ? statements : statements.slice(0, 1)
    const last = statements.at(-1)
    if (last && dice.strikes('wallet.signsAnother'))
      signed.splice(-1, 1, {
        ...last,
        ...dice.oneOf('signs what', [
          { nonce: 'another' },
          { domain: 'another.example' },
          { uri: '' },
          { chain: 'eip155:5' },
        ]),
      })
    const [one] = wallets
    if (!one) return
    const sessionTopic = sessionTopicOf(responses, one.key)
    relay().walletListens(sessionTopic)
    if (methods.length > 0) sessions.add(sessionTopic)
    const peer = { name: 'Lantern', url: 'https://lantern.example', description: '', icons: [] }
    if (dice.strikes('wallet.settlesBadly')) signed.length = 0
    say(responses, { kind: 'result', id, responderKey: one.key, peer, signed, ...redirect() }, sessionTopic)
    if (sessions.has(sessionTopic))
      queue.after(dice.between('idea', 5000, 60_000), 'outside', () => idea(sessionTopic, topic))
  }

  function answerRequest(topic: string, id: string, ref: string): void {
    if (dice.strikes('wallet.saysNoFirst')) {
      say(topic, { kind: 'error', id, error: rejection })
      return void queue.after(dice.between('after a no', 0, 20_000), 'outside', () => sign(topic, id, ref))
    }
    if (dice.strikes('wallet.declines')) {
      say(topic, { kind: 'error', id, error: rejection })
      return afterAll(() => sign(topic, id, ref))
    }
    if (dice.strikes('wallet.talksNonsense')) return say(topic, { kind: 'result', id })
    const elsewhere = [...sessions].find(one => one !== topic)
    if (elsewhere !== undefined && dice.strikes('wallet.answersElsewhere'))
      say(elsewhere, { kind: 'error', id, error: rejection })
    if (style === 'signAndSend' && dice.strikes('wallet.failsAfter')) {
      const signature = chain.sendByWallet(ref)
      say(topic, { kind: 'error', id, error: { code: -32_603, message: 'Internal error' } })
      return afterAll(() => say(topic, { kind: 'result', id, signature }))
    }
    sign(topic, id, ref)
  }

  /** Reverses an earlier answer. */
  function afterAll(run: () => void): void {
    if (dice.strikes('wallet.changesMind')) queue.after(dice.between('after all', 0, 20_000), 'outside', run)
  }

  function sign(topic: string, id: string, ref: string): void {
    if (style === 'signAndSend') return say(topic, { kind: 'result', id, signature: chain.sendByWallet(ref) })
    if (style === 'bareSignature') return say(topic, { kind: 'result', id, signature: chain.signatureOf(ref) })
    const { signature, bytesRef, decoded } = chain.signed(ref)
    say(topic, { kind: 'result', id, signature, bytesRef, decoded })
  }

  const unauthorised = { code: 3004, message: 'Unauthorized extend request.' }
  const acknowledged = (id: string): Payload => ({ kind: 'result', id, acknowledged: true })
  const said = (id: string, error: { code: number; message: string }): Payload => ({ kind: 'error', id, error })

  /** Answers a page's own request. */
  function answerPage(topic: string, id: string): void {
    const refusal = (error: { code: number; message: string }): Payload => ({
      ...said(id, error),
      // Keys in a different order than in the public error: the test searches for it in redacted recordings
      answer: JSON.stringify({ message: error.message, code: error.code }),
    })
    if (dice.strikes('wallet.declines')) return say(topic, refusal(rejection))
    const elsewhere = [...sessions].find(one => one !== topic)
    if (elsewhere !== undefined && dice.strikes('wallet.answersElsewhere')) say(elsewhere, refusal(rejection))
    const nonsense: Payload[] = [
      { kind: 'unopened', id, error: { code: 0, message: 'a wc payload expected a method, a result or an error' } },
      { ...refusal({ code: 0, message: '' }), answer: '{}' },
      { kind: 'result', id, answer: 'null', otherSigner: true },
      { kind: 'result', id },
    ]
    if (dice.strikes('wallet.talksNonsense')) return say(topic, dice.oneOf('nonsense', nonsense))
    if (dice.chance('a long answer', 0.1)) return say(topic, { kind: 'result', id, answerRef: `answer-${id}` })
    say(topic, { kind: 'result', id, answer: `[{"pubkey":"${account}"}]` })
  }

  return {
    prompts,
    ended,
    /** Receives a message; each is handled once. */
    hear(topic: string, payload: OutgoingPayload, way: 'relay' | 'link' = 'relay'): void {
      links.note(topic, way === 'link')
      if (!('method' in payload) || handled.has(payload.id)) return
      handled.add(payload.id)
      if (payload.method === 'wc_sessionDelete') sessions.delete(topic)
      if (['wc_sessionPing', 'wc_sessionExtend', 'wc_pairingPing'].includes(payload.method))
        decide(() =>
          say(topic, dice.strikes('wallet.talksNonsense') ? said(payload.id, unauthorised) : acknowledged(payload.id)),
        )
      if (payload.method === 'wc_sessionPropose' && payload.optionalNamespaces.eip155) wide.add(topic)
      if (payload.method === 'wc_sessionPropose' && dice.chance('pings the code', 0.1))
        say(topic, { kind: 'pairingPing', id: ownId() })
      if (payload.method === 'wc_sessionPropose' && hearsProposal(topic))
        decide(() => answerProposal(topic, payload.id))
      if (payload.method === 'wc_sessionAuthenticate') {
        signingIn.add(topic)
        links.note(`answers-of-${topic}`, way === 'link')
        links.note(sessionTopicOf(`answers-of-${topic}`, wallets[0]?.key ?? ''), way === 'link')
        if (way === 'link') return decide(() => answerAuth(topic, payload))
        if (dice.chance('knows no one-click auth', 0.4)) unknowing.add(topic)
        decide(() => answerAuth(topic, payload))
      }
      if (payload.method !== 'wc_sessionRequest') return
      const { request } = payload
      if (!('bytesRef' in request)) {
        askedByHost(payload.id)
        return decide(() => answerPage(topic, payload.id))
      }
      prompts.push(payload.id)
      asked(request.bytesRef)
      decide(() => answerRequest(topic, payload.id, request.bytesRef))
    },
  }
}
export type WalletApp = ReturnType<typeof createWalletApp>
