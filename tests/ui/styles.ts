/** Finds the classes declared in style sheets, and those set on elements by sources. */
import { posix } from 'node:path'

/** One class in a selector of a sheet. */
type Named = { selector: string; name: string }

/** The classes a sheet declares, each with its selector; comments and declarations are left out. */
export function classesOfSheet(text: string): Named[] {
  return selectorsOf(text).flatMap(selector =>
    [...selector.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => ({ selector, name })),
  )
}

/** The selectors of a sheet, one each of a list; what is in `@keyframes` has none. */
function selectorsOf(text: string): string[] {
  const bare = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/@import[^;]*;/g, '')
  const heads = [...bare.matchAll(/([^{};]+)\{/g)].map(([, head = '']) => head.trim())
  return heads
    .filter(head => !head.startsWith('@'))
    .flatMap(head => head.split(','))
    .map(selector => selector.trim())
}

/** The sheets that an entry imports, as paths. */
export function importsOfSheet(path: string, text: string): string[] {
  return [...text.matchAll(/@import\s+["']([^"']+)["']/g)].map(([, to = '']) => posix.join(posix.dirname(path), to))
}

/**
 * Classes named in a source: the words of every text in a `className`, in `classes(…)` and in `classList.add(…)`. A
 * template text gives none.
 */
export function classesOfSource(text: string): string[] {
  const places = [...text.matchAll(/className(?:=\{|\s=\s|=(?="))|\bclasses\(|classList\.add\(/g)]
  return places.flatMap(place => wordsFrom(text, (place.index ?? 0) + place[0].length, place[0]))
}

function wordsFrom(text: string, from: number, opening: string): string[] {
  const isOpen = /[({]$/.test(opening)
  const part = isOpen ? text.slice(from, endOf(text, from)) : (/^["'][^"'\n]*["']/.exec(text.slice(from))?.[0] ?? '')
  return [...part.matchAll(/(===?\s*|!==\s*)?(["'])([^"'\n]*)\2/g)]
    .filter(([, compared]) => compared === undefined)
    .flatMap(([, , , words = '']) => words.split(/\s+/).filter(Boolean))
}

/** @returns the index of the closing bracket of the one at `from` */
function endOf(text: string, from: number): number {
  let depth = 1
  for (let at = from; at < text.length; at++) {
    if ('({['.includes(text[at] ?? '')) depth++
    else if (')}]'.includes(text[at] ?? '') && --depth === 0) return at
  }
  return text.length
}
