/**
 * Nodes and services behind the core's own transport: each reading of a driver is a call that the core sends, repeats and ends.
 * Nodes limit, fail, rest, refuse batches, show another chain, and say nothing.
 */
import type { EffectData, EffectType, SettledFailure } from '../../src/events/effect.ts'
import type { FailureCode } from '../../src/runtime/failure.ts'
import { budget } from '../../src/worker/rpc/retry.ts'
import { genesisHash } from '../worker/story.ts'
import type { Answered } from './chain.ts'
import type { Dice } from './dice.ts'
import type { Queue } from './runtime/queue.ts'
import { otherGenesis } from './termsHost.ts'

type Ports = {
  queue: Queue
  dice: Dice
  /** the device's clock */
  now(): number
  online(): boolean
  take(input: Answered): void
  wrong(what: string): void
  /** the first number of calls and requests: no life repeats those of another */
  first: number
}

/** How a call or request ended: `served` when a node has answered it. */
export type Ended = { served: true } | { served: false; failure: { code: FailureCode; message: string } }
type Pending = { method: string; attempts: Map<number, Ended>; served?: () => void; done(ended: Ended): void }

const served: Ended = { served: true }
const failed = (code: FailureCode): Ended => ({
  served: false,
  failure: { code, message: `the world failed by ${code}` },
})

/** Readings of published files and services; all else is a call of the chain's nodes. */
const isFile = (type: EffectType) => /^(?:sale\.|chain\.readTerms$)/.test(type)
/** The chain's drivers repeat these once. */
const together: ReadonlySet<EffectType> = new Set<EffectType>([
  'chain.submit',
  'chain.prepareOrder',
  'chain.prepareSend',
  'chain.watch',
])

/** Time in which a node's requests are counted, ms, and the most of them. */
const windowMs = 1000
const mostInWindow = budget.burst + windowMs / budget.everyMs + 1

