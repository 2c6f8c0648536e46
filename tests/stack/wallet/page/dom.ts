/** Attributes as text; the caller adds event listeners. */
export type Attributes = Record<string, string>

/** Makes an element; children that are text become text, never markup. */
export function el<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children)
  return made
}

/** A button with a test id. */
export function button(testid: string, name: string, press: () => void, look = ''): HTMLButtonElement {
  const made = el('button', { type: 'button', 'data-testid': testid, class: look }, name)
  made.addEventListener('click', press)
  return made
}
