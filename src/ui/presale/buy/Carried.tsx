import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Note } from '../../kit/feedback/Note.tsx'
import { useSaleWords } from '../saleWords.ts'
import { readCarried } from './carriedPurchase.ts'
import { draftOf } from './draft.ts'
import type { Buying } from './useBuying.ts'

/** The purchase that came with the address from another browser: put into the calculator once, and told with what was seen there. */
export function Carried({ buying }: { buying: Buying }) {
  const { buy, figures } = useSaleWords()
  const [carried] = useState(() => (typeof location === 'undefined' ? undefined : readCarried(location.hash)))
  const isFilled = useRef(false)
  const { known, draft, setDraft, result } = buying
  const read = carried === 'unreadable' ? undefined : carried
  const asset = read && known?.terms.assets.find(one => one.symbol === read.asset)
  useEffect(() => {
    // It is read: a reload or a copied address starts anew
    if (carried !== undefined) history.replaceState(history.state, '', location.pathname + location.search)
  }, [carried])
  const seen = read && asset && draftOf(asset, read.units)
  const fill = useEffectEvent(() => {
    if (!seen || isFilled.current) return
    isFilled.current = true
    setDraft(seen)
  })
  useEffect(() => fill(), [asset])
  if (carried === 'unreadable' || (read && known && !asset))
    return (
      <Note tone="warn" live="status" data-testid="carried">
        <b>{buy.carriedLost[0]}</b> {buy.carriedLost[1]}
      </Note>
    )
  if (!known || !asset || draft.text !== seen?.text || draft.asset !== seen.asset) return null
  const least = (units: string) => `${figures.tokens(units, known.terms)} ${known.terms.token.symbol}`
  const isLess = result.quote !== undefined && BigInt(result.quote.min) < BigInt(read.min)
  return (
    <Note {...(isLess ? { tone: 'warn' as const } : {})} live="status" data-testid="carried">
      <b>{buy.carriedFrom}</b> {buy.carriedFor(figures.paid(read.units, asset), least(read.min))}
      {isLess && ` ${buy.carriedLess(least(result.quote?.min ?? '0'))}`}
    </Note>
  )
}
