/** A page that is not painted, such as a hidden one, gets its turn after this, ms. */
const unpaintedMs = 100

/** Runs the task behind the next paint: what the person waits for comes first. */
export function afterPaint(task: () => void): void {
  let isDone = false
  const run = () => {
    if (isDone) return
    isDone = true
    task()
  }
  requestAnimationFrame(() => setTimeout(run))
  setTimeout(run, unpaintedMs)
}
