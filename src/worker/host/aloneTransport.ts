/**
 * A transport without a core: for a host's reads, which any tab makes and nothing records, and for tests. The same deciders
 * decide.
 */
import { Fault } from '../../runtime/failure.ts'
import type { EffectData, EffectType } from '../../events/effect.ts'
import type { OutsideInput } from '../../events/input.ts'
import { nextRandom } from '../../runtime/core/generator.ts'
import { timerOf } from '../../runtime/core/timerOf.ts'
import type { Answer } from '../../runtime/host/driver.ts'
import { attemptEnds } from '../deciders/transport/answers.ts'
import { httpRequests } from '../deciders/transport/http.ts'
import { rpcCalls } from '../deciders/transport/rpc.ts'
import type { RequestContext } from '../deciders/transport/requestContext.ts'
import { freshTransient } from '../core/transient.ts'
import { createTransport, type RequestTransport, type RequestTransportPorts } from '../drivers/transport/transport.ts'

/** Injected dependencies, for tests. `random`: a whole number below its argument. */
type AlonePorts = Omit<RequestTransportPorts, 'take'> & {
  random?: (below: number) => number
  wait?: (ms: number) => Promise<void>
}

export function createHttp(ports: AlonePorts = {}): RequestTransport {
  const { now = Date.now, random, wait = ms => new Promise<void>(resolve => setTimeout(resolve, ms)) } = ports
  const transient = freshTransient(crypto.randomUUID(), 0)
  /** A timer is due at its time, also where its wait ends at once. */
  let latest = 0
  let lastEffect = 0

  function hear(input: OutsideInput, cause?: RequestContext['cause']): void {
    latest = Math.max(latest, Math.floor(now()))
    const ordered: { type: EffectType; data: object; about: string }[] = []
    const ctx: RequestContext = {
      transient,
      at: latest,
      cause,
      random: random ?? (below => nextRandom(transient.random) % below),
      effect(type, data, options) {
        ordered.push({ type, data, about: options?.about ?? '' })
        return `e${++lastEffect}`
      },
    }
    decide(ctx, input)
    for (const { type, data, about } of ordered) carry(type, data, about)
  }

  function carry(type: EffectType, data: object, about: string): void {
    if (type === 'timer.set') {
      const { timerId, at } = data as EffectData['timer.set']
      void wait(Math.max(0, at - latest)).then(() => {
        latest = Math.max(latest, at)
        hear({ type: 'timer.fired', data: { timerId } })
      })
      return
    }
    const answer = (input: Answer) => hear(input as OutsideInput, { type, about })
    void drivers[type]?.({ id: '', data }, answer)
  }

  const { transport, drivers } = createTransport({ ...ports, take: draft => hear(draft as OutsideInput) })
  return transport
}

function decide(ctx: RequestContext, { type, data }: OutsideInput): void {
  switch (type) {
    case 'rpc.asked':
      return rpcCalls[type](ctx, data)
    case 'http.asked':
      return httpRequests[type](ctx, data)
    case 'http.answered':
      return attemptEnds[type](ctx, data)
    case 'http.failed':
      return attemptEnds[type](ctx, data)
    case 'timer.fired': {
      const { family, id } = timerOf(data.timerId)
      if (family === 'rpc') return rpcCalls.timers.rpc(ctx, id)
      return httpRequests.timers.http(ctx, id)
    }
    default:
      throw new Fault('unsupported', `a request expected no ${type}`)
  }
}
