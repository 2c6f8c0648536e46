import type { Terms } from './terms.ts'

/** The price curve of a sale in credits and token base units. */
export type Curve = {
  /** all stages together, credits */
  hardCap: bigint
  /** base units sold at a position of the curve */
  sold(position: bigint): bigint
  tokens(position: bigint, credits: bigint): bigint
}

export function curveOf(terms: Terms): Curve {
  const unit = 10n ** BigInt(terms.token.decimals)
  const stages = terms.stages.map(stage => ({ credits: BigInt(stage.credits), price: BigInt(stage.price) }))
  const sold = (position: bigint) => {
    let rest = position
    let total = 0n
    for (const { credits, price } of stages) {
      const inside = rest < 0n ? 0n : rest < credits ? rest : credits
      total += (inside * unit) / price
      rest -= credits
    }
    return total
  }
  return {
    hardCap: stages.reduce((sum, stage) => sum + stage.credits, 0n),
    sold,
    tokens: (position, credits) => sold(position + credits) - sold(position),
  }
}

/** Credits of one base unit of an asset. */
export function rateOf(terms: Terms, asset: string): bigint {
  const found = terms.assets.find(candidate => candidate.symbol === asset)
  if (!found) throw new Error(`the terms list no asset ${asset}`)
  return BigInt(found.creditsPerUnit)
}
