/**
 * Builds the installable package and its tarball.
 *
 *   node --import tsx scripts/package.ts [--out FOLDER]
 *
 * The folder `mai-modal` holds modules for bundlers (`lib`), their types, and `embed`, for pages without a bundler. Addresses come
 * from the environment, as for the build; a host may override each.
 *
 * 1. A finding in the lockfile, or a folder of that name that holds anything else, stops the packing before anything is built.
 * 2. The folder and the tarball replace earlier ones together, after every gate passed. A failure leaves the earlier ones.
 */
import { execFile } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { build } from 'vite'
import { packageConfigs } from '../vite.config.ts'
import { type Addresses, addressesFrom } from './addresses.ts'
import { type Budget, collectGraph, type Graph, measure } from './budget.ts'
import { allowedPackages, buildBeside, type BuildResult, folderProblem, lockObstacles } from './build.ts'
import { prunedDeclarations } from './declarations.ts'
import { buildEmbed } from './embed.ts'
import { gateFindings } from './gates.ts'
import { node } from './runCheck.ts'
import { bundled, bundleFindings } from './supply.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const run = promisify(execFile)
const packageName = 'mai-modal'

type Manifest = { version: string; license: string; dependencies: Record<string, string> }

/** The repository's own `package.json`. */
const repository = () => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest

/** Name that `npm pack` gives the tarball. */
const tarballName = () => `${packageName}-${repository().version}.tgz`

/** @param outDir absolute folder for the package's folder and its tarball */
async function buildPackage(outDir: string, addresses: Addresses): Promise<BuildResult> {
  const folder = join(outDir, packageName)
  const obstacles = [folderProblem(folder, 'lib') ?? [], lockObstacles()].flat()
  if (obstacles.length > 0) return { measured: [], problems: obstacles }
  const { measured, problems } = await buildBeside(folder, async made => {
    const filled = await fill(made, addresses)
    if (filled.problems.length === 0) await pack(made)
    return filled
  })
  if (problems.length === 0) renameSync(join(folder, tarballName()), join(outDir, tarballName()))
  return { measured, problems }
}

/** Builds the package's folder and checks it by every gate. */
async function fill(folder: string, addresses: Addresses): Promise<BuildResult> {
  process.env.NODE_ENV = 'production'
  const graph: Graph = { chunks: new Map(), cssSizes: new Map() }
  const watch = () => collectGraph(graph, root)
  const lib = join(folder, 'lib')
  for (const config of packageConfigs({ outDir: lib, addresses, watch })) await build({ ...config, logLevel: 'warn' })
  await buildEmbed({ outDir: join(folder, 'embed'), addresses })
  await writeTypes(join(folder, 'types'))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  copyFileSync(join(root, 'docs/package.md'), join(folder, 'README.md'))

  const { budgets } = JSON.parse(readFileSync(join(root, 'budget.json'), 'utf8')) as { budgets: Budget[] }
  const measured = measure(
    graph,
    budgets.filter(budget => budget.build === 'package'),
  )
  const problems = [
    ...measured.flatMap(({ problem }) => problem ?? []),
    ...bundleFindings(bundled(graph), allowedPackages()),
    ...[lib, join(folder, 'embed')].flatMap(part => gateFindings(part, addresses)),
  ]
  return { measured, problems }
}

/** The package's own `package.json`. */
function manifest(): Record<string, unknown> {
  const { version, license, dependencies } = repository()
  const [major = '', minor = ''] = (dependencies.react ?? '').split('.')
  const entry = (name: string) => ({ types: `./types/main/package/${name}.d.ts`, default: `./lib/${name}.js` })
  return {
    name: packageName,
    version,
    license,
    description: 'A wallet modal for any page: Solana wallets and WalletConnect, the protocol in a Web Worker',
    type: 'module',
    // A worker's modules are imported for their effects alone
    sideEffects: ['./lib/worker/*'],
    exports: {
      '.': entry('index'),
      './react': entry('react'),
      './vite': entry('vite'),
      './embed/*': './embed/*',
      './package.json': './package.json',
    },
    files: ['lib', 'types', 'embed'],
    peerDependencies: { react: `^${major}.${minor}.0`, 'react-dom': `^${major}.${minor}.0` },
  }
}

/** Writes the declarations that the entries need. */
async function writeTypes(folder: string): Promise<void> {
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const made = mkdtempSync(join(cache, 'mai-types-'))
  try {
    const entries = ['index.ts', 'react.tsx', 'vite.ts'].map(name => join(root, 'src/main/package', name))
    const config = join(made, 'tsconfig.json')
    const compilerOptions = {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      // `npm test` checks the types
      noCheck: true,
      rootDir: join(root, 'src'),
      outDir: made,
      types: ['vite/client'],
    }
    writeFileSync(
      config,
      JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: [], files: entries }),
    )
    const [program = '', ...args] = node(root, ['typescript', 'tsc'], ['-p', config])
    await run(program, args, { cwd: root })
    const paths = ['index', 'react', 'vite'].map(name => `main/package/${name}.d.ts`)
    for (const [path, text] of prunedDeclarations(file => readFileSync(join(made, file), 'utf8'), paths)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

/** Packs the folder; its tarball lies in it until both move to their places. */
async function pack(folder: string): Promise<void> {
  await run('npm', ['pack', '--pack-destination', folder], { cwd: folder })
  const tarball = join(folder, tarballName())
  if (!existsSync(tarball)) throw new Error(`npm pack expected to write ${tarball}`)
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist-package' } } })
  const outDir = resolve(root, values.out)
  const { measured, problems } = await buildPackage(outDir, addressesFrom(root, 'production'))
  for (const { name, kB, limitKB } of measured) console.log(`${kB.toFixed(1).padStart(7)} of ${limitKB} kB  ${name}`)
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
  else console.log(`Packed into ${join(outDir, tarballName())}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
