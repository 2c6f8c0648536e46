/**
 * JSON-RPC calls: which travel together, to which endpoint, and when again.
 *
 * 1. A call ends once: by an attempt that its driver holds, or by a failure without one.
 * 2. An endpoint after the first serves only once it has shown the pool's chain; one on another chain is set aside.
 * 3. No request exceeds its endpoint's budget, and none goes out during a pause that the endpoint asked for.
 * 4. No retry begins after the caller's deadline.
 * 5. `once`: one attempt at one endpoint. `together`: all answers come from one endpoint.
 */
import type { SettledFailure } from '../../../events/effect.ts'
import type { Decider, InputData } from '../../core/context.ts'
import type { RpcJob, RpcPool } from '../../core/transient.ts'
import { maxBatch, splitCalls } from '../../rpc/calls.ts'
import { attemptMs, maxRetries, patienceMs, retriedStatuses, spend, waitBefore } from '../../rpc/retry.ts'
import { noteGenesis } from '../../rpc/shownChains.ts'
import { attemptIn, attemptText } from './attempts.ts'
import { candidates, isSomeSetAside, mustShowChain } from './endpoints.ts'
import type { RequestContext } from './requestContext.ts'

type Ask = InputData<'rpc.asked'>['asks'][number]
type Answer = InputData<'http.answered'>

/** Most calls under way that may share their answer. */
const maxShared = 8192
/** A longer pause than this is not waited for while another endpoint may answer, ms. */
const longPauseMs = 2000

export const rpcCalls = {
  'rpc.asked': (ctx: RequestContext, { asks }) => {
    for (const ask of asks) take(ctx, ask)
  },
  'core.setAside': (ctx: RequestContext, { input, asked = [] }) => {
    if (input !== 'rpc.asked') return
    for (let at = 0; at + 1 < asked.length; at += 2) {
      const [first = 0, count = 0] = asked.slice(at)
      const calls = Array.from({ length: count }, (_, place) => first + place)
      ctx.effect('rpc.settle', { calls, failure: { code: 'core_lost' } })
    }
  },
  // Times that the core has noted are of the clock before
  'clock.jumped': (ctx: RequestContext, { byMs }) => {
    if (byMs >= 0) return
    const { pools, jobs } = ctx.transient.rpc
    for (const job of Object.values(jobs)) job.until += byMs
    for (const pool of Object.values(pools)) {
      for (const one of pool.waiting) one.at += byMs
      if (pool.timerAt !== undefined) pool.timerAt += byMs
      for (const endpoint of pool.endpoints) {
        endpoint.paidUntil += byMs
        if (endpoint.restsUntil !== undefined) endpoint.restsUntil += byMs
      }
    }
  },
  failed: {
    'http.post': (ctx: RequestContext, _failure, about) => callsLost(ctx, about, 'bad_response'),
  },
  timers: { rpc: wake },
} satisfies Decider

function take(ctx: RequestContext, ask: Ask): void {
  const { pools } = ctx.transient.rpc
  const { pool: name, kind, only, most = maxBatch, retries = maxRetries, deadlineMs = patienceMs, waitMs = 0 } = ask
  const pool = (pools[name] ??= {
    endpoints: Array.from({ length: ask.endpoints }, () => ({ paidUntil: 0 })),
    waiting: [],
  })
  if (ask.wanted !== undefined) pool.wanted = ask.wanted
  const calls = ownCalls(ctx, ask)
  if (calls.length === 0) return
  const base = {
    pool: name,
    kind,
    ...(only !== undefined && { only }),
    most: Math.min(most, maxBatch),
    retries: kind === 'once' ? 0 : Math.min(retries, maxRetries),
    until: ctx.at + deadlineMs,
    retry: 0,
    attempts: 0,
  }
  if (kind === 'single' && waitMs > 0) return join(ctx, pool, { ...base, calls, tried: [] }, ctx.at + waitMs)
  for (const part of splitCalls(calls, kind === 'once' ? 1 : base.most))
    go(ctx, add(ctx, { ...base, calls: part, tried: [] }))
}

/** Lets calls wait for others until this time, or until their request is full. */
function join(ctx: RequestContext, pool: RpcPool, job: RpcJob, at: number): void {
  const { jobs } = ctx.transient.rpc
  const open = pool.waiting.find(one => one.joins && jobs[one.job]?.only === job.only)
  const id = open?.job ?? add(ctx, job)
  const joined = jobs[id] ?? job
  if (open) joined.calls.push(...job.calls)
  if (joined.calls.length < joined.most) {
    if (!open) wait(ctx, pool, job.pool, id, at, true)
    return
  }
  pool.waiting = pool.waiting.filter(one => one !== open)
  go(ctx, id)
}

