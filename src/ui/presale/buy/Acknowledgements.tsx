import type { ReactNode } from 'react'
import { Checkbox } from '../../kit/controls/Check.tsx'
import { ExternalLink } from '../../kit/controls/ExternalLink.tsx'
import type { KnownSale } from '../sale/saleStatus.ts'
import type { Buying } from './useBuying.ts'
import { useSaleWords } from '../saleWords.ts'

/** The statements the terms require, unticked. Missing ones are marked only after a press on the button. */
export function Acknowledgements({ buying, known }: { buying: Buying; known: KnownSale }) {
  const { ticked, tick, missed } = buying
  const { terms, legalUrl } = known
  const { buy, figures } = useSaleWords()
  const [before, link, after] = buy.ackTerms
  const away = figures.regions(terms.legal.blockedRegions)
  const statements: Record<string, ReactNode> = {
    terms: (
      <>
        {before}
        {legalUrl === undefined ? link : <ExternalLink href={legalUrl}>{link}</ExternalLink>}
        {after}
      </>
    ),
    region: away ? buy.ackRegion(away) : buy.ackRegionAny,
    risk: buy.ackRisk,
    age: buy.ackAge,
  }
  return (
    <fieldset className="buy-acks">
      <legend className="text-hidden">{buy.beforeYouBuy}</legend>
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
