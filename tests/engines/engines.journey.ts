/** A visitor's way through the published build, in engines other than Chromium. */
import { payments } from '../journeys/buying.ts'
import { timesAsked } from '../journeys/pocket.ts'
import { engines, expect, test } from './fixtures.ts'
import { on, press, until } from './tab.ts'
import { variantOf, withheld } from './variant.ts'
import {
  connectByCode,
  connectByLink,
  connected,
  draft,
  harm,
  linkFacts,
  narrow,
  pay,
  phase,
  replay,
  savedRecording,
  textOf,
  watch,
  wrongIn,
} from './visitor.ts'

for (const engine of engines) {
  test.describe(engine, () => {
    // WebKit is the engine of every iPhone; `phone.journey.ts` runs both engines at 390 px
    test.use({ engine, device: engine === 'WebKit' ? 'phone' : 'desktop' })

    test('a visitor connects by code, buys in the tab that takes the lead though its worker is killed and the next one frozen, reloads, and the recording repeats it', async ({
      published,
      stack,
      tab,
      wallet,
    }) => {
      await tab.open(published.url)
      const account = await connectByCode(tab, wallet)
      await tab.another()
      await tab.open(published.url)
      await tab.run(watch)
      expect(await connected(tab)).toBe(account)
      await tab.closeOthers()
      await draft(tab, stack, account)
      if (engine === 'WebKit') await narrow(tab)
      await pay(tab, stack, wallet, async () => {
        await harm(tab, 'killed')
        await harm(tab, 'frozen')
      })
      expect(payments(stack, account)).toMatchObject([{ asset: 'SOL', units: 2_000_000_000n }])
      expect(await timesAsked(wallet)).toBe(1)
      expect(await wrongIn(tab)).toEqual([])

      await tab.reload()
      await tab.run(watch)
      expect(await connected(tab)).toBe(account)
      await phase(tab, 'finalised')
      const recording = await savedRecording(tab)
      expect(await wrongIn(tab)).toEqual([])
      await replay(tab, published.url, recording)
      // WebKit takes a preload of any bytes
      if (engine === 'Firefox') expect(await preloadsOfReader()).toEqual(['false error', 'true load'])

      /** Outcomes of two preloads of the replayer's worker, with its hash and with another. The replayer is open. */
      async function preloadsOfReader(): Promise<string[]> {
        await tab.run(() => {
          const map = document.querySelector('script[type="importmap"]')?.textContent ?? '{}'
          const { integrity = {} } = JSON.parse(map) as { integrity?: Record<string, string> }
          const [path = '', hash = ''] = Object.entries(integrity).find(([one]) => one.includes('replayReader')) ?? []
          const heard: string[] = []
          Object.assign(window, { heard })
          // An engine remembers a refused script under its address
          for (const [href, integrityOf] of [
            [path, hash],
            [`${path}?altered`, `${hash.slice(0, -3)}AA=`],
          ] as const) {
            const link = Object.assign(document.createElement('link'), { rel: 'modulepreload', integrity: integrityOf })
            link.onload = () => heard.push(`${integrityOf === hash} load`)
            link.onerror = () => heard.push(`${integrityOf === hash} error`)
            document.head.append(Object.assign(link, { crossOrigin: '', href }))
          }
        })
        const heard = await until(tab, 'two answers', () => {
          const { heard: all } = window as unknown as { heard: string[] }
          return all.length === 2 && all
        })
        return [...(heard as string[])].sort()
      }
    })
  })
}

for (const engine of engines) {
  test.describe(engine, () => {
    test.use({ engine, device: 'phone' })

    // WebKit opens no window for a script that answers a worker, so there the card has a link
    const opens = engine === 'Firefox' ? 'link.opened' : 'link.skipped noPress'
    test(`a wallet is connected and opened by its link at 390 px, without curves of the browser, and the log says so @long`, async ({
      published,
      stack,
      tab,
      wallet,
    }) => {
      await tab.open(variantOf(published, 'no-curves', withheld['no-curves']))
      const account = await connectByLink(tab, wallet, 'Copper Envelope')
      await draft(tab, stack, account)
      await narrow(tab)
      await pay(tab, stack, wallet, async () => {
        if (engine === 'WebKit') {
          const link = on('open-wallet')
          await until(tab, 'the link', css => document.querySelector(css)?.getAttribute('href'), link)
          expect(await tab.windows()).toBe(1)
          await narrow(tab)
          await press(tab, link)
        }
        await expect.poll(() => tab.windows()).toBe(2)
        // Back from the wallet
        await tab.closeOthers()
      })
      await narrow(tab)
      expect(await linkFacts(await savedRecording(tab))).toEqual(['link.chosen', opens])
    })
  })
}

if (engines.includes('Firefox')) {
  test.describe('Firefox', () => {
    test.use({ engine: 'Firefox', prefs: { 'network.cookie.cookieBehavior': 2 } })

    test('Firefox with site data blocked: the page shows the sale and says that nothing is kept @long', async ({
      published,
      tab,
    }) => {
      await tab.open(published.url)
      await textOf(tab, '#buy', 'This browser cannot keep a record.')
      await textOf(tab, 'body', 'Nothing is saved on this device')
    })
  })
}
