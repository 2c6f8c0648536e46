/** Settled WalletConnect sessions. The wallet controls what is in them. */
import { own } from '../schema/own.ts'
import {
  failure,
  type Namespaces,
  namespaces,
  type Peer,
  peer,
  type Proposal,
  proposal,
  scopedProperties,
  sessionProperties,
  type Redirect,
  redirect,
} from '../schema/fields.ts'
import {
  choice,
  chosenId,
  chosenName,
  define,
  id,
  instant,
  integer,
  isSo,
  lifted,
  list,
  longText,
  open,
  optional,
  personal,
  stamp,
  text,
  type UnionOf,
  v1,
} from '../schema/registry.ts'

/** `VALID`: from the origin the wallet names. `INVALID`: from another. `THREAT`: from one known for fraud, whichever it names. */
export const validations = ['UNKNOWN', 'VALID', 'INVALID', 'THREAT'] as const

const sessionTopic = /* @__PURE__ */ personal(id)
const what = /* @__PURE__ */ open(choice(['ping', 'extend', 'emit']))

export const sessionFacts = define({
  /**
   * `namespaces` is what the wallet approved, as it stands; `unasked` are its chains that nobody asked for, which are not
   * used. Without a `proposal` it was this page's own. `publicKey` is our side's.
   */
  'session.settled': lifted(
    {
      sessionTopic,
      pairingTopic: personal(id),
      controllerKey: personal(id),
      peer,
      namespaces,
      expiresAt: open(instant),
      transport: open(choice(['relay', 'link'])),
      publicKey: optional(personal(id)),
      proposal: optional(proposal),
      unasked: optional(list(open(chosenId))),
      sessionProperties,
      scopedProperties,
      disableDeepLink: optional(open(isSo)),
      redirect: optional(redirect),
      validation: optional(open(choice(validations))),
    },
    data => ({ ...data, transport: 'relay' }),
    // There is one more thing to be told of where it is from
    data => data,
  ),
  /** The wallet replaced the whole set. `order` is the update's id cut to its milliseconds; older ones are refused. */
  'session.updated': v1({ sessionTopic, namespaces, order: open(stamp) }),
  /** The wallet wanted to replace the set by one that cannot be; it was told so. */
  'session.updateRefused': v1({ sessionTopic, failure }),
  /** What can be told of where its wallet's messages come from; advice for the person, nothing depends on it. */
  'session.verified': lifted({ sessionTopic, validation: open(choice(validations)) }, data => data),
  /** From now on its messages go that way. */
  'session.switched': v1({ sessionTopic, transport: open(choice(['relay', 'link'])) }),
  'session.extended': v1({ sessionTopic, expiresAt: open(instant) }),
  /** The wallet says that something happened. `data` is JSON text, `order` the id when it is one, `chain` where the wallet is now. */
  'session.eventHeard': v1({
    sessionTopic,
    name: open(chosenName),
    chainId: open(chosenName),
    data: optional(personal(longText)),
    order: open(stamp),
    chain: optional(open(chosenName)),
  }),
  /** A host means this chain from now on when it names none. */
  'session.chainSet': v1({ sessionTopic, chain: open(chosenName) }),
  /** We ask the wallet for a sign of life or for more time, or tell it that something happened here. */
  'session.called': v1({ sessionTopic, payloadId: open(id), what }),
  /** It answered, or the relay has what needs no answer; else why not. */
  'session.callEnded': v1({ sessionTopic, payloadId: open(id), failure: optional(failure) }),
  /** A command that cannot be carried out: the protocol's code and text. */
  'session.refused': v1({ sessionTopic: personal(text), code: open(integer), message: open(text) }),
  /** The person left one namespace of several; the wallet is not told, and what it says of it later is not heard. */
  'session.namespaceLeft': v1({ sessionTopic, namespace: open(chosenName) }),
  'session.deleted': v1({ sessionTopic, by: open(choice(['person', 'wallet', 'expiry'])) }),
})
export type SessionFact = UnionOf<typeof sessionFacts>

export type Session = {
  sessionTopic: string
  pairingTopic: string
  controllerKey: string
  peer: Peer
  namespaces: Namespaces
  expiresAt: number
  transport: 'relay' | 'link'
  publicKey?: string
  proposal?: Proposal
  unasked?: string[]
  sessionProperties?: Record<string, string>
  scopedProperties?: Record<string, string>
  disableDeepLink?: true
  redirect?: Redirect
  validation?: (typeof validations)[number]
  settledAt: number
  updateOrder: number
  /** namespaces the person left */
  left: string[]
  /** ids of the newest events, by name */
  heard: Record<string, number>
  /** the chain that a host or the wallet named last, by namespace */
  chains: Record<string, string>
  /** what we called the wallet for and have no end of, by payload id */
  calls: Record<string, { what: SessionCall; sentAt: number }>
}
export type SessionCall = 'ping' | 'extend' | 'emit'
export type SessionView = Record<string, Session>

export function foldSession(model: { session: SessionView }, fact: SessionFact & { at: number }): void {
  const { sessionTopic } = fact.data
  if (fact.type === 'session.settled') {
    if (!own(model.session, sessionTopic))
      // Spread into a literal each would have a hidden class of its own in V8, of 430 bytes
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
      // The same update a second time keeps the very same object, so that nothing redraws
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
      if (order > 0) session.heard[name] = order
      if (chain !== undefined) session.chains[namespaceOf(chain)] = chain
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

/** @returns the family of a chain, or of a namespace that is named by one: what stands before the first colon */
export function namespaceOf(key: string): string {
  return key.split(':')[0] ?? key
}

/** @returns what is left of a session without these namespaces */
export function withoutNamespaces(namespaces: Namespaces, left: readonly string[]): Namespaces {
  return Object.fromEntries(Object.entries(namespaces).filter(([key]) => !left.includes(namespaceOf(key))))
}
