import { type ReactNode, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'

/**
 * An inert iframe that shows a page at its recorded width: fixed elements stay inside, and listeners on its document hear
 * nothing of this one. It runs no scripts.
 *
 * @param width px
 * @param children rendered into the iframe's body; `root` is its document element, which carries the theme
 */
export function ReplayFrame({
  width,
  label,
  children,
}: {
  width: number
  label: string
  children(root: HTMLElement): ReactNode
}) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [body, setBody] = useState<HTMLElement>()

  // The browser may replace the first empty document by another
  const begin = () => setBody(frame.current?.contentDocument?.body)
  useEffect(begin, [])
  useEffect(() => {
    if (body) return dressLike(document, body.ownerDocument)
  }, [body])
  useEffect(() => {
    const box = frame.current
    const room = box?.parentElement
    if (!box || !room || typeof ResizeObserver === 'undefined') return
    const fit = () => {
      const scale = Math.min(1, room.clientWidth / width) || 1
      // Set from code: the content security policy forbids style attributes
      box.style.setProperty('--scale', String(scale))
      box.style.setProperty('--height', `${room.clientHeight / scale}px`)
    }
    const sizes = new ResizeObserver(fit)
    sizes.observe(room)
    fit()
    return () => sizes.disconnect()
  }, [width])

  return (
    <div className="frame">
      <iframe ref={frame} title={label} width={width} inert sandbox="allow-same-origin" onLoad={begin} />
      {body && createPortal(children(body.ownerDocument.documentElement), body)}
    </div>
  )
}

/**
 * Copies the styles of one document to another, later ones included, and makes it inert.
 *
 * @returns stops copying and removes the styles
 */
function dressLike(from: Document, to: Document): () => void {
  const worn = new Map<Element, Element | CSSStyleSheet>()
  const take = () => {
    for (const element of from.head.querySelectorAll('link[rel="stylesheet"], style')) {
      if (worn.has(element)) continue
      if (element instanceof HTMLLinkElement) {
        const link = to.createElement('link')
        link.rel = 'stylesheet'
        link.href = element.href
        to.head.append(link)
        worn.set(element, link)
      } else worn.set(element, adopt(element as HTMLStyleElement, to))
    }
  }
  take()
  // `inert` on the iframe does not stop its content from taking the focus
  to.body.inert = true
  const watch = new MutationObserver(take)
  watch.observe(from.head, { childList: true })
  return () => {
    watch.disconnect()
    to.adoptedStyleSheets = []
    for (const copy of worn.values()) if ('remove' in copy) copy.remove()
  }
}

/** Adopts a style element's rules as a constructed sheet: the content security policy would refuse an element. */
function adopt(element: HTMLStyleElement, to: Document): CSSStyleSheet {
  const sheet = new (to.defaultView?.CSSStyleSheet ?? CSSStyleSheet)()
  sheet.replaceSync(element.textContent ?? '')
  to.adoptedStyleSheets = [...to.adoptedStyleSheets, sheet]
  return sheet
}