/** @returns the calls that no other call's answer ends */
function ownCalls(ctx: RequestContext, { first, calls, same, kind }: Ask): number[] {
  const { rpc } = ctx.transient
  const count = calls.reduce((sum, one) => sum + one.count, 0)
  const like = new Map(same?.map(one => [one.call, one.as]))
  const own: number[] = []
  for (let call = first; call < first + count; call += 1) {
    const sharers = rpc.sharers[`c${like.get(call)}`]
    if (sharers) {
      sharers.push(call)
      continue
    }
    own.push(call)
    if (kind !== 'single' || rpc.shared >= maxShared) continue
    rpc.sharers[`c${call}`] = []
    rpc.shared += 1
  }
  return own
}

function add({ transient: { rpc } }: RequestContext, job: RpcJob): string {
  rpc.lastJob += 1
  const id = `j${rpc.lastJob}`
  rpc.jobs[id] = job
  return id
}

/** Sends a job to the first endpoint that may answer it, or lets it wait, or ends it. */
function go(ctx: RequestContext, id: string): void {
  const job = ctx.transient.rpc.jobs[id]
  const pool = job && ctx.transient.rpc.pools[job.pool]
  if (!pool) return
  const open = candidates(pool, job)
  if (open.length === 0) return end(ctx, id, job, isSomeSetAside(pool) ? 'rpc_lying' : 'unreachable')
  const restsUntil = (place: number) => pool.endpoints[place]?.restsUntil ?? 0
  const place = open.find(one => restsUntil(one) <= ctx.at)
  if (place === undefined) {
    const until = Math.min(...open.map(restsUntil))
    if (until <= job.until) return wait(ctx, pool, job.pool, id, until)
    return end(ctx, id, job, 'rate_limited', until - ctx.at)
  }
  const endpoint = pool.endpoints[place]
  if (!endpoint) return
  if (job.calls.length > (endpoint.noBatches ? 1 : job.most)) return split(ctx, id, job, place)
  if (job.paid !== place) {
    const free = spend(endpoint, ctx.at, job.until)
    if (free > job.until) return end(ctx, id, job, 'rate_limited')
    job.paid = place
    if (free > ctx.at) return wait(ctx, pool, job.pool, id, free)
  }
  if (mustShowChain(pool, job, place)) return probe(ctx, pool, place, id, job)
  delete job.paid
  const { pool: name, calls, attempts } = job
  job.attempts += 1
  const posted = { pool: name, endpoint: place, calls, attempt: attempts, timeoutMs: attemptMs }
  ctx.effect('http.post', posted, { about: attemptText({ of: 'job', id, place, attempt: attempts }) })
}

/** Makes a job of each call, or of as many as fit. Answers that belong together keep their endpoint. */
function split(ctx: RequestContext, id: string, { paid: _, ...job }: RpcJob, place: number): void {
  delete ctx.transient.rpc.jobs[id]
  const size = ctx.transient.rpc.pools[job.pool]?.endpoints[place]?.noBatches ? 1 : job.most
  const only = job.kind === 'together' ? { only: place } : {}
  for (const calls of splitCalls(job.calls, size)) go(ctx, add(ctx, { ...job, ...only, calls, tried: [...job.tried] }))
}

/** Asks an endpoint for its genesis hash; jobs that come meanwhile wait for the same answer. */
function probe(ctx: RequestContext, { endpoints }: RpcPool, place: number, id: string, job: RpcJob): void {
  const endpoint = endpoints[place]
  if (!endpoint) return
  if (endpoint.probing) {
    endpoint.probing.push(id)
    return
  }
  endpoint.probing = [id]
  delete job.paid
  const asked = { pool: job.pool, endpoint: place, calls: [], attempt: 0, timeoutMs: attemptMs }
  ctx.effect('http.post', asked, { about: attemptText({ of: 'pool', id: job.pool, place, attempt: 0 }) })
}

function probed(ctx: RequestContext, pool: RpcPool, place: number, hasShown: boolean): void {
  const waiting = pool.endpoints[place]?.probing ?? []
  delete pool.endpoints[place]?.probing
  for (const id of waiting) {
    if (!hasShown) ctx.transient.rpc.jobs[id]?.tried.push(place)
    go(ctx, id)
  }
}

/** @returns what an attempt was for */
function attemptOf({ transient: { rpc } }: RequestContext, about: string) {
  const { of, id, place, attempt } = attemptIn(about)
  const job = of === 'job' ? rpc.jobs[id] : undefined
  const pool = rpc.pools[of === 'job' ? (job?.pool ?? '') : id]
  return { id, job, pool, place, attempt }
}

