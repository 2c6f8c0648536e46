/** Attempts and retries of plain requests. Each ends by its last attempt. */
import type { Decider } from '../../core/context.ts'
import { attemptMs, maxRetries, patienceMs, waitBefore } from '../../rpc/retry.ts'
import type { RequestContext } from './requestContext.ts'

export const httpRequests = {
  'http.asked': (ctx: RequestContext, { requestId, retries = maxRetries, deadlineMs = patienceMs }) => {
    const until = ctx.at + deadlineMs
    ctx.transient.http[`h${requestId}`] = { retry: 0, retries: Math.min(retries, maxRetries), until }
    send(ctx, requestId)
  },
  'core.setAside': (ctx: RequestContext, { input, asked = [] }) => {
    if (input !== 'http.asked') return
    const [requestId = 0] = asked
    delete ctx.transient.http[`h${requestId}`]
    ctx.effect('http.settle', { requestId, failure: { code: 'core_lost' } })
  },
  'clock.jumped': (ctx: RequestContext, { byMs }) => {
    if (byMs < 0) for (const request of Object.values(ctx.transient.http)) request.until += byMs
  },
  failed: {
    'http.send': (ctx: RequestContext, _failure, about) => attempted(ctx, about, false),
  },
  timers: {
    http: (ctx: RequestContext, id) => {
      if (ctx.transient.http[`h${id}`]) send(ctx, Number(id))
    },
  },
} satisfies Decider

function send(ctx: RequestContext, requestId: number): void {
  ctx.effect('http.send', { requestId, timeoutMs: attemptMs }, { about: String(requestId) })
}

/** An attempt ended. */
export function attempted(ctx: RequestContext, id: string, mayRetry: boolean, wantedMs?: number): void {
  const { http } = ctx.transient
  const request = http[`h${id}`]
  if (!request) return
  if (mayRetry && request.retry < request.retries) {
    const at = ctx.at + waitBefore(request.retry, wantedMs, ctx.random)
    if (at <= request.until) {
      request.retry += 1
      ctx.effect('timer.set', { timerId: `http:${id}`, at })
      return
    }
  }
  delete http[`h${id}`]
  ctx.effect('http.settle', { requestId: Number(id) })
}
