import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build, defineConfig, type Plugin, type PluginOption, type ResolvedConfig, type UserConfig } from 'vite'
import { type Addresses, addressesFrom } from './scripts/addresses.ts'
import { replayerFolder } from './scripts/gates.ts'
import { devHeaders, devNonce } from './scripts/headers.ts'
import { checkedParts, integrity, listMark, stylesChecked } from './scripts/integrity.ts'
import { fetchedEarly, prerender, stylesFirst } from './scripts/prerender.ts'
import { shareTags } from './scripts/shareTags.ts'
import { sampleName } from './src/main/replay/sampleName.ts'
import { sourceHash } from './src/main/replay/sourceHash.ts'

const root = dirname(fileURLToPath(import.meta.url))
const pages = join(root, 'src/main')

/** Dependencies first imported after the page's load: optimised ahead, since finding them late reloads the page in use. */
export const lateDependencies = [
  '@noble/ciphers/chacha.js',
  '@noble/curves/ed25519.js',
  '@noble/hashes/hkdf.js',
  '@noble/hashes/sha2.js',
  '@noble/hashes/utils.js',
  '@solana/spl-token',
  '@solana/web3.js',
  'bs58',
  'buffer',
  'comlink',
  'eventemitter3',
  'immer',
  'uqr',
]

/**
 * Gives the curves their own copy of the SHA-2 module. The bundler puts a module into one file, with everything that any file
 * uses of it: the worker's start needs SHA-256 alone, and would load the SHA-512 of the curves too.
 */
function curvesApart(): PluginOption {
  return {
    name: 'curves-apart',
    enforce: 'pre',
    async resolveId(source, importer) {
      const isTheirs = source === '@noble/hashes/sha2.js' && importer?.includes('/@noble/curves/')
      if (!isTheirs && !(source === './_u64.js' && importer?.endsWith('?curves'))) return null
      const found = await this.resolve(source, importer, { skipSelf: true })
      return found && { ...found, id: `${found.id}?curves` }
    },
  }
}

/** Modules loaded at the start stay in one file: split by the parts that share them, they are 2 kB larger after gzip. */
const startTogether = { codeSplitting: { groups: [{ name: 'start', tags: ['$initial' as const] }] } }

/** Parts of screens that several lazy screens share. */
const kit = {
  name: 'kit',
  test: /[\\/]src[\\/]ui[\\/](?:kit[\\/]|(?:carriedFragment|lazyScreen|relayWords|walletPicture|connect[\\/]list[\\/]rows|texts[\\/](?:amounts|plural))\.tsx?$)/,
  minShareCount: 2,
}

/** Puts the modules at these ends of paths, with what they import, into one chunk. */
const together = (name: string, files: readonly string[]) => ({
  name,
  test: (id: string) => files.some(file => id.endsWith(`/${file}`)),
})

/** The model’s and the screens’ modules that several later parts share are one file each: small files wait for each other. */
const modelTogether = {
  codeSplitting: {
    groups: [
      ...startTogether.codeSplitting.groups,
      // The page after its first paint
      together('app', ['src/main/app.tsx']),
      // Shared by a few late parts alone: the ways to a wallet, and a session's chains by those that sign for hosts
      {
        name: 'model',
        test: /[\\/]src[\\/](?:events|runtime|worker)(?!.*[\\/](?:namespaces|platforms|walletLink)\.ts)[\\/]/,
        minShareCount: 2,
      },
      kit,
      // The handle that other scripts of the page ask for shares checks with it
      together('presaleConfig', ['src/main/page/presaleConfig.ts']),
    ],
  },
}

/** The package's entries before the modal, each without what it does not need; then all of the modal's start, in one file. */
const packageTogether = {
  groups: [
    together('deferredModal', ['src/main/package/deferredModal.ts']),
    together('amounts', [
      'src/events/values/amount.ts',
      'src/events/values/solana/fees.ts',
      'src/ui/account/holdings/decimal.ts',
    ]),
    together('createModal', ['src/main/embed/createModal.tsx']),
  ],
}

