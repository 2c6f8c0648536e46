/** Finds texts that a component holds itself instead of the catalogue, in the syntax tree of its source. */
import { parseSync } from 'vite'

/** Attributes and props that a person reads or hears. */
const spoken = new Set(
  'aria-label aria-description aria-roledescription aria-valuetext title alt placeholder label fact about name sub text'.split(
    ' ',
  ),
)
/** Names that are the same in each language. */
const names = /^(?:MAI|SOL|USDC|Solana|WalletConnect|UTC)$/

type Node = { type: string; start: number; [part: string]: unknown }

/**
 * @param path its ending says how the source is read
 * @returns `line: text` for each text between tags and in a spoken attribute, in the order of the source
 */
export function literalsOf(path: string, source: string): string[] {
  const { program, errors } = parseSync(path, source)
  if (errors[0]) throw new Error(`${path} expected to be read, but ${errors[0].message}`)
  const found: { at: number; text: string }[] = []
  const note = (text: string, at: number) => {
    const words = text.trim()
    if (/\p{L}/u.test(words) && !names.test(words)) found.push({ at, text: words })
  }
  walk(program, node => {
    if (node.type === 'JSXText') note(String(node.value), node.start + leading(String(node.value)))
    if (node.type === 'JSXElement' || node.type === 'JSXFragment')
      for (const child of node.children as Node[])
        if (child.type === 'JSXExpressionContainer') shownBy(child.expression as Node, note)
    if (node.type === 'JSXAttribute' && isSpoken(node.name as Node) && node.value) shownBy(node.value as Node, note)
  })
  return found.sort((a, b) => a.at - b.at).map(({ at, text }) => `${source.slice(0, at).split('\n').length}: ${text}`)
}

const leading = (text: string) => text.length - text.trimStart().length

function isSpoken({ type, name }: Node): boolean {
  return type === 'JSXIdentifier' && spoken.has(String(name))
}

/** Texts that an expression may come to: both ends of a choice, and the fixed parts of a template. */
function shownBy(node: Node, note: (text: string, at: number) => void): void {
  const also = (...parts: unknown[]) => parts.forEach(part => part && shownBy(part as Node, note))
  switch (node.type) {
    case 'Literal':
      if (typeof node.value === 'string') note(node.value, node.start)
      return
    case 'TemplateLiteral':
      for (const { value, start } of node.quasis as (Node & { value: { raw: string } })[]) note(value.raw, start)
      return
    case 'JSXExpressionContainer':
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
      return also(node.expression)
    case 'ConditionalExpression':
      return also(node.consequent, node.alternate)
    case 'LogicalExpression':
      return also(node.left, node.right)
    case 'BinaryExpression':
      return node.operator === '+' ? also(node.left, node.right) : undefined
    case 'ArrayExpression':
      return also(...(node.elements as unknown[]))
  }
}

function walk(node: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(node)) return node.forEach(one => walk(one, visit))
  if (typeof node !== 'object' || node === null) return
  if (typeof (node as Node).type === 'string') visit(node as Node)
  for (const part of Object.values(node)) walk(part, visit)
}
