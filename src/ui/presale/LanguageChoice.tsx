import { useSyncExternalStore } from 'react'
import { languageNote } from '../notices/languageNote.ts'
import { useModel, useSurroundings } from '../react.tsx'
import { type Language, languageOf, languages } from '../texts/language.tsx'
import { useSaleWords } from './saleWords.ts'

/** Each language by its own name. */
const names: { [L in Language]: string } = { en: 'English', de: 'Deutsch', es: 'Español', ja: '日本語', ar: 'العربية' }

const never = () => () => undefined

/** The page's languages, each by its own name. This device keeps the choice. */
export function LanguageChoice() {
  const { device, dispatch } = useSurroundings()
  const { sale } = useSaleWords()
  const chosen = useModel(model => languageOf(model.tab.language))
  // The width of the choice follows from all names: their fonts would delay the first paint
  const isPainted = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  const choose = (language: string) => {
    device.remember(languageNote, language)
    dispatch({ type: 'tab.languageChosen', data: { language } })
  }
  return (
    <select
      aria-label={sale.language}
      data-testid="language"
      value={chosen}
      onChange={event => choose(event.target.value)}
    >
      {(isPainted ? languages : [chosen]).map(language => (
        <option key={language} value={language} lang={language}>
          {names[language]}
        </option>
      ))}
    </select>
  )
}
