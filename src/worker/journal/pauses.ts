/** Long work in slices: between two of them whatever waits in this thread has its turn. */

/** Letters of a slice: some milliseconds' work, on a slow phone some tens. */
const sliceLength = 200_000

export type Pauses = {
  /** @returns whether, after this much more, it is somebody else's turn */
  isDue(length: number): boolean
  pause(): Promise<void>
}

export function createPauses(): Pauses {
  let done = 0
  return {
    isDue(length) {
      done += length
      return done >= sliceLength
    },
    async pause() {
      done = 0
      await nextTask()
    },
  }
}

/** Whatever waits in this thread has had its turn then; a timer would take four milliseconds more. */
export async function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  await new Promise<void>(resolve => {
    port1.onmessage = () => resolve()
    port2.postMessage(null)
  })
  port1.close()
}

/** Rows of a table that are copied between two pauses. */
const rowsAtOnce = 300

/** @returns a copy of plain tables in tables, made in slices: nothing may write into them meanwhile */
export async function copied<T extends object>(tables: T, depth = 2): Promise<T> {
  const copy: Record<string, unknown> = {}
  let rows = 0
  for (const [key, value] of Object.entries(tables)) {
    const isTable = depth > 0 && typeof value === 'object' && value !== null && !Array.isArray(value)
    copy[key] = isTable ? await copied(value as object, depth - 1) : structuredClone(value)
    rows += 1
    if (rows % rowsAtOnce === 0) await nextTask()
  }
  return copy as T
}
