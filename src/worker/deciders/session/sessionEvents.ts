/** Events of a wallet in a session. They are never answered. */
import { namespaceOf } from '../../../events/values/networks.ts'
import type { Session } from '../../../events/subjects/session/session.ts'
import { own } from '../../../runtime/schema/own.ts'
import type { Ctx, InputData } from '../../core/context.ts'
import { digitsOf, isStale } from '../../walletconnect/relay/ids.ts'
import { eventsFor } from '../../walletconnect/session/namespaces.ts'
import { accountsChanged } from './sessionAccounts.ts'
import { permittedIn, solanaAccounts } from './sessionScope.ts'

type Payload = InputData<'relay.message'>['payload']

/** Events of every chain, which some wallets send without approving them by name. */
const ofEveryChain: readonly string[] = ['accountsChanged', 'chainChanged']

/** Handles an event, unless a newer one of its name was handled. */
export function eventHeard(ctx: Ctx, session: Session, payload: Payload): void {
  const { event = '', chainId = '', accounts, chain, data } = payload
  const id = digitsOf(payload.id)
  const { sessionTopic } = session
  const permitted = permittedIn(ctx, session)
  // Events of namespaces the person left are dropped
  if ([chainId, chain ?? ''].some(one => session.left.includes(namespaceOf(one)))) return
  if (!ofEveryChain.includes(event) && !eventsFor(permitted, chainId).includes(event)) return
  const newest = own(session.heard, event)
  if (newest !== undefined && (id === String(newest) || isStale(id, String(newest)))) return
  const order = Number(id)
  ctx.fact('session.eventHeard', {
    sessionTopic,
    name: event,
    chainId,
    ...(data === undefined ? {} : { data }),
    order: Number.isSafeInteger(order) && order > 0 ? order : 0,
    ...(chain === undefined ? {} : { chain }),
  })
  if (event !== 'accountsChanged' || !accounts) return
  const approved = new Set(solanaAccounts(ctx, permitted))
  const usable = accounts.filter(account => approved.has(account))
  if (usable.length > 0) accountsChanged(ctx, sessionTopic, usable)
}
