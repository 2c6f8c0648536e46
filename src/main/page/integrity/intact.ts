/**
 * Tells whether the browser accepted every file that this page starts with: it runs no script and no style with another hash.
 * If it refused one, shows the sentence that stands in the page; then nothing else may start.
 */
export function intact(): boolean {
  const { documentElement: root } = document
  const styles = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')]
  // The baseline script sets its mark before this runs, and looks for this one's later
  const isWhole = root.hasAttribute('data-baseline') && styles.every(({ sheet }) => sheet !== null)
  if (isWhole) root.setAttribute('data-begun', '')
  else tellAltered()
  return isWhole
}

/** Shows the sentence that stands in the page. */
export function tellAltered(): void {
  document.getElementById('altered')?.removeAttribute('hidden')
}
