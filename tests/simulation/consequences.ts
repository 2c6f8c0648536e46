/**
 * Required consequences of an input in any state; each names the loss if it is missing. They look only at the model after the
 * step and at its effects, not at how the core decides.
 */
import { moneyUnderWay } from '../../src/worker/host/money/moneyUnderWay.ts'
import { inOrder } from '../../src/events/subjects/wallet/connection.ts'
import { isAway } from '../../src/events/subjects/service/network.ts'
import { wasDeleted } from '../../src/events/subjects/session/deleted.ts'
import type { CoreModel } from '../../src/events/app.ts'
import type { OutgoingPayload } from '../../src/events/effect.ts'
import { booksDiffer } from '../../src/events/subjects/sale/ledger.ts'
import { askOf, isDead, isReadAlarm, orderSignatureOf, signedRefOf } from '../../src/events/subjects/order/order.ts'
import type { InputData, InputType } from '../../src/worker/core/context.ts'
import type { Transient } from '../../src/worker/core/transient.ts'
import { wrongAccounts, wrongEvents } from './approved.ts'
import { overlong } from './patience.ts'
import type { Stepped, Waits } from './watch.ts'

type Rules = { [T in InputType]?: (data: InputData<T>, step: Stepped) => string | undefined }

/** Longest time a visible sale stays unread, ms. */
const unreadMs = 60_000

const unless = (holds: boolean, what: string) => (holds ? undefined : what)
/** Link mode needs no relay. */
const isRelayNeeded = ({ session, pairing, outbox }: CoreModel) =>
  Object.values(session).some(({ transport }) => transport !== 'link') ||
  Object.keys(pairing.open).length > 0 ||
  Object.values(outbox).some(({ universal }) => universal === undefined)
const effectsOf = ({ effects }: Stepped, type: string) => effects.filter(effect => effect.type === type)
const timersSet = (step: Stepped) => new Set(effectsOf(step, 'timer.set').map(({ data }) => String(data.timerId)))

