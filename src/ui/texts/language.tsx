/**
 * Languages and their texts. English lies in the code that shows it; another language is one chunk for each surface, the page and
 * the modal.
 *
 * 1. A text that is not here is shown in English, never as a gap.
 * 2. A language is shown once its texts are here, or have failed to load.
 */
import { createContext, type ReactNode, useContext, useEffect, useLayoutEffect, useState } from 'react'

export const languages = ['en', 'de', 'es', 'ja', 'ar'] as const
export type Language = (typeof languages)[number]

/** Texts of one part of the interface: English, and the name by which the other languages give theirs. */
export type Area<Texts> = { name: string; english: Texts }

type Texts = { default: Readonly<Record<string, unknown>> }
/** The texts of a surface by area, for each language but English. */
export type Languages = { [L in Exclude<Language, 'en'>]: () => Promise<Texts> }
/** Loads the table of a surface's languages, which a visitor who reads English needs not. */
type Surface = () => Promise<{ default: Languages }>

const surfaces = new Set<Surface>()
const loaded: { [L in Language]?: Readonly<Record<string, unknown>> } = {}

/** @returns the catalogue's language of a BCP 47 tag: `de` for `de-AT`, English for others than ours */
export function languageOf(tag: string): Language {
  return ownLanguage(tag) ?? 'en'
}

function ownLanguage(tag: string): Language | undefined {
  return languages.find(language => language === tag.slice(0, 2).toLowerCase() && !/^\w{3}/.test(tag))
}

/** @returns the first tag of a language that we have; `en` for none */
export function preferredTag(tags: readonly string[]): string {
  return tags.find(ownLanguage) ?? 'en'
}

/** Adds a surface, whose texts are read with the next language, or by `readTexts`. */
export function addSurface(surface: Surface): void {
  surfaces.add(surface)
}

/** Reads the language's texts of all surfaces that are in use. Resolves false when they cannot be read. */
export async function readTexts(language: Language): Promise<boolean> {
  if (language === 'en') return true
  try {
    const read = await Promise.all(Array.from(surfaces, async surface => (await surface()).default[language]()))
    loaded[language] = Object.assign({}, ...read.map(texts => texts.default))
    return true
  } catch {
    return false
  }
}

/** @returns an area's texts, in English while those of the language are not here */
export function textsIn<Texts>({ name, english }: Area<Texts>, language: Language): Texts {
  return (loaded[language]?.[name] as Texts | undefined) ?? english
}

const Shown = createContext<Language>('en')

/** Shows all below in the language of `tag`, as soon as its texts are here. */
export function InLanguage({ tag, children }: { tag: string; children: ReactNode }) {
  const wanted = languageOf(tag)
  const [shown, setShown] = useState<Language>(loaded[wanted] ? wanted : 'en')
  useEffect(() => {
    let current = true
    void readTexts(wanted).then(isHere => current && setShown(isHere ? wanted : 'en'))
    return () => {
      current = false
    }
  }, [wanted])
  return <Shown value={shown}>{children}</Shown>
}

/** @returns the language that is shown here */
export function useLanguage(): Language {
  return useContext(Shown)
}

/** @returns the texts of an area, in the language that is shown here */
export function useTexts<Texts>(area: Area<Texts>): Texts {
  return textsIn(area, useLanguage())
}

/** Gives an element, by default the document's root, the language and direction of what is shown in it. */
export function useDirection(element?: HTMLElement): void {
  const language = useLanguage()
  useLayoutEffect(() => {
    const root = element ?? document.documentElement
    root.setAttribute('lang', language)
    root.setAttribute('dir', language === 'ar' ? 'rtl' : 'ltr')
  }, [element, language])
}
