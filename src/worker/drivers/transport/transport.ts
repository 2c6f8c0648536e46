/** The way of all requests of the worker's drivers to nodes and services. The core decides; this side sends. */
import { Fault } from '../../../runtime/failure.ts'
import type { Draft } from '../../../runtime/core/draft.ts'
import type { Drive } from '../../../runtime/host/driver.ts'
import type { Http, SendPorts } from '../http.ts'
import { createPools, type Pools } from './pools.ts'
import { createRequests } from './requests.ts'

/** Requests to services, and calls to pools of nodes. */
export type RequestTransport = Http & Pick<Pools, 'pool'>

export type RequestTransportPorts = Omit<SendPorts, 'timeoutMs'> & {
  /** Hands an input to the deciders. @throws Fault when they take it not */
  take(input: Draft): void
  /** the first number of requests and calls: no life repeats those of another, default 0 */
  first?: number
  /** replaces the deadline of an attempt, for tests, ms */
  timeoutMs?: number
}

/** @returns the transport, the drivers of its effects, and what ends all requests when the core ends */
export function createTransport(ports: RequestTransportPorts): {
  transport: RequestTransport
  drivers: { [type: string]: Drive }
  stop(): void
} {
  const requests = createRequests(ports)
  const pools = createPools(ports)
  return {
    transport: { ...requests.http, pool: pools.pool },
    drivers: { ...requests.drivers, ...pools.drivers },
    stop() {
      const fault = new Fault('core_lost', 'a request expected the core to decide on it, the core has ended')
      requests.end(fault)
      pools.end(fault)
    },
  }
}
