/** Hostile texts in places where no text of a stranger may come from, and what may be found of them. */
import { hostileStrings } from '../journeys/hostileStrings.ts'
import { unseen } from '../ui/traces.ts'

/** @returns every text in a value, names of members among them */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => [name, ...textsIn(part)])
}

/** What no sentence of ours says. */
const words = /[<>{}]|__run|__proto__|constructor|%3C|&lt;|Quill/

/** @returns texts in a value in which something of a hostile text is left */
export function leftIn(value: unknown): string[] {
  return textsIn(value).filter(
    said => unseen.test(said) || words.test(said) || hostileStrings.some(text => said.includes(text)),
  )
}
