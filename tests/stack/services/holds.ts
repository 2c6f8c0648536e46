import { matches } from './faults.ts'

/** Requests that wait for `release`. */
export type Holds = {
  /** Settles when a release names the path. */
  wait(path: string): Promise<void>
  /** @param pattern of paths, as a fault's; `true` is every path */
  release(pattern: string | true): void
  /** Paths of the waiting requests, the oldest first. */
  waiting(): string[]
}

export function createHolds(): Holds {
  let waiting: { path: string; go(): void }[] = []
  return {
    wait: path => new Promise(go => waiting.push({ path, go })),
    release(pattern) {
      const released = waiting.filter(({ path }) => pattern === true || matches(pattern, path))
      waiting = waiting.filter(one => !released.includes(one))
      for (const { go } of released) go()
    },
    waiting: () => waiting.map(({ path }) => path),
  }
}
