/** The page's headers keep every script from reading the clipboard, so what is written to it is noted on its way. */
import type { Page } from '@playwright/test'

type Noting = Window & { copied?: Promise<string> }

/** Notes what this page copies next. */
export async function noteCopy(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { clipboard } = navigator
    const write = clipboard.writeText.bind(clipboard)
    ;(window as Noting).copied = new Promise((resolve, reject) => {
      const value = async (text: string) => {
        await write(text).catch((cause: Error) => {
          reject(cause)
          throw cause
        })
        resolve(text)
      }
      Object.defineProperty(clipboard, 'writeText', { configurable: true, value })
    })
  })
}

/** @returns the text that was noted, as soon as it is copied */
export async function notedCopy(page: Page): Promise<string> {
  return (await page.evaluate(() => (window as Noting).copied)) ?? ''
}
