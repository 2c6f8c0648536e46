/** The galleries of modal and page as built pages, so that a state is on show within a few milliseconds. */
import react from '@vitejs/plugin-react'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, preview } from 'vite'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const modalPage = 'tests/ui/modal-gallery.html'
const salePage = 'tests/ui/page-gallery.html'

/** Builds and serves the galleries. @returns the addresses of the modal's and of the page's, and what ends them */
export async function serveGallery(): Promise<{ url: string; pageUrl: string; close: () => Promise<void> }> {
  const outDir = mkdtempSync(join(tmpdir(), 'mai-gallery-'))
  const shared = { root, configFile: false as const, logLevel: 'error' as const }
  await build({
    ...shared,
    plugins: [react()],
    build: {
      outDir,
      reportCompressedSize: false,
      rolldownOptions: { input: [join(root, modalPage), join(root, salePage)] },
    },
  })
  const server = await preview({ ...shared, build: { outDir }, preview: { host: '127.0.0.1', port: 0 } })
  const [address] = server.resolvedUrls?.local ?? []
  return {
    url: `${address}${modalPage}`,
    pageUrl: `${address}${salePage}`,
    close: async () => {
      await server.close()
      rmSync(outDir, { recursive: true, force: true })
    },
  }
}
