/** Styles of a part that is loaded late. They come with its code, into whatever root it is shown in: a page's, or a host's shadow. */
const sheets = new Map<string, CSSStyleSheet>()

/**
 * @param css text of a style sheet
 * @returns a ref: the root that holds the element adopts the styles before it is painted
 */
export function lateStyles(css: string): (element: Element | null) => void {
  return element => {
    const root = element?.getRootNode()
    if (!(root instanceof Document || root instanceof ShadowRoot)) return
    const sheet = sheets.get(css) ?? new CSSStyleSheet()
    if (!sheets.has(css)) {
      sheet.replaceSync(css)
      sheets.set(css, sheet)
    }
    if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  }
}
