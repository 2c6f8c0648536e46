/** Loads modules with one planted fault: the changed source stands in place of the real file, which stays untouched. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServer, createServerModuleRunner } from 'vite'
import { changed, type Mutant } from './mutant.ts'

export type Planting = {
  /**
   * Loads the entry anew with the mutant's file changed, until the next call.
   * @returns the entry's exports; without them when the entry does not import the file, so that nothing was planted
   */
  plant(mutant: Mutant | undefined): Promise<{ entry?: unknown }>
  close(): Promise<void>
}

/**
 * Transforms every module once; a planted fault costs the transformation of its own file.
 *
 * @param entry path from the root
 */
export async function createPlanting(root: string, entry: string): Promise<Planting> {
  let planted: { path: string; source: string } | undefined
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    appType: 'custom',
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, watch: null, hmr: false, ws: false },
    plugins: [
      {
        name: 'plant',
        enforce: 'pre',
        load: id => (id === planted?.path ? planted.source : undefined),
      },
    ],
  })
  const { ssr } = server.environments
  const runner = createServerModuleRunner(ssr, { hmr: false, sourcemapInterceptor: false })
  const path = join(root, entry)
  const modulesOf = (file: string) => [...(ssr.moduleGraph.getModulesByFile(file) ?? [])]
  const forget = (file: string) => {
    for (const module of modulesOf(file)) ssr.moduleGraph.invalidateModule(module)
  }
  await runner.import(path)
  return {
    async plant(mutant) {
      const file = mutant && join(root, mutant.file)
      if (planted) forget(planted.path)
      planted = undefined
      if (file && modulesOf(file).length === 0) return {}
      // Modules that load later belong to the fault, too
      if (mutant && file) planted = { path: file, source: changed(readFileSync(file, 'utf8'), mutant) }
      if (file) forget(file)
      runner.clearCache()
      return { entry: (await runner.import(path)) as unknown }
    },
    close: () => server.close(),
  }
}
