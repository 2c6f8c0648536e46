/**
 * Prunes declaration files as the compiler writes them: from an entry's exports, only the declarations that these need stay, file by
 * file, and other packages than React are not referenced. A host's compiler then reads tens of lines instead of the whole product.
 */
import { dirname, join, normalize } from 'node:path'

/** One statement at the top of a declaration file. */
type Statement = { text: string; name: string | undefined; isExport: boolean }
/** Statements of a file, and where each imported name comes from. */
type File = { statements: Statement[]; imports: Map<string, { from: string; as: string }> }

const word = /[A-Za-z_$][\w$]*/g
const inline = /\bimport\(["'](\.[^"']+)["']\)\.([\w$]+)/g
const comments = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g
const block = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|class|namespace|module|global|enum)\b/
const declared =
  /^(?:export )?(?:declare )?(?:abstract )?(?:type|interface|class|const|let|function|namespace|enum)\s+([\w$]+)/

/**
 * @param read text of a declaration file by its path; paths are relative to one folder, with `/`
 * @param entries paths whose exports stay
 * @returns the pruned texts by path
 */
export function prunedDeclarations(read: (path: string) => string, entries: readonly string[]): Map<string, string> {
  const files = new Map<string, File>()
  const kept = new Map<string, Set<Statement>>()
  const open: [path: string, name: string][] = []

  function fileAt(path: string): File {
    const known = files.get(path)
    if (known) return known
    const file = parse(read(path), path)
    files.set(path, file)
    kept.set(path, new Set())
    return file
  }
  function keep(path: string, statement: Statement): void {
    const here = kept.get(path)
    if (!here || here.has(statement)) return
    here.add(statement)
    for (const [, from = '', name = ''] of statement.text.matchAll(inline)) open.push([target(path, from), name])
    for (const [name] of statement.text.replace(comments, '').matchAll(word)) open.push([path, name])
  }

  for (const entry of entries)
    for (const statement of fileAt(entry).statements) {
      if (statement.isExport) keep(entry, statement)
      for (const [, from = '', names = ''] of reExports(statement.text))
        for (const name of names.match(word) ?? []) open.push([target(entry, from), name])
    }
  for (let next = open.pop(); next; next = open.pop()) {
    const [path, name] = next
    const file = fileAt(path)
    for (const statement of file.statements) if (statement.name === name) keep(path, statement)
    const found = file.imports.get(name)
    if (found?.from.startsWith('.')) open.push([target(path, found.from), found.as])
  }
  return new Map(
    [...files].flatMap(([path, file]) => {
      const stay = file.statements.filter(statement => kept.get(path)?.has(statement))
      return stay.length === 0 ? [] : [[path, textOf(file, stay)] as const]
    }),
  )
}

const reExports = (text: string) =>
  [...text.matchAll(/^export (?:type )?\{([^}]*)\} from ["'](\.[^"']+)["']/gm)].map(
    ([whole, names = '', from = '']) => [whole, from, names.replace(/\btype\b|\w+ as /g, '')] as const,
  )

const target = (path: string, from: string): string =>
  normalize(join(dirname(path), from))
    .replaceAll('\\', '/')
    .replace(/\.tsx?$/, '.d.ts')

/** @returns the file with these statements, the imports that they use, and addresses a host's compiler knows */
function textOf({ imports }: File, stay: Statement[]): string {
  const used = new Set(stay.flatMap(({ text }) => text.replace(comments, '').match(word) ?? []))
  const lines = [...imports].flatMap(([name, { from, as }]) =>
    used.has(name) ? [`import type { ${as === name ? name : `${as} as ${name}`} } from '${from}';`] : [],
  )
  const texts = stay.map(({ text }) => text)
  return `${[...lines, ...texts].join('\n')}\nexport {};\n`.replace(
    /(\bfrom |\bimport\()(["'])(\.[^"']+)\.tsx?\2/g,
    '$1$2$3.js$2',
  )
}

function parse(source: string, path: string): File {
  const imports: File['imports'] = new Map()
  const statements: Statement[] = []
  for (const text of statementsOf(source)) {
    const bare = text.replace(/^(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*)+/, '')
    const imported = /^import (?:type )?(?:\{([^}]*)\}) from ["']([^"']+)["']/.exec(bare)
    if (imported) {
      const [, names = '', from = ''] = imported
      for (const part of names.split(',')) {
        const [as = '', name = as] = part
          .replace(/\btype\b/, '')
          .trim()
          .split(/\s+as\s+/)
        if (as) imports.set(name, { from, as })
      }
    } else if (/^import\b/.test(bare)) {
      throw new Error(`${path}: expected imports of names, got ${bare.slice(0, 80)}`)
    } else if (bare !== 'export {};') {
      statements.push({ text, name: declared.exec(bare)?.[1], isExport: /^export\b/.test(bare) })
    }
  }
  return { statements, imports }
}

/** Splits a source at the end of each statement at its top. */
function statementsOf(source: string): string[] {
  const found: string[] = []
  let from = 0
  let depth = 0
  for (const match of source.matchAll(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|[{}()[\];]/g,
  )) {
    const [sign] = match
    if (sign.length > 1) continue
    if ('{(['.includes(sign)) depth += 1
    if ('})]'.includes(sign)) depth -= 1
    const text = () => source.slice(from, match.index + 1).trim()
    const ends = sign === ';' || (sign === '}' && block.test(text().replace(/^(?:\s|\/\*[\s\S]*?\*\/)+/, '')))
    if (depth > 0 || !ends) continue
    found.push(text())
    from = match.index + 1
  }
  return found
}
