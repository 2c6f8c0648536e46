import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'

/** Maximum depth of the fade, px. */
const fade = 40
/** A scrolling list, up to 470 px high, with fades of up to 40 px over hidden content. */
export function ScrollArea({ children }: { children: ReactNode }) {
  const outer = useRef<HTMLDivElement>(null)
  const inner = useRef<HTMLDivElement>(null)
  const above = useRef<HTMLSpanElement>(null)
  const end = useRef<HTMLSpanElement>(null)
  const measure = useEffectEvent(() => {
    const box = outer.current
    if (!box) return
    const below = box.scrollHeight - box.clientHeight - box.scrollTop
    // Cheap in each frame of a scroll: a mask would repaint the list, a property of the box would restyle all that is in it
    for (const [edge, hidden] of [
      [above.current, box.scrollTop],
      [end.current, below],
    ] as const) {
      const opacity = String(Math.min(1, Math.max(0, hidden / fade)))
      // Set again to the same, it would be computed again
      if (edge && edge.style.getPropertyValue('--scroll-area-fade') !== opacity)
        edge.style.setProperty('--scroll-area-fade', opacity)
    }
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
    <div className="scroll-area" ref={outer}>
      <span className="scroll-area-fade" aria-hidden="true" ref={above} />
      <div ref={inner}>{children}</div>
      <span className="scroll-area-fade is-below" aria-hidden="true" ref={end} />
    </div>
  )
}
