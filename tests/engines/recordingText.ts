/** Saves a recording by the page's own button. */
import { on, type Tab, until } from './tab.ts'

/** @returns the text of the recording, also while a dialog covers the button */
export async function recordingText(tab: Tab): Promise<string> {
  await tab.run(() => {
    const { createObjectURL } = URL
    URL.createObjectURL = (blob: Blob) => {
      void blob.text().then(saved => Object.assign(window, { saved }))
      return createObjectURL.call(URL, blob)
    }
    // Not every driver takes downloads
    HTMLAnchorElement.prototype.click = () => {}
  })
  await tab.run(css => document.querySelector<HTMLElement>(css)?.click(), on('download-recording'))
  return until(tab, 'a recording', () => (window as unknown as { saved?: string }).saved)
}
