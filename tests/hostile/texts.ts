/** Hostile texts in places that must hold no stranger's text, and traces of them. */
import { hostileStrings } from '../journeys/hostileStrings.ts'
import { unseen } from '../ui/traces.ts'

/** @returns every text in a value, names of members included */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => [name, ...textsIn(part)])
}

/** Fragments that no sentence of ours contains. */
const words = /[<>{}]|__run|__proto__|constructor|%3C|&lt;|Quill/

/** @returns texts in a value with a trace of a hostile text */
export function leftIn(value: unknown): string[] {
  return textsIn(value).filter(
    said => unseen.test(said) || words.test(said) || hostileStrings.some(text => said.includes(text)),
  )
}
