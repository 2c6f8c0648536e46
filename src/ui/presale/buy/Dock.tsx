import { type RefObject, useEffect, useState } from 'react'
import { BuyButton } from './BuyButton.tsx'
import { paying } from './order/nextAction.ts'
import { TreasuryNote } from './TreasuryNote.tsx'
import { orderTag } from './order/orderSteps.ts'
import type { Buying } from './useBuying.ts'
import { useSaleWords } from '../saleWords.ts'

/**
 * The buy button again, at the bottom edge of a narrow page. Unmounted, so out of the tab order, while the card's own button is
 * visible.
 *
 * @param card the element around the card
 */
export function Dock({ buying, card }: { buying: Buying; card: RefObject<HTMLElement | null> }) {
  const { order, invoice, action, press } = buying
  const t = useSaleWords()
  const [shown, setShown] = useState(false)
  const shownId = order?.orderId ?? invoice?.invoiceId
  const does = action.does
  // oxlint-disable-next-line react/exhaustive-deps -- another action may stand in another button
  useEffect(() => {
    const target = card.current?.querySelector('[data-testid="buy-button"]') ?? card.current
    if (!target || typeof IntersectionObserver === 'undefined') return
    const watch = new IntersectionObserver(entries => setShown(!entries.some(entry => entry.isIntersecting)))
    watch.observe(target)
    return () => watch.disconnect()
  }, [card, shownId, does])
  // The top bar has Connect wallet already, and a code on show is the payment
  if (!shown || action.does === 'connect' || (invoice && !order)) return null
  return (
    <aside className="dock">
      {order && action.does === 'nothing' ? (
        <a className="button is-big" href="#buy">
          {t.buy.orderIs(orderTag(t, order).word)}
        </a>
      ) : (
        <>
          <BuyButton action={action} press={press} testid="dock-button" />
          {paying.includes(action.does) && <TreasuryNote known={buying.known} />}
        </>
      )}
    </aside>
  )
}
