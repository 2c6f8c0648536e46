/**
 * Allowlist of packages. `scripts/packages.json` names every package of the lockfile with version, hash and day of publication,
 * and those allowed in a visitor's browser. Any other package in the lockfile or the bundle fails the build and the tests.
 */
import type { Graph } from './budget.ts'

/** One entry of a lockfile. `name` is set when a package is installed under an alias. */
export type Locked = {
  name?: string
  version?: string
  integrity?: string
  resolved?: string
  link?: boolean
  hasInstallScript?: boolean
}

export type Allowed = {
  /** Day of the list's last change. */
  judged: string
  /** Minimum age of a version on that day, days. */
  minimumDays: number
  /** Packages known to have install scripts, which never run. */
  installScripts: readonly string[]
  /** Packages allowed in the scripts of a build. */
  bundle: readonly string[]
  /** By `name@version` or `alias@npm:name@version`: day of publication and hash, `2026-08-27 sha512-…`. */
  locked: Readonly<Record<string, string>>
}

const dayMs = 86_400_000
const entry = /^(\d{4}-\d\d-\d\d) (sha512-[\w+/=]{88})$/

const folderOf = (path: string): string => /^(?:.*\/)?node_modules\/(.+)$/.exec(path)?.[1] ?? path

function nameOf(path: string, { name, version }: Locked): string {
  const folder = folderOf(path)
  return name === undefined || name === folder ? `${folder}@${version}` : `${folder}@npm:${name}@${version}`
}

/**
 * @param packages of the lockfile, by path
 * @param today ms since the Unix epoch
 * @returns one sentence for each violation in the lockfile, and for each entry of the list without a package
 */
export function lockFindings(
  packages: Readonly<Record<string, Locked>>,
  allowed: Allowed,
  today = Date.now(),
): string[] {
  const found: string[] = []
  const here = new Set<string>()
  for (const [path, locked] of Object.entries(packages)) {
    if (path === '') continue
    const name = nameOf(path, locked)
    here.add(name)
    if (!locked.integrity || locked.link) found.push(`${name} has no integrity in the lockfile`)
    if (locked.resolved !== undefined) found.push(`${name} comes from an address of its own, ${locked.resolved}`)
    if (locked.hasInstallScript && !allowed.installScripts.includes(folderOf(path)))
      found.push(`${name} has an install script that scripts/packages.json does not name`)
    const known = Object.hasOwn(allowed.locked, name) ? allowed.locked[name] : undefined
    if (known === undefined) found.push(`${name} is not in scripts/packages.json`)
    else if (!known.endsWith(` ${locked.integrity}`)) found.push(`${name} has another hash than scripts/packages.json`)
  }
  const judged = Date.parse(allowed.judged)
  if (!(judged <= today)) found.push(`scripts/packages.json expected to be judged by today, got ${allowed.judged}`)
  for (const [name, known] of Object.entries(allowed.locked)) {
    if (!here.has(name)) found.push(`${name} is in scripts/packages.json, but not in the lockfile`)
    const published = entry.exec(known)?.[1]
    if (published === undefined) found.push(`${name} expected a day and a sha512 hash, got ${known}`)
    else if (!(judged - Date.parse(published) >= allowed.minimumDays * dayMs))
      found.push(
        `${name} was published on ${published}, less than ${allowed.minimumDays} days before ${allowed.judged}`,
      )
  }
  return found
}

/** @returns names of the packages in a build, sorted */
export function bundled(graph: Graph): string[] {
  const names = [...graph.chunks.values()].flatMap(chunk =>
    chunk.modules.flatMap(id => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? []),
  )
  return [...new Set(names)].sort()
}

/** @returns one sentence for each package the build holds without permission */
export function bundleFindings(names: readonly string[], allowed: Allowed): string[] {
  return names
    .filter(name => !allowed.bundle.includes(name))
    .map(name => `the build holds ${name}, which scripts/packages.json does not allow in a browser`)
}
