/** Settled WalletConnect sessions. The wallet controls their content. */
import { own } from '../../../runtime/schema/own.ts'
import {
  failure,
  type Namespaces,
  namespaces,
  peer,
  proposal,
  scopedProperties,
  sessionProperties,
  redirect,
} from '../../schema/fields.ts'
import {
  choice,
  chosen,
  define,
  id,
  integer,
  isSo,
  lifted,
  list,
  longText,
  map,
  openField,
  optional,
  personal,
  shape,
  type StateOf,
  text,
  type UnionOf,
  v1,
} from '../../../runtime/schema/registry.ts'
import { chosenId, chosenName, instant, stamp } from '../../schema/scales.ts'
import { namespaceOf } from '../../values/networks.ts'

/** `VALID`: from the origin the wallet names. `INVALID`: from another. `THREAT`: from one known for fraud, named or not. */
export const validations = ['UNKNOWN', 'VALID', 'INVALID', 'THREAT'] as const

const sessionTopic = /* @__PURE__ */ personal(id)
const what = /* @__PURE__ */ openField(choice(['ping', 'extend', 'emit']))

export const sessionFacts = define({
  /**
   * `namespaces` is what the wallet approved, unchanged; `unasked` are its chains outside the proposal, which are not used.
   * Without `proposal` it was this page's own. `publicKey` is our side's.
   */
  'session.settled': lifted(
    {
      sessionTopic,
      pairingTopic: personal(id),
      controllerKey: personal(id),
      peer,
      namespaces,
      expiresAt: openField(instant),
      transport: openField(choice(['relay', 'link'])),
      publicKey: optional(personal(id)),
      proposal: optional(proposal),
      unasked: optional(list(openField(chosenId))),
      sessionProperties,
      scopedProperties,
      disableDeepLink: optional(openField(isSo)),
      redirect: optional(redirect),
      validation: optional(openField(choice(validations))),
    },
    data => ({ ...data, transport: 'relay' }),
    // Added: one more verdict on where its messages come from
    data => data,
  ),
  /** The wallet replaced the namespaces. `order` is the update's id cut to its milliseconds; older updates are refused. */
  'session.updated': v1({ sessionTopic, namespaces, order: openField(stamp) }),
  /** The wallet tried to replace the namespaces by invalid ones, and got an error. */
  'session.updateRefused': v1({ sessionTopic, failure }),
  /** Verdict on where the wallet's messages come from: advice for the person; no decision depends on it. */
  'session.verified': lifted({ sessionTopic, validation: openField(choice(validations)) }, data => data),
  /** Messages of this session go this way from now on. */
  'session.switched': v1({ sessionTopic, transport: openField(choice(['relay', 'link'])) }),
  'session.extended': v1({ sessionTopic, expiresAt: openField(instant) }),
  /** The wallet emitted an event. `data` is JSON text, `order` its id or 0, `chain` the chain the wallet is on now. */
  'session.eventHeard': v1({
    sessionTopic,
    name: openField(chosenName),
    chainId: openField(chosenName),
    data: optional(personal(longText)),
    order: openField(stamp),
    chain: optional(openField(chosenName)),
  }),
  /** Requests of a host without a chain go to this one from now on. */
  'session.chainSet': v1({ sessionTopic, chain: openField(chosenName) }),
  /** A call to the wallet begins: a ping, an extension or an event. */
  'session.called': v1({ sessionTopic, payloadId: openField(id), what }),
  /** The wallet answered, or the relay acknowledged a call that needs no answer; else `failure` says why not. */
  'session.callEnded': v1({ sessionTopic, payloadId: openField(id), failure: optional(failure) }),
  /** A command that cannot be carried out: the protocol's code and text. */
  'session.refused': v1({ sessionTopic: personal(text), code: openField(integer), message: openField(text) }),
  /** The person left one namespace of several; the wallet is not notified, and its messages about it are ignored. */
  'session.namespaceLeft': v1({ sessionTopic, namespace: openField(chosenName) }),
  'session.deleted': v1({ sessionTopic, by: openField(choice(['person', 'wallet', 'expiry'])) }),
})
export type SessionFact = UnionOf<typeof sessionFacts>

/** A session as the model has it. */
export function sessionState() {
  return shape({
    ...sessionFacts['session.settled'].fields,
    settledAt: openField(instant),
    updateOrder: sessionFacts['session.updated'].fields.order,
    /** namespaces the person left */
    left: list(openField(chosenName)),
    /** ids of the newest events, by name */
    heard: chosen(openField(stamp)),
    /** the chain that a host or the wallet named last, by namespace */
    chains: chosen(openField(chosenName)),
    /** open calls to the wallet, by payload id */
    calls: map(shape({ what, sentAt: openField(instant) })),
  })
}
export type Session = StateOf<typeof sessionState>
export type SessionCall = 'ping' | 'extend' | 'emit'
export type SessionView = Record<string, Session>

export function foldSession(model: { session: SessionView }, fact: SessionFact & { at: number }): void {
  const { sessionTopic } = fact.data
  if (fact.type === 'session.settled') {
    if (!own(model.session, sessionTopic))
      // A spread literal would give each session a hidden class of its own in V8, of 430 bytes
      model.session[sessionTopic] = Object.assign({}, fact.data, {
        settledAt: fact.at,
        updateOrder: 0,
        left: [],
        heard: {},
        chains: {},
        calls: {},
      })
    return
  }
  const session = own(model.session, sessionTopic)
  if (!session) return
  switch (fact.type) {
    case 'session.updated':
      if (fact.data.order < session.updateOrder) return
      // An equal update leaves the very same object, so that nothing redraws
      if (JSON.stringify(session.namespaces) !== JSON.stringify(fact.data.namespaces))
        session.namespaces = fact.data.namespaces
      session.updateOrder = fact.data.order
      return
    case 'session.verified':
      session.validation = fact.data.validation
      return
    case 'session.switched':
      session.transport = fact.data.transport
      return
    case 'session.extended':
      session.expiresAt = fact.data.expiresAt
      return
    case 'session.eventHeard': {
      const { name, order, chain } = fact.data
      if (order > 0) note(session.heard, name, order)
      if (chain !== undefined) note(session.chains, namespaceOf(chain), chain)
      return
    }
    case 'session.chainSet': {
      const { chain } = fact.data
      session.chains[namespaceOf(chain)] = chain
      return
    }
    case 'session.called': {
      const { payloadId, what } = fact.data
      session.calls[payloadId] ??= { what, sentAt: fact.at }
      return
    }
    case 'session.callEnded':
      delete session.calls[fact.data.payloadId]
      return
    case 'session.namespaceLeft': {
      const { namespace } = fact.data
      if (session.left.includes(namespace)) return
      session.left.push(namespace)
      session.namespaces = withoutNamespaces(session.namespaces, session.left)
      delete session.chains[namespace]
      return
    }
    case 'session.deleted':
      delete model.session[sessionTopic]
  }
}

/** Names that a wallet may choose: beyond this many the first noted leaves. */
export const namesKept = 50

function note<T>(table: Record<string, T>, name: string, value: T): void {
  table[name] = value
  const [first = ''] = Object.keys(table)
  if (Object.keys(table).length > namesKept) delete table[first]
}

/** @returns the namespaces without those that were left */
export function withoutNamespaces(namespaces: Namespaces, left: readonly string[]): Namespaces {
  return Object.fromEntries(Object.entries(namespaces).filter(([key]) => !left.includes(namespaceOf(key))))
}
