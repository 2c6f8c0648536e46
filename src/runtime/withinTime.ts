/**
 * A promise with a deadline.
 *
 * @param late its value takes the place of the answer's, or it throws
 */
export async function withinTime<T, Late = never>(answer: Promise<T>, ms: number, late: () => Late): Promise<T | Late> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const deadline = new Promise<void>(resolve => (timer = setTimeout(resolve, ms))).then(late)
  try {
    return await Promise.race([answer, deadline])
  } finally {
    clearTimeout(timer)
  }
}
