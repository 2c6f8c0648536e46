/** The house rules as a function of the sources: one sentence for each broken rule. It reads import lines. */
import { posix } from 'node:path'

/**
 * One import line: the imported module, whether the import exists at run time, and the names that it takes: `*` all, `default`
 * the default export. An import at run time names one only in a type, as `import('./a.ts').A`.
 */
export type Import = { specifier: string; kind: 'value' | 'type' | 'dynamic'; line: number; names: string[] }

const staticImport = /^[ \t]*(?:import|export)\s+(type\s+)?((?:[\w$*\s,{}]+?)\s+from\s+)?(['"])([^'"\n]+)\3/gm
const dynamicImport = /(?<![\w.$*])import\(\s*(?:\/\*.*?\*\/\s*)?(['"])([^'"\n]+)\1(?:\)\.(\w+))?/g

/** Import lines of a TypeScript source, in order. An import of types alone counts as a type. */
export function importsOf(source: string): Import[] {
  const text = withoutComments(source)
  const lineAt = (index: number) => text.slice(0, index).split('\n').length
  const found: (Import & { at: number })[] = []
  for (const match of text.matchAll(staticImport)) {
    const [whole, typeWord, clause, , specifier = ''] = match
    if (/^\s*export/.test(whole) && !clause) continue
    const at = match.index + whole.length
    const kind = typeWord || onlyTypes(clause) ? 'type' : 'value'
    found.push({ specifier, kind, line: lineAt(at), names: namesIn(clause), at })
  }
  for (const match of text.matchAll(dynamicImport)) {
    const [, , specifier = '', name] = match
    found.push({
      specifier,
      kind: 'dynamic',
      line: lineAt(match.index),
      names: name === undefined ? [] : [name],
      at: match.index,
    })
  }
  return found.sort((a, b) => a.at - b.at).map(({ at: _, ...rest }) => rest)
}

function namesIn(clause = ''): string[] {
  const [outside = '', inside = ''] = clause.replace(/\sfrom\s+$/, '').split(/[{}]/)
  const whole = outside.includes('*') ? ['*'] : /\w/.test(outside) ? ['default'] : []
  return [...whole, ...namesOfList(inside).map(([name = '']) => name)]
}

/** @returns the names that a list of imports or exports gives: `b` of `a as b` */
export function lastNames(list: string): string[] {
  return namesOfList(list).map(([name = '', other = name]) => other)
}

function namesOfList(list: string): string[][] {
  const members = list.split(',').map(member => member.trim().replace(/^type\s+/, ''))
  return members.filter(Boolean).map(member => member.split(/\s+as\s+|\s*:\s*/))
}

function onlyTypes(clause: string | undefined): boolean {
  const inside = clause?.match(/^\s*\{([^}]*)\}\s*from/)?.[1]
  if (inside === undefined) return false
  const names = inside
    .split(',')
    .map(name => name.trim())
    .filter(Boolean)
  return names.length > 0 && names.every(name => name.startsWith('type '))
}

/** Blanks comments, so that an import in an example does not count; line numbers stay. */
export function withoutComments(source: string): string {
  return source.replace(/^[ \t]*\/\*[\s\S]*?\*\/|^[ \t]*\/\/.*$/gm, comment => comment.replace(/[^\n]/g, ' '))
}

/** Allowed imports of each room of `src`: rooms and packages. A file's room is the longest match. */
const rooms: Record<string, { knows: string[]; packages: RegExp }> = {
  'src/runtime/': { knows: ['src/runtime/'], packages: /^$/ },
  'src/runtime/calls/': { knows: ['src/runtime/'], packages: /^comlink$/ },
  'src/runtime/page/': { knows: ['src/runtime/'], packages: /^comlink$/ },
  'src/runtime/tabs/': { knows: ['src/runtime/'], packages: /^comlink$/ },
  'src/runtime/journal/': { knows: ['src/runtime/'], packages: /^(?:@noble\/|idb$)/ },
  'src/events/': { knows: ['src/runtime/', 'src/events/'], packages: /^(?:bs58|immer)$/ },
  'src/worker/drivers/': {
    knows: ['src/runtime/', 'src/events/', 'src/worker/'],
    packages: /^(?:@noble\/|@solana\/|buffer$|comlink$|eventemitter3$|idb$)/,
  },
  'src/worker/': {
    knows: ['src/runtime/', 'src/events/', 'src/worker/'],
    packages: /^(?:@noble\/|comlink$|eventemitter3$|idb$|immer$)/,
  },
  'src/ui/': {
    knows: ['src/runtime/', 'src/events/', 'src/ui/'],
    packages: /^(?:react$|react\/|react-dom$|react-dom\/|immer$|uqr$|@fontsource-variable\/)/,
  },
  'src/main/': {
    knows: ['src/'],
    packages: /^(?:react$|react-dom\/|comlink$|eventemitter3$|node:|virtual:sample-recording$|@fontsource-variable\/)/,
  },
  // A provider whose transactions are objects of this library
  'src/main/drivers/wallets/': { knows: ['src/'], packages: /^@solana\/web3\.js$/ },
}
const pureNames = ['deciders', 'walletconnect', 'rpc', 'services', 'chains', 'ledger']
const pureRooms = pureNames.map(name => `src/worker/${name}/`)
for (const room of pureRooms) {
  rooms[room] = { knows: ['src/runtime/', 'src/events/', 'src/worker/'], packages: /^(?:@noble\/)/ }
}

const isPure = (path: string) =>
  pureRooms.some(room => path.startsWith(room)) || /^src\/(?:worker|runtime)\/core\//.test(path)
/** Parts of the runtime that a page may not load: the core's host, the tabs of workers, the log on disk and the wiring. */
const isWiring = (path: string) => /^src\/runtime\/(?:host\/|tabs\/|journal\/|createRuntime)/.test(path)
const isPage = (path: string) => /^src\/(?:ui|main\/page)\//.test(path)

/** Rooms that are closed to some who may enter the house around them. */
const doors: { room: string; shutTo: (from: string) => boolean; why: string }[] = [
  { room: 'src/worker/drivers/', shutTo: isPure, why: 'what decides is pure and knows no driver' },
  {
    room: 'src/worker/deciders/',
    shutTo: from => from.startsWith('src/worker/drivers/'),
    why: 'drivers know no decider',
  },
]

/** Shared parts, styles and texts, open to all features of the interface. */
const isFeature = (path: string) => /^src\/ui\/(?!kit\/|styles\/|texts\/|notices\/)([^/]+)\/./.exec(path)?.[1]
/** The table of screens, the only module of `ui` that imports every feature. */
const screenTable = 'src/ui/modal/screens.tsx'
const tables = /(?:^|\/)(?:registry|networks|screens|definitions|words|icons)\.tsx?$/
/** A test in a folder that is named as a room of `src`. */
const mirrored = /^tests\/((?:events|main|runtime|ui|worker)\/(?:.*\/)?)[^/]+\.test\.tsx?$/
const emptyWords = /util|helper|manager|controller|common/i
const longest = 400

/**
 * @param files path from the repository's root, with `/`, to source text; of `src` and, where looked at, `scripts` and `tests`
 * @returns one sentence for each broken rule, none when all hold
 */
export function broken(files: ReadonlyMap<string, string>): string[] {
  const found: string[] = []
  const graph = new Map<string, string[]>()
  const folders = new Set([...files.keys()].flatMap(foldersOf))
  for (const [path, text] of files) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (emptyWords.test(name)) found.push(`${path}: the name says nothing; name it for the one thing it gives`)
    const imports = importsOf(text).map(one => ({ ...one, target: targetOf(path, one.specifier) }))
    const early = imports.filter(({ kind }) => kind !== 'dynamic')
    graph.set(
      path,
      early.flatMap(({ target }) => target ?? []),
    )
    const folder = mirrored.exec(path)?.[1]
    if (folder && !folders.has(`src/${folder}`)) found.push(`${path}: tests mirror src, which has no ${folder}`)
    if (!path.startsWith('src/')) continue
    const lines = text.split('\n').length
    if (lines > longest && !tables.test(path))
      found.push(`${path}: ${lines} lines, at most ${longest} are wanted: it holds two ideas`)
    for (const { specifier, kind, line, target } of imports) {
      const where = `${path}:${line}`
      if (target === undefined) {
        const room = roomOf(path)
        if (room && kind !== 'type' && !room.packages.test(specifier))
          found.push(`${where}: this room does not use ${specifier}`)
        continue
      }
      const reason = forbidden(path, target)
      if (reason) found.push(`${where}: ${target} is not for this room: ${reason}`)
    }
  }
  return [...found, ...cycles(graph).map(cycle => `${cycle.join(' → ')}: a circle of imports`)]
}

/** Folders that a path is in, each with a `/` at its end. */
function foldersOf(path: string): string[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1))
}

/** Path of an imported file from the repository's root; undefined for a package. */
function targetOf(path: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined
  return posix.normalize(posix.join(posix.dirname(path), specifier.replace(/\?.*$/, '')))
}

function roomOf(path: string): { knows: string[]; packages: RegExp } | undefined {
  const fits = Object.keys(rooms).filter(room => path.startsWith(room))
  const longestFit = fits.sort((a, b) => b.length - a.length)[0]
  return longestFit === undefined ? undefined : rooms[longestFit]
}

function forbidden(path: string, target: string): string | undefined {
  if (!target.startsWith('src/'))
    return target.startsWith('package.json') ? undefined : 'nothing in src imports what is outside it'
  const room = roomOf(path)
  if (room && !room.knows.some(known => target.startsWith(known))) return `it may know ${room.knows.join(', ')}`
  const shut = doors.find(door => target.startsWith(door.room) && door.shutTo(path))
  if (shut) return shut.why
  if (isWiring(target) && (isPage(path) || isPure(path) || path.startsWith('src/events/')))
    return 'the journal and what wires a core belong to the worker'
  if (target.startsWith('src/runtime/core/') && isPage(path)) return 'the core belongs to the worker'
  const [own, other] = [isFeature(path), isFeature(target)]
  if (/^src\/ui\/[^/]+\//.test(path) && other && own !== other && path !== screenTable) {
    return 'a feature folder uses kit, notices, react.tsx and events, not another feature'
  }
  return undefined
}

/** Circular imports, of values or of types, each once, from its alphabetically first file. */
function cycles(graph: ReadonlyMap<string, string[]>): string[][] {
  const found = new Map<string, string[]>()
  const done = new Set<string>()
  const walk = (path: string, trail: string[]) => {
    const at = trail.indexOf(path)
    if (at >= 0) {
      const ring = trail.slice(at)
      const first = ring.indexOf([...ring].sort()[0] ?? path)
      const turned = [...ring.slice(first), ...ring.slice(0, first)]
      found.set(turned.join(), [...turned, turned[0] ?? path])
      return
    }
    if (done.has(path)) return
    for (const next of graph.get(path) ?? []) walk(next, [...trail, path])
    done.add(path)
  }
  for (const path of graph.keys()) walk(path, [])
  return [...found.values()]
}
