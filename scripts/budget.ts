/**
 * Checks the build against `budget.json`: the size of each loading step, in kB (1000 bytes) after gzip. The bundler's own graph
 * gives a step's files: an entry, its static imports, and their style sheets where the budget counts them.
 */
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** One file of the bundle. */
export type Chunk = {
  fileName: string
  /** Names of statically imported chunks. */
  imports: string[]
  /** Its style sheets. */
  css: string[]
  /** Source files in it, relative to the repository, with `/`. */
  modules: string[]
  /** The source file this chunk is the entry of. */
  entryOf: string | undefined
  /** Bytes after gzip. */
  size: number
}

export type Graph = { chunks: Map<string, Chunk>; cssSizes: Map<string, number> }

/** One line of budget.json. */
export type Budget = {
  name: string
  /** The build it is about; default `site`. */
  build?: 'embed' | 'package'
  /** Source file, or folder ending in `/`, whose entry chunks start the step. */
  from: string
  /** More such places, loaded at the same time. */
  also?: string[]
  /** Name of the budget whose files are loaded already. */
  after?: string
  /** Count style sheets too. */
  styles?: boolean
  /** Packages the step must not load. */
  without?: string[]
  limitKB: number
}

export type Measured = { name: string; kB: number; limitKB: number; files: string[]; problem: string | undefined }

/** Vite plugin that collects the graph; use one instance for the page and one for its workers. */
export function collectGraph(graph: Graph, root: string): Plugin {
  return {
    name: 'collect-graph',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type === 'asset') {
            if (file.fileName.endsWith('.css')) graph.cssSizes.set(file.fileName, gzipped(file.source))
            continue
          }
          graph.chunks.set(file.fileName, {
            fileName: file.fileName,
            imports: file.imports,
            css: [...(file.viteMetadata?.importedCss ?? [])],
            modules: file.moduleIds.map(id => inside(id, root)),
            entryOf: file.facadeModuleId ? inside(file.facadeModuleId, root) : undefined,
            size: gzipped(file.code),
          })
        }
      },
    },
  }
}

/**
 * Measures each budget.
 *
 * @param extra bytes of files a step loads without an import, by budget name
 */
export function measure(graph: Graph, budgets: Budget[], extra: Record<string, number> = {}): Measured[] {
  const done = new Map<string, Set<string>>()
  return budgets.map(budget => {
    const starts = [budget.from, ...(budget.also ?? [])].map(place => ({ place, chunks: entriesAt(graph, place) }))
    const missing = starts.find(start => start.chunks.length === 0)
    const before = budget.after ? (done.get(budget.after) ?? new Set<string>()) : new Set<string>()
    const files = closure(
      graph,
      starts.flatMap(start => start.chunks),
    )
    done.set(budget.name, new Set([...before, ...files]))
    const counted = [...files].filter(file => !before.has(file))
    const chunks = counted.map(file => graph.chunks.get(file)).filter(chunk => chunk !== undefined)
    const styles = budget.styles ? new Set(chunks.flatMap(chunk => chunk.css)) : new Set<string>()
    if (budget.after) for (const file of before) for (const css of graph.chunks.get(file)?.css ?? []) styles.delete(css)
    const bytes =
      chunks.reduce((sum, chunk) => sum + chunk.size, extra[budget.name] ?? 0) +
      [...styles].reduce((sum, css) => sum + (graph.cssSizes.get(css) ?? 0), 0)
    const kB = Math.round(bytes / 10) / 100
    return { name: budget.name, kB, limitKB: budget.limitKB, files: [...counted, ...styles], problem: problemOf() }

    function problemOf(): string | undefined {
      if (missing) return `budget “${budget.name}” found no chunk that begins at ${missing.place}`
      for (const name of budget.without ?? []) {
        const carrier = chunks.find(chunk => chunk.modules.some(id => id.includes(`node_modules/${name}/`)))
        if (carrier) return `budget “${budget.name}” must load without ${name}, which is in ${carrier.fileName}`
      }
      if (kB <= budget.limitKB) return undefined
      return `budget “${budget.name}” allows ${budget.limitKB} kB after gzip, the build needs ${kB} kB`
    }
  })
}

function entriesAt(graph: Graph, place: string): string[] {
  const matches = (id: string) => (place.endsWith('/') ? id.startsWith(place) : id === place)
  const chunks = [...graph.chunks.values()]
  const entries = chunks.filter(chunk => chunk.entryOf !== undefined && matches(chunk.entryOf))
  // A lazy part that lies in one chunk with others is the entry of none
  const holders = entries.length > 0 ? entries : chunks.filter(chunk => chunk.modules.includes(place))
  return holders.map(chunk => chunk.fileName)
}

function closure(graph: Graph, starts: string[]): Set<string> {
  const seen = new Set<string>()
  const open = [...starts]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    open.push(...(graph.chunks.get(file)?.imports ?? []))
  }
  return seen
}

function gzipped(content: string | Uint8Array): number {
  return gzipSync(content, { level: 9 }).length
}

function inside(id: string, root: string): string {
  const path = id.replace(/^\0+/, '').replace(/\?.*$/, '').replaceAll('\\', '/')
  const folder = root.replaceAll('\\', '/')
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path
}
