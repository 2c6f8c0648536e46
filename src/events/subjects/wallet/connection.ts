/** Wallets that the person has approved, and the attempt under way. */
import { own } from '../../../runtime/schema/own.ts'
import {
  type AccountLabel,
  accountLabels,
  failure,
  proposal,
  signingFeatures,
  type WalletRef,
  walletRef,
} from '../../schema/fields.ts'
import {
  choice,
  define,
  id,
  lifted,
  list,
  openField,
  optional,
  personal,
  shape,
  situations,
  type StateOf,
  text,
  type UnionOf,
  v1,
  without,
} from '../../../runtime/schema/registry.ts'
import type { ValueOf } from '../../../runtime/schema/schema.ts'
import { instant } from '../../schema/scales.ts'

/** Time that an installed wallet has to answer a request to connect, ms. */
export const askMs = 240_000

const connector = choice(['installed', 'walletConnect'])
export type Connector = ValueOf<typeof connector>

/** Older builds put the peer's own name into `wallet`. */
/*#__NO_SIDE_EFFECTS__*/
function madeBefore({ wallet, ...data }: Record<string, any>): Record<string, unknown> {
  if (data.connector !== 'walletConnect') return { ...data, wallet }
  return { ...data, wallet: { walletId: wallet.walletId, name: 'WalletConnect' }, peerName: wallet.name }
}

export const connectionFacts = define({
  /** The person chose a wallet. `attemptId` names this try until it ends. */
  'connection.requested': lifted(
    { attemptId: openField(id), connector: openField(connector), wallet: walletRef, proposal: optional(proposal) },
    // Older builds proposed only this page's own needs
    data => data,
  ),
  /** The person chose a wallet for the code of this attempt. */
  'connection.walletChosen': v1({ attemptId: openField(id), wallet: walletRef }),
  /** The wallet agreed. The first account is the active one; `peerName` is the peer's own name. */
  'connection.made': lifted(
    {
      connectionId: openField(id),
      attemptId: openField(id),
      connector: openField(connector),
      wallet: walletRef,
      peerName: optional(personal(text)),
      accounts: list(personal(text)),
      labels: accountLabels,
      features: signingFeatures,
      sessionTopic: optional(personal(id)),
      /** Of an installed wallet: stands for its name and picture, and identifies it in another page. */
      identity: optional(openField(id)),
    },
    madeBefore,
  ),
  'connection.failed': v1({ attemptId: openField(id), failure }),
  /** The wallet agreed to a session without a Solana account: the attempt is over, and its requester has the session. */
  'connection.settled': v1({ attemptId: openField(id), sessionTopic: personal(id) }),
  /** The person left the attempt; late answers change nothing. */
  'connection.abandoned': v1({ attemptId: openField(id) }),
  /** An earlier connection is being restored, without a prompt. */
  'connection.restoring': v1({ connectionId: openField(id) }),
  'connection.restored': v1({
    connectionId: openField(id),
    accounts: list(personal(text)),
    labels: accountLabels,
    features: signingFeatures,
    identity: optional(openField(id)),
  }),
  /** The wallet of an earlier connection is not here now; the connection stays for when it is. */
  'connection.missing': v1({ connectionId: openField(id), failure }),
  /** The person chose one of the accounts that the wallet shares: it is the connection's first, however the wallet orders them. */
  'connection.accountChosen': v1({ connectionId: openField(id), account: personal(text) }),
  'connection.accountsChanged': v1({
    connectionId: openField(id),
    accounts: list(personal(text)),
    labels: accountLabels,
  }),
  /** The person chose the active connection. */
  'connection.activated': v1({ connectionId: openField(id) }),
  'connection.ended': v1({ connectionId: openField(id), by: openField(choice(['person', 'wallet', 'expiry'])) }),
  /** Another library of the page left this wallet connected, before the first connection of this device. */
  'connection.recalled': v1({ wallet: walletRef }),
  /** The person removed an ended connection from those that can be made again. */
  'connection.forgotten': v1({ connectionId: openField(id) }),
})
/** A connection that goes along to another network's log: its wallet tells its labels anew. */
export const goingAlong = /* @__PURE__ */ without(connectionFacts['connection.made'].fields, 'labels')
export type ConnectionFact = UnionOf<typeof connectionFacts>

/** `live` can sign; `restoring` and `missing` cannot yet. */
export function connectionState() {
  return situations(
    { live: {}, restoring: {}, missing: { failure } },
    {
      connectionId: openField(id),
      connector: openField(connector),
      wallet: walletRef,
      peerName: optional(personal(text)),
      accounts: list(personal(text)),
      features: signingFeatures,
      sessionTopic: optional(personal(id)),
      madeAt: openField(instant),
    },
  )
}
export type Connection = StateOf<typeof connectionState> & {
  identity?: string
  chosen?: string
  labels?: AccountLabel[]
}

/** An ended connection, to be made again. */
export const endedConnection = /* @__PURE__ */ shape({
  connectionId: openField(id),
  connector: openField(connector),
  wallet: walletRef,
  account: personal(text),
})
export type EndedConnection = StateOf<() => typeof endedConnection>

export function attemptState() {
  const tried = {
    attemptId: openField(id),
    connector: openField(connector),
    wallet: walletRef,
    proposal: optional(proposal),
    since: openField(instant),
  }
  return situations({ none: {}, asking: tried, failed: { ...tried, failure } }, {})
}
export type Attempt = StateOf<typeof attemptState>

/** `active` is the page's connection; its first account is the visitor's. `bySession` finds a session's connection. */
export type ConnectionView = {
  attempt: Attempt
  active: string | null
  made: Record<string, Connection>
  bySession: Record<string, string>
  recent: WalletRef[]
  /** newest first, each wallet once, none that is connected; absent before the first */
  ended?: EndedConnection[]
}

/** @returns the connection of a session, if it has one */
export function connectionOf(
  { connection: { made, bySession } }: { connection: ConnectionView },
  sessionTopic: string,
): Connection | undefined {
  const connectionId = own(bySession, sessionTopic)
  return connectionId === undefined ? undefined : own(made, connectionId)
}

/** @returns whether these labels tell nothing new: there are none, or they are the known ones */
export function keepsLabels(known: Pick<Connection, 'labels'>, { labels }: Pick<Connection, 'labels'>): boolean {
  return !labels || JSON.stringify(labels) === JSON.stringify(known.labels)
}

/** @returns the wallet's own name for an account, if it has one */
export function labelOf({ labels = [] }: Pick<Connection, 'labels'>, account: string): string | undefined {
  return labels.find(one => one.account === account)?.label
}

/** @returns the accounts a wallet shares, the chosen one first if it is among them */
export function inOrder({ chosen }: Pick<Connection, 'chosen'>, accounts: string[]): string[] {
  if (chosen === undefined || !accounts.includes(chosen)) return accounts
  return [chosen, ...accounts.filter(account => account !== chosen)]
}

/** @returns the fields that identify an installed wallet in another page */
export function installedWallet({ wallet: { name }, identity }: Pick<Connection, 'wallet' | 'identity'>) {
  return identity === undefined ? { name } : { name, identity }
}

/** @returns the wallet's name for the person: its own, else that of the chosen product */
export function walletName({ peerName, wallet }: Connection): string {
  return peerName ?? wallet.name
}
