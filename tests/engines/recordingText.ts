/** Saves a recording by the page's own button. */
import { type Tab, until } from './tab.ts'

/** @returns the text of the recording, also while a dialog covers the button */
export async function recordingText(tab: Tab): Promise<string> {
  await tab.run(() => {
    Object.assign(window, { saved: undefined })
    const { createObjectURL } = URL
    URL.createObjectURL = (blob: Blob) => {
      // Pictures of wallets come this way, too
      void blob.text().then(saved => saved.startsWith('{') && Object.assign(window, { saved }))
      return createObjectURL.call(URL, blob)
    }
    // Not every driver takes downloads
    HTMLAnchorElement.prototype.click = () => {}
  })
  await until(tab, 'the button', () => {
    // In a host's page the modal has it
    const root = document.querySelector('mai-modal')?.shadowRoot ?? document
    const buttons = [...root.querySelectorAll('button')]
    const [button] = buttons.filter(({ textContent }) => textContent?.includes('Download a problem report'))
    button?.click()
    return button !== undefined
  })
  return until(tab, 'a recording', () => (window as unknown as { saved?: string }).saved)
}
