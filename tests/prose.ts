/** Finds comments that a reader has to decode: a question word as a sentence's subject, or an actor who is not named. */

const opening = /(?:^|[.!?] )(?:What|Who|So many|Whatever|Whichever)\b[^.]{0,40}/
const unnamed = /\b(?:nobody|whoever)\b[^.]{0,40}/i

/**
 * @param files path from the repository's root to source text
 * @returns one line for each such comment, with the words
 */
export function riddles(files: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([path, text]) =>
    commentsOf(text).flatMap(({ line, words }) => {
      const [found] = opening.exec(words) ?? unnamed.exec(words) ?? []
      return found === undefined ? [] : [`${path}:${line}: ${found.replace(/^[.!?] /, '')}`]
    }),
  )
}

/** Comments as one line each; consecutive line comments count as one. Strings that look like comments are skipped. */
function commentsOf(text: string): { line: number; words: string }[] {
  const token =
    /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|(?<![^\s{(])\/\*[^]*?\*\/|(?<!\S)\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/g
  return [...text.matchAll(token)]
    .filter(([found]) => found.startsWith('/'))
    .map(({ 0: found, index }) => ({
      line: text.slice(0, index).split('\n').length,
      words: found
        .split('\n')
        .map(line => line.replace(/^\s*(?:\/\*\*?|\/\/|\*\/?)\s*|\s*\*\/$/g, ''))
        .join(' ')
        .trim(),
    }))
}
