/**
 * Every state of the modal and the page in their galleries: no fault that axe knows, nothing wider than the smallest phone, at large text, too,
 * and each control is reached by a finger on 44 × 44 px.
 */
import { expect, test } from '@playwright/test'
import { everyCase } from '../everyCase.ts'
import { faultsOf, smallTargets } from '../journeys/reach.ts'
import { serveGallery } from './gallery.ts'
import { isSampled, openGallery, part, showState } from './shown.ts'

/** The smallest phone, or a desk window of 1280 px at 400 %; and the same at 200 %. */
const widths = [320, 640]

/** Runs in the page. @returns what is wider than its place, or cut by it */
function tooWide(part: string): string[] {
  const sheet = document.querySelector(part)
  if (!sheet) return [`nothing at ${part}`]
  const place = sheet.getBoundingClientRect()
  const found = document.documentElement.scrollWidth > innerWidth ? ['the page'] : []
  for (const one of sheet.querySelectorAll<HTMLElement>('*')) {
    if (!one.checkVisibility() || one.closest('.text-hidden, svg')) continue
    const { left, right, width } = one.getBoundingClientRect()
    const isOut = width > 0 && (left < place.left - 1 || right > place.right + 1)
    if (isOut) found.push(`${one.tagName} ${one.className} ${one.dataset.testid ?? ''}: ${left}–${right}`)
  }
  return found
}

for (const of of ['modal', 'page'] as const)
  test(`no state of the ${of} has a fault that axe knows, is wider than its window, or has a control that a finger misses`, async ({
    browser,
  }) => {
    test.setTimeout(600_000)
    const faults: string[] = []
    const whole = of === 'page' ? 'main' : part
    const gallery = await serveGallery(of)
    const page = await (await browser.newContext({ hasTouch: true })).newPage()
    const states = await openGallery(page, gallery.url)
    let shown = -1
    // Content of a body without height is not on screen for axe, which then judges no colour
    await page.addStyleTag({ content: 'body { min-height: 100vh }' })
    for (const [nth, state] of states.entries()) {
      const isAsked = isSampled(nth, states) || (of === 'modal' && isSampled(nth - 1, states))
      if (!everyCase && !isAsked) continue
      shown += 1
      await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
      await page.setViewportSize({ width: 390, height: 844 })
      // Two languages take turns
      await showState(page, state, shown % 2 === 0 ? 'de' : 'ar')
      expect(await page.evaluate(() => matchMedia('(pointer: coarse)').matches)).toBe(true)
      faults.push(...(await smallTargets(page)).map(target => `${state}, ${target}`))
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 })
        for (const found of await page.evaluate(tooWide, whole)) faults.push(`${state}, ${width} px: ${found}`)
      }
      await page.setViewportSize({ width: 320, height: 800 })
      faults.push(...(await faultsOf(page)).map(fault => `${state}, ${fault}`))
      await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'))
      for (const found of await page.evaluate(tooWide, whole)) faults.push(`${state}, text at 200 %: ${found}`)
    }
    await gallery.close()
    expect(faults).toEqual([])
  })
