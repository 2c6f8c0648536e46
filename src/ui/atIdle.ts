/** Runs the task once the page's own scripts have run and it is idle. @returns cancels it */
export function atIdle(task: () => void): () => void {
  if (document.readyState === 'complete') return idle(task)
  // A document that is parsed may have told so already: then the other event follows
  const events = ['DOMContentLoaded', 'load']
  let cancel = () => {
    for (const event of events) removeEventListener(event, begin)
  }
  const begin = () => {
    cancel()
    cancel = idle(task)
  }
  for (const event of events) addEventListener(event, begin)
  return () => cancel()
}

function idle(task: () => void): () => void {
  // Safari lacks requestIdleCallback
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(task, { timeout: 3000 })
    return () => cancelIdleCallback(handle)
  }
  const timer = setTimeout(task, 300)
  return () => clearTimeout(timer)
}
