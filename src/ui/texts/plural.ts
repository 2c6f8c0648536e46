import type { Language } from './language.tsx'

/** The forms of a text by number; a language gives those it has. */
type Forms = { [form in Intl.LDMLPluralRule]?: string } & { other: string }

/** @returns the function that picks the form for a number, as in `1 day` and `2 days` */
export function pluralIn(language: Language): (count: number, forms: Forms) => string {
  let rules: Intl.PluralRules | undefined
  return (count, forms) => {
    rules ??= new Intl.PluralRules(language)
    return forms[rules.select(count)] ?? forms.other
  }
}
