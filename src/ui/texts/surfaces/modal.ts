import type { Languages } from '../language.tsx'

/** Texts of the modal, in our own page and in a host's. */
export default {
  de: () => import('./modal.de.ts'),
  es: () => import('./modal.es.ts'),
  ja: () => import('./modal.ja.ts'),
  ar: () => import('./modal.ar.ts'),
} satisfies Languages
