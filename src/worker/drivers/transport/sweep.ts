/** Half of the longest time that a request may be under way, ms; the core's own deadlines are shorter. */
const everyMs = 120_000

/** Ends requests that the core has lost: one whose step failed twice decides nothing any more. */
export function createSweep(pending: ReadonlyMap<number, { isOld?: true }>, end: (id: number) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined

  function sweep(): void {
    timer = undefined
    for (const [id, one] of pending) {
      if (one.isOld) end(id)
      else one.isOld = true
    }
    if (pending.size > 0) begin()
  }
  function begin(): void {
    timer ??= setTimeout(sweep, everyMs)
  }
  return {
    begin,
    rest(): void {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