export function callsAnswered(ctx: RequestContext, about: string, answer: Answer): void {
  const { id, job, pool, place, attempt } = attemptOf(ctx, about)
  const endpoint = pool?.endpoints[place]
  if (!pool || !endpoint) return
  const { status, retryAfterMs, genesis } = answer
  const mayRetry = retriedStatuses.has(status)
  if (mayRetry && retryAfterMs !== undefined) endpoint.restsUntil = ctx.at + retryAfterMs
  if (genesis !== undefined) noteGenesis(pool, place, genesis)
  if (!job) return probed(ctx, pool, place, genesis !== undefined)
  if ((answer.refused || status === 413) && job.calls.length > 1) {
    endpoint.noBatches = true
    return go(ctx, id)
  }
  if (mayRetry) return retry(ctx, id, job, place, retryAfterMs)
  // A node may explain an error in the body of a 400
  const isRead = status < 300 || status === 400
  if (isRead && !answer.limited) {
    if (job.only === undefined) pool.answering = place
    return settle(ctx, id, job, { attempt })
  }
  if (isRead) job.limited ??= attempt
  next(ctx, id, job, place)
}

export function callsLost(ctx: RequestContext, about: string, code: string): void {
  const { id, job, pool, place } = attemptOf(ctx, about)
  if (!pool) return
  if (!job) return probed(ctx, pool, place, false)
  if (code === 'bad_response') return next(ctx, id, job, place)
  retry(ctx, id, job, place, undefined, code === 'offline')
}

/** Repeats a job at the same endpoint, else at the next one; `isEverywhere`: no other could do better. */
function retry(
  ctx: RequestContext,
  id: string,
  job: RpcJob,
  place: number,
  wantedMs?: number,
  isEverywhere = false,
): void {
  const pool = ctx.transient.rpc.pools[job.pool]
  if (!pool) return
  const ms = waitBefore(job.retry, wantedMs, ctx.random)
  const isBetterElsewhere = ms > longPauseMs && candidates(pool, job).length > 1
  if (job.retry < job.retries && ctx.at + ms <= job.until && !isBetterElsewhere) {
    job.retry += 1
    return wait(ctx, pool, job.pool, id, ctx.at + ms)
  }
  if (!isEverywhere) return next(ctx, id, job, place)
  job.failed ??= job.attempts - 1
  end(ctx, id, job, 'unreachable')
}

/** Goes on to the next endpoint, if the call may be made twice. */
function next(ctx: RequestContext, id: string, job: RpcJob, place: number): void {
  job.failed ??= job.attempts - 1
  job.tried.push(place)
  job.retry = 0
  if (job.kind === 'once') return end(ctx, id, job, 'unreachable')
  go(ctx, id)
}

/** Ends a job without an answer: by the attempt that tells most, else by this failure. */
function end(ctx: RequestContext, id: string, job: RpcJob, code: SettledFailure['code'], retryAfterMs?: number): void {
  const attempt = job.limited ?? job.failed
  const failure = { code, ...(retryAfterMs !== undefined && { retryAfterMs }) }
  settle(ctx, id, job, attempt === undefined ? { failure } : { attempt })
}

function settle(
  ctx: RequestContext,
  id: string,
  { calls }: RpcJob,
  by: { attempt: number } | { failure: SettledFailure },
): void {
  const { rpc } = ctx.transient
  delete rpc.jobs[id]
  const same: { call: number; as: number }[] = []
  for (const as of calls) {
    const sharers = rpc.sharers[`c${as}`]
    if (!sharers) continue
    for (const call of sharers) same.push({ call, as })
    delete rpc.sharers[`c${as}`]
    rpc.shared -= 1
  }
  if (Object.keys(rpc.jobs).length === 0) rpc.lastJob = 0
  ctx.effect('rpc.settle', { calls, ...(same.length > 0 && { same }), ...by })
}

function wait(ctx: RequestContext, pool: RpcPool, name: string, job: string, at: number, joins = false): void {
  pool.waiting.push({ job, at, ...(joins && { joins }) })
  setTimer(ctx, pool, name, at)
}

function setTimer(ctx: RequestContext, pool: RpcPool, name: string, at: number): void {
  if (pool.timerAt !== undefined && pool.timerAt <= at) return
  pool.timerAt = at
  ctx.effect('timer.set', { timerId: `rpc:${name}`, at })
}

/** Goes on with the jobs whose time has come. */
function wake(ctx: RequestContext, name: string): void {
  const pool = ctx.transient.rpc.pools[name]
  if (!pool) return
  const due = new Set(pool.waiting.filter(({ at }) => at <= ctx.at))
  delete pool.timerAt
  for (const { job } of due) go(ctx, job)
  pool.waiting = pool.waiting.filter(one => !due.has(one))
  if (pool.waiting.length > 0) setTimer(ctx, pool, name, Math.min(...pool.waiting.map(({ at }) => at)))
}
