/** The modal in hosts' pages, in engines other than Chromium. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { liveInStrangeHost, reactFiles, reactHost, serveHost, serveStrangeHost } from '../journeys/strangeHost.ts'
import { engines, expect, installedQuill, test as base } from './fixtures.ts'
import { on, press, type Tab, until } from './tab.ts'
import { hostUnderPolicy, plainHost } from './variant.ts'
import { watch, wrongIn } from './visitor.ts'

const test = base.extend<{ installed: string }>({
  installed: async ({ stack }, provide, { testId }) => {
    await provide(await installedQuill(stack, testId))
  },
})

const status = (tab: Tab, wanted: string) =>
  until(tab, wanted, one => window.modal?.getAccount().status === one, wanted)

/** Connects Quill in the host's modal. @returns the account's address */
async function connect(tab: Tab): Promise<string | undefined> {
  await tab.run(watch)
  await status(tab, 'disconnected')
  await tab.run(() => void window.modal.open())
  await press(tab, `${on('wallet-row')}[data-wallet="Quill"]`)
  await press(tab, on('confirm-approve'))
  await status(tab, 'connected')
  expect(await wrongIn(tab)).toEqual([])
  return addressIn(tab)
}

const addressIn = (tab: Tab) => tab.run(() => window.modal.getAccount().address)

async function disconnect(tab: Tab): Promise<void> {
  await tab.run(() => void window.modal.disconnect())
  await status(tab, 'disconnected')
}

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
      await tab.open(hostUnderPolicy(published, 'host-strict', plainHost(), { '/host-quill.js': installed }))
      const address = await connect(tab)
      await tab.reload()
      await status(tab, 'connected')
      await tab.open(published.url)
      await tab.back()
      await status(tab, 'connected')
      expect(await addressIn(tab)).toBe(address)
      await disconnect(tab)
    })

    test('a host of React in strict mode, under a strict policy and Trusted Types: connect, reload, disconnect', async ({
      published,
      tab,
      installed,
    }) => {
      const script = reactHost('/embed/embed.js')
      const files = { '/host-quill.js': installed, ...reactFiles() }
      await tab.open(hostUnderPolicy(published, 'host-react', script, files))
      await until(tab, 'two modals, one after the other', () => window.host?.created === 2)
      const address = await connect(tab)
      const heard = () =>
        until(tab, 'the host to hear the account', () => document.querySelector('output')?.textContent)
      expect(await heard()).toBe(address)
      await tab.reload()
      expect(await heard()).toBe(address)
      await disconnect(tab)
    })

    test('from a CDN, out of a bundler or without locks it says why it does not start; under a policy without workers the modal does @long', async ({
      published,
      tab,
    }) => {
      const dir = join(published.dir, 'embed')
      const start = (address: string) => `
        const told = sentence => Object.assign(window, { told: sentence })
        import('${address}')
          .then(async ({ createModal }) => {
            const metadata = { name: 'Host', description: '', url: location.origin, icons: [] }
            window.modal = createModal({ projectId: '00000000000000000000000000000001', metadata })
            await window.modal.ready()
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
