import type { Area } from '../language.tsx'
import { pluralIn } from '../plural.ts'

const plural = pluralIn('en')

const english = {
  title: 'Latest purchases',
  about:
    'As one node lists them. Anyone can write such a line, and a payment may still be refused: the books alone count.',
  show: 'Show the newest 20',
  again: 'Read again',
  reading: 'Reading the list',
  asOf: (moment: string) => `Listed ${moment}, unverified.`,
  unverified: 'Unverified',
  quoted: (tokens: string) => `for ${tokens}`,
  noTime: 'Time unknown',
  none: 'No purchase is listed.',
  other: (count: number, text: string) =>
    plural(count, {
      one: `${text} more line is no order of this sale.`,
      other: `${text} more lines are no orders of this sale.`,
    }),
  failed: 'The list could not be read.',
  contradicts: 'The node’s list contradicts itself, so it is not shown.',
}

export type FeedTexts = typeof english
/** Texts of the list of newest payments. */
export const feedArea: Area<FeedTexts> = { name: 'feed', english }