const rules: Rules = {
  'connection.abandon': (_, { model }) =>
    unless(model.connection.attempt.phase === 'none', 'an attempt that was left is still there'),
  'connection.connectInstalled': (_, step) => {
    const { attempt } = step.model.connection
    if (attempt.phase !== 'asking') return 'a press to connect asks nobody'
    const [asked] = effectsOf(step, 'wallet.connect')
    return unless(
      asked?.id === attempt.attemptId && asked.tab === step.input.tab && timersSet(step).has(`attempt:${asked.id}`),
      'a press to connect does not lead to a prompt where it was pressed, with an end',
    )
  },
  'connection.connectWalletConnect': ({ share }, step) =>
    unless(
      step.model.connection.attempt.phase === 'asking' &&
        // A wallet chosen for the code on show gets that one
        (share === true || effectsOf(step, 'vault.makePairing').length === 1),
      'a press for a code makes no code',
    ),
  'request.send': (_, { facts, input }) =>
    unless(
      facts.filter(({ type, ref }) => /^request\.(sent|refused)$/.test(type) && ref === input.ref).length === 1,
      'a request of the page is neither sent nor refused',
    ),
  'connection.disconnect': ({ connectionId }, { model }) =>
    unless(!model.connection.made[connectionId], 'a connection that was ended is still there'),
  'wallet.changed': ({ connectionId, accounts }, { model }) => {
    const made = model.connection.made[connectionId]
    return unless(
      accounts.length === 0
        ? !made
        : // The account that the person chose stays first
          !made || made.accounts.join() === inOrder(made, accounts).join(),
      'what a wallet shares now is not what the model says',
    )
  },
  'page.attached': (_, step) => {
    const restored = step.facts.filter(({ type }) => type === 'connection.restoring')
    return unless(
      restored.length <= effectsOf(step, 'wallet.connect').length,
      'a wallet that is to be restored is not asked',
    )
  },
  'listing.read': ({ page, search }, { model, facts }) => {
    if (!facts.some(({ type }) => type === 'listing.asked')) return undefined
    const lane = search === '' ? model.listing.all : model.listing.found
    return unless(lane.phase === 'reading' && lane.page === page, 'a page of the directory is read that is not due')
  },
  'directory.read': (_, { model }) => {
    const ids = model.listing.all.wallets.map(one => one.walletId)
    return unless(new Set(ids).size === ids.length, 'a wallet stands in the directory twice')
  },
  'page.online': ({ online }, { model }) =>
    unless(model.network.online === online, 'whether the device is online is not what the page said'),
  'core.storageFailed': (_, { model }) =>
    unless(model.core.storage !== 'durable', 'the disk failed, but the record counts as durable'),
  'network.switch': (_, { model, facts }) =>
    unless(
      !facts.some(({ type }) => type === 'network.switched') || !moneyUnderWay(model),
      'the core leaves for another network while money is under way',
    ),
  'chain.identified': ({ genesisHash }, { model, facts }) =>
    unless(
      model.network.phase === 'identified'
        ? model.network.genesisHash === genesisHash
        : facts.some(({ type }) => type === 'network.mismatched') || model.network.phase === 'mismatched',
      'the chain that was identified is not the one in the model',
    ),
  'chain.sale': ({ slot }, { model }) =>
    unless(
      (model.sale.reading?.slot ?? 0) >= slot && model.sale.stale === null,
      'the sale was read, but counts as older or stale',
    ),
  'chain.balances': ({ account, slot }, { model }) =>
    unless(
      (model.balance[account]?.slot ?? -1) >= slot && !model.balance[account]?.failure,
      'a balance was read, but counts as older or failed',
    ),
  'chain.terms': ({ terms, termsHash }, { model }) => {
    const { network, sale } = model
    if (network.phase === 'identified' && network.genesisHash !== terms.cluster.genesisHash && !sale.distrust)
      return 'terms of another chain are trusted'
    return unless(sale.terms.phase === 'read' && sale.terms.termsHash === termsHash, 'terms were read in vain')
  },
  'chain.notices': (said, { model }) => {
    const { notices, terms, distrust } = model.sale
    if (notices?.paused !== said.paused || notices.closed !== said.closed) return 'a notice is not heard'
    if (notices.checkpoint?.slot !== said.checkpoint?.slot) return 'a checkpoint of the sale is not heard'
    if (terms.phase === 'read' && terms.termsHash !== said.termsHash && !distrust)
      return 'terms nobody announced are trusted'
    const rows = Object.values(model.purchase).flatMap(({ accounted }) => accounted?.rows ?? [])
    const judged = Object.values(model.order).filter(({ phase }) => phase === 'accounted')
    return unless(
      judged.every(order => rows.some(({ signature }) => signature === orderSignatureOf(order))),
      'a payment counts as judged, though no audited books have it',
    )
  },
  'ledger.found': ({ accounted = [] }, { model, facts }) => {
    if (!facts.some(({ type }) => type === 'ledger.computed')) return undefined
    if (booksDiffer(model).length > 0)
      return unless(
        !facts.some(({ type }) => type.endsWith('.accounted')),
        'a payment counts by books that are not the announced ones',
      )
    return unless(
      accounted.every(({ account, slot, rows }) => {
        const known = model.purchase[account]?.accounted
        return known && (known.slot > slot || JSON.stringify(known.rows) === JSON.stringify(rows))
      }),
      'the audited books’ rows of an account are not known',
    )
  },
  'sale.legal': ({ sha256 }, { model }) =>
    unless(
      model.sale.legal?.phase === 'read' && model.sale.legal.sha256 === sha256,
      'the legal document was read in vain',
    ),
  'sale.access': ({ account, allowed }, { model }) =>
    unless(model.sale.access?.[account]?.allowed === allowed, 'the list of the sale was read in vain'),
  'chain.purchases': ({ account, purchases, payouts = [] }, { model }) => {
    const read = model.purchase[account]
    const known = new Set([...(read?.purchases ?? []), ...(read?.payouts ?? [])].map(one => one.signature))
    return unless(
      [...purchases, ...payouts].every(one => known.has(one.signature)),
      'a purchase or payout the chain tells of is not known',
    )
  },
  'chain.invoice': ({ reference, buyer, payment, earlier = [] }, { model }) => {
    const { all = [] } = model.invoice ?? {}
    const one = all.find(known => known.reference === reference)
    if (!one) return 'a code was named in vain'
    const own = payment && buyer !== undefined ? [{ invoiceId: one.invoiceId, buyer, payment }] : []
    const isKnown = [...own, ...earlier].every(told => {
      const { payment: known } = all.find(({ invoiceId }) => invoiceId === told.invoiceId) ?? {}
      const purchases = model.purchase[told.buyer]?.purchases ?? []
      return (
        known?.signature === told.payment.signature &&
        (known.status === 'final' || known.status === told.payment.status) &&
        purchases.some(({ signature }) => signature === known.signature)
      )
    })
    return unless(isKnown, 'a payment by a code is not known')
  },
  'invoice.close': ({ invoiceId }, { model }) =>
    unless(model.invoice?.shown !== invoiceId, 'a code that was put away is still on show'),
  'order.abandon': ({ orderId }, { model }) => {
    const order = model.order[orderId]
    return unless(!order || order.phase !== 'pressAwaited', 'an order that was given up still waits for a press')
  },
  'order.dismiss': ({ orderId }, { model }) => {
    const order = model.order[orderId]
    const isOver = order && (isDead(order) || order.phase === 'finalised' || order.phase === 'accounted')
    return unless(!isOver || order.dismissed === true, 'an order that was dismissed is still on show')
  },
  'relay.opened': (_, step) => {
    const { model } = step
    if (model.relay.phase !== 'connected') return `the relay opened and is ${model.relay.phase}`
    const listened = new Set(effectsOf(step, 'relay.subscribe').flatMap(({ data }) => data.topics as string[]))
    if (!Object.keys(model.session).every(topic => listened.has(topic))) return 'a session is not listened to'
    const open = Object.values(model.pairing.open)
    if (!open.every(one => listened.has(one.pairingTopic))) return 'a pairing is not listened to'
    if (!open.every(one => one.phase !== 'answered' || listened.has(one.sessionTopic)))
      return 'a session whose settlement is due is not listened to'
    const sent = new Set(step.effects.flatMap(({ type, data }) => (/publish|propose/.test(type) ? [data.callId] : [])))
    const { attested = {} } = (step.memory() as Pick<Transient, 'wire'>).wire
    return unless(
      Object.values(model.outbox).every(
        ({ callId, universal }) => universal !== undefined || sent.has(callId) || attested[callId] === 'asked',
      ),
      'a message that waited for the relay still waits',
    )
  },
  'relay.closed': (_, { model }) =>
    unless(model.relay.phase !== 'connected', 'a socket that closed counts as connected'),
  'relay.failed': ({ callId, error }, { model }) =>
    unless(
      error.code !== -32601 || model.outbox[callId]?.kind !== 'propose',
      'a relay that knows no proposals is told one again',
    ),
  'timer.fired': ({ timerId }, step) => {
    const topic = timerId.startsWith('renew:') ? timerId.slice('renew:'.length) : undefined
    const { pairing, connection } = step.model
    const code = topic === undefined || pairing.shown !== topic ? undefined : pairing.open[topic]
    if (code?.phase !== 'created' && code?.phase !== 'proposed') return undefined
    const { pages, asked } = step.memory() as Pick<Transient, 'pages' | 'asked'>
    const isSeen = Object.values(pages).some(({ visible }) => visible)
    const isAwaited = connection.attempt.phase === 'asking' && connection.attempt.attemptId === code.attemptId
    const isMade = Object.values(asked).some(({ type }) => type === 'vault.makePairing')
    return unless(!isSeen || !isAwaited || isMade, 'a code that is looked at is not renewed')
  },
  'analytics.track': ({ event }, step) => {
    const isQueued = step.facts.some(({ type }) => type === 'analytics.queued')
    const word = step.model.analytics?.consent
    return unless(
      !isQueued || word === 'given' || event === 'INITIALIZE' || word === undefined,
      'an event is queued that was refused',
    )
  },
  'analytics.consent': ({ given }, { model }) =>
    unless(given || (model.analytics?.waiting.length ?? 0) === 0, 'events wait that the visitor refused'),
  'relay.taken': ({ callId }, { model }) => unless(!model.outbox[callId], 'a message the relay took goes out again'),
  'relay.garbage': ({ pushId }, step) =>
    unless(
      pushId === undefined || effectsOf(step, 'relay.acknowledge').some(effect => effect.data.pushId === pushId),
      'a message that is none comes again for ever',
    ),
  'relay.message': ({ topic, payload, pushId }, step) => {
    // Fetched messages need none; one that overtook its topic is acknowledged once the topic is known
    const mayWait = pushId === '' || isEarly(step.model, topic, payload.kind)
    if (!mayWait && !effectsOf(step, 'relay.acknowledge').some(effect => effect.data.pushId === pushId))
      return 'a message is not acknowledged'
    const { model } = step
    if (payload.kind === 'delete' && model.session[topic]) return 'a session its wallet ended is still there'
    if (isUnanswered(topic, payload, step)) return `a ${payload.kind} of a wallet goes unanswered`
    const answered = model.request[payload.id]
    const isAnswer = payload.kind === 'result' || payload.kind === 'error'
    return unless(
      !isAnswer || answered?.sessionTopic !== topic || answered.phase === 'ended',
      'an answer ends no request',
    )
  },
  'core.boot': booted,
}

