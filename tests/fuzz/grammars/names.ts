/** Names of the protocol as the log may hold them: of methods, events, chains. */
const unseen = /^[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]$/u

/**
 * @returns the name if nothing in it is hidden, stacked or beyond 200 characters, else the placeholder for an unreadable one
 */
export function readableName(name: string): string {
  const letters = [...name]
  let marks = 0
  const isPlain = letters.every((letter, at) => {
    marks = /^\p{M}$/u.test(letter) ? marks + 1 : 0
    const isBlank = /^\s$/u.test(letter)
    const isAtEdge = at === 0 || at === letters.length - 1 || letters[at - 1] === ' '
    return !unseen.test(letter) && marks <= (at + 1 === marks ? 0 : 3) && (!isBlank || (letter === ' ' && !isAtEdge))
  })
  return isPlain && letters.length > 0 && letters.length <= 200 && name === name.normalize('NFC')
    ? name
    : '(unreadable)'
}
