import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildKey } from '../wallet/buildKey.ts'
import type { InstallOptions } from './install.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * Classic script that installs the wallets into its page: for Playwright's `addInitScript`, or served same-origin in
 * development.
 * The build is cached under `node_modules/.cache` until its sources change.
 *
 * @returns JavaScript text, about 60 kB
 */
export async function installedWalletScript(options: InstallOptions): Promise<string> {
  const code = await builtCode()
  return `(() => {\n${code}\ninstalledWallets.install(${JSON.stringify(options)})\n})()\n`
}

let building: Promise<string> | undefined

function builtCode(): Promise<string> {
  building ??= readOrBuild()
  return building
}

async function readOrBuild(): Promise<string> {
  const cacheDir = join(root, 'node_modules/.cache/installed-wallet')
  const file = join(cacheDir, `${await buildKey(['tests/stack/installed', 'tests/stack/wallet'])}.js`)
  const kept = await readFile(file, 'utf8').catch(() => undefined)
  if (kept !== undefined) return kept
  // Imported late: most runs find the build
  const { build } = await import('vite')
  const made = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: join(root, 'tests/stack/installed/install.ts'), formats: ['iife'], name: 'installedWallets' },
    },
  })
  const output = (Array.isArray(made) ? made : [made]).flatMap(one => ('output' in one ? one.output : []))
  const chunk = output.find(one => one.type === 'chunk')
  if (!chunk) throw new Error('the installed wallet did not build into a script')
  await mkdir(cacheDir, { recursive: true })
  // Whole or not at all: other processes of the tests read it meanwhile
  const beside = `${file}.${process.pid}`
  await writeFile(beside, chunk.code)
  await rename(beside, file)
  return chunk.code
}