/** A wallet's request in its session or on its code is answered once, in its own step. */
function isUnanswered(topic: string, { kind, id }: InputData<'relay.message'>['payload'], step: Stepped): boolean {
  const isAsked =
    kind === 'pairingPing'
      ? step.model.pairing.open[topic] !== undefined
      : ['settle', 'update', 'extend', 'ping'].includes(kind) && step.model.session[topic] !== undefined
  if (!isAsked || !step.facts.some(({ type }) => type === 'mail.heard')) return false
  return !effectsOf(step, 'vault.seal').some(({ data }) => {
    const payload = data.payload as OutgoingPayload
    return data.topic === topic && payload.id === id && !('method' in payload)
  })
}

/** Whether this overtook its cause: a settlement the wallet's answer, anything else its settlement. */
function isEarly({ session, pairing, deleted }: CoreModel, topic: string, kind: string): boolean {
  const open = Object.values(pairing.open)
  const isKnown = session[topic] || open.some(one => one.pairingTopic === topic)
  if (isKnown || wasDeleted(deleted, 'session', topic) || wasDeleted(deleted, 'pairing', topic)) return false
  if (open.some(one => one.phase === 'answered' && one.sessionTopic === topic))
    return kind !== 'settle' && kind !== 'unopened'
  return open.some(({ phase }) => phase !== 'answered' && phase !== 'rejected')
}

