import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { formatAmount } from '../../../events/values/amount.ts'
import type { TermsAsset } from '../../../events/sale/terms/termsShape.ts'
import { AmountField } from '../../kit/controls/AmountField.tsx'
import { Asset, AssetPick } from '../../kit/identity/Asset.tsx'
import { classes } from '../../kit/classes.ts'
import { Glyph } from '../../kit/icons/Glyph.tsx'
import { Icon } from '../../kit/icons/Icon.tsx'
import { refresh, swap } from '../../kit/icons/icons.ts'
import { Logo } from '../../kit/identity/Logo.tsx'
import { held } from './afford.ts'
import { draftIn, followingText, partsOf } from './draft.ts'
import { named } from '../sale/figures.ts'
import { useCommand } from '../../react.tsx'
import type { KnownSale } from '../sale/saleStatus.ts'
import type { Buying } from './useBuying.ts'
import { type SaleWords, useSaleWords } from '../saleWords.ts'

type Side = 'pay' | 'get'

/**
 * Amount to pay and amount to get: the side last typed into leads, the other follows in integer arithmetic. One component, because
 * both sides share focus and draft.
 */
export function Calculator({ buying }: { buying: Buying }) {
  const command = useCommand()
  const t = useSaleWords()
  const { buy, figures } = t
  const { known, draft, setDraft, asset, result, balance, lack, most } = buying
  const [focused, setFocused] = useState<Side | null>(null)
  const legs = useRef<HTMLDivElement>(null)
  const { quote, problem } = result
  const symbol = known?.terms.token.symbol ?? ''

  // The following figure has grouping commas; once focused it has none, as if typed.
  const textOf = (side: Side) => {
    if (draft.side === side) return draft.text
    return quote && known && asset ? followingText(t, side, quote, known.terms, asset, focused !== side) : ''
  }
  const type = (side: Side) => (text: string) => setDraft({ ...draft, side, text })
  const on = (side: Side) => ({
    value: textOf(side),
    onChange: type(side),
    onFocus: () => setFocused(side),
    onBlur: () => setFocused(null),
    error: draft.side === side ? problem : undefined,
  })
  const flip = () => {
    const side: Side = draft.side === 'pay' ? 'get' : 'pay'
    const text = quote && known && asset ? followingText(t, side, quote, known.terms, asset, false) : ''
    setDraft({ ...draft, side, text })
    inputOf(side)?.focus()
  }
  const inputOf = (side: Side) => legs.current?.querySelectorAll('input')[side === 'pay' ? 0 : 1]
  const takeOver = useEffectEvent(() => {
    const sides = ['pay', 'get'] as const
    const side = sides.find(one => inputOf(one)?.value !== textOf(one))
    if (side) setDraft({ ...draft, side, text: inputOf(side)?.value ?? '' })
  })
  // An amount that was typed into the prerendered page
  useEffect(() => takeOver(), [])
  // The Tab key selects the grouped figure; the plain one in its place is selected again, so typing replaces it.
  useLayoutEffect(() => {
    if (focused && focused !== draft.side) inputOf(focused)?.select()
    // oxlint-disable-next-line react/exhaustive-deps -- once for each focus
  }, [focused])

  const own = asset && held(balance, asset.symbol)
  const pay = on('pay')
  return (
    <div className="calculator" ref={legs}>
      <AmountField
        label={buy.youPay}
        data-testid="pay-amount"
        {...pay}
        error={pay.error ?? lack?.reason}
        corner={
          asset && own !== undefined ? (
            <span className={classes(lack && 'text-bad')}>
              {buy.balance(figures.amount(own.toString(), asset.decimals))}{' '}
              <button
                type="button"
                className="calculator-refresh"
                aria-label={buy.refreshBalance}
                onClick={() => command({ type: 'balance.refresh', data: {} })}
              >
                <Icon path={refresh} small />
              </button>
            </span>
          ) : undefined
        }
        asset={
          <AssetPick
            data-testid="asset-select"
            label={buy.payWith}
            value={asset?.symbol ?? 'SOL'}
            options={known?.terms.assets.map(listed => listed.symbol) ?? ['SOL']}
            labelOf={symbol => labelOf(symbol, known)}
            mark={<AssetMark symbol={asset?.symbol ?? 'SOL'} />}
            onChange={symbol => setDraft(draftIn(draft, assetOf(symbol, known), quote?.credits))}
          />
        }
        under={quote ? figures.exactDollars(quote.credits, 'ceil') : undefined}
        underEnd={
          asset && most !== undefined ? (
            <button
              type="button"
              className="link"
              onClick={() => setDraft({ ...draft, side: 'pay', text: maxText(most, asset) })}
            >
              {buy.max}
            </button>
          ) : undefined
        }
      />
      <AmountField
        label={buy.youGet}
        data-testid="get-amount"
        {...on('get')}
        asset={
          <Asset
            symbol={symbol}
            mark={
              <Logo name={symbol} tint="own" size="small" round>
                <Glyph of="mai" size={14} />
              </Logo>
            }
          />
        }
        under={quote && known?.sale ? priceWords(t, buying) : undefined}
      />
      <button
        type="button"
        className="calculator-flip"
        aria-label={draft.side === 'pay' ? buy.enterOther(symbol) : buy.enterPay}
        onClick={flip}
      >
        <Icon path={swap} small />
      </button>
    </div>
  )
}

function assetOf(symbol: string, known: KnownSale | undefined): TermsAsset | undefined {
  return known?.terms.assets.find(listed => listed.symbol === symbol)
}

/** The symbol, with the mint where the symbol alone does not identify the token. */
function labelOf(symbol: string, known: KnownSale | undefined): string {
  const asset = assetOf(symbol, known)
  return known && asset ? named(asset, known.terms) : symbol
}

function AssetMark({ symbol }: { symbol: string }) {
  return symbol === 'SOL' ? (
    <Logo name="SOL" tint="ink" size="small" round>
      <Glyph of="solana" />
    </Logo>
  ) : (
    <Logo name={symbol === 'USDC' ? '$' : symbol} tint={4} size="small" round />
  )
}

function maxText(most: bigint, asset: TermsAsset): string {
  return formatAmount(most.toString(), asset.decimals, { group: false })
}

/** `at $0.0012 each` inside one stage, `$0.00096 on average` across several. */
function priceWords({ buy, figures }: SaleWords, { known, result }: Buying): string {
  if (!known?.sale || !result.quote) return ''
  const parts = partsOf(known.curve, known.sale, BigInt(result.quote.credits))
  const [first] = parts
  return parts.length === 1 && first
    ? buy.priceEach(figures.price(first.price))
    : buy.priceAverage(figures.priceText(result.quote.averagePrice))
}
