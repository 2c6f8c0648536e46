/**
 * A page's own request to a wallet: validated in the official client's order and words, recorded, and published in its turn.
 * `request.ts` handles its end.
 *
 * @see reference "WalletConnect", §14.1
 */
import { own } from '../../../runtime/schema/own.ts'
import { referenceText } from '../../../events/values/reference.ts'
import type { Ctx, Decider, InputData } from '../../core/context.ts'
import { wcError } from '../../walletconnect/relay/errors.ts'
import { approvedChains, isChainId, methodsFor } from '../../walletconnect/session/namespaces.ts'
import { isRequestLife, requestLife } from '../../walletconnect/time.ts'
import { deletedLately } from '../session/deletedLately.ts'
import { forgetOutlived } from '../session/forgetOutlived.ts'
import { askAt, askForPage } from './pageRequest.ts'
import { payloadId } from './payloadId.ts'
import { expireSession } from '../session/sessionEnd.ts'
import { permittedIn } from '../session/sessionScope.ts'

type Asked = InputData<'request.send'>

/** A method or a chain is quoted up to this length. */
const quoted = (text: string) => text.slice(0, 200)

/** @returns why the request is refused, undefined when it is valid; an expired session is ended */
function refusalOf(ctx: Ctx, asked: Asked): { code: number; message: string } | undefined {
  const { sessionTopic, chainId, method, expirySeconds } = asked
  const topic = quoted(sessionTopic)
  const deleted = deletedLately(ctx, 'session', topic)
  if (deleted) return deleted
  if (sessionTopic === '') return wcError('MISSING_OR_INVALID', 'session topic should be a string: ')
  const session = own(ctx.model.session, sessionTopic)
  if (!session) return wcError('NO_MATCHING_KEY', `session topic doesn't exist: ${topic}`)
  if (session.expiresAt <= ctx.at) {
    expireSession(ctx, sessionTopic)
    return wcError('EXPIRED', `session topic: ${topic}`)
  }
  const permitted = permittedIn(ctx, session)
  if (!isChainId(chainId) || !approvedChains(permitted).includes(chainId))
    return wcError('MISSING_OR_INVALID', `request() chainId: ${quoted(chainId)}`)
  if (method === '') return wcError('MISSING_OR_INVALID', 'request() {"method":""}')
  if (!methodsFor(permitted, chainId).includes(method))
    return wcError('MISSING_OR_INVALID', `request() method: ${quoted(method)}`)
  if (expirySeconds !== undefined && !isRequestLife(expirySeconds)) {
    const { min, max } = requestLife
    const bounds = `Expiry must be a number (in seconds) between ${min} and ${max}`
    return wcError('MISSING_OR_INVALID', `request() expiry: ${expirySeconds}. ${bounds}`)
  }
  return undefined
}

export const sendRequest: Decider = {
  'request.send': (ctx, asked) => {
    const { sessionTopic, chainId, method, params, expirySeconds = requestLife.default } = asked
    const error = refusalOf(ctx, asked)
    const requestId = payloadId(ctx)
    const purpose = referenceText({ kind: 'page', id: ctx.input.ref ?? requestId })
    forgetOutlived(ctx, error ? 1 : 0)
    if (error) {
      const about = { method: quoted(method), chainId: quoted(chainId), purpose }
      ctx.fact('request.refused', { requestId, sessionTopic: quoted(sessionTopic), ...about, error })
      return
    }
    const at = askAt(ctx, sessionTopic)
    const expiresAt = ctx.at + expirySeconds * 1000
    const waits = at > ctx.at ? { askAt: at } : {}
    const sent = { requestId, sessionTopic, method, chainId, purpose, expiresAt, params, ...waits }
    ctx.fact('request.sent', sent)
    askForPage(ctx, { ...sent, sentAt: ctx.at })
    ctx.effect('timer.set', { timerId: `request:${requestId}`, at: expiresAt })
  },
}
