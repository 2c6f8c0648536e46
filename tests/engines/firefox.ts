/** Firefox over its own protocol, WebDriver BiDi. */
import { firefox } from 'playwright-bidi'
import { type Device, sizes, type Tab } from './tab.ts'

/** Settings as on the page about:config. */
export type Prefs = Record<string, number | boolean | string>

/** A finger, and scroll bars that take no room. */
const phonePrefs: Prefs = {
  'ui.primaryPointerCapabilities': 1,
  'ui.allPointerCapabilities': 1,
  'dom.w3c_touch_events.enabled': 1,
  'ui.useOverlayScrollbars': 1,
}

/** @param program path of the browser */
export async function openFirefox(program: string, device: Device, prefs: Prefs = {}): Promise<Tab> {
  const browser = await firefox.launch({
    // Without the channel Playwright expects its own patched browser
    channel: 'moz-firefox',
    executablePath: program,
    headless: true,
    firefoxUserPrefs: { ...(device === 'phone' && phonePrefs), ...prefs },
  })
  const context = await browser.newContext({ viewport: sizes[device] })
  let page = await context.newPage()

  return {
    open: async url => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    back: async () => void (await page.goBack()),
    picture: async path => void (await page.screenshot({ path })),
    run: async (work, ...args) => {
      const call = `(${work.toString()})(...${JSON.stringify(args)})`
      return (await page.evaluate(call)) as ReturnType<typeof work>
    },
    async click(css) {
      if (device === 'desktop') return page.click(css)
      const target = page.locator(css)
      await target.scrollIntoViewIfNeeded()
      const { x, y, width, height } = (await target.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
      await tap(page, Math.round(x + width / 2), Math.round(y + height / 2))
    },
    type: (css, text) => page.locator(css).pressSequentially(text),
    resize: other => page.setViewportSize(sizes[other]),
    windows: async () => context.pages().length,
    async another() {
      page = await context.newPage()
    },
    async closeOthers() {
      for (const other of context.pages()) if (other !== page) await other.close()
    },
    close: () => browser.close(),
  }
}

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof firefox.launch>>['newPage']>>
type Session = { sessionId: string; send(method: string, params: object): Promise<unknown> }
type Inside = { _connection: { toImpl(page: Page): { delegate: { _session: Session } } } }

/** Taps with a finger: Playwright's own tap does nothing over this protocol. @see WebDriver BiDi, `input.performActions` */
async function tap(page: Page, x: number, y: number): Promise<void> {
  const session = (page as unknown as Inside)._connection.toImpl(page).delegate._session
  const actions = [
    { type: 'pointerMove', x, y },
    { type: 'pointerDown', button: 0 },
    { type: 'pointerUp', button: 0 },
  ]
  const finger = { type: 'pointer', id: 'finger', parameters: { pointerType: 'touch' }, actions }
  await session.send('input.performActions', { context: session.sessionId, actions: [finger] })
}
