/**
 * Probes a relay that opens no socket. A browser reports of a refused socket only that it closed; a plain request to the same
 * URL, with the same token, may get the status of the refusal.
 */

/** The result: the status, some answer, or none. */
type Reach = { status: number } | 'answers' | 'silent'

const probeMs = 3_000
/** Lifetime of a result for the same address, ms. */
const holdsMs = 60_000

/**
 * @param ports.now ms
 * @returns a probe, at most one request a minute for each address; it never rejects
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
      // It may have answered, but CORS hides the answer from this origin
      return load(plain, { ...options, mode: 'no-cors', signal: AbortSignal.timeout(probeMs) }).then(
        () => 'answers' as const,
        () => 'silent' as const,
      )
    }
  }

  /** @param name the address without its token, the cache key */
  return async (name: string, url: string): Promise<Reach> => {
    const last = known.get(name)
    if (last && now() - last.at < holdsMs && now() >= last.at) return last.reach
    const reach = await ask(url)
    known.set(name, { at: now(), reach })
    return reach
  }
}
