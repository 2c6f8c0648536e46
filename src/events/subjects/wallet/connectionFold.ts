/** The fold of connections. */
import { own } from '../../../runtime/schema/own.ts'
import {
  type Connection,
  type ConnectionFact,
  type ConnectionView,
  type EndedConnection,
  inOrder,
  keepsLabels,
} from './connection.ts'
import { sameList } from '../../../runtime/sameList.ts'

const recentLimit = 2
const endedLimit = 5

export function foldConnection(model: { connection: ConnectionView }, fact: ConnectionFact & { at: number }): void {
  const view = model.connection
  switch (fact.type) {
    case 'connection.requested':
      if (view.attempt.phase !== 'none' && view.attempt.attemptId === fact.data.attemptId) return
      view.attempt = { phase: 'asking', since: fact.at, ...fact.data }
      return
    case 'connection.walletChosen':
      if (
        view.attempt.phase === 'asking' &&
        view.attempt.attemptId === fact.data.attemptId &&
        view.attempt.wallet.walletId !== fact.data.wallet.walletId
      )
        view.attempt.wallet = fact.data.wallet
      return
    case 'connection.made': {
      const { attemptId, connectionId, wallet } = fact.data
      const { attemptId: _, ...made } = fact.data
      const known = own(view.made, connectionId)
      // The same wallet connected again keeps its connection; the same fact again is late
      if (known?.madeAt === fact.at) return
      view.made[connectionId] = { phase: 'live', madeAt: fact.at, ...made }
      if (known) forgetSession(view, known)
      if (made.sessionTopic !== undefined) {
        // A session has one connection
        const other = own(view.bySession, made.sessionTopic)
        if (other !== undefined) delete view.made[other]
        view.bySession[made.sessionTopic] = connectionId
      }
      view.active = connectionId
      if (view.attempt.phase !== 'none' && view.attempt.attemptId === attemptId) view.attempt = { phase: 'none' }
      dropEnded(view, wallet.walletId)
      view.recent = [wallet, ...view.recent.filter(other => other.walletId !== wallet.walletId)].slice(0, recentLimit)
      return
    }
    case 'connection.failed':
      if (view.attempt.phase === 'asking' && view.attempt.attemptId === fact.data.attemptId) {
        view.attempt = { ...view.attempt, phase: 'failed', failure: fact.data.failure }
      }
      return
    case 'connection.abandoned':
    case 'connection.settled':
      if (view.attempt.phase !== 'none' && view.attempt.attemptId === fact.data.attemptId)
        view.attempt = { phase: 'none' }
      return
    case 'connection.ended': {
      const ended = own(view.made, fact.data.connectionId)
      if (!ended) return
      delete view.made[fact.data.connectionId]
      forgetSession(view, ended)
      noteEnded(view, ended)
      if (view.active === fact.data.connectionId) view.active = nextActive(view)
      return
    }
    case 'connection.recalled':
      if (view.recent.length === 0) view.recent.push(fact.data.wallet)
      return
    case 'connection.forgotten':
      dropEnded(view, fact.data.connectionId)
      return
    case 'connection.activated':
      if (own(view.made, fact.data.connectionId)) view.active = fact.data.connectionId
      return
    default: {
      const connection = own(view.made, fact.data.connectionId)
      if (!connection || changesNothing(connection, fact)) return
      view.made[fact.data.connectionId] = moved(connection, fact)
    }
  }
}

/** Drops the ended connection with this id, or to this wallet. */
function dropEnded(view: ConnectionView, dropped: string): void {
  const isIt = (one: EndedConnection) => one.connectionId === dropped || one.wallet.walletId === dropped
  if (view.ended?.some(isIt)) view.ended = view.ended.filter(one => !isIt(one))
}

function noteEnded(view: ConnectionView, { connectionId, connector, wallet, accounts }: Connection): void {
  const [account = ''] = accounts
  dropEnded(view, wallet.walletId)
  view.ended = [{ connectionId, connector, wallet, account }, ...(view.ended ?? [])].slice(0, endedLimit)
}

function forgetSession({ bySession }: ConnectionView, { sessionTopic }: Connection): void {
  if (sessionTopic !== undefined) delete bySession[sessionTopic]
}

/** The first live connection, else the first. */
function nextActive({ made }: ConnectionView): string | null {
  const all = Object.values(made)
  return (all.find(({ phase }) => phase === 'live') ?? all[0])?.connectionId ?? null
}

type Moving = Extract<
  ConnectionFact,
  {
    type:
      | 'connection.restoring'
      | 'connection.restored'
      | 'connection.missing'
      | 'connection.accountChosen'
      | 'connection.accountsChanged'
  }
>

function changesNothing(connection: Connection, fact: Moving): boolean {
  switch (fact.type) {
    case 'connection.restoring':
      return connection.phase === 'restoring'
    case 'connection.restored':
      return (
        connection.phase === 'live' &&
        sameList(connection.accounts, inOrder(connection, fact.data.accounts)) &&
        sameList(connection.features, fact.data.features) &&
        keepsLabels(connection, fact.data) &&
        (fact.data.identity === undefined || fact.data.identity === connection.identity)
      )
    case 'connection.missing':
      return connection.phase === 'missing' && connection.failure.code === fact.data.failure.code
    case 'connection.accountChosen':
      return connection.chosen === fact.data.account || !connection.accounts.includes(fact.data.account)
    case 'connection.accountsChanged':
      return (
        sameList(connection.accounts, inOrder(connection, fact.data.accounts)) && keepsLabels(connection, fact.data)
      )
    default:
      // A fact of a newer build
      return true
  }
}

function withoutFailure({ failure: _, ...kept }: Extract<Connection, { phase: 'missing' }>) {
  return kept
}

function moved(connection: Connection, fact: Moving): Connection {
  const { phase: _, ...kept } = connection.phase === 'missing' ? withoutFailure(connection) : connection
  switch (fact.type) {
    case 'connection.restoring':
      return { ...kept, phase: 'restoring' }
    case 'connection.restored':
      return { ...kept, phase: 'live', ...fact.data, accounts: inOrder(connection, fact.data.accounts) }
    case 'connection.missing':
      return { ...kept, phase: 'missing', failure: fact.data.failure }
    case 'connection.accountChosen': {
      const chosen = fact.data.account
      return { ...connection, chosen, accounts: inOrder({ chosen }, connection.accounts) }
    }
    case 'connection.accountsChanged': {
      const { accounts, labels } = fact.data
      return { ...connection, accounts: inOrder(connection, accounts), ...(labels && { labels }) }
    }
  }
}