/** The embed's start, and after it the modal, its runtime and the mirror of the storage, one file each. */
const runtimeTogether = {
  codeSplitting: {
    groups: [
      ...startTogether.codeSplitting.groups,
      together('hosted', ['src/main/embed/createModal.tsx']),
      together('runtime', ['src/main/page/supervisor/runtime.ts']),
      together('mirror', ['src/main/storage/openMirror.ts']),
      kit,
    ],
  },
}

/**
 * Parts that the worker of each visit loads: apart, they and what they share were thirty files, each fetched and checked. Parts of
 * a few hundred bytes are with them, though a visit may need none: a request costs more.
 */
const everyVisit = together('visit', [
  'rolldown/runtime.js',
  'src/events/checkpoint/tables.ts',
  'src/runtime/journal/openJournal.ts',
  'src/runtime/journal/readLog.ts',
  'src/runtime/journal/retention.ts',
  'src/worker/drivers/http.ts',
  'src/worker/drivers/solana/sale/terms.ts',
  'src/worker/drivers/solana/solana.ts',
  'src/worker/drivers/transport/transport.ts',
  'src/worker/drivers/walletconnect/seal.ts',
  'src/worker/host/deviceParts.ts',
  'src/worker/replay/recordingText.ts',
  'src/worker/rpc/transactionErrors.ts',
  'src/worker/tabs/tabRules.ts',
  // The small ones
  'src/runtime/schema/either.ts',
  'src/worker/drivers/solana/chainReads.ts',
  'src/worker/drivers/solana/order/insertion.ts',
  'src/worker/drivers/solana/order/preparedOrder.ts',
  'src/worker/drivers/walletconnect/signed.ts',
  'src/worker/host/aloneTransport.ts',
  'src/worker/host/networks.ts',
  'src/worker/journal/eraseLog.ts',
])

/** Parts that the first opening of the modal loads. */
const everyOpening = together('wallets', [
  'src/worker/drivers/directory.ts',
  'src/worker/drivers/project.ts',
  'src/worker/services/walletSnapshot.ts',
])

/**
 * No chunk may import a worker's entry, because WebKit would run it a second time: shared modules go into `core`. Annotations
 * for bundlers are dropped, as the minifier leaves hundreds of them in a worker.
 */
const workerOutput = {
  comments: { legal: true, annotation: false, jsdoc: false },
  codeSplitting: {
    groups: [
      { name: 'core', tags: ['$initial' as const], test: (id: string) => !id.endsWith('/src/worker/worker.ts') },
      everyVisit,
      everyOpening,
    ],
  },
}

type Shared = Pick<BuildSettings, 'addresses'> & { door: boolean; watch: () => PluginOption; isBuilt?: boolean }

/** Settings shared by the pages, the embed and the development server. */
function shared({ addresses, door, watch, isBuilt = true }: Shared) {
  return {
    root: pages,
    base: './',
    configFile: false as const,
    envDir: false as const,
    cacheDir: join(root, 'node_modules/.cache/vite'),
    define: {
      ...Object.fromEntries(
        Object.entries(addresses).map(([name, value]) => [`import.meta.env.${name}`, JSON.stringify(value)]),
      ),
      'import.meta.env.VITE_APP_BUILD': JSON.stringify(sourceHash(root, 'app')),
      'import.meta.env.VITE_CORE_BUILD': JSON.stringify(sourceHash(root, 'core')),
      'import.meta.env.VITE_DOOR': JSON.stringify(door ? 'open' : ''),
      'import.meta.env.VITE_EMBED_PARTS': JSON.stringify(''),
      'import.meta.env.VITE_WORKER_PARTS': JSON.stringify(isBuilt ? listMark : ''),
    },
    worker: {
      format: 'es' as const,
      plugins: () => [curvesApart(), checkedParts(), watch()],
      rolldownOptions: { output: workerOutput },
    },
  }
}

const output = {
  target: 'es2022',
  // Older engines would get `light-dark()` taken apart, and a host's own colours would no longer follow the theme.
  cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
  reportCompressedSize: false,
  chunkSizeWarningLimit: 1000,
}

/** Settings of a build. */
export type BuildSettings = {
  /** Absolute folder that is emptied and filled. */
  outDir: string
  addresses: Addresses
  /** Lets tests steer the worker's clock and storage; never in what is published. */
  door?: boolean
  /** A plugin that sees every bundle, the worker's included. */
  watch?: (() => PluginOption) | undefined
}

