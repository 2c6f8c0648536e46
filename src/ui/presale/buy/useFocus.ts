import { type RefObject, useEffect, useRef } from 'react'
import { isPaid } from '../../../events/subjects/order/order.ts'
import { needsWords } from './order/orderSteps.ts'
import type { Buying } from './useBuying.ts'

/** Height of the top bar, px; a heading above this line is out of sight. */
const barHeight = 64

/**
 * Keeps focus and view on the buy card.
 *
 * 1. A press that needs an amount or a box leads there.
 * 2. After a press that replaces the card, its new heading has the focus and is in view.
 * 3. A card that replaces the focused button on its own gives the focus to its heading, without scrolling. After a reload nothing
 *    was focused, and nothing is.
 *
 * @param card the element around the card
 */
export function useFocus(
  card: RefObject<HTMLElement | null>,
  { order, invoice, reach, isPressed, draft }: Buying,
): void {
  useEffect(() => {
    const box = card.current
    if (!reach || !box) return
    const fields = box.querySelectorAll<HTMLElement>('.amount-field input')
    const target =
      reach.to === 'amount'
        ? fields[draft.side === 'pay' ? 0 : 1]
        : box.querySelector<HTMLElement>('.buy-acks input:not(:checked)')
    target?.scrollIntoView?.({ block: 'center' })
    target?.focus({ preventScroll: true })
    // oxlint-disable-next-line react/exhaustive-deps -- each press leads once
  }, [reach])

  const wasInside = useRef(false)
  useEffect(() => {
    const page = card.current?.ownerDocument
    const note = ({ target }: FocusEvent) => {
      wasInside.current = card.current?.contains(target as Node) ?? false
    }
    page?.addEventListener('focusin', note)
    return () => page?.removeEventListener('focusin', note)
  }, [card])

  const ofOrder = `${order?.orderId} ${order && (isPaid(order) ? 'paid' : needsWords(order))}`
  const shown = `${ofOrder} ${invoice?.invoiceId} ${invoice?.payment !== undefined}`
  const before = useRef(shown)
  useEffect(() => {
    if (before.current === shown) return
    before.current = shown
    const heading = card.current?.querySelector<HTMLElement>('h2')
    if (!heading) return
    const page = heading.ownerDocument
    const isLost = wasInside.current && (page.activeElement === null || page.activeElement === page.body)
    if (!isPressed.current && !isLost) return
    heading.focus({ preventScroll: true })
    const { top } = heading.getBoundingClientRect()
    const isInView = top >= barHeight && top < innerHeight / 2
    if (isPressed.current && !isInView) heading.scrollIntoView?.({ block: 'start' })
    isPressed.current = false
  }, [card, shown, isPressed])
}
