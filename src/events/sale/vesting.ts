/**
 * The calendar by which bought tokens become free, in exact whole numbers: no base unit is lost between tranches.
 * @see reference "Presale", §7
 */
import type { Terms } from './terms/termsShape.ts'

/** One tranche: token base units that become free at `at`, Unix seconds. */
type Tranche = { at: number; tokens: bigint }

/**
 * @param tokens base units of one allocation
 * @returns the share at the token's start, then one tranche for each period; all together are the allocation
 */
export function tranchesOf({ vesting }: Pick<Terms, 'vesting'>, tokens: bigint): Tranche[] {
  const { tgeAt, tgeBps, cliffSeconds, periodSeconds, periods } = vesting
  const atStart = (tokens * BigInt(tgeBps)) / 10_000n
  const freeAfter = (period: number) =>
    period === 0 ? atStart : atStart + ((tokens - atStart) * BigInt(period)) / BigInt(periods)
  const later = Array.from({ length: periods }, (_, before) => ({
    at: tgeAt + cliffSeconds + (before + 1) * periodSeconds,
    tokens: freeAfter(before + 1) - freeAfter(before),
  }))
  return [{ at: tgeAt, tokens: atStart }, ...later]
}
