// Marks, blanks, punctuation and invisible characters: a name looks the same without them
const dropped = /[\p{Default_Ignorable_Code_Point}\p{M}\p{Z}\p{P}\p{C}\u2800]/gu

/** @returns a name's letters, digits and symbols in their plain forms: no accents, no width, no blanks */
export function bareLetters(text: string): string {
  return text.normalize('NFKC').normalize('NFD').replace(dropped, '')
}
