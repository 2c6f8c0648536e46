/** What the page says about the token and the sale in sentences. Numbers come from the terms. */
import { curveOf } from '../../events/values/price.ts'
import type { Terms } from '../../events/values/termsShape.ts'
import { dayOf, dollars, price } from './figures.ts'

export type SupplyPart = { name: string; units: bigint }

/** @returns the parts of the token's supply in base units: sale and referral pool as in the terms, the rest as planned */
export function supplyParts(terms: Terms): SupplyPart[] {
  const whole = 10n ** BigInt(terms.token.decimals)
  return [
    { name: 'Presale', units: curveOf(terms).tokens },
    { name: 'Liquidity', units: 300_000_000n * whole },
    { name: 'Treasury', units: 225_000_000n * whole },
    { name: 'Team, locked 12 months', units: 150_000_000n * whole },
    { name: 'Community', units: 60_000_000n * whole },
    { name: 'Referral', units: BigInt(terms.referral.pool) },
  ]
}

/** @returns what becomes of tokens nobody bought */
export function unsoldWords({ unsold }: Terms): string {
  return unsold === 'burn' ? 'Unsold presale tokens are burned.' : 'Unsold presale tokens go back to the team.'
}

export type Question = { question: string; answer: string }

/** @param softCapReached undefined until the chain has been read */
export function questions(terms: Terms, softCapReached: boolean | undefined): Question[] {
  const cap = dollars(terms.softCap)
  const native = terms.assets.find(asset => asset.kind === 'native')
  const rate = native ? price(BigInt(native.creditsPerUnit) * 10n ** BigInt(native.decimals)) : ''
  return [
    {
      question: 'Can I get my money back?',
      answer: `If the sale ends under the soft cap, yes, all of it. ${
        softCapReached
          ? `The soft cap of ${cap} is reached, so an accepted purchase is now final.`
          : `From the soft cap of ${cap} on, an accepted purchase is final.`
      } Payments that cannot be accepted are returned within ${terms.refund.withinDays} days.`,
    },
    {
      question: 'What if a stage sells out while I sign?',
      answer:
        'Before sending, the page checks the price again. If you would get less than your minimum, nothing is sent. If it happens after sending, the payment is returned.',
    },
    ...(native
      ? [
          {
            question: `Why is one ${native.symbol} always ${rate} here?`,
            answer:
              'The rate is part of the published terms, so anyone can recompute the sale. It can be better or worse than the market.',
          },
        ]
      : []),
    { question: 'When do I receive my tokens?', answer: delivery(terms) },
    {
      question: 'What do audited and live mean?',
      answer:
        'Audited payments are final and checked one by one at the last checkpoint. Live ones came after it; some may still be returned.',
    },
  ]
}

function delivery({ vesting }: Terms): string {
  const share = vesting.tgeBps === 2500 ? 'A quarter' : `${vesting.tgeBps / 100} %`
  const first = dayOf(vesting.tgeAt * 1000)
  const where = 'They arrive in the wallet you paid from.'
  if (vesting.periods === 0) return `All of them on ${first}. ${where}`
  const parts = vesting.periods === 1 ? 'one more part' : `${vesting.periods} equal parts`
  const days = Math.round(vesting.periodSeconds / 86_400)
  const apart = days > 0 ? `, ${days} ${days === 1 ? 'day' : 'days'} apart` : ''
  return `${share} on ${first}, the rest in ${parts}${apart}. ${where}`
}
