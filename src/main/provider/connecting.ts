/**
 * One connection attempt over WalletConnect, from the command to the session.
 *
 * 1. One attempt at a time: a new `connect` abandons the pending one.
 * 2. Facts of the attempt settle it. After missed facts the model does: its session, or the core's current attempt.
 * 3. A code is shown for each pairing of the attempt, once; a new pairing replaces one that is about to expire.
 */
import type { CoreModel } from '../../events/app.ts'
import type { Command } from '../../events/command.ts'
import type { Failure } from '../../runtime/failure.ts'
import type { FactRecord } from '../../runtime/log/record.ts'
import type { Session } from '../../events/subjects/session/session.ts'
import { ProviderError, thrown } from './providerError.ts'
import { type ConnectOptions, proposalOf } from './proposal.ts'
import { formRefusal } from './refusedCommand.ts'

type Ports = {
  model(): Pick<CoreModel, 'session' | 'pairing' | 'connection'>
  give(command: Command): { ref: string; taken: Promise<void> }
  pairingUri(pairingTopic: string): Promise<string | undefined>
  /** Shows a pairing code, to be scanned. */
  show(uri: string): void
}

type Connecting = {
  /** Resolves with the approved session. @throws ProviderError */
  connect(options: ConnectOptions): Promise<Session>
  look(facts: readonly FactRecord[]): void
}

type Attempt = {
  ref: string
  taken: boolean
  attemptId?: string
  pairings: Set<string>
  settle(session: Session): void
  fail(cause: ProviderError): void
}

/** One function, because the command's outcome, its facts and missed facts all settle the one attempt. */
export function createConnecting({ model, give, pairingUri, show }: Ports): Connecting {
  let attempt: Attempt | undefined
  /** facts that arrive before `give` has returned the ref */
  let early: FactRecord[] | undefined

  function showCode(mine: Attempt): void {
    for (const { pairingTopic, attemptId } of Object.values(model().pairing.open)) {
      if (attemptId !== mine.attemptId || mine.pairings.has(pairingTopic)) continue
      mine.pairings.add(pairingTopic)
      pairingUri(pairingTopic).then(
        uri => {
          if (uri !== undefined && attempt === mine) show(uri)
        },
        () => undefined,
      )
    }
  }

  function hear(mine: Attempt, { type, ref, data }: FactRecord): void {
    if (type === 'connection.requested' && ref === mine.ref) mine.attemptId = String(data.attemptId)
    if (mine.attemptId === undefined || data.attemptId !== mine.attemptId) return
    const session = typeof data.sessionTopic === 'string' ? model().session[data.sessionTopic] : undefined
    if ((type === 'connection.made' || type === 'connection.settled') && session) mine.settle(session)
    else if (type === 'connection.failed') mine.fail(errorOf(data.failure as Failure))
    else if (type === 'connection.abandoned') mine.fail(thrown.proposalLeft())
  }

  /** Settles the attempt by the model, after facts were missed. */
  function catchUp(mine: Attempt): void {
    const { connection, session } = model()
    const now = connection.attempt
    // `connection.requested` may be among the missed facts; the core's current attempt is then this one
    if (mine.attemptId === undefined && mine.taken) mine.attemptId = now.phase === 'none' ? '' : now.attemptId
    if (mine.attemptId === undefined) return
    const found = Object.values(session).find(one => mine.pairings.has(one.pairingTopic))
    if (found) return mine.settle(found)
    if (now.phase === 'none' || now.attemptId !== mine.attemptId) mine.fail(thrown.proposalLeft())
    else if (now.phase === 'failed') mine.fail(errorOf(now.failure))
  }

  function look(facts: readonly FactRecord[]): void {
    if (early) return void early.push(...facts)
    const mine = attempt
    if (!mine) return
    for (const fact of facts) hear(mine, fact)
    if (attempt === mine && facts.length === 0) catchUp(mine)
    if (attempt === mine && mine.attemptId !== undefined) showCode(mine)
  }

  return {
    connect(options) {
      return new Promise<Session>((resolve, reject) => {
        const wallet = { walletId: 'walletConnect', name: 'WalletConnect' }
        const proposal = proposalOf(options)
        attempt?.fail(thrown.proposalLeft())
        early = []
        const { ref, taken } = give({ type: 'connection.connectWalletConnect', data: { wallet, proposal } })
        const end = () => {
          if (attempt === mine) attempt = undefined
        }
        const mine: Attempt = {
          ref,
          taken: false,
          pairings: new Set(),
          settle(session) {
            end()
            resolve(session)
          },
          fail(cause) {
            end()
            reject(cause)
          },
        }
        attempt = mine
        const before = early
        early = undefined
        if (before.length > 0) look(before)
        taken.then(
          () => {
            mine.taken = true
          },
          (cause: unknown) => {
            const words = formRefusal(cause)
            mine.fail(words === undefined ? thrown.notInitialized() : thrown.badOptions(words))
          },
        )
      })
    },
    look,
  }
}

function errorOf({ code, message, facts }: Failure): ProviderError {
  if (code === 'user_rejected') return new ProviderError(5000, 'User rejected.')
  if (code === 'expired') return new ProviderError(6, 'Proposal expired')
  return new ProviderError(typeof facts?.code === 'number' ? facts.code : -32_603, message)
}
