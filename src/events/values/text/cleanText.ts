/** Makes untrusted text fit for one line among ours: it cannot reverse the line, break it, hide in it or flood it. */
const blanks = /[\s\u2800]+/gu
// \p{C} without unassigned code points: control, format, private use, lone surrogates; with the object replacement and the null
// notehead
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\ufffc\u{1d159}]/gu
const floods = /(\p{M}{3})\p{M}+/gu

/**
 * @param limit most characters of the result; the rest is cut off
 * @returns the text in one line, without invisible characters and stacked marks; may be empty
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
 * @returns the text in one line, with invisible characters, and marks upon marks, written out by their numbers: `\\u{202e}`
 */
export function writtenOut(text: string): string {
  return text
    .replace(floods, (run: string, kept: string) => kept + numbered(run.slice(kept.length)))
    .replace(notBlank, numbered)
    .replace(hidden, numbered)
}
/** Blanks other than the plain space. */
const notBlank = /[^\S ]|\u2800/gu

function numbered(text: string): string {
  return [...text].map(char => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`).join('')
}

/** Replaces, in the log, a protocol name that a peer filled with something else. */
const unreadableName = '(unreadable)'

/** @returns the name of a method, an event or a chain when it is plain text, else a placeholder */
export function protocolName(name: string): string {
  return name !== '' && cleanText(name, 200) === name ? name : unreadableName
}
