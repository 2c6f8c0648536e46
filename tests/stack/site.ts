/**
 * The production build for journeys: built for the addresses of one stack, with the test door, served with production headers.
 */
import { spawn } from 'node:child_process'
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Addresses } from '../../scripts/addresses.ts'
import { headersFile } from '../../scripts/build.ts'
import { productionHeaders } from '../../scripts/headers.ts'
import { importMapHashes } from '../../scripts/integrity.ts'
import { serveSite } from '../../scripts/preview.ts'
import { retarget } from './retarget.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

export type JourneySite = {
  url: string
  /** The folder that is served. */
  dir: string
  close(): Promise<void>
}

/** Environment variables: folder of the run's shared build with the test door, and of the one that is like the published version. */
const sharedVariable = 'MAI_SHARED_SITE'
export const publishedVariable = 'MAI_PUBLISHED_SITE'

/** Addresses of the shared builds, each replaced by a stack's own. */
export const standIns: Addresses = {
  VITE_PROJECT_ID: '00000000000000000000000000000001',
  VITE_RELAY_URL: 'ws://127.0.0.1:10001',
  VITE_SOLANA_RPC_URL: 'http://127.0.0.1:10002',
  VITE_SOLANA_WS_URL: '',
  VITE_API_URL: 'http://127.0.0.1:10003',
  VITE_CONFIG_URL: 'http://127.0.0.1:10004',
  VITE_TERMS_URL: 'http://127.0.0.1:10005/terms.json',
  VITE_SALE_AUTHORITY: '6NHBtZjnVhcsp6P4USe7icFZVBtxHsjTLbAWDutvcad3',
  VITE_SALE_ID: 'stand-in-sale',
  VITE_SALE_GUARD: '',
  VITE_VERIFY_URL: 'http://127.0.0.1:10006',
  VITE_ANALYTICS_URL: '',
}

/**
 * Builds the site with the test door once for all workers of a run: `startSite` finds it by the environment. A new folder each
 * run, so that no build outlives its sources.
 *
 * @returns removes the build
 */
export async function shareSite(): Promise<() => Promise<void>> {
  const dir = await mkdtemp(join(tmpdir(), 'mai-shared-site-'))
  const remove = () => rm(dir, { recursive: true, force: true })
  try {
    await build(dir, standIns, true)
  } catch (problem) {
    await remove()
    throw problem
  }
  process.env[sharedVariable] = dir
  return remove
}

/**
 * Fills a temporary folder and serves it on a free port: with the run's shared build, else with one of its own, about 3 s.
 *
 * @param options.door false takes exactly the published version
 * @throws Error with the build's own output when it fails
 */
export async function startSite({
  addresses,
  door = true,
}: {
  addresses: Addresses
  door?: boolean
}): Promise<JourneySite> {
  const dir = await mkdtemp(join(tmpdir(), 'mai-site-'))
  try {
    const shared = process.env[door ? sharedVariable : publishedVariable]
    await (shared ? copyShared(shared, dir, addresses) : build(dir, addresses, door))
    const site = await serveSite({ dir, port: 0 })
    const close = async () => {
      await site.close()
      await rm(dir, { recursive: true, force: true })
    }
    return { url: site.url, dir, close }
  } catch (problem) {
    await rm(dir, { recursive: true, force: true })
    throw problem
  }
}

/** Copies the shared build and gives it a stack's addresses. The headers hold origins, so they are written anew. */
async function copyShared(shared: string, dir: string, addresses: Addresses): Promise<void> {
  await cp(shared, dir, { recursive: true })
  await rm(join(dir, headersFile))
  const names = Object.keys(standIns) as (keyof Addresses)[]
  retarget(
    dir,
    names.flatMap(name => (standIns[name] === addresses[name] ? [] : [[standIns[name], addresses[name]] as const])),
  )
  const pages = (await readdir(dir)).filter(name => name.endsWith('.html'))
  const headers = productionHeaders({ addresses, https: true, inline: importMapHashes(dir, pages) })
  await writeFile(join(dir, headersFile), JSON.stringify(headers))
}

/** In a child process: the bundler changes the process's React and retains much memory. */
function build(dir: string, addresses: Addresses, door: boolean): Promise<void> {
  const args = ['--import', 'tsx', 'scripts/build.ts', '--quiet', '--out', dir, ...(door ? ['--door'] : [])]
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...addresses },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk))
  child.stderr.on('data', (chunk: Buffer) => (said += chunk))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', code =>
      code === 0 ? resolve() : reject(new Error(`the build ended with code ${code}: ${said}`)),
    )
  })
}
