/**
 * Typed references to what a message, a request, an effect or a timer is about. In logs each is one text, `<kind>:<id>`; only
 * this module writes and reads it. Redaction knows the kinds whose ids are personal, see `personalAfter`.
 */

const messageKinds = ['request', 'auth', 'call', 'ping', 'propose', 'delete', 'settled'] as const

/** Kinds of references, by the place they stand in. */
type Kinds = {
  /** Purpose of a request to a wallet: the order that it pays, or the command of the page that asked. */
  request: 'order' | 'page'
  /** Content of a message to a wallet. `delete` and `settled` name a session, `propose` a pairing. */
  message: (typeof messageKinds)[number]
  /** Subject of an effect, where the id alone does not tell it. */
  effect: 'gate' | 'page' | 'account' | 'search' | 'certified' | 'topic'
  /** Records that were deleted lately. */
  deleted: 'session' | 'pairing' | 'proposal' | 'request'
  /** Entries of the vault's store. */
  key: 'topic' | 'message'
}
type Kind = Kinds[keyof Kinds]
type Reference<K extends string = Kind> = { kind: K; id: string }
export type RequestPurpose = Reference<Kinds['request']>
export type MessagePurpose = Reference<Kinds['message']>
export type DeletedKind = Kinds['deleted']

/** @returns the reference as one text */
export function referenceText({ kind, id }: Reference): string {
  return `${kind}:${id}`
}

/** @returns the topic's reference: an effect is about it, and the topic's keys are stored under it */
export function topicReference(topic: string): string {
  return referenceText({ kind: 'topic', id: topic })
}

/** @returns the id of a reference of this kind; undefined when the text is of another kind or no reference */
export function idIn(kind: Kind, text = ''): string | undefined {
  return text.startsWith(`${kind}:`) ? text.slice(kind.length + 1) : undefined
}

/** @returns what a message is for; undefined when nothing is noted, or by another build */
export function messagePurposeIn(text: string | undefined): MessagePurpose | undefined {
  for (const kind of messageKinds) {
    const id = idIn(kind, text)
    if (id !== undefined) return { kind, id }
  }
  return undefined
}

/** Families of timers; the decider of a family hears its timers. */
export type TimerFamily =
  | 'analytics'
  | 'ask'
  | 'attempt'
  | 'attest'
  | 'auth'
  | 'call'
  | 'gate'
  | 'http'
  | 'invoice'
  | 'link'
  | 'listing'
  | 'network'
  | 'node'
  | 'outbox'
  | 'owed'
  | 'pairing'
  | 'ping'
  | 'purchases'
  | 'rejoin'
  | 'relay'
  | 'renew'
  | 'request'
  | 'resend'
  | 'return'
  | 'rpc'
  | 'sale'
  | 'session'
  | 'silence'
  | 'watch'
/** A family and what the timer is for; `owed` is one timer for all answers. */
export type TimerId = 'owed' | `${TimerFamily}:${string}`