/** The presale page, and the replayer beside it. */
export function siteConfig(settings: BuildSettings): UserConfig {
  const config = pageConfig(settings, 'index.html')
  const shared = shareTags(process.env.VITE_PAGE_URL)
  const page = join(pages, 'index.html')
  const firstPaint = [prerender(page, () => prerenderConfig(settings)), stylesFirst(), fetchedEarly(page)]
  return {
    ...config,
    plugins: [...(config.plugins ?? []), ...firstPaint, shared, replayerBeside(settings)],
  }
}

/** Renders the page in Node, with what is built into it. */
function prerenderConfig({ addresses, door = false }: BuildSettings): UserConfig {
  return { ...shared({ addresses, door, watch: () => [] }), plugins: [react()] }
}

function pageConfig({ outDir, addresses, door = false, watch = () => [] }: BuildSettings, page: string): UserConfig {
  return {
    ...shared({ addresses, door, watch }),
    plugins: [
      react(),
      sampleModule(),
      stylesChecked(join(pages, 'page/integrity/published.ts')),
      integrity(join(pages, 'public')),
      watch(),
    ],
    build: {
      ...output,
      outDir,
      emptyOutDir: true,
      rolldownOptions: { input: join(pages, page), output: modelTogether },
    },
  }
}

/**
 * Builds the replayer after the page, in a build of its own. In one build the two would share chunks, and a visitor would load
 * every check and definition that only a replay uses.
 */
function replayerBeside(settings: BuildSettings): Plugin {
  let page: ResolvedConfig
  return {
    name: 'replayer-beside',
    apply: 'build',
    configResolved(config) {
      page = config
    },
    async writeBundle() {
      // The bench builds other pages with these settings: those alone
      if (page.root !== pages) return
      // It is in no budget of the page: visitors of the page do not load it
      const config = pageConfig({ ...settings, watch: undefined }, 'replayer.html')
      const beside = { ...config.build, emptyOutDir: false, copyPublicDir: false, assetsDir: replayerFolder }
      const plugins = [...(config.plugins ?? []), callsNobody()]
      await build({ ...config, plugins, logLevel: page.logLevel ?? 'info', build: beside })
    },
  }
}

/** The replayer may connect to nothing, even where the headers let the page connect. */
function callsNobody(): Plugin {
  const content = "connect-src 'none'"
  return {
    name: 'calls-nobody',
    transformIndexHtml: () => [
      { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content }, injectTo: 'head-prepend' },
    ],
  }
}

/** The sample recording as a module: packed and in base64, because the replayer may fetch nothing. */
function sampleModule(): Plugin {
  const id = 'virtual:sample-recording'
  return {
    name: 'sample-recording',
    resolveId: source => (source === id ? `\0${id}` : null),
    load(source) {
      if (source !== `\0${id}`) return null
      const packed = gzipSync(readFileSync(join(root, 'tests/replay/recordings', sampleName)), { level: 9 })
      return `export default ${JSON.stringify(packed.toString('base64'))}`
    },
  }
}

/** The modal for any host page: one module whose chunks carry the `bundle` name, in a folder of its own. */
export function embedConfig({ outDir, addresses, door = false, watch = () => [] }: BuildSettings): UserConfig {
  const base = shared({ addresses, door, watch })
  const chunk = '[name].[hash].bundle.js'
  return {
    ...base,
    define: { ...base.define, 'import.meta.env.VITE_EMBED_PARTS': JSON.stringify(listMark) },
    plugins: [react(), checkedParts(), watch()],
    publicDir: false,
    worker: {
      ...base.worker,
      rolldownOptions: { output: { ...workerOutput, entryFileNames: chunk, chunkFileNames: chunk } },
    },
    build: {
      ...output,
      outDir,
      emptyOutDir: true,
      // Each part's hash is checked before its import; a preload would fetch it unchecked
      modulePreload: false,
      rolldownOptions: {
        input: { embed: join(pages, 'embed.ts') },
        // The hash in a host's tag covers this file alone, so it holds every module of the start
        preserveEntrySignatures: 'allow-extension',
        output: {
          ...runtimeTogether,
          entryFileNames: 'embed.js',
          chunkFileNames: chunk,
          assetFileNames: '[name].[hash][extname]',
        },
      },
    },
  }
}

