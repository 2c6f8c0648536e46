/** The modal in hosts' pages, in engines other than Chromium. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { liveInStrangeHost, serveHost, serveStrangeHost } from '../journeys/strangeHost.ts'
import { engines, expect, installedQuill, test as base } from './fixtures.ts'
import { on, press, type Tab, until } from './tab.ts'
import { watch, wrongIn } from './visitor.ts'

const test = base.extend<{ installed: string }>({
  installed: async ({ stack }, provide, { testId }) => {
    await provide(await installedQuill(stack, testId))
  },
})

const status = (tab: Tab, wanted: string) =>
  until(tab, wanted, one => window.modal?.getAccount().status === one, wanted)

for (const engine of engines) {
  test.describe(engine, () => {
    test.use({ engine })

    test('a host with React 18 in strict mode, its own globals, styles, direction and folder keeps them, and the modal works @long', async ({
      published,
      tab,
      installed,
    }) => {
      const host = await serveStrangeHost(join(published.dir, 'embed'), installed)
      await liveInStrangeHost(tab, `${host.url}/`).finally(host.close)
    })

    test('a host with a strict policy and Trusted Types: connect, reload, back and forward, disconnect @long', async ({
      published,
      tab,
      installed,
    }) => {
      const write = (name: string, text: string) => writeFileSync(join(published.dir, name), text)
      write('host-quill.js', installed)
      write(
        'host-strict.js',
        `import { createModal } from '/embed/embed.js'
        const metadata = { name: 'Host', description: '', url: location.origin, icons: [] }
        window.modal = createModal({ projectId: '00000000000000000000000000000001', metadata })`,
      )
      write(
        'host-strict.html',
        '<!doctype html><title>Host</title><script src="/host-quill.js"></script><script type="module" src="/host-strict.js"></script><h1>Host</h1>',
      )
      await tab.open(`${published.url}host-strict.html`)
      await tab.run(watch)
      await status(tab, 'disconnected')
      await tab.run(() => void window.modal.open())
      await press(tab, `${on('wallet-row')}[data-wallet="Quill"]`)
      await press(tab, on('confirm-approve'))
      await status(tab, 'connected')
      const address = await tab.run(() => window.modal.getAccount().address)
      expect(await wrongIn(tab)).toEqual([])
      await tab.reload()
      await status(tab, 'connected')
      await tab.open(published.url)
      await tab.back()
      await status(tab, 'connected')
      expect(await tab.run(() => window.modal.getAccount().address)).toBe(address)
      await tab.run(() => void window.modal.disconnect())
      await status(tab, 'disconnected')
    })

    test('from a CDN, out of a bundler or without locks it says why it does not start; under a policy without workers the modal does @long', async ({
      published,
      tab,
    }) => {
      const dir = join(published.dir, 'embed')
      const start = (address: string) => `
        const told = sentence => Object.assign(window, { told: sentence })
        import('${address}')
          .then(({ createModal }) => {
            const metadata = { name: 'Host', description: '', url: location.origin, icons: [] }
            window.modal = createModal({ projectId: '00000000000000000000000000000001', metadata })
            told('started')
          })
          .catch(({ message }) => told(message))`
      const embed = readFileSync(join(dir, 'embed.js'), 'utf8')
      const cdn = await serveHost(dir, {})
      const host = await serveHost(dir, {
        '/assets/index-abc.js': embed,
        '/cdn': `<script>${start(`${cdn.url}/shop/static/v3/mai/embed.js`)}</script>`,
        '/bundled': `<script>${start('/assets/index-abc.js')}</script>`,
        '/no-locks': `<script>delete Navigator.prototype.locks; ${start('/shop/static/v3/mai/embed.js')}</script>`,
        '/no-workers': `<meta http-equiv="Content-Security-Policy" content="worker-src 'none'">
          <script>${start('/shop/static/v3/mai/embed.js')}</script>`,
      })
      const told = async (path: string) => {
        await tab.open(host.url + path)
        return until(tab, 'its outcome', () => (window as unknown as { told?: string }).told)
      }
      try {
        expect(await told('/cdn')).toContain(`it came from ${cdn.url}: copy the`)
        expect(await told('/bundled')).toContain('a bundler moved it into another file: serve the folder')
        expect(await told('/no-locks')).toContain('this one is too old')
        expect(await tab.run(() => document.querySelectorAll('mai-modal').length)).toBe(0)
        expect(await told('/no-workers')).toBe('started')
        await tab.run(() => void window.modal.open())
        await until(tab, 'the sentence', () =>
          document
            .querySelector('mai-modal')
            ?.shadowRoot?.textContent?.includes('This browser does not let this page work in the background.'),
        )
      } finally {
        await host.close()
        await cdn.close()
      }
    })
  })
}
