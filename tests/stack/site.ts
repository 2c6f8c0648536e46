/**
 * The production build for journeys: built for the addresses of one stack, with the test door, served with production headers.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Addresses } from '../../scripts/addresses.ts'
import { serveSite } from '../../scripts/preview.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

export type JourneySite = {
  url: string
  /** The folder that is served. */
  dir: string
  close(): Promise<void>
}

/**
 * Builds into a temporary folder and serves it on a free port; about 3 s.
 *
 * @param options.door false builds exactly the published version
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
    await build(dir, addresses, door)
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
