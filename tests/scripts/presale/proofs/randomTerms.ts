/** Random terms that pass every rule of published ones, of any scale: from a hard cap of a few credits to one near 2^64 units. */
import { readTerms, type Terms } from '../../../../src/events/sale/terms/terms.ts'
import { toFailure } from '../../../../src/runtime/failure.ts'
import { exampleTerms } from '../../../events/values/exampleTerms.ts'
import type { Random } from '../../../fuzz/random.ts'
import { seededKeypair } from '../../../stack/solana/keys.ts'

const key = (name: string) => seededKeypair('random terms', name).address
const place = { genesisHash: key('genesis'), mint: key('sale mint'), usdc: key('usdc mint'), other: key('other mint') }
/** Ten times the rent of an account without data: the least native order, lamports. */
const leastLamports = 8_908_800n
const mostTries = 200

/** @returns a number from 0 to limit − 1 */
export function bigBelow(random: Random, limit: bigint): bigint {
  if (limit <= 1n) return 0n
  if (limit <= 0xffff_ffffn) return BigInt(random.below(Number(limit)))
  let value = 0n
  for (let rest = limit; rest > 0n; rest >>= 32n) value = (value << 32n) | BigInt(random.below(0x1_0000_0000))
  return value % limit
}

/** @returns a number of 1 up to this many digits, each length equally often */
function ofDigits(random: Random, most: number): bigint {
  return 1n + bigBelow(random, 10n ** BigInt(1 + random.below(most)))
}

/**
 * @returns terms that `readTerms` accepts
 * @throws Error when it refuses every try
 */
export function randomTerms(random: Random): Terms {
  let said = ''
  for (let tries = 0; tries < mostTries; tries += 1) {
    try {
      return readTerms(JSON.stringify(draftedTerms(random))).terms
    } catch (cause) {
      said = toFailure(cause).message
    }
  }
  throw new Error(`random terms expected one of ${mostTries} drafts to be accepted, the last was refused: ${said}`)
}

function draftedTerms(random: Random): Terms {
  const base = exampleTerms()
  const { start } = base
  const decimals = random.below(13)
  const whole = 10n ** BigInt(decimals)
  const isTimed = random.oneIn(3)
  const count = 1 + random.below(random.oneIn(8) ? 32 : 5)
  const hours = count * 10
  const stages = Array.from({ length: count }, (_, at) => {
    const price = ofDigits(random, 13)
    // A stage holds a whole number of base units
    const credits = (price / greatestDivisor(price, whole)) * ofDigits(random, 9)
    const endsAt = isTimed && random.oneIn(2) ? { endsAt: start + 3_600 * 10 * (at + 1) } : {}
    return { name: `Stage ${at + 1}`, credits: credits.toString(), price: price.toString(), ...endsAt }
  })
  const hardCap = stages.reduce((sum, { credits }) => sum + BigInt(credits), 0n)
  const minOrder = 1n + hardCap / (2n + ofDigits(random, 6))
  const room = hardCap - minOrder
  const maxBuyer = minOrder + random.pick([room, bigBelow(random, room + 1n), bigBelow(random, room / 10n + 1n)])
  const leastRate = hardCap / 2n ** 64n + 1n
  const rate = (most: bigint) =>
    (leastRate + bigBelow(random, random.pick([10n, most, most]) - leastRate + 1n)).toString()
  const spl = (symbol: string, mint: string) => {
    return { symbol, kind: 'spl' as const, mint, decimals: random.below(13), creditsPerUnit: rate(minOrder) }
  }
  const mostNative = minOrder / leastLamports
  const native = { symbol: 'SOL', kind: 'native' as const, decimals: 9 }
  return {
    ...base,
    cluster: { name: 'localnet', genesisHash: place.genesisHash },
    token: { ...base.token, mint: place.mint, decimals },
    assets: [
      ...(mostNative >= leastRate ? [{ ...native, creditsPerUnit: rate(mostNative) }] : []),
      spl('USDC', place.usdc),
      ...(random.oneIn(3) ? [spl('OTHER', place.other)] : []),
    ],
    end: start + 3_600 * (hours + random.below(20)),
    stages,
    softCap: bigBelow(random, hardCap + 1n).toString(),
    minOrder: minOrder.toString(),
    maxBuyer: maxBuyer.toString(),
    referral: { bps: 0, pool: '0' },
    refund: { minUnits: {}, withinDays: 14 },
  }
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestDivisor(b, a % b)
}