/** Everything open before a restart goes on, or ends, with the boot. */
function booted({ life, cause, online }: InputData<'core.boot'>, step: Stepped): string | undefined {
  const { model } = step
  const timers = timersSet(step)
  if (model.core.life !== life) return `the life is ${model.core.life}, not ${life}`
  for (const { requestId, phase } of Object.values(model.request))
    if (phase !== 'ended' && !timers.has(`request:${requestId}`)) return 'after a restart a request has no end'
  for (const topic of Object.keys(model.session))
    if (!timers.has(`session:${topic}`)) return 'after a restart a session has no end'
  for (const topic of Object.keys(model.pairing.open))
    if (!timers.has(`pairing:${topic}`)) return 'after a restart a pairing has no end'
  const sealed = new Set(effectsOf(step, 'vault.seal').map(({ data }) => String(data.topic)))
  const waiting = new Set(Object.values(model.outbox).map(({ topic }) => topic))
  for (const { phase, pairingTopic } of Object.values(model.pairing.open)) {
    if (phase === 'created' && !sealed.has(pairingTopic) && !waiting.has(pairingTopic))
      return 'after a restart a proposal is not made'
    const isDerived = effectsOf(step, 'vault.deriveSession').some(({ data }) => data.pairingTopic === pairingTopic)
    if (phase === 'responded' && !isDerived) return 'after a restart the key of a session is not derived'
  }
  const isNeeded = isRelayNeeded(model)
  // Short lives share one minute's openings: then the socket waits
  const inAMinute = model.relays.opens.filter(at => at > step.input.at - 60_000).length
  const waits = inAMinute >= 12 && timers.has('relay:retry')
  if (isNeeded && online && !waits && effectsOf(step, 'relay.open').length !== 1)
    return 'after a restart the relay is not opened'
  for (const { connector, phase } of Object.values(model.connection.made))
    if (cause === 'start' && connector === 'installed' && phase !== 'restoring')
      return `after a reload an installed wallet is ${phase}`
  if (model.listing.all.phase === 'reading' || model.listing.found.phase === 'reading')
    return 'after a restart the directory is still being read'
  return ordersGoOn(model, step, timers)
}

