import type { Device } from '../../ui/react.tsx'

/** Texts that this browser stores by name for this site; a browser that stores nothing recalls nothing. */
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
      if (words === undefined) localStorage.removeItem(name)
      else localStorage.setItem(name, words)
    } catch {
      // The value holds for this visit only
    }
  },
}
