import { useDirection } from '../../ui/texts/language.tsx'

/** Gives the place of all that is drawn the language's direction. */
export function Direction({ root }: { root: HTMLElement }) {
  useDirection(root)
  return null
}
