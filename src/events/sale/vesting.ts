/**
 * The calendar by which bought tokens become free, in exact whole numbers: no base unit is lost between tranches.
 * @see reference "Presale", §7
 */
import type { Terms } from './terms/termsShape.ts'

/** One tranche: token base units that become free at `at`, Unix seconds. */
type Tranche = { at: number; tokens: bigint }

/**
 * @param tokens base units of one allocation
 * @returns the share at the token's start, then one tranche for each period, all of them after the cliff; together they are the
 *   allocation
 */
export function tranchesOf({ vesting }: Pick<Terms, 'vesting'>, tokens: bigint): Tranche[] {
  const { tgeAt, tgeBps, cliffSeconds, periodSeconds, periods } = vesting
  const atStart = (tokens * BigInt(tgeBps)) / 10_000n
  const freeAfter = (period: number) =>
    period === 0 ? atStart : atStart + ((tokens - atStart) * BigInt(period)) / BigInt(periods)
  return Array.from({ length: periods + 1 }, (_, period) => ({
    at: tgeAt + cliffSeconds + period * periodSeconds,
    tokens: freeAfter(period) - (period === 0 ? 0n : freeAfter(period - 1)),
  }))
}

/** @returns the moments at which tokens become free, ms of chain time: without a share at the start, from the first period on */
export function deliveriesOf(terms: Pick<Terms, 'vesting'>): [first: number, ...later: number[]] {
  const moments = tranchesOf(terms, 0n).map(({ at }) => at * 1000)
  return moments.slice(terms.vesting.tgeBps === 0 ? 1 : 0) as [number, ...number[]]
}
