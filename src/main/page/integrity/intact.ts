/**
 * Says whether the browser took every file that this page begins with: it runs no script and no style whose hash is another. Where
 * it refused one, the sentence that stands in the page is shown, and nothing else may start.
 */
export function intact(): boolean {
  const { documentElement: root } = document
  const styles = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')]
  // The baseline script leaves its mark before this runs, and looks for this one's later
  const isWhole = root.hasAttribute('data-baseline') && styles.every(({ sheet }) => sheet !== null)
  if (isWhole) root.setAttribute('data-begun', '')
  else tellAltered()
  return isWhole
}

/** Shows the sentence that stands in the page. */
export function tellAltered(): void {
  document.getElementById('altered')?.removeAttribute('hidden')
}
