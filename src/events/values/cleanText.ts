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

/** Stands in the log for a name of the protocol that a peer filled with something else. */
export const unreadableName = '(unreadable)'

/** @returns a method's, an event's or a chain's name as it came when it is plain text, else a word that says it is not */
export function protocolName(name: string): string {
  return name !== '' && cleanText(name, 200) === name ? name : unreadableName
}
