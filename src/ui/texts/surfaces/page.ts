import type { Languages } from '../language.tsx'

/** Texts of the presale page, the modal apart. */
export default {
  de: () => import('./page.de.ts'),
  es: () => import('./page.es.ts'),
  ja: () => import('./page.ja.ts'),
  ar: () => import('./page.ar.ts'),
} satisfies Languages
