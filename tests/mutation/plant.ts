/** Plants one fault in a copy: bundles the trial with the changed file in place of the real one, which stays untouched. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'
import type { Mutant } from './mutant.ts'

/** @throws Error when `find` does not occur in the file exactly once */
export function changed(source: string, { file, find, replace, what }: Mutant): string {
  const count = source.split(find).length - 1
  if (count !== 1)
    throw new Error(`${file}: "${what}" expected its text once, got it ${count} times: ${JSON.stringify(find)}`)
  return source.replace(find, () => replace)
}

/**
 * Bundles the trial into one file.
 *
 * @param into path of the bundle
 * @returns false when the trial does not import the mutant's file, so that nothing was planted
 */
export async function plant(root: string, mutant: Mutant | undefined, into: string): Promise<boolean> {
  const path = mutant && join(root, mutant.file)
  const source = mutant && path ? changed(readFileSync(path, 'utf8'), mutant) : undefined
  let isPlanted = mutant === undefined
  const planting: Plugin = {
    name: 'plant',
    enforce: 'pre',
    load(id) {
      if (id !== path || source === undefined) return undefined
      isPlanted = true
      return source
    },
  }
  const built = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [planting],
    ssr: { noExternal: true },
    build: {
      ssr: join(root, 'tests/mutation/trial.ts'),
      write: false,
      target: 'node20',
      minify: false,
      // The journal's late parts are of the same bundle
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })
  const outputs = (Array.isArray(built) ? built : [built]) as Rolldown.RolldownOutput[]
  const chunks = outputs.flatMap(({ output }) => output).filter(one => one.type === 'chunk')
  const [chunk] = chunks
  if (!chunk || chunks.length !== 1) throw new Error(`the trial expected to be one file, got ${chunks.length}`)
  writeFileSync(into, chunk.code)
  return isPlanted
}
