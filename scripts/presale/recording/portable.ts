/**
 * Arguments and texts of a run without what is of one machine or secret: absolute paths, and keys in addresses of nodes.
 *
 * A path inside the working directory is relative to it; one outside is `../outside-N/…`.
 */
import { existsSync } from 'node:fs'
import { dirname, isAbsolute, join, normalize, relative, resolve, sep } from 'node:path'
import { refused, type VerbArguments } from '../../../src/main/replay/verb.ts'
import type { PresaleVerb } from '../verb.ts'

type Values = VerbArguments['values']

/**
 * `words` and `values`: portable arguments. `folders`: those that exist of the ones that the arguments name. `text` makes an output
 * portable, `path` a path; `hide` takes access keys out of an answer.
 */
export type Portable = {
  words: string[]
  values: Record<string, string[]>
  folders: string[]
  text(text: string): string
  hide(text: string): string
  path(path: string): string
}

/** Fewest characters of an access key: as a part of an address's path or a name with a value, and elsewhere in it. */
const [leastInPath, leastElsewhere] = [16, 6]

/**
 * An address counts in every argument: a forgotten `--rpc` makes it a word.
 *
 * @param directory the working directory
 */
export function portableRun(
  { options }: Pick<PresaleVerb, 'options'>,
  { words, values }: Pick<VerbArguments, 'words' | 'values'>,
  directory = '.',
): Portable {
  const base = resolve(directory)
  const paths = pathsIn(options, values)
  const roots = [...new Set(paths.map(({ folder }) => resolve(folder)))]
    .filter(folder => !isWithin(base, folder))
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
    .filter((folder, at, all) => !all.slice(0, at).some(root => isWithin(root, folder)))
  const path = (given: string) => {
    const whole = resolve(given)
    if (isWithin(base, whole)) return relative(base, whole) || '.'
    const at = roots.findIndex(root => isWithin(root, whole))
    return join('..', `outside-${at + 1}`, relative(roots[at] ?? dirname(whole), whole))
  }
  const hide = hider([...urlsIn(options, values), ...words.filter(webAddress)].flatMap(secretsOf))
  const pairs = new Map(
    paths
      .flatMap(({ given, folder }) => [given, folder, resolve(given), resolve(folder)])
      .map(from => [hide(from), hide(path(from))] as const)
      .filter(([from, to]) => from !== to && from !== '/' && !(isAbsolute(from) && isWithin(base, from))),
  )
  const place = placer(pairs, base)
  const text = (said: string) => place(hide(said))
  const isPath = (option: string) => isPathOption(options[option])
  const portable = Object.entries(values).map(([option, given]) => [
    option,
    given.map(one => {
      if (options[option]?.value === 'URL') return hostAddress(one)
      return isPath(option) && one !== '-' ? hide(path(one)) : text(one)
    }),
  ])
  const there = paths.map(({ folder }) => folder).filter(folder => existsSync(folder))
  const folders = [...new Set(there.map(path))].sort()
  return { words: words.map(text), values: Object.fromEntries(portable), folders, text, hide, path }
}

/** @returns the arguments of a recording below a working directory. @throws Fault `bad_input` for a path that leads elsewhere */
export function placedValues({ options }: Pick<PresaleVerb, 'options'>, values: Values, directory: string): Values {
  const placed = Object.entries(values).map(([option, given]) => [
    option,
    given.map(one => {
      if (!isPathOption(options[option]) || one === '-') return one
      if (!isPortablePath(one)) throw refused(`--${option} expected a path of a recording, got ${one.slice(0, 90)}`)
      return join(directory, one)
    }),
  ])
  return Object.fromEntries(placed)
}

/** Whether a path of a recording stays in the folder around the working directory. */
export function isPortablePath(path: string): boolean {
  const [first, second = ''] = path.split('/')
  if (path === '' || isAbsolute(path) || path.includes('\0') || normalize(path) !== path) return false
  return first !== '..' || /^outside-[1-9]\d*$/.test(second)
}

type Options = PresaleVerb['options']

function isPathOption(option: Options[string] | undefined): boolean {
  return ['FILE', 'DIR', 'FILE|-'].includes(option?.value ?? '')
}

/** `folder`: the path's own where it is one. */
function pathsIn(options: Options, values: Values): { given: string; folder: string }[] {
  return Object.entries(values)
    .filter(([option]) => isPathOption(options[option]))
    .flatMap(([option, given]) => {
      const isFolder = options[option]?.value === 'DIR'
      return given
        .filter(one => one !== '-')
        .map(one => {
          const folder = dirname(one)
          return { given: one, folder: isFolder || folder === '/' ? one : folder }
        })
    })
}

function urlsIn(options: Options, values: Values): string[] {
  return Object.entries(values).flatMap(([option, given]) =>
    given.filter(one => options[option]?.value === 'URL' || webAddress(one)),
  )
}

/** Errors name the host alone, and one sentence is about every text that is no address. */
function hostAddress(url: string): string {
  const address = webAddress(url)
  return address ? `${address.protocol}//${address.host}` : 'no-address'
}

function webAddress(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && /^https?:$/.test(url.protocol) ? url : undefined
}

function secretsOf(url: string): string[] {
  if (!URL.canParse(url)) return url.length < leastInPath ? [] : [url]
  const { pathname, search, hash, username, password } = new URL(url)
  const query = search.slice(1).split('&').map(namedIn)
  const names = query.flatMap(({ name, value }) => (value === '' ? [] : [name]))
  const inPath = [...pathname.split('/'), ...names].filter(part => part.length >= leastInPath)
  const bare = query.map(({ name, value }) => value || name)
  const elsewhere = [...bare, hash.slice(1), username, password].filter(part => part.length >= leastElsewhere)
  return [...inPath, ...elsewhere].flatMap(part => [part, decoded(part)])
}

/** A query's part. `value`: empty behind a name alone, and behind one that ends in `=`, as base64 may. */
function namedIn(part: string): { name: string; value: string } {
  const [, name = part, value = ''] = /^([^=]*)=+(.*)$/.exec(part) ?? []
  return { name, value }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return !isAbsolute(way) && way.split(sep)[0] !== '..'
}

type Change = (text: string) => string

function hider(secrets: readonly string[]): Change {
  const longestFirst = [...secrets].sort(byLength)
  return text => longestFirst.reduce((all, secret) => all.replaceAll(secret, '(hidden)'), text)
}

/** Names each path as the recording does, a longer one first. `base`: the working directory. */
function placer(pairs: ReadonlyMap<string, string>, base: string): Change {
  const all = [...pairs.keys(), ...(base === '/' ? [] : [base])].sort(byLength).map(from => {
    if (from === base) return `${escaped(base)}(?:/|(?![\\w-]))`
    return `${isAbsolute(from) ? '' : '(?<![\\w./-])'}${escaped(from)}(?![\\w-])`
  })
  if (all.length === 0) return text => text
  const pattern = new RegExp(all.join('|'), 'g')
  return text => text.replace(pattern, found => pairs.get(found) ?? (found.endsWith('/') ? '' : '.'))
}

function byLength(a: string, b: string): number {
  return b.length - a.length
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
