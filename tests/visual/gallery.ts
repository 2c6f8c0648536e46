/** The galleries of modal and page as built pages, so that a state is on show within a few milliseconds. Each has styles of its own. */
import react from '@vitejs/plugin-react'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, preview } from 'vite'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const shared = { root, configFile: false as const, logLevel: 'error' as const }
const pageOf = { modal: 'tests/ui/modal-gallery.html', page: 'tests/ui/page-gallery.html' }

/** Builds of this process by gallery: several test files show one. */
const builds = new Map<keyof typeof pageOf, Promise<string>>()

/** @returns the folder of a built gallery, which goes with the process */
function built(of: keyof typeof pageOf): Promise<string> {
  const known = builds.get(of)
  if (known) return known
  const outDir = mkdtempSync(join(tmpdir(), 'mai-gallery-'))
  process.once('exit', () => rmSync(outDir, { recursive: true, force: true }))
  const input = join(root, pageOf[of])
  const options = { outDir, reportCompressedSize: false, rolldownOptions: { input } }
  const made = build({ ...shared, plugins: [react()], build: options }).then(() => outDir)
  builds.set(of, made)
  return made
}

/** Serves a gallery. @returns its address, and what ends it */
export async function serveGallery(
  of: keyof typeof pageOf = 'modal',
): Promise<{ url: string; close: () => Promise<void> }> {
  const outDir = await built(of)
  const server = await preview({ ...shared, build: { outDir }, preview: { host: '127.0.0.1', port: 0 } })
  const [address] = server.resolvedUrls?.local ?? []
  return {
    url: `${address}${pageOf[of]}`,
    close: () => server.close(),
  }
}
