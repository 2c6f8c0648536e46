/**
 * Text of strangers, made fit for one line among ours: it cannot turn the line around, break it, hide in it or flood it.
 */
const blanks = /[\s\u2800]+/gu
// \p{C} without what is only unassigned yet: control, format, private use, lone surrogates; an object's place and a note without a head
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\ufffc\u{1d159}]/gu
const floods = /(\p{M}{3})\p{M}+/gu

/**
 * @param limit most characters of the result; what is beyond is cut off
 * @returns the text in one line, without characters that nobody sees and without marks upon marks; may be empty
 */
export function cleanText(text: string, limit: number): string {
  const clean = text
    .slice(0, 4 * limit)
    .normalize('NFC')
    .replace(blanks, ' ')
    .replace(hidden, '')
    .replace(floods, '$1')
    .replace(/^[ \p{M}]+/u, '')
    .replace(/ {2,}/g, ' ')
  return [...clean].slice(0, limit).join('').trim()
}

/**
 * For a text that is evidence: nothing is left out of it, and nothing of it works.
 *
 * @returns the text in one line, with what nobody sees, and marks upon marks, written out by their numbers: `\\u{202e}`
 */
export function writtenOut(text: string): string {
  return text
    .replace(floods, (run: string, kept: string) => kept + numbered(run.slice(kept.length)))
    .replace(notBlank, numbered)
    .replace(hidden, numbered)
}
/** Blanks but the usual one, which is seen as what it is. */
const notBlank = /[^\S ]|\u2800/gu

function numbered(text: string): string {
  return [...text].map(char => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`).join('')
}

/** Stands in the log for a name of the protocol that a peer filled with something else. */
const unreadableName = '(unreadable)'

/** @returns a method's, an event's or a chain's name as it came when it is plain text, else a word that says it is not */
export function protocolName(name: string): string {
  return name !== '' && cleanText(name, 200) === name ? name : unreadableName
}
