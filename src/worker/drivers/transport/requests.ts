/** Plain requests whose attempts the core decides: this side holds URLs, bodies and answers, and sends. */
import { Fault, toFailure } from '../../../runtime/failure.ts'
import type { EffectData } from '../../../events/effect.ts'
import type { Draft } from '../../../runtime/core/draft.ts'
import type { Drive } from '../../../runtime/host/driver.ts'
import { answered } from '../drive.ts'
import {
  type Http,
  hostOf,
  type HttpRequest,
  readJsonBody,
  type SendPorts,
  sendOnce,
  type SendOutcome,
} from '../http.ts'
import { createSweep } from './sweep.ts'

/** A request under way, with its last attempt. */
type Pending = { request: HttpRequest; last?: SendOutcome; isOld?: true; done(outcome: SendOutcome): void }

type RequestPorts = Omit<SendPorts, 'timeoutMs'> & {
  /** Hands an input to the deciders. @throws Fault when they take it not */
  take(input: Draft): void
  /** the first number of a request or call, default 0 */
  first?: number
  /** replaces the deadline of an attempt, for tests, ms */
  timeoutMs?: number
}

type Requests = { http: Http; drivers: { [type: string]: Drive }; end(fault: Fault): void }

export function createRequests({ take, first = 0, ...ports }: RequestPorts): Requests {
  const pending = new Map<number, Pending>()
  let over: Fault | undefined
  const sweep = createSweep(pending, requestId => end(requestId, { ok: false, fault: coreLost() }))

  /** Ends a request; the numbers begin anew when none is under way, so that equal requests look equal in a log. */
  function end(requestId: number, outcome: SendOutcome): void {
    const found = pending.get(requestId)
    pending.delete(requestId)
    if (pending.size === 0) sweep.rest()
    found?.done(outcome)
  }

  async function bytes(request: HttpRequest): Promise<Uint8Array> {
    if (over) throw over
    const outcome = await new Promise<SendOutcome>(done => {
      let requestId = first
      while (pending.has(requestId)) requestId += 1
      pending.set(requestId, { request, done })
      sweep.begin()
      const { what, retries, deadlineMs } = request
      const limits = { ...(retries !== undefined && { retries }), ...(deadlineMs !== undefined && { deadlineMs }) }
      try {
        take({ type: 'http.asked', data: { requestId, what, ...limits } })
      } catch (cause) {
        end(requestId, { ok: false, fault: faultOf(cause) })
      }
    })
    if (!outcome.ok) throw outcome.fault
    return outcome.bytes
  }

  const drivers: { [type: string]: Drive } = {
    'http.send': async ({ data }, answer) => {
      const { requestId, timeoutMs } = data as EffectData['http.send']
      const asked = pending.get(requestId)
      if (!asked) return
      const sent = await sendOnce(asked.request, { ...ports, timeoutMs: ports.timeoutMs ?? timeoutMs })
      asked.last = sent
      answer(attemptInput(sent))
    },
    'http.settle': async ({ data }) => {
      const { requestId, failure } = data as EffectData['http.settle']
      const asked = pending.get(requestId)
      const last = failure ? undefined : asked?.last
      end(requestId, last ?? { ok: false, fault: coreLost(asked && hostOf(asked.request.url)) })
    },
  }

  return {
    http: {
      bytes,
      text: async request => new TextDecoder().decode(await bytes(request)),
      json: async request => readJsonBody(request, await bytes(request)),
    },
    drivers,
    end(fault) {
      over = fault
      for (const requestId of pending.keys()) end(requestId, { ok: false, fault })
    },
  }
}

/** @returns the input that tells how an attempt ended, without its content */
export function attemptInput(sent: SendOutcome) {
  if (sent.ok) return answered({ type: 'http.answered', data: { status: sent.status } })
  const { status, retryAfterMs, fault } = sent
  if (status === undefined) return answered({ type: 'http.failed', data: { failure: toFailure(fault) } })
  return answered({ type: 'http.answered', data: { status, ...(retryAfterMs !== undefined && { retryAfterMs }) } })
}

/** @returns the fault of a request that no decider knows */
export function coreLost(host = 'a service'): Fault {
  return new Fault('core_lost', `a request to ${host} expected the core to decide on it, it did not`)
}

export function faultOf(cause: unknown): Fault {
  return cause instanceof Fault ? cause : coreLost()
}
