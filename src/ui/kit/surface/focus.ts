const stops = 'a[href],button,input,select,textarea,summary,[tabindex]'

/** The tab stops inside an element, in order. */
export function tabStops(inside: HTMLElement): HTMLElement[] {
  return [...inside.querySelectorAll<HTMLElement>(stops)].filter(
    one =>
      one.tabIndex >= 0 && !one.matches(':disabled') && !one.closest('[inert]') && (one.checkVisibility?.() ?? true),
  )
}

/** The focused element, inside shadow roots too. */
export function deepFocus(root: DocumentOrShadowRoot): HTMLElement | undefined {
  let at = root.activeElement
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
  return at instanceof HTMLElement ? at : undefined
}
