import { useId } from 'react'
import { formatAmount } from '../../../../events/values/amount.ts'
import { feeEstimate } from '../../../../events/values/solana/fees.ts'
import { unprovedMint } from '../../../../events/sale/terms/knownMints.ts'
import type { Quote } from '../../../../events/sale/quote.ts'
import { Address } from '../../../kit/identity/Address.tsx'
import { Icon } from '../../../kit/icons/Icon.tsx'
import { down } from '../../../kit/icons/icons.ts'
import { held, keptByMax } from '../../buy/afford.ts'
import { toleranceOf } from '../../buy/draft.ts'
import { sol } from '../figures.ts'
import type { Buying } from '../../buy/useBuying.ts'
import { useSaleWords } from '../../saleWords.ts'

/** Totals of the payment; prices, slippage and rates on demand. One table of rows, of which each needs the same figures. */
export function Details({ buying: { known, result, asset, balance, draft, setDraft } }: { buying: Buying }) {
  const toleranceId = useId()
  const { buy: t, sale, figures } = useSaleWords()
  const { paid, paidNamed, price, tokens } = figures
  if (!known || !asset) return null
  const { terms } = known
  const { quote } = result
  const fee = paid(feeEstimate, sol)
  const total =
    asset.kind === 'native'
      ? quote && paid(BigInt(quote.units) + feeEstimate, asset)
      : quote && t.sumWithFee(paidNamed(quote.units, asset, terms), fee)
  const mint = unprovedMint(terms, asset)
  const isMost =
    quote !== undefined && asset.kind === 'native' && BigInt(quote.units) + keptByMax === held(balance, asset.symbol)
  const badTolerance = draft.tolerance !== '' && toleranceOf(draft.tolerance) === undefined
  return (
    <>
      <dl className="value-list">
        <div>
          <dt>{t.atLeastYouGet}</dt>
          <dd>{quote ? `${tokens(leastOf(quote), terms)} ${terms.token.symbol}` : '–'}</dd>
        </div>
        <div>
          <dt>{t.feeAbout}</dt>
          <dd>{fee}</dd>
        </div>
        {isMost && (
          <div>
            <dt>{t.kept}</dt>
            <dd>{paid(keptByMax, sol)}</dd>
          </div>
        )}
        {mint !== undefined && (
          <div>
            <dt>{sale.mintOf(asset.symbol)}</dt>
            <dd data-testid="asset-mint">
              <Address value={mint} />
            </dd>
          </div>
        )}
        <div>
          <dt>{t.totalAbout}</dt>
          <dd className="text-strong">{total ?? '–'}</dd>
        </div>
      </dl>
      <details className="more">
        <summary className="touch">
          {t.details}
          <Icon path={down} small />
        </summary>
        <dl className="value-list">
          <div>
            <dt>{t.averagePrice}</dt>
            <dd>{quote ? figures.priceText(quote.averagePrice) : '–'}</dd>
          </div>
          <div>
            <dt>
              <label htmlFor={toleranceId}>{t.slippage}</label>
            </dt>
            <dd>
              <input
                id={toleranceId}
                className="details-tolerance"
                inputMode="decimal"
                autoComplete="off"
                placeholder={quote ? formatAmount(String(quote.toleranceBps), 2) : '0'}
                value={draft.tolerance}
                aria-invalid={badTolerance || undefined}
                onChange={event => setDraft({ ...draft, tolerance: event.target.value })}
              />
            </dd>
          </div>
          {terms.assets.map(({ symbol, creditsPerUnit, decimals }) => (
            <div key={symbol}>
              <dt>{t.rate(symbol)}</dt>
              <dd>{t.rateFixed(symbol, price(BigInt(creditsPerUnit) * 10n ** BigInt(decimals)))}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  )
}

/** The minimum for the part under the hard cap; `min` covers the whole payment. */
function leastOf({ min, units, overCap }: Quote): bigint {
  return overCap === '0' ? BigInt(min) : (BigInt(min) * (BigInt(units) - BigInt(overCap))) / BigInt(units)
}
