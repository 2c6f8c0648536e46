/** Sentences about the token, from the terms. */
import type { Terms } from '../../../events/sale/terms/termsShape.ts'

/** @returns the fate of unsold tokens */
export function unsoldWords({ unsold }: Terms): string {
  return unsold === 'burn' ? 'Unsold presale tokens are burned.' : 'Unsold presale tokens go back to the team.'
}
