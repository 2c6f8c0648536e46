import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'

/** How deep the fade at an end is at most, px. */
const fade = 40
/** How near to the end the next page is asked for, px. */
const near = 240

/**
 * A list that scrolls by itself, up to 470 px, with fades of up to 40 px at an end that hides something.
 *
 * @param onNearEnd asked whenever the end is near: after a scroll, and when the content or its room changes.
 *   It may come again before more has arrived.
 */
export function ScrollArea({ onNearEnd, children }: { onNearEnd?: () => void; children: ReactNode }) {
  const outer = useRef<HTMLDivElement>(null)
  const inner = useRef<HTMLDivElement>(null)
  const measure = useEffectEvent(() => {
    const box = outer.current
    if (!box) return
    const below = box.scrollHeight - box.clientHeight - box.scrollTop
    // custom properties set from code are allowed by the policy; a style attribute is not
    box.style.setProperty('--hidden-above', `${Math.min(fade, Math.max(0, box.scrollTop))}px`)
    box.style.setProperty('--hidden-below', `${Math.min(fade, Math.max(0, below))}px`)
    if (below < near) onNearEnd?.()
  })
  useEffect(() => {
    const box = outer.current
    if (!box || !inner.current) return
    const sizes = new ResizeObserver(() => measure())
    sizes.observe(box)
    sizes.observe(inner.current)
    const scrolled = () => measure()
    box.addEventListener('scroll', scrolled, { passive: true })
    return () => {
      sizes.disconnect()
      box.removeEventListener('scroll', scrolled)
    }
  }, [])
  return (
    <div className="scroll" ref={outer}>
      <div ref={inner}>{children}</div>
    </div>
  )
}
