/** The page's headers forbid reading the clipboard, so writes to it are intercepted. */
import type { Page } from '@playwright/test'

type Noting = Window & { copied?: Promise<string> }

/** Intercepts the page's next copy. */
export async function noteCopy(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { clipboard } = navigator
    const write = clipboard.writeText.bind(clipboard)
    ;(window as Noting).copied = new Promise((resolve, reject) => {
      // A method: the bench's loader gives functions with a name of their own a helper that pages lack
      Object.defineProperties(clipboard, {
        writeText: {
          configurable: true,
          async value(text: string) {
            await write(text).catch((cause: Error) => {
              reject(cause)
              throw cause
            })
            resolve(text)
          },
        },
      })
    })
  })
}

/** @returns the intercepted text, once copied */
export async function notedCopy(page: Page): Promise<string> {
  return (await page.evaluate(() => (window as Noting).copied)) ?? ''
}
