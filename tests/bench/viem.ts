/** viem, beside which the bench reads. Most of its 12,741 files would lie in every install, and nothing else needs them. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

type Client = {
  request(call: { method: string; params: unknown }): Promise<unknown>
  getBlockNumber(): Promise<bigint>
}
/** The part of viem that the bench uses. */
type Viem = {
  createPublicClient(settings: { transport: unknown; cacheTime?: number }): Client
  http(url: string, settings: { batch: { batchSize: number } }): unknown
  custom(provider: { request(): Promise<unknown> }): unknown
}

/** Installs viem when it is first needed, in its pinned version, beside the other caches. */
export async function installedViem(): Promise<Viem> {
  const folder = join(import.meta.dirname, '../../node_modules/.cache/bench-viem')
  const entry = join(folder, 'node_modules/viem/_esm/index.js')
  if (!existsSync(entry)) {
    cpSync(join(import.meta.dirname, 'viem'), folder, { recursive: true })
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder })
  }
  return (await import(pathToFileURL(entry).href)) as Viem
}
