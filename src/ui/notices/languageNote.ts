/** Name under which a device keeps the language that a person chose. */
export const languageNote = 'mai.language'
