import { type Call, type CallOutcome, callKey, splitCalls } from '../../rpc/batch.ts'

/** Most pending calls that are shared. */
const maxShared = 8192

/**
 * Joins calls of one turn of the event loop into batches, and equal pending calls into one: drivers begin at different depths
 * of promises.
 *
 * @param send sends calls in one request; its rejection rejects each of them
 * @returns calls, and resolves to the call's outcome
 */
export function joinCalls(
  send: (calls: readonly Call[]) => Promise<CallOutcome[]>,
): (call: Call) => Promise<CallOutcome | undefined> {
  type Waiting = { call: Call; done: (outcome: Promise<CallOutcome | undefined>) => void }
  let waiting: Waiting[] = []
  const underWay = new Map<string, Promise<CallOutcome | undefined>>()

  const flush = () => {
    const all = waiting
    waiting = []
    for (const request of splitCalls(all)) {
      const outcomes = send(request.map(({ call }) => call))
      request.forEach(({ done }, at) => done(outcomes.then(found => found[at])))
    }
  }

  return call => {
    const key = callKey(call)
    const shared = underWay.get(key)
    if (shared) return shared
    const promise = new Promise<CallOutcome | undefined>(done => {
      waiting.push({ call, done })
      if (waiting.length === 1) setTimeout(flush)
    }).finally(() => underWay.delete(key))
    if (underWay.size < maxShared) underWay.set(key, promise)
    return promise
  }
}
