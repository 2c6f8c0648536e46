/**
 * The host of the terms: may serve another treasury, announced by the team or not; a file of another authority fails in the
 * driver.
 */
import { Fault } from '../../src/runtime/failure.ts'
import type { Terms } from '../../src/events/sale/terms/termsShape.ts'
import { other, terms, termsHash } from '../worker/story.ts'
import type { Dice } from './dice.ts'

export const otherGenesis = '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY'
const movedHash = 'e'.repeat(64)
const foreignHash = 'c'.repeat(64)

export function createTermsHost(dice: Dice) {
  /** Some sales have an allowlist of buyers. */
  const list = { mode: 'allowlist', sha256: '0'.repeat(64), url: './list.txt' } as const
  const sold: Terms = dice.chance('allowlist sale', 0.2) ? { ...terms, access: list } : terms
  let isMoved = false
  let announced = termsHash

  return {
    /** @throws Fault like the driver */
    read(): { terms: Terms; termsHash: string } {
      if (dice.strikes('terms.invalid')) throw new Fault('terms_invalid', 'the terms expected a soft cap')
      if (dice.strikes('terms.otherAuthority'))
        throw new Fault('terms_invalid', 'the terms expected another authority', { rule: 'SALE_AUTHORITY' })
      if (dice.strikes('terms.otherTreasury')) {
        isMoved = !isMoved
        if (dice.chance('the team announces the treasury', 0.6)) announced = isMoved ? movedHash : termsHash
      }
      const served = isMoved
        ? { terms: { ...sold, treasury: other }, termsHash: movedHash }
        : { terms: sold, termsHash }
      if (!dice.strikes('terms.ofAnotherChain')) return served
      const cluster = { ...sold.cluster, genesisHash: otherGenesis }
      return { terms: { ...served.terms, cluster }, termsHash: foreignHash }
    },
    /** Hash of the terms last announced by the team. */
    announced: () => (dice.strikes('terms.changed') ? 'f'.repeat(64) : announced),
    /** Restores the team's own terms. */
    calm(): void {
      isMoved = false
      announced = termsHash
    },
  }
}
