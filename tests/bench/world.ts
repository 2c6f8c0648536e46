/** Resources shared by the parts of a run, each created on first use: stack, builds, browser, one real purchase. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium } from 'playwright'
import type { Graph } from '../../scripts/budget.ts'
import { serveSite } from '../../scripts/preview.ts'
import { savedBrowser } from '../../scripts/savedBrowser.ts'
import { startStack } from '../stack/start.ts'
import { type BuildOptions, buildBenchPages, buildPublished, buildSteered, root } from './builds.ts'
import { type Purchase, purchaseOnce } from './purchase.ts'

export type World = ReturnType<typeof createWorld>

/** Creates an empty world; nothing starts before its first use. */
export function createWorld() {
  const endings: (() => unknown)[] = []
  const ended = <T>(value: T, end: () => unknown): T => {
    endings.push(end)
    return value
  }

  const folder = once(async () => {
    const path = await mkdtemp(join(tmpdir(), 'mai-bench-'))
    return ended(path, () => rm(path, { recursive: true, force: true }))
  })
  const stack = once(async () => {
    const cacheDir = join(root, 'node_modules/.cache/wallet-page')
    const started = await startStack({ clock: 'real', seed: 'bench', cacheDir })
    return ended(started, () => started.close())
  })
  const served = async <T>(name: string, build: (options: BuildOptions) => Promise<T>) => {
    const outDir = join(await folder(), name)
    const built = await build({ outDir, addresses: (await stack()).addresses })
    const site = await serveSite({ dir: outDir, port: 0 })
    return ended({ url: site.url, built }, () => site.close())
  }
  const published = once((): Promise<{ url: string; built: Graph }> => served('published', buildPublished))
  const launching = (...flags: string[]) => {
    const executablePath = savedBrowser()
    return {
      headless: true,
      ...(executablePath ? { executablePath } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--font-render-hinting=none',
        ...flags,
      ],
    }
  }
  const browser = once(async (): Promise<Browser> => {
    const started = await chromium.launch(launching())
    return ended(started, () => started.close())
  })

  return {
    folder,
    stack,
    browser,
    /** Interprets scripts: a page's heap holds no code that the engine compiled meanwhile. */
    interpreter: once(async (): Promise<Browser> => {
      const started = await chromium.launch(launching('--js-flags=--no-opt --no-maglev --no-sparkplug'))
      return ended(started, () => started.close())
    }),
    /** A browser with storage on disk, like a visitor's; the contexts of the other are private. */
    profile: once(async (): Promise<BrowserContext> => {
      const started = await chromium.launchPersistentContext(join(await folder(), 'profile'), launching())
      return ended(started, () => started.close())
    }),
    published,
    steered: once(() => served('steered', buildSteered)),
    benchPages: once(() => served('bench', buildBenchPages)),
    purchase: once(
      async (): Promise<Purchase> =>
        purchaseOnce({
          browser: await browser(),
          stack: await stack(),
          url: (await published()).url,
          toTheEnd: true,
        }),
    ),
    /** Ends everything, newest first. */
    async close(): Promise<void> {
      for (const end of endings.splice(0).reverse()) await Promise.resolve(end()).catch(() => undefined)
    },
  }
}

/** Memoises: creates a value at the first call and returns it ever after. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
