/** A call. `params` is plain JSON, mostly a list. */
export type Call = { method: string; params: unknown }

/** Most calls in one request. */
export const maxBatch = 1000

/** @returns the calls in batches of at most `size`, in order */
export function splitCalls<T>(calls: readonly T[], size: number = maxBatch): T[][] {
  const requests: T[][] = []
  for (let at = 0; at < calls.length; at += size) requests.push(calls.slice(at, at + size))
  return requests
}
