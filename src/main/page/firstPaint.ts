/** When to begin the page: its script would take time from the prerendered page's first paint. */

/** Longest wait for a paint that the browser may never tell of, ms. */
const mostMs = 500

/** Calls back once the prerendered page has been painted; at once where nothing will be: in a hidden tab, or an empty page. */
export function afterFirstPaint(root: HTMLElement, begin: () => void): void {
  if (document.hidden || !root.hasChildNodes() || !PerformanceObserver.supportedEntryTypes?.includes('paint')) {
    begin()
    return
  }
  const end = () => {
    observer.disconnect()
    clearTimeout(timer)
    begin()
  }
  const observer = new PerformanceObserver(list => {
    if (list.getEntriesByName('first-contentful-paint').length > 0) end()
  })
  const timer = setTimeout(end, mostMs)
  observer.observe({ type: 'paint', buffered: true })
}