export function createNodes({ queue, dice, now, online, take, wrong, first }: Ports) {
  const count = dice.chance('there is a second node', 0.5) ? 2 : 1
  const calls = new Map<number, Pending>()
  const requests = new Map<number, Pending>()
  let waiting: { type: EffectType; pending: Pending }[] = []
  let nextCall = first
  const sent: number[][] = [[], []]
  /** until when nodes are away, and rest; the latter by the clock that it was told at */
  const awayUntil = [0, 0]
  const rests = [
    { until: 0, offset: 0 },
    { until: 0, offset: 0 },
  ]

  function flush(): void {
    const all = waiting
    waiting = []
    const asks = all.map(({ type, pending }) => {
      const call = nextCall++
      calls.set(call, pending)
      const kind = together.has(type) ? 'together' : 'single'
      const retries = type === 'chain.submit' ? { retries: 1 } : {}
      return { pool: 'sale', endpoints: count, first: call, calls: [{ method: type, count: 1 }], kind, ...retries }
    })
    take({ type: 'rpc.asked', data: { asks: joined(asks) } })
  }

  /** Calls of one turn that join are one question. */
  function joined<A extends { kind: string; first: number; calls: { method: string; count: number }[] }>(
    asks: A[],
  ): A[] {
    const found: A[] = []
    for (const ask of asks) {
      const before = found.at(-1)
      if (before && before.kind === 'single' && ask.kind === 'single') before.calls.push(...ask.calls)
      else found.push(ask)
    }
    return found
  }

  function end(of: Map<number, Pending>, id: number, ended: Ended): void {
    const pending = of.get(id)
    // A question of an earlier life may be set aside in this one
    if (!pending && id < first) return undefined
    if (!pending) return wrong(`call ${id} ends, which is not open`)
    of.delete(id)
    if (calls.size === 0) nextCall = first
    pending.done(ended)
  }

  /** How a node treats one request: an answer, and how each call in it ended. */
  function treat(node: number, methods: string[]): { inMs: number; answer: Answered; ended: Ended } {
    const inMs = dice.strikes('rpc.slow') ? dice.between('slow', 500, 9000) : 60
    const fails = (code: FailureCode, after = inMs) => ({
      inMs: after,
      answer: { type: 'http.failed', data: { failure: { code, message: `the world failed by ${code}` } } },
      ended: failed(code),
    })
    const answers = (data: Record<string, unknown>, ended: Ended) => ({
      inMs,
      answer: { type: 'http.answered', data },
      ended,
    })
    if (!online()) return fails('offline')
    if (!dice.isCalm() && (awayUntil[node] ?? 0) > queue.now()) return fails('unreachable')
    if (dice.strikes('rpc.isAway')) {
      awayUntil[node] = queue.now() + dice.between('away', 1000, 90_000)
      return fails('unreachable')
    }
    if (dice.strikes('rpc.unreachable')) return fails('unreachable')
    if (dice.strikes('rpc.saysNothing')) return fails('timeout', 10_000)
    if (dice.strikes('rpc.rateLimited')) {
      if (dice.chance('names no pause', 0.5)) return answers({ status: 429 }, failed('rate_limited'))
      const retryAfterMs = dice.between('pause', 0, 60_000)
      return answers({ status: 429, retryAfterMs }, failed('rate_limited'))
    }
    if (dice.strikes('rpc.broken'))
      return answers({ status: dice.oneOf('status', [500, 502, 503]) }, failed('unreachable'))
    if (methods.length > 1 && dice.strikes('rpc.refusesBatch'))
      return answers({ status: 200, refused: true }, failed('bad_response'))
    if (methods.length > 0 && dice.strikes('rpc.limitsCalls'))
      return answers({ status: 200, limited: true, failed: methods.length }, failed('rate_limited'))
    if (methods.length > 0) return answers({ status: 200 }, served)
    const genesis = dice.strikes('rpc.showsAnotherChain') ? otherGenesis : genesisHash
    return answers({ status: 200, genesis }, served)
  }

  function post({ endpoint, calls: ids, attempt }: EffectData['http.post'], answer: (input: Answered) => void): void {
    const asked = ids.flatMap(id => calls.get(id) ?? [])
    if (asked.length < ids.length) wrong('a request has a call that is not open')
    watch(endpoint)
    const {
      inMs,
      answer: input,
      ended,
    } = treat(
      endpoint,
      asked.map(({ method }) => method),
    )
    // It reaches the node now, also when the answer never comes back
    if (ended.served) for (const one of asked) one.served?.()
    queue.after(inMs, 'worker', () => {
      for (const one of asked) one.attempts.set(attempt, ended)
      const { retryAfterMs } = input.data
      if (typeof retryAfterMs === 'number')
        rests[endpoint] = { until: queue.now() + retryAfterMs, offset: now() - queue.now() }
      answer(input)
      if (dice.strikes('answer.doubled'))
        queue.after(dice.between('second answer', 0, 5000), 'worker', () => answer(input))
    })
  }

  function watch(node: number): void {
    if (node >= count) return wrong(`the node ${node} is called, there are ${count}`)
    const recent = (sent[node] ?? []).filter(at => at > queue.now() - windowMs)
    recent.push(queue.now())
    sent[node] = recent
    if (recent.length > mostInWindow) wrong(`node ${node} got ${recent.length} requests in ${windowMs} ms`)
    const rest = rests[node]
    if (rest && rest.until > queue.now() && rest.offset === now() - queue.now())
      wrong(`node ${node} got a request ${rest.until - queue.now()} ms before its pause ends`)
  }

  function send({ requestId }: EffectData['http.send'], answer: (input: Answered) => void): void {
    const asked = requests.get(requestId)
    if (!asked) return wrong(`request ${requestId} is sent, which is not open`)
    const { inMs, answer: input, ended } = treat(2, [asked.method])
    queue.after(inMs, 'worker', () => {
      asked.attempts.set(asked.attempts.size, ended)
      answer(input)
    })
  }

  const outcomeOf = (pending: Pending | undefined, attempt: number | undefined, failure?: SettledFailure): Ended => {
    const told = attempt === undefined || failure ? undefined : pending?.attempts.get(attempt)
    if (!told && !failure) wrong('a call ends by an attempt that was not made')
    return told ?? failed(failure?.code ?? 'core_lost')
  }

  return {
    /** Whether an effect needs a node or a service. */
    carries: (type: EffectType) => /^(?:chain|sale)\./.test(type) && type !== 'chain.insertSignature',
    /**
     * A reading of a driver.
     *
     * @param reaches called each time that a node has got the call
     */
    ask(type: EffectType, done: (ended: Ended) => void, reaches?: () => void): void {
      const pending: Pending = { method: type, attempts: new Map(), done, ...(reaches && { served: reaches }) }
      if (!isFile(type)) {
        waiting.push({ type, pending })
        if (waiting.length === 1) queue.after(1, 'worker', flush)
        return
      }
      let requestId = first
      while (requests.has(requestId)) requestId += 1
      requests.set(requestId, pending)
      queue.after(1, 'worker', () => take({ type: 'http.asked', data: { requestId, what: type } }))
    },
    /** @returns whether the effect is the transport's, which it carries out */
    carry(type: EffectType, data: never, answer: (input: Answered) => void): boolean {
      switch (type) {
        case 'http.post':
          post(data, answer)
          return true
        case 'http.send':
          send(data, answer)
          return true
        case 'rpc.settle': {
          const { calls: ended, same = [], ...by } = data as EffectData['rpc.settle']
          const { attempt, failure } = by as { attempt?: number; failure?: SettledFailure }
          const sharing = same.map(({ call, as }) => ({ call, ended: outcomeOf(calls.get(as), attempt, failure) }))
          for (const call of ended) end(calls, call, outcomeOf(calls.get(call), attempt, failure))
          for (const { call, ended: how } of sharing) end(calls, call, how)
          return true
        }
        case 'http.settle': {
          const { requestId, failure } = data as EffectData['http.settle']
          const asked = requests.get(requestId)
          end(requests, requestId, outcomeOf(asked, (asked?.attempts.size ?? 0) - 1, failure))
          return true
        }
        default:
          return false
      }
    },
    /** The core failed on an answer that named a pause: it cannot keep it. */
    forgetPauses(): void {
      for (const rest of rests) rest.until = 0
    },
    /** Calls and requests that have not ended. */
    open: () => calls.size + requests.size + waiting.length,
  }
}
