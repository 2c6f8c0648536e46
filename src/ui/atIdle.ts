/** Runs the task once the page is idle. @returns cancels it */
export function atIdle(task: () => void): () => void {
  // Safari lacks requestIdleCallback
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(task, { timeout: 3000 })
    return () => cancelIdleCallback(handle)
  }
  const timer = setTimeout(task, 300)
  return () => clearTimeout(timer)
}
