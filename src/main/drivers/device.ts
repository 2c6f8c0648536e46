import type { Device } from '../../ui/react.tsx'

/** What this browser remembers by name for this site; one that keeps nothing is asked again each time. */
export const device: Device = {
  recall(name) {
    try {
      return localStorage.getItem(name) ?? undefined
    } catch {
      return undefined
    }
  },
  remember(name, words) {
    try {
      localStorage.setItem(name, words)
    } catch {
      // It counts for this visit all the same
    }
  },
}
