/** Firefox over its own protocol, WebDriver BiDi. */
import { firefox } from 'playwright-bidi'
import type { Tab } from './tab.ts'

/**
 * @param program path of the browser
 * @param prefs settings as on the page about:config
 */
export async function openFirefox(program: string, prefs: Record<string, number | boolean> = {}): Promise<Tab> {
  const browser = await firefox.launch({
    // Without the channel Playwright expects its own patched browser
    channel: 'moz-firefox',
    executablePath: program,
    headless: true,
    firefoxUserPrefs: prefs,
  })
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  return {
    open: async url => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    run: async (work, ...args) => {
      const call = `(${work.toString()})(...${JSON.stringify(args)})`
      return (await page.evaluate(call)) as ReturnType<typeof work>
    },
    click: css => page.click(css),
    type: (css, text) => page.locator(css).pressSequentially(text),
    close: () => browser.close(),
  }
}
