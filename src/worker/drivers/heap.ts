/** A priority queue: `put` and `take` cost O(log n). */
type Heap<T> = {
  readonly size: number
  first(): T | undefined
  put(one: T): void
  take(): T | undefined
  /** Keeps the matching items only, and restores the order, O(n). */
  keep(which: (one: T) => boolean): void
}

/** @param isBefore order of two items; for queued items it may change only right before `keep` */
export function createHeap<T>(isBefore: (one: T, other: T) => boolean): Heap<T> {
  let all: T[] = []

  function up(from: number): void {
    const one = all[from] as T
    let at = from
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = all[above] as T
      if (!isBefore(one, parent)) break
      all[at] = parent
      at = above
    }
    all[at] = one
  }

  function down(from: number): void {
    const one = all[from] as T
    let at = from
    for (let below = 2 * at + 1; below < all.length; below = 2 * at + 1) {
      const right = below + 1
      if (right < all.length && isBefore(all[right] as T, all[below] as T)) below = right
      const child = all[below] as T
      if (!isBefore(child, one)) break
      all[at] = child
      at = below
    }
    all[at] = one
  }

  return {
    get size() {
      return all.length
    },
    first: () => all[0],
    put(one) {
      up(all.push(one) - 1)
    },
    take() {
      const first = all[0]
      const last = all.pop()
      if (all.length > 0) {
        all[0] = last as T
        down(0)
      }
      return first
    },
    keep(which) {
      all = all.filter(which)
      for (let at = (all.length >> 1) - 1; at >= 0; at--) down(at)
    },
  }
}
