/** Which endpoints of a pool may answer a job. */
import type { RpcJob, RpcPool } from '../../core/transient.ts'
import { settledChain, showsSameChain } from '../../rpc/shownChains.ts'

/** @returns places of the endpoints that may answer: not tried, not on another chain */
export function candidates(pool: RpcPool, { only, tried }: RpcJob): number[] {
  const isOpen = (place: number) => !tried.includes(place) && (only !== undefined || isServing(pool, place) !== false)
  return (only === undefined ? [...pool.endpoints.keys()] : [only]).filter(isOpen)
}

/** @returns whether an endpoint has yet to show its chain */
export function mustShowChain(pool: RpcPool, { only }: RpcJob, place: number): boolean {
  return only === undefined && isServing(pool, place) === undefined
}

/** @returns whether an endpoint is set aside, because it shows another chain */
export function isSomeSetAside(pool: RpcPool): boolean {
  return pool.endpoints.some((_, place) => isServing(pool, place) === false)
}

/** The first serves as long as no other is known to be right. */
function isServing(pool: RpcPool, place: number): boolean | undefined {
  return (place === 0 && settledChain(pool) === undefined) || showsSameChain(pool, place)
}
