/**
 * A browser that withholds something the page needs: each circumstance of `docs/browsers.md` leads to one true sentence or to
 * one working way, in engines other than Chromium. WebKit's windows are private in all journeys: the driver has no others.
 */
import { writeFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JourneySite } from '../stack/site.ts'
import { engines, expect, test } from './fixtures.ts'
import { variantOf, withheld } from './variant.ts'
import { on } from './tab.ts'
import { connectByCode, connected, textOf, watch, wrongIn } from './visitor.ts'

const tooOld =
  'This browser is too old for this page: please update it, or open the page in a current Chrome, Edge, Firefox or Safari.'

/** The page under a policy that allows no worker. @returns its address */
function withoutWorkers(site: JourneySite): string {
  const policy = `<meta http-equiv="Content-Security-Policy" content="worker-src 'none'">`
  const page = readFileSync(join(site.dir, 'index.html'), 'utf8').replace('<head>', `<head>${policy}`)
  writeFileSync(join(site.dir, 'no-workers.html'), page)
  return `${site.url}no-workers.html`
}

for (const engine of engines) {
  test.describe(engine, () => {
    test.use({ engine })

    test('without module workers or locks it says that the browser is too old, and nothing else @long', async ({
      published,
      tab,
    }) => {
      for (const name of ['no-module-workers', 'no-locks'] as const) {
        await tab.open(variantOf(published, name, withheld[name]))
        await textOf(tab, 'body > [role=alert]', tooOld)
        expect(await tab.run(() => document.body.innerText), name).toBe(tooOld)
      }
    })

    test('where a policy forbids workers it says that the browser keeps it from working in the background @long', async ({
      published,
      tab,
    }) => {
      await tab.open(withoutWorkers(published))
      await textOf(tab, 'body', 'This browser does not let this page work in the background. Another browser may.')
    })

    for (const name of ['no-indexeddb', 'no-storage'] as const) {
      test(`with ${name} it connects in memory, sells nothing and says both @long`, async ({
        published,
        tab,
        wallet,
      }) => {
        await tab.open(variantOf(published, name, withheld[name]))
        await tab.run(watch)
        await connectByCode(tab, wallet)
        await textOf(tab, '#buy', 'This browser cannot keep a record.')
        await textOf(tab, 'body', 'Nothing is saved on this device')
        await textOf(tab, on('buy-button'), 'Buying is off here')
        expect(await wrongIn(tab)).toEqual([])
      })
    }
  })
}

if (engines.includes('Firefox')) {
  test.describe('Firefox', () => {
    test.describe('in a private window', () => {
      test.use({ engine: 'Firefox', prefs: { 'browser.privatebrowsing.autostart': true } })

      test('it connects, and the account is there after a reload @long', async ({ published, tab, wallet }) => {
        await tab.open(published.url)
        const account = await connectByCode(tab, wallet)
        await tab.reload()
        expect(await connected(tab)).toBe(account)
        expect(await tab.run(() => document.body.innerText)).not.toContain('Nothing is saved on this device')
      })
    })

    test.describe('over plain http', () => {
      test.use({ engine: 'Firefox', prefs: { 'network.dns.localDomains': 'sale.example' } })

      test('it asks for https @long', async ({ published, tab }) => {
        await tab.open(published.url.replace('127.0.0.1', 'sale.example'))
        await textOf(tab, 'body > [role=alert]', 'Open this page over https: ')
      })
    })
  })
}
