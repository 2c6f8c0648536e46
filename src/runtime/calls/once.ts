/** Something with a name is taken once, however often a page that heard nothing gives it again. */

/** Names that are remembered; pages repeat one within seconds. */
const remembered = 256

/**
 * Takes what bears this name, unless it was taken: then this waits until that one is kept.
 *
 * @param take resolves true when it finds that it was taken before
 * @returns true when it was taken before
 * @throws what `take` throws; then it may come again
 */
type Once = (name: string, take: () => Promise<boolean>) => Promise<boolean>

export function createOnce(): Once {
  const taken = new Map<string, Promise<boolean>>()
  return (name, take) => {
    const before = taken.get(name)
    if (before) return before.then(() => true)
    const taking = take()
    taken.set(name, taking)
    taking.catch(() => taken.delete(name))
    const [oldest] = taken.keys()
    if (taken.size > remembered && oldest !== undefined) taken.delete(oldest)
    return taking
  }
}
