/** Our client on a page of a real browser, with the product's supervisor, store and worker. */
import type { Browser } from 'playwright'
import type { Model } from '../../src/events/app.ts'
import type { Dapp } from './dapp.ts'

/** Opens it in a fresh profile. @param url of the page `page/interop.html`, built and served */
export async function startPageDapp(browser: Browser, url: string): Promise<Dapp> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const wrongs: string[] = []
  page.on('pageerror', error => wrongs.push(error.message))
  await page.goto(url)
  await page.waitForFunction(() => window.interop?.isJoined())
  const asked = <T>(answer: T | undefined): T => {
    if (wrongs.length > 0) throw new Error(`the page ended in an error: ${wrongs[0]}`)
    if (answer === undefined) throw new Error('the page has lost its core')
    return answer
  }
  return {
    command: async command => void asked(await page.evaluate(given => window.interop?.command(given), command)),
    async until(what, find, limitMs) {
      let isLate = false
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>(resolve => {
        timer = setTimeout(resolve, limitMs)
      }).then(() => void (isLate = true))
      try {
        for (let seen = 0; ; ) {
          const model = asked(await page.evaluate(() => window.interop?.model())) as Model
          const found = find(model)
          if (found) return found
          if (isLate) throw new Error(`${what} did not come within ${limitMs} ms; ${standing(model)}`)
          const changed = page.evaluate(known => window.interop?.changed(known), seen)
          seen = (await Promise.race([changed, late])) ?? seen
        }
      } finally {
        clearTimeout(timer)
      }
    },
    pairingUri: async topic => (await page.evaluate(given => window.interop?.pairingUri(given), topic)) ?? undefined,
    glance: async () => void (await page.evaluate(() => window.dispatchEvent(new Event('online')))),
    recording: async () => asked(await page.evaluate(() => window.interop?.recording())),
    close: () => context.close(),
  }
}

function standing({ relay, pairing, connection, session, outbox }: Model): string {
  const phases = Object.values(pairing.open).map(({ phase }) => phase)
  return JSON.stringify({
    relay: relay.phase,
    pairings: phases,
    attempt: connection.attempt.phase,
    sessions: Object.keys(session).length,
    outbox: Object.values(outbox).map(({ tag }) => tag),
  })
}
