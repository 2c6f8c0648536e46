import type { ReactNode } from 'react'
import { Checkbox } from '../../kit/controls/Check.tsx'
import { ExternalLink } from '../../kit/controls/ExternalLink.tsx'
import { regions } from '../sale/figures.ts'
import type { KnownSale } from '../sale/saleStatus.ts'
import type { Buying } from './useBuying.ts'

/** The statements the terms require, unticked. Missing ones are marked only after a press on the button. */
export function Acknowledgements({ buying, known }: { buying: Buying; known: KnownSale }) {
  const { ticked, tick, missed } = buying
  const { terms, legalUrl } = known
  const statements: Record<string, ReactNode> = {
    terms: (
      <>
        I have read the <ExternalLink href={legalUrl}>sale terms</ExternalLink>.
      </>
    ),
    region: `I am not in ${regions(terms.legal.blockedRegions) || 'a place where this sale is not offered'}.`,
    risk: 'I understand I could lose everything I pay.',
    age: 'I am at least 18 years old.',
  }
  return (
    <fieldset className="buy-acks">
      <legend className="text-hidden">Before you buy</legend>
      {terms.legal.acknowledge.map(one => (
        <Checkbox
          key={one}
          name={one}
          checked={ticked.includes(one)}
          missing={missed}
          onChange={on => tick(one, on)}
          data-testid={`acknowledge-${one}`}
        >
          {statements[one]}
        </Checkbox>
      ))}
    </fieldset>
  )
}
