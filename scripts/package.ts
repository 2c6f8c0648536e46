/**
 * Builds the installable package and its tarball.
 *
 *   node --import tsx scripts/package.ts [--out FOLDER]
 *
 * The folder `mai-modal` holds modules for bundlers (`lib`), their types, and `embed`, for pages without a bundler. Addresses come
 * from the environment, as for the build; a host may override each.
 */
import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { build } from 'vite'
import { packageConfigs } from '../vite.config.ts'
import { type Addresses, addressesFrom } from './addresses.ts'
import { allowedPackages } from './build.ts'
import { type Budget, collectGraph, type Graph, measure, type Measured } from './budget.ts'
import { prunedDeclarations } from './declarations.ts'
import { buildEmbed } from './embed.ts'
import { gateFindings } from './gates.ts'
import { node } from './runCheck.ts'
import { bundled, bundleFindings } from './supply.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const run = promisify(execFile)
const packageName = 'mai-modal'

/** Result of a packing; `problems` is empty when it may be published. */
type Packed = { tarball: string; measured: Measured[]; problems: string[] }

/** @param options.outDir absolute folder for the package's folder and its tarball */
export async function buildPackage({ outDir, addresses }: { outDir: string; addresses: Addresses }): Promise<Packed> {
  process.env.NODE_ENV = 'production'
  const folder = join(outDir, packageName)
  rmSync(folder, { recursive: true, force: true })
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
  return { tarball: await pack(folder, outDir), measured, problems }
}

/** The package's own `package.json`. */
function manifest(): Record<string, unknown> {
  const { version, license, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string
    license: string
    dependencies: Record<string, string>
  }
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

/** @returns the path of the tarball */
async function pack(folder: string, outDir: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', outDir], { cwd: folder })
  const [{ filename = '' } = {}] = JSON.parse(stdout) as { filename?: string }[]
  const tarball = join(outDir, filename)
  if (!existsSync(tarball)) throw new Error(`npm pack expected to write ${tarball}`)
  return tarball
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist-package' } } })
  const { tarball, measured, problems } = await buildPackage({
    outDir: resolve(root, values.out),
    addresses: addressesFrom(root, 'production'),
  })
  for (const { name, kB, limitKB } of measured) console.log(`${kB.toFixed(1).padStart(7)} of ${limitKB} kB  ${name}`)
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
  else console.log(`Packed into ${tarball}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
