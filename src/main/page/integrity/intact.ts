/**
 * Tells whether the browser accepted every file that this page starts with; it refuses scripts and styles with a wrong hash.
 * After a refusal it shows the page's notice, and nothing else may start.
 */
export function intact(): boolean {
  const { documentElement: root } = document
  const styles = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')]
  // The baseline script has set its mark before this runs, and looks for `data-begun` later
  const isWhole = root.hasAttribute('data-baseline') && styles.every(({ sheet }) => sheet !== null)
  if (isWhole) root.setAttribute('data-begun', '')
  else refuseToBegin()
  return isWhole
}

/** Shows the page's notice instead of the prerendered page, which would wait for ever. */
export function refuseToBegin(): void {
  tellAltered()
  document.getElementById('root')?.setAttribute('hidden', '')
}

/** Shows the page's notice about altered files. */
export function tellAltered(): void {
  document.getElementById('altered')?.removeAttribute('hidden')
}
