/** Firefox over its own protocol, WebDriver BiDi. */
import { firefox } from 'playwright-bidi'
import type { Tab } from './tab.ts'

/**
 * @param program path of the browser
 * @param prefs settings as on the page about:config
 * @param width of the page, px
 */
export async function openFirefox(
  program: string,
  prefs: Record<string, number | boolean> = {},
  width = 1280,
): Promise<Tab> {
  const browser = await firefox.launch({
    // Without the channel Playwright expects its own patched browser
    channel: 'moz-firefox',
    executablePath: program,
    headless: true,
    firefoxUserPrefs: prefs,
  })
  const context = await browser.newContext({ viewport: { width, height: 900 } })
  let page = await context.newPage()
  return {
    open: async url => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    run: async (work, ...args) => {
      const call = `(${work.toString()})(...${JSON.stringify(args)})`
      return (await page.evaluate(call)) as ReturnType<typeof work>
    },
    click: css => page.click(css),
    type: (css, text) => page.locator(css).pressSequentially(text),
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
