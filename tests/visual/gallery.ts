/** The galleries of modal and page as built pages, so that a state is on show within a few milliseconds. Each has styles of its own. */
import react from '@vitejs/plugin-react'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, preview } from 'vite'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
/** Builds and serves a gallery. @returns its address, and what ends it */
export async function serveGallery(
  of: 'modal' | 'page' = 'modal',
): Promise<{ url: string; close: () => Promise<void> }> {
  const page = `tests/ui/${of}-gallery.html`
  const outDir = mkdtempSync(join(tmpdir(), 'mai-gallery-'))
  const shared = { root, configFile: false as const, logLevel: 'error' as const }
  await build({
    ...shared,
    plugins: [react()],
    build: {
      outDir,
      reportCompressedSize: false,
      rolldownOptions: { input: join(root, page) },
    },
  })
  const server = await preview({ ...shared, build: { outDir }, preview: { host: '127.0.0.1', port: 0 } })
  const [address] = server.resolvedUrls?.local ?? []
  return {
    url: `${address}${page}`,
    close: async () => {
      await server.close()
      rmSync(outDir, { recursive: true, force: true })
    },
  }
}
