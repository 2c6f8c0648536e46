/**
 * Whether a relay that opens no socket can be reached at all. A browser tells of a refused socket nothing but that it closed;
 * a plain request to the same address, with the same token, may be answered by the status that refused it.
 */

/** What is known: the status, that something answered, or that nothing did. */
type Reach = { status: number } | 'answers' | 'silent'

const probeMs = 3_000
/** For so long one answer holds for the same address, ms. */
const holdsMs = 60_000

/**
 * @param ports.now ms
 * @returns a function that asks at most once a minute for each address; it never rejects
 */
export function createReach({ now, load = fetch }: { now(): number; load?: typeof fetch }) {
  const known = new Map<string, { at: number; reach: Reach }>()

  async function ask(url: string): Promise<Reach> {
    const plain = url.replace(/^ws/, 'http')
    const options = { cache: 'no-store', credentials: 'omit', redirect: 'manual' } as const
    try {
      const { status } = await load(plain, { ...options, signal: AbortSignal.timeout(probeMs) })
      return status === 0 ? 'answers' : { status }
    } catch {
      // Perhaps it answered and only may not be read by a page of this origin
      return load(plain, { ...options, mode: 'no-cors', signal: AbortSignal.timeout(probeMs) }).then(
        () => 'answers' as const,
        () => 'silent' as const,
      )
    }
  }

  /** @param name the address without its token, by which the answer is remembered */
  return async (name: string, url: string): Promise<Reach> => {
    const last = known.get(name)
    if (last && now() - last.at < holdsMs && now() >= last.at) return last.reach
    const reach = await ask(url)
    known.set(name, { at: now(), reach })
    return reach
  }
}
