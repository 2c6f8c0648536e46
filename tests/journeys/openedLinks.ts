import type { BrowserContext } from '@playwright/test'

/** @returns the addresses that pages of this profile open by a script from now on; none of them is opened */
export async function noteOpened(context: BrowserContext): Promise<string[]> {
  const opened: string[] = []
  await context.exposeBinding('noteOpened', (_, url: string) => void opened.push(url))
  await context.addInitScript(() => {
    window.open = url => {
      ;(window as unknown as { noteOpened(url: string): void }).noteOpened(String(url))
      return null
    }
  })
  return opened
}