/**
 * The classic script beside `embed.js`: one file.
 *
 * @param hash of `embed.js`, SHA-256 as in an `integrity` attribute
 */
export function classicConfig({ outDir, addresses, watch = () => [] }: BuildSettings, hash: string): UserConfig {
  const base = shared({ addresses, door: false, watch })
  return {
    ...base,
    define: { ...base.define, 'import.meta.env.VITE_EMBED_HASH': JSON.stringify(hash) },
    plugins: [watch()],
    publicDir: false,
    build: {
      ...output,
      outDir,
      emptyOutDir: false,
      rolldownOptions: {
        input: { 'mai-modal': join(pages, 'package/classic.ts') },
        output: { format: 'iife', entryFileNames: '[name].js' },
      },
    },
  }
}

const packageFiles = { entryFileNames: '[name].js', chunkFileNames: '[name].[hash].js' }
/** Left to the host, so that its page has one React. */
const hostsOwn = ['react', 'react-dom', 'react-dom/client', 'react/jsx-runtime']
const workerMark = /(["'`])@@worker@@(\w+)\1/g

/**
 * The package for pages that a bundler builds: modules of the page, and modules of the workers, whose chunks the host's bundler
 * finds by `new URL(…, import.meta.url)`. The host's build publishes all of them, so no list of hashes is in them.
 */
export function packageConfigs({ outDir, addresses, watch = () => [] }: BuildSettings): UserConfig[] {
  const base = shared({ addresses, door: false, watch, isBuilt: false })
  const define = { ...base.define, 'process.env.NODE_ENV': '"production"' }
  const common = { ...base, define, publicDir: false as const }
  const build = { ...output, minify: false, emptyOutDir: true }
  const lib = (...files: string[]) => ({
    entry: Object.fromEntries(files.map(file => [basename(file).replace(/\..*/, ''), join(pages, file)])),
    formats: ['es' as const],
  })
  return [
    {
      ...common,
      plugins: [react(), packageWorkers(), watch()],
      build: {
        ...build,
        outDir,
        lib: lib('package/index.ts', 'package/react.tsx', 'package/vite.ts'),
        rolldownOptions: {
          external: hostsOwn,
          output: {
            ...packageFiles,
            codeSplitting: packageTogether,
            banner: ({ name }) => (name === 'react' ? "'use client'" : ''),
          },
        },
      },
    },
    // One by one, so that no worker's entry imports anything
    ...['package/core.ts', 'page/redaction/redactor.ts'].map(entry => ({
      ...common,
      plugins: [curvesApart(), watch()],
      build: {
        ...build,
        emptyOutDir: false,
        outDir: join(outDir, 'worker'),
        lib: lib(entry),
        rolldownOptions: { output: packageFiles },
      },
    })),
  ]
}

/** Gives the package its own form of `page/workers.ts`, and each worker its address. */
function packageWorkers(): Plugin {
  return {
    name: 'package-workers',
    enforce: 'pre',
    resolveId: source => (/(?:^|\/)workers\.ts$/.test(source) ? join(pages, 'package/workers.ts') : null),
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle))
          if (file.type === 'chunk')
            file.code = file.code.replace(workerMark, "new URL('./worker/$2.js', import.meta.url)")
      },
    },
  }
}

/** The development server: same headers but for its nonce and socket. */
export function devConfig({ addresses, plugins = [] }: { addresses: Addresses; plugins?: PluginOption[] }): UserConfig {
  return {
    ...shared({ addresses, door: false, watch: () => [], isBuilt: false }),
    base: '/',
    plugins: [react(), sampleModule(), ...plugins],
    html: { cspNonce: devNonce },
    optimizeDeps: { include: lateDependencies, entries: ['*.html', '../worker/worker.ts'] },
    server: { host: '127.0.0.1', headers: devHeaders(addresses), fs: { allow: [root] } },
  }
}

export default defineConfig(({ command, mode }) => {
  const addresses = addressesFrom(root, mode)
  // A direct build would skip budgets and gates
  if (command === 'build')
    throw new Error('expected npm run build, which checks budgets and gates before it writes dist')
  return devConfig({ addresses })
})
