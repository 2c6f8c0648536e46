/** A bounded set of recent keys in two generations: a full newer one replaces the older. Adding costs the same at any size. */
export type Memory = { newest: Record<string, true>; older: Record<string, true>; count: number }

/** @returns an empty memory */
export function emptyMemory(): Memory {
  return { newest: {}, older: {}, count: 0 }
}

/**
 * Adds a key, in mutating style.
 *
 * @param most keys remembered at most; a generation holds half of them
 */
export function remember(memory: Memory, key: string, most: number): void {
  if (Object.hasOwn(memory.newest, key)) return
  memory.newest[key] = true
  memory.count += 1
  if (memory.count < most / 2) return
  memory.older = memory.newest
  memory.newest = {}
  memory.count = 0
}

export function remembers({ newest, older }: Memory, key: string): boolean {
  return Object.hasOwn(newest, key) || Object.hasOwn(older, key)
}
