/** A session's default chain, set by the host: recorded, so that it survives a reload. */
import { own } from '../../../runtime/schema/own.ts'
import { namespaceOf } from '../../../events/values/networks.ts'
import type { Decider } from '../../core/context.ts'
import { wcError } from '../../walletconnect/relay/errors.ts'
import { isChainId } from '../../walletconnect/session/namespaces.ts'
import { refuse, requireSession } from './sessionEnd.ts'

export const sessionChain: Decider = {
  // Any chain of the session's namespaces is valid, as the wallet may be on one that it did not approve
  'session.setChain': (ctx, { sessionTopic, chainId: chain }) => {
    const open = requireSession(ctx, sessionTopic)
    if (!open) return
    const has = isChainId(chain) && Object.keys(open.namespaces).some(key => namespaceOf(key) === namespaceOf(chain))
    if (!has)
      return refuse(
        ctx,
        sessionTopic,
        wcError('MISSING_OR_INVALID', `setDefaultChain() chainId: ${chain.slice(0, 200)}`),
      )
    if (own(open.chains, namespaceOf(chain)) !== chain) ctx.fact('session.chainSet', { sessionTopic, chain })
  },
}
