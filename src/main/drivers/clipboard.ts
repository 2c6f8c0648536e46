/**
 * Puts text on the clipboard. Browsers allow it only while a press is being handled, so call it there, before any wait.
 *
 * @returns false when the browser has no clipboard here (a page served over plain http) or refused
 */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