function ordersGoOn(model: CoreModel, step: Stepped, timers: ReadonlySet<string>): string | undefined {
  for (const order of Object.values(model.order)) {
    const { orderId, phase } = order
    const about = (type: string) => effectsOf(step, type).some(({ data }) => data.orderId === orderId)
    if (phase === 'awaitingSignature' && !timers.has(`silence:${orderId}`)) return 'after a restart silence has no end'
    const isOut = ['signed', 'sending', 'seen', 'confirmed', 'unknown'].includes(phase)
    if (isOut && !isReadAlarm(order) && !timers.has(`watch:${orderId}`))
      return `after a restart nobody watches a ${phase} order`
    if (phase === 'sending' && signedRefOf(order) !== undefined && !about('chain.submit'))
      return 'after a restart an order is not sent'
  }
  return undefined
}

/** The wallet of a session the person ended gets a delete, pending until it is sealed. */
function isToldOfEnds(step: Stepped): boolean {
  const ended = step.facts.filter(({ type, data }) => type === 'session.deleted' && data.by === 'person')
  const told = new Set(effectsOf(step, 'vault.seal').map(({ data }) => data.topic))
  return ended.every(
    ({ data: { sessionTopic } }) => told.has(sessionTopic) && String(sessionTopic) in step.model.parting,
  )
}

