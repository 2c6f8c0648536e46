/**
 * Commands by ref, over lives, reloads and repeats:
 *
 * 1. One that is on disk is not taken again.
 * 2. A host's request reaches a wallet at most once.
 */
import type { Stepped, Watch } from './watch.ts'

/** @param lines of the log on disk */
export function createHostRequests(
  { stepped, wrong }: Pick<Watch, 'stepped' | 'wrong'>,
  lines: () => readonly string[],
) {
  const taken = new Set<string>()

  /** refs of requests by payload id; also those whose life was lost before its commit */
  const refs = new Map<string, string>()
  const times = new Map<string, number>()

  /** @param besides number of the input itself: a log in memory has it at once */
  const isOnDisk = (ref: string, besides: number) =>
    lines().some(
      line =>
        line.startsWith('{"k":"i"') &&
        line.includes(`"ref":${JSON.stringify(ref)}`) &&
        !line.includes(`"n":${besides},`),
    )

  return {
    watched(step: Stepped): void {
      const { input, facts } = step
      const { ref } = input
      if (ref !== undefined && taken.has(ref) && isOnDisk(ref, input.n))
        wrong(`the command ${ref} is on disk, and taken again`)
      if (ref !== undefined) taken.add(ref)
      if (input.type === 'request.send' && ref !== undefined)
        for (const { type, data } of facts) if (type === 'request.sent') refs.set(String(data.requestId), ref)
      stepped(step)
    },
    /** A wallet received a page's request for the first time under this id. */
    heard(payloadId: string): void {
      const ref = refs.get(payloadId)
      if (ref === undefined) return wrong(`a wallet is asked ${payloadId}, which no host requested`)
      const count = (times.get(ref) ?? 0) + 1
      times.set(ref, count)
      if (count > 1) wrong(`a wallet is asked ${count} times for the host request ${ref}`)
    },
  }
}
