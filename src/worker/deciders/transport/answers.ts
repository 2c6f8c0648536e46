/** The ends of attempts, by what was attempted: one handler, so that an answer is taken whole or not at all. */
import type { Decider } from '../../core/context.ts'
import { retriedStatuses } from '../../rpc/retry.ts'
import { attempted } from './http.ts'
import { callsAnswered, callsLost } from './rpc.ts'
import type { RequestContext } from './requestContext.ts'

export const attemptEnds = {
  'http.answered': (ctx: RequestContext, answer) => {
    const { type, about = '' } = ctx.cause ?? {}
    if (type === 'http.post') callsAnswered(ctx, about, answer)
    if (type === 'http.send') attempted(ctx, about, retriedStatuses.has(answer.status), answer.retryAfterMs)
  },
  'http.failed': (ctx: RequestContext, { failure: { code } }) => {
    const { type, about = '' } = ctx.cause ?? {}
    if (type === 'http.post') callsLost(ctx, about, code)
    if (type === 'http.send') attempted(ctx, about, code !== 'bad_response')
  },
} satisfies Decider
