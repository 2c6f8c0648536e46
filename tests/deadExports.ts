/** Finds exports of `src` that no other file imports, and those whose name another file exports, too. */
import { posix } from 'node:path'
import { importsOf, lastNames, withoutComments } from './house.ts'

const declared = /^export (?:async )?(?:function\*?|const|let|class|enum) ([\w$]+)/gm
const declaredType = /^export (?:type|interface) ([\w$]+)/gm
const unpacked = /^export const \{([^}]*)\}/gm
const listed = /^export (?:type )?\{([^}]*)\}/gm
const augmented = /^declare module (['"])(\.[^'"\n]+)\1 \{\s*interface (\w+)/gm
const word = /[A-Za-z_$][\w$]*/g

/** Modules that a bundler or a host's page imports: the entries, and one that takes another's place in the package. */
const entries: ReadonlySet<string> = new Set([
  'src/main/embed.ts',
  'src/main/package/index.ts',
  'src/main/package/react.tsx',
  'src/main/package/vite.ts',
  'src/main/package/workers.ts',
  'src/main/page/prerendered.tsx',
])

/**
 * Exports that tests may import alone: types of stories, parts of a second core, the model of page and core together, a sale
 * without a checkpoint, and the wallet's side of the protocol, which published vectors judge.
 */
const forTests: ReadonlySet<string> = new Set([
  'AppFact',
  'LogState',
  'PagePort',
  'baseline',
  'buildNamespaces',
  'calcExpiry',
  'emptyModel',
  'fold',
  'ownFacts',
  'ownInputs',
  'ownScratch',
  'publicKeyOf',
  'requirePairingUri',
])

/**
 * Imports are resolved to their files. A module that is imported at run time may be passed on: a file that names one of its
 * values counts as an importer. A type is imported by a line of its own.
 *
 * @param files path from the repository's root to source text
 * @returns one sentence for each export that no other file imports, and for each that tests import and its own file does not use
 */
export function deadExports(files: ReadonlyMap<string, string>): string[] {
  const { importers, atRunTime } = importsIn(files)
  const words = new Map<string, readonly string[]>(
    [...files].map(([path, text]) => [path, withoutComments(text).match(word) ?? []] as const),
  )
  const isNamedElsewhere = (path: string, name: string) =>
    [...words].some(([other, found]) => other !== path && !isTest(other) && found.includes(name))
  return [...files].flatMap(([path, text]) => {
    if (!path.startsWith('src/') || entries.has(path)) return []
    return [...declarationsOf(text), ...listedIn(text)].flatMap(({ name, isType }) => {
      const found = ['*', name].flatMap(one => importers.get(`${path} ${one}`) ?? [])
      if (found.some(importer => !isTest(importer))) return []
      if (!isType && atRunTime.has(path) && isNamedElsewhere(path, name)) return []
      if (found.length === 0) return [`${path}: no other file imports ${name}`]
      const isOwn = (words.get(path) ?? []).filter(one => one === name).length > 1
      return isOwn || forTests.has(name) ? [] : [`${path}: only tests import ${name}`]
    })
  })
}

const isTest = (path: string) => path.startsWith('tests/')

/** @returns the importers of each export, by its file and name, and the files that are imported at run time */
function importsIn(files: ReadonlyMap<string, string>) {
  const importers = new Map<string, string[]>()
  const atRunTime = new Set<string>()
  for (const [path, text] of files) {
    const fileOf = (specifier: string) => posix.join(posix.dirname(path), specifier.replace(/\?.*$/, ''))
    const note = (key: string) => importers.set(key, [...(importers.get(key) ?? []), path])
    for (const { specifier, kind, names } of importsOf(text)) {
      if (kind === 'dynamic') atRunTime.add(fileOf(specifier))
      for (const name of names) note(`${fileOf(specifier)} ${name}`)
    }
    // Only an exported interface takes more members
    for (const [, , specifier = '', name] of text.matchAll(augmented)) note(`${fileOf(specifier)} ${name}`)
  }
  return { importers, atRunTime }
}

type Export = { name: string; isType: boolean }

/** @returns the exports that a module declares */
function declarationsOf(source: string): Export[] {
  const text = withoutComments(source)
  const values = [...namesAt(text, declared), ...namesAt(text, unpacked).flatMap(lastNames)]
  return [
    ...values.map(name => ({ name, isType: false })),
    ...namesAt(text, declaredType).map(name => ({ name, isType: true })),
  ]
}

/** @returns the exports in a module's lists: of its own, and of other modules */
function listedIn(source: string): Export[] {
  return namesAt(withoutComments(source), listed).flatMap(list =>
    lastNames(list).map(name => ({ name, isType: false })),
  )
}

function namesAt(text: string, line: RegExp): string[] {
  return [...text.matchAll(line)].map(([, names = '']) => names)
}

/**
 * @param files path from the repository's root to source text
 * @returns one sentence for each name that several files of `src` export, because a name means one thing
 */
export function sharedExports(files: ReadonlyMap<string, string>): string[] {
  const homes = new Map<string, string[]>()
  for (const [path, text] of files)
    if (path.startsWith('src/'))
      for (const name of new Set(declarationsOf(text).map(({ name: found }) => found)))
        homes.set(name, [...(homes.get(name) ?? []), path])
  return [...homes].flatMap(([name, paths]) =>
    paths.length > 1 ? [`${name} is exported by ${paths.join(' and ')}`] : [],
  )
}
