/** Properties that keep a page from scrolling. */
const locks = {
  root: { overflow: 'hidden' },
  body: { 'touch-action': 'none', 'overscroll-behavior': 'contain' },
} as const

/** @returns whether the page has a scroll bar that takes room; cheap while its layout is up to date */
export function hasScrollBar(page: Document): boolean {
  const view = page.defaultView
  return view ? view.innerWidth > page.documentElement.clientWidth : false
}

/**
 * Stops the page behind a sheet from scrolling, by properties of its two outermost elements: a change of the page's style sheets
 * would restyle all of it within the press. A reserved gutter replaces the scroll bar, so that the layout does not shift.
 *
 * @param bar whether the page has a scroll bar that takes room
 * @returns unlocks, and gives the page its own values back; a second call does nothing
 */
export function lockScroll(page: Document, bar: boolean): () => void {
  const undo = [
    ...set(page.documentElement, { ...locks.root, ...(bar && { 'scrollbar-gutter': 'stable' }) }),
    ...set(page.body, locks.body),
  ]
  return () => {
    for (const restore of undo.splice(0)) restore()
  }
}

function set(element: HTMLElement | null, properties: Readonly<Record<string, string>>): (() => void)[] {
  const style = element?.style
  if (!style) return []
  return Object.entries(properties).map(([name, value]) => {
    const [own, priority] = [style.getPropertyValue(name), style.getPropertyPriority(name)]
    style.setProperty(name, value, 'important')
    return () => style.setProperty(name, own, priority)
  })
}
