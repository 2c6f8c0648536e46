/** Invisible characters, and stacked marks that flood a line. */
export const unseen =
  /[\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\0-\b\v\f\u000e-\u001f\u007f-\u009f]|\p{M}{4}/u

/** Traces of a stranger's text in the document: active elements, attributes or invisible characters. */
export function traces(): string[] {
  const found: string[] = []
  for (const element of document.querySelectorAll('*')) {
    if (['SCRIPT', 'IFRAME', 'OBJECT'].includes(element.tagName)) found.push(element.tagName)
    for (const { name, value } of element.attributes) {
      if (name.startsWith('on') || /^javascript:/i.test(value) || unseen.test(value)) found.push(`${name} ${value}`)
    }
  }
  return unseen.test(document.body.textContent) ? [...found, JSON.stringify(document.body.textContent)] : found
}
