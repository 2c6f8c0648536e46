/**
 * The rule for regular expressions: linear ones only. A quantifier inside a repeated group and a back reference let an
 * engine try a text in exponentially many ways.
 */
import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'
import { parseSync } from 'vite'

/** Stands for an expression built at run time, which counts as a breach because it cannot be read. */
const unknownPattern = '(?:.*)*'

type Node = { type: string; start: number; [key: string]: unknown }
type Found = { start: number; pattern: string; flags: string }

/** @returns one sentence for each expression of a source file that breaks the rule */
export function badExpressions(path: string, source: string): string[] {
  const { program, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path} expected to be readable: ${errors[0]?.message}`)
  return expressionsIn(program as unknown as Node).flatMap(({ start, pattern, flags }) => {
    const line = source.slice(0, start).split('\n').length
    const problem = problemOf(pattern, flags)
    return problem === undefined ? [] : [`${path}:${line} /${pattern}/${flags} ${problem}`]
  })
}

/** @returns the reason why an expression is slow on some text */
export function problemOf(pattern: string, flags: string): string | undefined {
  let problem: string | undefined
  let repeated = 0
  const ast = new RegExpParser().parsePattern(pattern, 0, pattern.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  })
  visitRegExpAST(ast, {
    onQuantifierEnter({ min, max }) {
      if (repeated > 0 && min !== max) problem = 'has a quantifier inside a repeated group'
      if (max > 1) repeated += 1
    },
    onQuantifierLeave({ max }) {
      if (max > 1) repeated -= 1
    },
    onBackreferenceEnter() {
      problem = 'refers back to a group'
    },
  })
  return problem
}

/** Regular expression literals, and arguments of RegExp. */
function expressionsIn(node: Node): Found[] {
  const { regex } = node as { regex?: { pattern: string; flags: string } | null }
  if (regex) return [{ start: node.start, ...regex }]
  const found = isRegExpCall(node) ? [givenTo(node)] : []
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && 'type' in child) found.push(...expressionsIn(child as Node))
    }
  }
  return found
}

function isRegExpCall({ type, callee }: Node): boolean {
  const isCall = type === 'CallExpression' || type === 'NewExpression'
  return isCall && (callee as { name?: unknown } | null)?.name === 'RegExp'
}

function givenTo({ start, arguments: given }: Node): Found {
  const [pattern, flags] = (given as { value?: unknown }[]).map(({ value }) => value)
  return typeof pattern === 'string'
    ? { start, pattern, flags: String(flags ?? '') }
    : { start, pattern: unknownPattern, flags: '' }
}
