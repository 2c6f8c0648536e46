/**
 * The packages that may be here. `scripts/packages.json` names every package of production with its version, and those that may
 * be in a visitor's browser; whatever else stands in the lockfile or comes out of the bundler stops the build and the tests.
 */
import type { Graph } from './budget.ts'

/** One entry of a lockfile, as far as it is judged. */
export type Locked = {
  version?: string
  integrity?: string
  resolved?: string
  link?: boolean
  dev?: boolean
  hasInstallScript?: boolean
}

export type Allowed = {
  /** Days that a version has been public before it is taken in. */
  minimumDays: number
  /** Packages whose install scripts are known, and never run. */
  installScripts: readonly string[]
  /** Packages that may be in the scripts of a build. */
  bundle: readonly string[]
  /** Name and version of every package outside development. One added later has the days of its publication and addition. */
  production: Readonly<Record<string, { published?: string; added?: string }>>
}

/** When the list was begun; entries of that day have no dates. */
const begun = '2026-11-23'
const dayMs = 86_400_000

const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** @returns one sentence for each thing in the lockfile that nobody allowed, and for each allowance that nothing needs */
export function lockFindings(packages: Readonly<Record<string, Locked>>, allowed: Allowed): string[] {
  const found: string[] = []
  const production = new Set<string>()
  for (const [path, entry] of Object.entries(packages)) {
    if (path === '') continue
    const name = `${nameOf(path)}@${entry.version}`
    if (!entry.integrity || entry.link) found.push(`${name} has no integrity in the lockfile`)
    if (entry.resolved !== undefined) found.push(`${name} comes from an address of its own, ${entry.resolved}`)
    if (entry.hasInstallScript && !allowed.installScripts.includes(nameOf(path)))
      found.push(`${name} has an install script that scripts/packages.json does not name`)
    if (!entry.dev) production.add(name)
  }
  for (const name of production)
    if (!Object.hasOwn(allowed.production, name)) found.push(`${name} is not in scripts/packages.json`)
  for (const [name, dates] of Object.entries(allowed.production)) {
    if (!production.has(name)) found.push(`${name} is in scripts/packages.json, but not in the lockfile`)
    found.push(...ageFindings(name, dates, allowed.minimumDays))
  }
  return found
}

function ageFindings(
  name: string,
  { published, added }: { published?: string; added?: string },
  days: number,
): string[] {
  if (published === undefined && added === undefined) return []
  const [from, to] = [Date.parse(published ?? ''), Date.parse(added ?? '')]
  if (Number.isNaN(from) || Number.isNaN(to)) return [`${name} expected the days of its publication and its addition`]
  if (to < Date.parse(begun)) return [`${name} expected to be added on ${begun} or later, got ${added}`]
  if (to - from >= days * dayMs) return []
  return [`${name} was published on ${published}, less than ${days} days before it was added on ${added}`]
}

/** @returns names of the packages that a build holds, sorted */
export function bundled(graph: Graph): string[] {
  const names = [...graph.chunks.values()].flatMap(chunk =>
    chunk.modules.flatMap(id => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? []),
  )
  return [...new Set(names)].sort()
}

/** @returns one sentence for each package in a build that nobody allowed */
export function bundleFindings(names: readonly string[], allowed: Allowed): string[] {
  return names
    .filter(name => !allowed.bundle.includes(name))
    .map(name => `the build holds ${name}, which scripts/packages.json does not allow in a browser`)
}
