/**
 * Keeps the page behind a sheet from scrolling, without touching what its own styles say.
 * The rule travels in an adopted style sheet: the policy forbids inline styles, and the sheet may live in a
 * shadow root whose styles do not reach the page. Where a scroll bar took room, its gutter stays, so that
 * nothing moves.
 *
 * @returns lets it scroll again; a second call does nothing
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
