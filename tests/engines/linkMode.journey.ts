/**
 * Messages in a wallet's own link, in the engine that blocks the window which a script opens for it. The wallet is the official
 * kit, its app a page of this device.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openChannel } from '../interop/channel.ts'
import { asked } from '../journeys/hosting.ts'
import { startAuthWallet } from '../stack/wallet/authWallet.ts'
import { engines, expect, test as base } from './fixtures.ts'
import { on, press, type Tab, until } from './tab.ts'
import { hostUnderPolicy, plainHost } from './variant.ts'
import { factsIn, savedRecording } from './visitor.ts'

type App = { address: string; hear(listener: (url: string) => void): void }

const test = base.extend<{ app: App }>({
  /** The wallet's app on this device: hears of each link that is opened. */
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what is wanted from this pattern
  app: async ({}, provide) => {
    let tell = (_url: string): void => undefined
    const server = createServer(({ url = '/', headers }, response) => {
      if (url.startsWith('/app?')) tell(`http://${headers.host}${url}`)
      response.end('Wallet')
    })
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/app`
    await provide({ address, hear: listener => (tell = listener) })
    server.closeAllConnections()
    await new Promise(done => server.close(done))
  },
})

/** Facts about messages in links: which the page could not open, and which the wallet's app took. */
const aboutLinks = /^(link\.(opened|skipped)|outbox\.taken)$/

/** A browser that does not report whether a press counts: the page tries each link, and the engine decides. Notes what it did. */
const unaware = `
  Object.defineProperty(navigator, 'userActivation', { get: () => undefined })
  const { open } = window
  window.tried = []
  window.open = (...args) => {
    const opened = open.apply(window, args)
    window.tried.push(opened === null ? 'blocked' : 'opened')
    return opened
  }`
const tried = (tab: Tab) => tab.run(() => (window as unknown as { tried: string[] }).tried)

/** The link that the modal offers instead. */
const offered = (tab: Tab) =>
  until(
    tab,
    'the link',
    css => {
      const link = document.querySelector('mai-modal')?.shadowRoot?.querySelector<HTMLAnchorElement>(css)
      return link?.checkVisibility() && `${link.textContent} ${link.target} ${link.href}`
    },
    on('open-wallet'),
  )

// Firefox opens it: there a press of the last seconds counts in a script that answers a worker
if (engines.includes('WebKit')) {
  test.describe('WebKit', () => {
    test.use({ engine: 'WebKit' })

    test('a message in a link that the engine blocks counts as not sent, and goes by the link that the card offers @long', async ({
      published,
      stack,
      tab,
      app,
    }) => {
      const universalLink = `${published.url}host-links.html`
      const toPage = (url: string) => void tab.run(link => window.modal.receiveLink(link), url)
      const channel = openChannel('none', toPage)
      app.hear(channel.toWallet)
      const wallet = await startAuthWallet({
        relayUrl: stack.addresses.VITE_RELAY_URL,
        projectId: stack.addresses.VITE_PROJECT_ID,
        secretKey: new Uint8Array(32).fill(34),
        redirect: { universal: app.address, linkMode: true },
      })
      const opened = () => channel.opened.map(({ by }) => by)
      try {
        const walletConnect = { universalLink, linkModeApps: [app.address] }
        const wish = JSON.stringify({ ...asked, walletLink: app.address })
        const script = `${unaware}
          ${plainHost({ recording: 'SHOW', walletConnect })}
          const button = Object.assign(document.createElement('button'), { id: 'sign-in', textContent: 'Sign in' })
          button.onclick = () => void window.modal.signIn(${wish}).then(
            ({ accounts }) => { window.outcome = accounts.join() },
            ({ code }) => { window.outcome = code },
          )
          document.body.append(button)`
        await tab.open(hostUnderPolicy(published, 'host-links', script))
        const outcome = () => until(tab, 'an outcome', () => (window as unknown as { outcome?: string }).outcome)

        await press(tab, '#sign-in')
        expect(await offered(tab)).toContain(`Open wallet _blank ${app.address}?wc_ev=`)
        expect([await tried(tab), await tab.windows(), opened()]).toEqual([['blocked'], 1, []])
        await press(tab, on('open-wallet'))
        expect(await outcome()).toBe(`eip155:1:${wallet.address}`)
        expect([await tab.windows(), opened()]).toEqual([2, ['page', 'wallet']])
        await tab.closeOthers()

        // A host's request, which no press began
        await tab.run(account => {
          Object.assign(window, { outcome: undefined })
          const heard = (outcome: string) => Object.assign(window, { outcome })
          const request = { method: 'personal_sign', params: ['0x68656c6c6f', account] }
          window.modal
            .provider()
            .then(provider => provider.request(request, 'eip155:1'))
            .then(
              signature => heard(String(signature)),
              ({ code }: { code: string }) => heard(code),
            )
        }, wallet.address)
        expect(await offered(tab)).toContain(`Open wallet _blank ${app.address}?wc_ev=`)
        expect([await tried(tab), await tab.windows()]).toEqual([['blocked', 'blocked'], 1])
        await press(tab, on('open-wallet'))
        expect(await outcome()).toMatch(/^0x[0-9a-f]{130}$/)
        expect(opened()).toEqual(['page', 'wallet', 'page', 'wallet'])
        const facts = ['link.skipped noPress', 'outbox.taken']
        await tab.closeOthers()
        await tab.run(() => void window.modal.open('Connect'))
        expect(await factsIn(await savedRecording(tab), aboutLinks)).toEqual([...facts, ...facts])
      } finally {
        await wallet.close()
        channel.close()
      }
    })
  })
}
