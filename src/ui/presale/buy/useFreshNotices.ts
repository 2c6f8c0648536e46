import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { useModel, useSurroundings } from '../../react.tsx'

/** Age at which the notices are read again, ms. */
const oldMs = 15_000

/**
 * Reads the notices again when somebody begins to fill in the card, so that a pause is seen before the press. An idle page reads no
 * more than before.
 *
 * @param card the element around the card
 */
export function useFreshNotices(card: RefObject<HTMLElement | null>): void {
  const { command, now } = useSurroundings()
  // A later reading that said the same is not in the model
  const readAt = useModel(({ sale }) => (sale.notices ? (sale.notices.readAt ?? 0) : undefined))
  const askedAt = useRef(0)
  const note = useEffectEvent(({ target }: FocusEvent) => {
    if (readAt === undefined || !(target as Element).matches('input')) return
    // The clock may have gone back since
    if ([readAt, askedAt.current].some(then => Math.abs(now() - then) <= oldMs)) return
    askedAt.current = now()
    command({ type: 'sale.refresh', data: {} })
  })
  useEffect(() => {
    const box = card.current
    const listener = (event: FocusEvent) => note(event)
    box?.addEventListener('focusin', listener)
    return () => box?.removeEventListener('focusin', listener)
  }, [card])
}
