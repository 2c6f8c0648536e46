/** @returns a style sheet of each text, to be adopted by a shadow root: a strict policy lets no style element in */
export function sheetsOf(...texts: string[]): CSSStyleSheet[] {
  return texts.map(text => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    return sheet
  })
}
