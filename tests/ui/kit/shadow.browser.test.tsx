import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Button } from '../../../src/ui/kit/controls/Button.tsx'
import { Sheet } from '../../../src/ui/kit/surface/Sheet.tsx'
import kit from '../../../src/ui/styles/kit.css?inline'
import modal from '../../../src/ui/styles/modal.css?inline'
import tokens from '../../../src/ui/styles/tokens.css?inline'

// The embedded modal: another page's document, our styles adopted by a shadow root, the host's own font and accent.

let host: HTMLElement
let shadow: ShadowRoot
let opener: HTMLButtonElement
let close: () => void

beforeEach(async () => {
  await page.viewport(800, 700)
  opener = document.body.appendChild(document.createElement('button'))
  opener.textContent = 'Open'
  opener.focus()
  host = document.body.appendChild(document.createElement('div'))
  host.style.setProperty('--mai-accent', 'rgb(0, 128, 64)')
  host.style.setProperty('--mai-font-family', 'monospace')
  shadow = host.attachShadow({ mode: 'open' })
  shadow.adoptedStyleSheets = [tokens, kit, modal].map(text => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    return sheet
  })
  const root = createRoot(shadow.appendChild(document.createElement('div')))
  close = () => root.unmount()
  root.render(
    <Sheet title="Connect wallet" viewKey="connect" onClose={() => undefined}>
      <Button>First</Button>
      <Button kind="primary">Last</Button>
    </Sheet>,
  )
  await expect.poll(() => shadow.activeElement?.getAttribute('data-testid')).toBe('modal')
})

afterEach(() => {
  close()
  host.remove()
  opener.remove()
})

const focused = () => shadow.activeElement?.getAttribute('aria-label') ?? shadow.activeElement?.textContent

test('shadow root: the sheet has its styles, with the accent and font of its host', () => {
  const sheet = shadow.querySelector('.sheet') as HTMLElement
  expect(sheet.offsetWidth).toBe(360)
  expect(getComputedStyle(sheet).fontFamily).toBe('monospace')
  const [light, , hue] = (
    getComputedStyle(shadow.querySelector('.button.is-primary') as Element).backgroundColor.match(/[\d.]+/g) ?? []
  ).map(Number)
  expect(light).toBeLessThanOrEqual(0.515)
  expect(hue).toBeGreaterThan(140)
  expect(hue).toBeLessThan(170)
})

test('shadow root: the sheet shows in the first frame of its animation, over a page not yet dimmed', () => {
  const sheet = shadow.querySelector('.sheet') as HTMLElement
  const overlay = sheet.parentElement as HTMLElement
  const animations = overlay.getAnimations({ subtree: true })
  expect(animations).not.toHaveLength(0)
  for (const animation of animations) {
    animation.pause()
    animation.currentTime = 0
  }
  expect([getComputedStyle(overlay).opacity, getComputedStyle(sheet).opacity]).toEqual(['1', '0.4'])
  expect(getComputedStyle(overlay, '::before').opacity).toBe('0')
})

test('shadow root: an overlay outside the top layer is in no layout', () => {
  const overlay = shadow.querySelector<HTMLElement>('.sheet-overlay')
  expect(overlay?.offsetWidth).toBe(800)
  overlay?.hidePopover()
  expect(overlay?.offsetWidth).toBe(0)
})

test('shadow root: the Tab key cycles inside the sheet', async () => {
  const seen: unknown[] = []
  for (let press = 0; press < 4; press++) {
    await userEvent.keyboard('{Tab}')
    seen.push(focused())
  }
  expect(seen).toEqual(['Close', 'First', 'Last', 'Close'])
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
  expect(focused()).toBe('Last')
})

test('shadow root: without the sheet the page scrolls again and the focus is back', async () => {
  expect(getComputedStyle(document.documentElement).overflowY).toBe('hidden')
  close()
  await expect.poll(() => document.activeElement).toBe(opener)
  expect(getComputedStyle(document.documentElement).overflowY).not.toBe('hidden')
})
