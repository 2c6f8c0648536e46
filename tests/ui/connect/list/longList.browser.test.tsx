import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { Profiler } from 'react'
import { createRoot } from 'react-dom/client'
import { AllWallets } from '../../../../src/ui/connect/list/AllWallets.tsx'
import { StoreProvider } from '../../../../src/ui/react.tsx'
import kit from '../../../../src/ui/styles/kit.css?inline'
import modal from '../../../../src/ui/styles/modal.css?inline'
import tokens from '../../../../src/ui/styles/tokens.css?inline'
import { listed, read, stage } from '../../modalStage.ts'

// 480 wallets in a real layout: four columns of 120 rows

let end: () => void
let list: HTMLElement
let asked: string[]
let renders: number

const drawn = () => [...list.querySelectorAll<HTMLElement>('[data-testid="wallet-row"]')].map(one => one.dataset.wallet)
const box = () => list.closest('.scroll-area') as HTMLElement
const scroll = (to: number) => {
  box().scrollTop = to
}

/** Nothing of the first drawing is left to be rendered when it is 0. */
async function rendersInTwoFrames(): Promise<number> {
  const before = renders
  for (const _ of [1, 2]) await new Promise(requestAnimationFrame)
  return renders - before
}

beforeEach(async () => {
  await page.viewport(800, 800)
  asked = []
  renders = 0
  const { surroundings, facts } = stage({
    walletImage: async imageId => void asked.push(imageId),
  })
  for (let number = 0; number < 12; number++) {
    const wallets = Array.from({ length: 40 }, (_, at) => number * 40 + at)
    facts(
      ...read(
        wallets.map(at => listed(`W${at}`, { imageId: `p${at}` })),
        480,
        number + 1,
      ),
    )
  }
  const host = document.body.appendChild(document.createElement('div'))
  host.style.inlineSize = '360px'
  const shadow = host.attachShadow({ mode: 'open' })
  shadow.adoptedStyleSheets = [tokens, kit, modal].map(text => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    return sheet
  })
  const root = createRoot(shadow.appendChild(document.createElement('div')))
  end = () => {
    root.unmount()
    host.remove()
  }
  root.render(
    <StoreProvider value={surroundings}>
      <Profiler id="list" onRender={() => void (renders += 1)}>
        <AllWallets />
      </Profiler>
    </StoreProvider>,
  )
  await expect.poll(() => shadow.querySelector('.tiles')?.childElementCount).toBeGreaterThan(0)
  list = shadow.querySelector('.tiles') as HTMLElement
})
afterEach(() => end())

test('a long list has three columns where the page is narrower than 352 px, else four', async () => {
  const columns = () => getComputedStyle(list).gridTemplateColumns.split(' ').length
  for (const [width, count] of [
    [351, 3],
    [352, 4],
  ] as const) {
    await page.viewport(width, 800)
    await expect.poll(() => `${width}: ${columns()}`).toBe(`${width}: ${count}`)
  }
})

test('a long list draws the tiles near the visible part, and is as high as all of them', async () => {
  const height = list.offsetHeight
  const tile = list.querySelector('.tile')?.getBoundingClientRect().height ?? 0
  expect(Math.abs(list.getBoundingClientRect().height - 120 * (tile + 4))).toBeLessThan(5)
  expect(drawn()).toContain('W0')
  for (const part of [0.25, 0.5, 0.75]) {
    scroll(height * part)
    const middle = `W${480 * part + 8}`
    await expect.poll(drawn).toContain(middle)
    expect(drawn().length).toBeLessThan(120)
    expect(list.offsetHeight).toBe(height)
    const shown = list.querySelector<HTMLElement>(`[data-wallet="${middle}"]`)?.getBoundingClientRect()
    const around = box().getBoundingClientRect()
    expect(shown && shown.bottom > around.top && shown.top < around.bottom).toBe(true)
  }
  scroll(height)
  await expect.poll(() => drawn().at(-1)).toBe('W479')
  expect(list.offsetHeight).toBe(height)
})

test('a scroll within the drawn tiles renders nothing and measures nothing, at its end neither', async () => {
  await expect.poll(() => asked).toContain('p0')
  await expect.poll(() => list.querySelectorAll('.tile').length).toBeLessThan(60)
  await expect.poll(rendersInTwoFrames).toBe(0)
  const [before, measured] = [renders, vi.spyOn(window, 'getComputedStyle')]
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let scrolls = 0
  box().addEventListener('scroll', () => void (scrolls += 1))
  for (const to of [30, 60, 90]) {
    scroll(to)
    await expect.poll(() => scrolls).toBe(to / 30)
  }
  expect(vi.getTimerCount()).toBe(1)
  vi.runAllTimers()
  vi.useRealTimers()
  await new Promise(requestAnimationFrame)
  expect([renders - before, measured.mock.calls.length]).toEqual([0, 0])
  measured.mockRestore()
})

test('a step of the window sets no custom property, which every tile would inherit', async () => {
  scroll(list.offsetHeight / 2)
  await expect.poll(drawn).toContain('W248')
  expect(list.getAttribute('style')).toMatch(/^padding-block: [\d.]+px [\d.]+px;$/)
})

test('a scroll through a long list asks for the pictures of where it stops alone', async () => {
  await expect.poll(() => asked).toContain('p0')
  const top = new Set(asked)
  const passed = () => asked.filter(one => !top.has(one) && Number(one.slice(1)) < 380)
  const height = list.offsetHeight
  // The scroll ends when the test says so, however slow the machine is
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    for (let frame = 1; frame <= 40; frame++) {
      await new Promise(requestAnimationFrame)
      scroll((height * frame) / 40)
    }
    await expect.poll(drawn).toContain('W479')
    expect(asked.filter(one => !top.has(one))).toEqual([])
    vi.advanceTimersByTime(120)
    await expect.poll(() => asked).toContain('p479')
    expect(passed()).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})