/** Invariants of the model after every step. */
function standing({ model, effects, input }: Stepped, chain: string): string | undefined {
  if (model.network.phase === 'identified' && chain !== '' && model.network.genesisHash !== chain)
    return 'the log of one chain counts as that of another'
  for (const { phase, sessionTopic } of Object.values(model.request))
    if (phase !== 'ended' && !model.session[sessionTopic]) return 'a request waits for a session that has ended'
  for (const { type, data } of effects)
    if (
      /^relay.(publish|propose)$/.test(type) &&
      (model.outbox[String(data.callId)]?.expiresAt ?? Infinity) <= input.at
    )
      return 'a message goes out whose life is over'
  const { made, active } = model.connection
  const topics = new Set(Object.values(made).flatMap(one => one.sessionTopic ?? []))
  // A page's own proposal may lack Solana
  for (const [topic, { proposal }] of Object.entries(model.session))
    if (!proposal && !topics.has(topic) && !isAway(model)) return 'a session has no connection'
  for (const topic of topics) if (!model.session[topic]) return 'a connection has no session'
  if (active !== null && !made[active]) return 'the page speaks for a connection that is gone'
  for (const one of Object.values(made))
    if (model.relay.phase === 'connected' && one.phase === 'missing' && one.sessionTopic !== undefined)
      return 'a wallet of a session is missing while the relay is connected'
  for (const one of Object.values(made))
    if (one.connector === 'installed' && one.phase === 'live' && one.accounts.length === 0)
      return 'a wallet that shares nothing counts as connected'
  // A wallet may decline, or be given up, and pay while the next order is open: that payment is followed all the same
  const open = Object.values(model.order).filter(
    order =>
      !isDead(order) &&
      !isReadAlarm(order) &&
      order.phase !== 'finalised' &&
      order.phase !== 'accounted' &&
      order.times.rejected === undefined &&
      !(order.times.expired !== undefined && askOf(order)?.means === 'signAndSend'),
  )
  if (open.length > 1) return `${open.length} orders are open at once`
  if (model.connection.recent.length > 2) return 'too many wallets are remembered'
  return undefined
}

/**
 * @param chain genesis hash of the log's chain
 * @returns a required consequence the step lacks
 */
export function missed(step: Stepped, chain: string): string | undefined {
  const { type, data } = step.input
  if (step.facts.some(fact => fact.type === 'core.faulted')) return standing(step, chain)
  const rule = Object.hasOwn(rules, type) ? rules[type as InputType] : undefined
  if (!isToldOfEnds(step)) return 'a wallet is not told that its session has ended'
  return (
    rule?.(data as never, step) ??
    wrongEvents(step) ??
    wrongAccounts(step.model) ??
    overlong(step) ??
    standing(step, chain)
  )
}

/** @returns a wait without a timer to end it */
export function withoutEnd(model: CoreModel, { isTimed, underWay, attested, isSeen, at }: Waits): string | undefined {
  const { reading } = model.sale
  // Contradictory terms are not polled
  if (isSeen && !model.sale.distrust && reading && at - reading.readAt > unreadMs && !isTimed('sale:poll')) {
    if (!underWay.has('chain.readSale') && !underWay.has('chain.readTerms')) return 'nobody reads the sale any more'
  }
  if (model.network.phase === 'unreachable' && !isTimed('network:identify') && !underWay.has('chain.identify'))
    return 'a chain that could not be reached is not asked for again'
  for (const { requestId, phase } of Object.values(model.request))
    if (phase !== 'ended' && !isTimed(`request:${requestId}`)) return 'a request waits without an end'
  for (const [callId, state] of Object.entries(attested)) {
    // A step that failed took its message back; its entry goes with this life
    if (!model.outbox[callId] && model.core.faults > 0) continue
    if (!model.outbox[callId]) return 'a message that is gone is still being witnessed'
    if (state === 'asked' && !isTimed(`attest:${callId}`)) return 'a message waits for its witness without an end'
  }
  for (const topic of Object.keys(model.session))
    if (!isTimed(`session:${topic}`)) return 'a session lives without an end'
  for (const topic of Object.keys(model.pairing.open))
    if (!isTimed(`pairing:${topic}`)) return 'a pairing is open without an end'
  const { attempt } = model.connection
  if (attempt.phase === 'asking' && attempt.connector === 'installed' && !isTimed(`attempt:${attempt.attemptId}`))
    return 'a wallet is asked to connect without an end'
  const isNeeded = isRelayNeeded(model)
  if (
    model.relay.phase === 'lost' &&
    isNeeded &&
    model.network.online &&
    !isTimed('relay:retry') &&
    !underWay.has('relay.open')
  )
    return 'the relay is lost and nothing opens it again'
  return undefined
}
