/** A visitor's way through the published build, in engines other than Chromium. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { payments } from '../journeys/buying.ts'
import { timesAsked } from '../journeys/pocket.ts'
import { type Engine, engines, expect, installedQuill, test } from './fixtures.ts'
import { on, press, type Tab, until } from './tab.ts'
import { variantOf, withheld } from './variant.ts'
import {
  connectByCode,
  connectByLink,
  connected,
  connectInstalled,
  disconnect,
  draft,
  factsIn,
  harm,
  inWallet,
  narrow,
  pay,
  phase,
  replay,
  savedRecording,
  textOf,
  watched,
  wrongIn,
} from './visitor.ts'

/** Another visitor's recording, which each engine re-executes as Node does. */
const another = readFileSync(join(import.meta.dirname, '../replay/recordings/transfers.jsonl'), 'utf8')

// WebKit opens no window for a script that answers a worker, so there the card has a link
const opened: Record<Engine, string> = { Firefox: 'link.opened', WebKit: 'link.skipped noPress' }

/** Opens the wallet by its link, or sees it opened, and comes back. */
async function openByLink(tab: Tab, engine: Engine): Promise<void> {
  if (engine === 'WebKit') {
    const link = on('open-wallet')
    await until(tab, 'the link', css => document.querySelector(css)?.getAttribute('href'), link)
    expect(await tab.windows()).toBe(1)
    await narrow(tab)
    await press(tab, link)
  }
  await expect.poll(() => tab.windows()).toBe(2)
  await tab.closeOthers()
}

for (const engine of engines) {
  test.describe(engine, () => {
    test.use({ engine })

    test('at 1280 px a visitor buys with an installed wallet and reloads; at 390 px connects by code, and by link in the tab that takes the lead, buys though its worker is killed and the next one frozen, reloads, and the recording repeats it', async ({
      published,
      stack,
      tab,
      wallet,
    }, { testId }) => {
      const page = variantOf(published, 'watched', `${watched}\n${await installedQuill(stack, testId)}`)
      await tab.open(page)
      const installed = await connectInstalled(tab)
      await draft(tab, stack, installed)
      await pay(tab, stack, () => press(tab, on('confirm-approve')))
      expect(payments(stack, installed)).toMatchObject([{ asset: 'SOL', units: 2_000_000_000n }])
      await narrow(tab)
      expect(await wrongIn(tab)).toEqual([])
      await tab.reload()
      expect(await connected(tab)).toBe(installed)
      await phase(tab, 'finalised')
      await disconnect(tab)

      await tab.resize('phone')
      await connectByCode(tab, wallet)
      await narrow(tab)
      await disconnect(tab)
      expect(await wrongIn(tab)).toEqual([])
      await tab.another()
      await tab.resize('phone')
      await tab.open(page)
      const account = await connectByLink(tab, wallet, 'Copper Envelope')
      await tab.closeOthers()
      await textOf(tab, on('buy-button'), 'Buy more')
      await press(tab, on('buy-button'))
      await draft(tab, stack, account)
      await narrow(tab)
      await pay(
        tab,
        stack,
        inWallet(wallet, async () => {
          await openByLink(tab, engine)
          await harm(tab, 'killed')
          await harm(tab, 'frozen')
        }),
      )
      expect(payments(stack, account)).toMatchObject([{ asset: 'SOL', units: 2_000_000_000n }])
      expect(await timesAsked(wallet)).toBe(1)
      expect(await wrongIn(tab)).toEqual([])

      await tab.reload()
      expect(await connected(tab)).toBe(account)
      await phase(tab, 'finalised')
      await narrow(tab)
      const recording = await savedRecording(tab)
      expect(await factsIn(recording, /^link\./)).toEqual(['link.chosen', opened[engine]])
      expect(await wrongIn(tab)).toEqual([])
      await replay(tab, published.url, recording)
      await replay(tab, published.url, another)
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
      await pay(
        tab,
        stack,
        inWallet(wallet, () => openByLink(tab, engine)),
      )
      await narrow(tab)
      expect(await factsIn(await savedRecording(tab), /^link\./)).toEqual(['link.chosen', opened[engine]])
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
