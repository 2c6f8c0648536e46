/** Sentences about the token, from the terms. */
import type { SaleTexts } from '../../texts/sale/en.ts'
import type { Terms } from '../../../events/sale/terms/termsShape.ts'

/** @returns the fate of unsold tokens */
export function unsoldWords({ burned, toTeam }: SaleTexts, { unsold }: Terms): string {
  return unsold === 'burn' ? burned : toTeam
}
