/**
 * Production build: the two pages, the embed, and the headers to serve them with.
 *
 *   node --import tsx scripts/build.ts [--out FOLDER] [--door] [--quiet]
 *
 * `--door` lets tests control the worker's clock and storage; such a build is never published, so budgets and gates are
 * skipped.
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { siteConfig } from '../vite.config.ts'
import { type Addresses, addressesFrom, saleProblem } from './addresses.ts'
import { type Budget, collectGraph, type Graph, type Measured, measure } from './budget.ts'
import { buildEmbed } from './embed.ts'
import { gateFindings } from './gates.ts'
import { productionHeaders } from './headers.ts'
import { importMapHashes } from './integrity.ts'
import { type Allowed, bundled, bundleFindings, type Locked, lockFindings } from './supply.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** File of the headers, beside the pages, for the web server's configuration. */
export const headersFile = 'headers.json'

/** Result of a build; publishable when `problems` is empty. */
export type BuildResult = { measured: Measured[]; problems: string[] }

/**
 * @param options.outDir absolute folder, emptied first
 * @param options.addresses built into the pages and their `connect-src`
 */
export async function buildSite(options: {
  outDir: string
  addresses: Addresses
  door: boolean
}): Promise<BuildResult> {
  // React selects its build by this; a test runner may have changed it.
  process.env.NODE_ENV = 'production'
  const graph: Graph = { chunks: new Map(), cssSizes: new Map() }
  const embedGraph: Graph = { chunks: new Map(), cssSizes: new Map() }
  const watch = () => collectGraph(graph, root)
  await build({ ...siteConfig({ ...options, watch }), logLevel: 'warn' })
  if (existsSync(join(root, 'src/main/embed.ts'))) {
    const folder = join(options.outDir, 'embed')
    await buildEmbed({ ...options, outDir: folder, watch: () => collectGraph(embedGraph, root) })
  }
  const inline = importMapHashes(options.outDir, ['index.html', 'replayer.html'])
  const headers = productionHeaders({ addresses: options.addresses, https: true, inline })
  writeFileSync(join(options.outDir, headersFile), `${JSON.stringify(headers, null, 2)}\n`)

  if (options.door) return { measured: [], problems: [] }
  const { budgets } = JSON.parse(readFileSync(join(root, 'budget.json'), 'utf8')) as { budgets: Budget[] }
  const baseline = gzipSync(readFileSync(join(root, 'src/main/public/baseline.js')), { level: 9 }).length
  const site = budgets.filter(budget => budget.build === undefined)
  const embed = budgets.filter(budget => budget.build === 'embed')
  const measured = [...measure(graph, site, { [site[0]?.name ?? '']: baseline }), ...measure(embedGraph, embed)]
  const overspent = measured.flatMap(({ problem }) => problem ?? [])
  const foreign = bundleFindings([...new Set([...bundled(graph), ...bundled(embedGraph)])], allowedPackages())
  return { measured, problems: [...overspent, ...foreign, ...gateFindings(options.outDir, options.addresses)] }
}

export const allowedPackages = (): Allowed =>
  JSON.parse(readFileSync(join(root, 'scripts/packages.json'), 'utf8')) as Allowed

/** @returns why a build must not replace this folder: its content would be lost; undefined when it may */
export function folderProblem(outDir: string, mark = headersFile): string | undefined {
  if (`${root}${sep}`.startsWith(join(outDir, sep)))
    return `${outDir} holds the sources: give another folder with --out`
  const holds = existsSync(outDir) ? readdirSync(outDir) : []
  if (holds.length === 0 || holds.includes(mark)) return undefined
  return `${outDir} holds something else than a build: give another folder with --out, or empty it`
}

/** @returns obstacles in the lockfile to any build, one sentence each */
export function lockObstacles(): string[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }
  return lockFindings(lock.packages, allowedPackages())
}

/** @returns obstacles to a build of the site, one sentence each */
function obstacles(addresses: Addresses, outDir: string): string[] {
  return [saleProblem(addresses) ?? [], folderProblem(outDir) ?? [], lockObstacles()].flat()
}

/** Builds into a temporary folder, which replaces `outDir` only without problems. */
export async function buildBeside(outDir: string, make: (made: string) => Promise<BuildResult>): Promise<BuildResult> {
  const made = join(dirname(outDir), `.${basename(outDir)}.building-${process.pid}`)
  try {
    const result = await make(made)
    if (result.problems.length === 0) {
      rmSync(outDir, { recursive: true, force: true })
      renameSync(made, outDir)
    }
    return result
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: 'dist' },
      door: { type: 'boolean', default: false },
      quiet: { type: 'boolean' },
    },
  })
  const outDir = resolve(root, values.out)
  if (values.door && `${outDir}${sep}`.startsWith(join(root, 'dist', sep))) {
    console.error('A build with the door for tests is never published: give it another folder than dist with --out.')
    process.exitCode = 1
    return
  }
  const addresses = addressesFrom(root, 'production')
  const before = obstacles(addresses, outDir)
  if (before.length > 0) {
    for (const obstacle of before) console.error(obstacle)
    process.exitCode = 1
    return
  }
  const { measured, problems } = await buildBeside(outDir, made =>
    buildSite({ outDir: made, addresses, door: values.door }),
  )
  if (!values.quiet) {
    for (const { name, kB, limitKB } of measured) console.log(`${kB.toFixed(1).padStart(7)} of ${limitKB} kB  ${name}`)
    if (addresses.VITE_PROJECT_ID === '')
      console.log('VITE_PROJECT_ID is not set: the outside services will refuse this build.')
  }
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
  else if (!values.quiet) console.log(`Built into ${values.out}/`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
