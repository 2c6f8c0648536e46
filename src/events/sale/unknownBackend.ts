import { memberIn, type NamesBackend, saleQuotes } from './backend.ts'

/** @returns the names that this build has and the terms' own, when that is none of them */
export function unknownBackend(terms: NamesBackend): { expected: string; got: string } | undefined {
  if (memberIn(saleQuotes, terms)) return undefined
  return { expected: Object.keys(saleQuotes).join(' or '), got: `${terms.backend}` }
}
