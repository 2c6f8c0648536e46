/**
 * Stops the page behind a sheet from scrolling without touching its own styles.
 * The rule lives in an adopted style sheet: the content security policy forbids inline styles, and the sheet may be in a shadow
 * root whose styles do not reach the page. A reserved gutter replaces the scroll bar, so that the layout does not shift.
 *
 * @returns unlocks; a second call does nothing
 */
export function lockScroll(page: Document): () => void {
  const view = page.defaultView
  const bar = view ? view.innerWidth > page.documentElement.clientWidth : false
  const rule = new (view?.CSSStyleSheet ?? CSSStyleSheet)()
  rule.replaceSync(
    `html{overflow:hidden;${bar ? 'scrollbar-gutter:stable;' : ''}}body{touch-action:none;overscroll-behavior:contain}`,
  )
  page.adoptedStyleSheets = [...page.adoptedStyleSheets, rule]
  return () => {
    page.adoptedStyleSheets = page.adoptedStyleSheets.filter(sheet => sheet !== rule)
  }
}
