/** Builds of a run: the published pages, the bench's own pages, and dependencies alone. */
import { readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Plugin, type UserConfig } from 'vite'
import type { Addresses } from '../../scripts/addresses.ts'
import { collectGraph, type Graph } from '../../scripts/budget.ts'
import { headersFile } from '../../scripts/build.ts'
import { productionHeaders } from '../../scripts/headers.ts'
import { importMapHashes } from '../../scripts/integrity.ts'
import { embedConfig, siteConfig } from '../../vite.config.ts'

export const root = fileURLToPath(new URL('../../', import.meta.url)).replace(/[\\/]$/, '')
const here = fileURLToPath(new URL('./', import.meta.url))

export type BuildOptions = { outDir: string; addresses: Addresses }

/** Builds the pages as published. @returns the bundler's graph of them, workers included */
export async function buildPublished({ outDir, addresses }: BuildOptions): Promise<Graph> {
  const graph: Graph = { chunks: new Map(), cssSizes: new Map() }
  await buildSite({ outDir, addresses }, siteConfig({ outDir, addresses, watch: () => collectGraph(graph, root) }))
  return graph
}

/** Builds them with the test door, so that their worker can be frozen and ended. */
export async function buildSteered({ outDir, addresses }: BuildOptions): Promise<void> {
  await buildSite({ outDir, addresses }, siteConfig({ outDir, addresses, door: true }))
}

/** Builds the pages of this folder, and the embed beside them. */
export async function buildBenchPages(options: BuildOptions): Promise<void> {
  await buildPages(options, join(here, 'pages'), [
    'boxHost.html',
    'embedHost.html',
    'transfer.html',
    'rows.html',
    'journal.html',
    'ownClient.html',
    'officialClient.html',
  ])
  await build({ ...embedConfig({ ...options, outDir: join(options.outDir, 'embed') }), logLevel: 'error' })
}

/** Builds test pages like the product's pages. @param folder absolute, holds the `pages` */
export async function buildPages(
  { outDir, addresses }: BuildOptions,
  folder: string,
  pages: readonly string[],
): Promise<void> {
  const config = siteConfig({ outDir, addresses })
  await buildSite(
    { outDir, addresses },
    {
      ...config,
      root: folder,
      publicDir: false,
      build: { ...config.build, rolldownOptions: { input: pages.map(file => join(folder, file)) } },
    },
  )
}

/**
 * Bundles a program for its own Node process, minified like the worker: a loader for sources also rewrites every function,
 * which is noticeable at a few microseconds.
 *
 * @param source absolute path of a `.ts` file
 * @param packages `apart` leaves packages external: `outDir` must then be in this repository
 * @returns path of the program
 */
export async function buildProgram(
  outDir: string,
  source: string,
  packages: 'within' | 'apart' = 'within',
): Promise<string> {
  const entryFileNames = basename(source).replace(/\.ts$/, '.mjs')
  await build({
    root,
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'error',
    ssr: packages === 'within' ? { noExternal: true } : {},
    build: {
      ssr: source,
      outDir,
      emptyOutDir: false,
      minify: true,
      target: 'es2022',
      rolldownOptions: { output: { entryFileNames } },
    },
  })
  return join(outDir, entryFileNames)
}

/**
 * Bundles a few lines alone, like the pages.
 *
 * @param code an ES module, resolved from the repository's root
 * @returns kB after gzip
 */
export async function sizeAlone(code: string): Promise<number> {
  const entry = 'virtual:alone'
  const alone: Plugin = {
    name: 'alone',
    enforce: 'pre',
    resolveId: id => (id === entry ? join(here, 'alone.js') : undefined),
    load: id => (id === join(here, 'alone.js') ? code : undefined),
  }
  process.env.NODE_ENV = 'production'
  const built = await build({
    root,
    configFile: false,
    envDir: false,
    logLevel: 'error',
    plugins: [alone],
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2022',
      reportCompressedSize: false,
      chunkSizeWarningLimit: 2000,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: entry },
    },
  })
  const outputs = (Array.isArray(built) ? built : [built]).flatMap(one => ('output' in one ? one.output : []))
  const bytes = outputs.reduce(
    (sum, file) => sum + (file.type === 'chunk' ? gzipSync(file.code, { level: 9 }).length : 0),
    0,
  )
  return Math.round(bytes / 10) / 100
}

async function buildSite({ outDir, addresses }: BuildOptions, config: UserConfig): Promise<void> {
  // React selects its build by this
  process.env.NODE_ENV = 'production'
  await build({ ...config, logLevel: 'error' })
  const pages = readdirSync(outDir).filter(name => name.endsWith('.html'))
  const headers = productionHeaders({ addresses, https: true, inline: importMapHashes(outDir, pages) })
  writeFileSync(join(outDir, headersFile), JSON.stringify(headers))
}
