/**
 * The picture of a shared link, 1200 × 630: drawn with the page's own mark, font and colours, from the head of `src/main/index.html`.
 *
 * After `-u`, copy `tests/visual/pictures/share.png` to `src/main/public/share.png`, from where the build takes it.
 */
import { expect, test } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../bench/builds.ts'
import { serveGallery } from './gallery.ts'
import { openGallery } from './shown.ts'

const file = (...names: string[]) => readFileSync(join(root, ...names))
const head = file('src', 'main', 'index.html').toString()
const said = (property: string) => new RegExp(`property="${property}" content="([^"]+)"`).exec(head)?.[1] ?? ''
const [first = '', ...more] = said('og:description').split('. ')

/** Three stages: sold, on sale, and to come, as the page's chart draws them. */
const stairs = `
  <svg viewBox="0 0 460 630" width="460" height="630">
    <defs>
      <pattern id="lines" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path d="M0 0V9" stroke="var(--fill)" stroke-width="3.5" />
      </pattern>
    </defs>
    <path d="M0 630V440h140V630Z" fill="var(--fill)" />
    <path d="M150 630V270h140V630Z" fill="var(--fill)" />
    <path d="M300 630V90h160V630Z" fill="url(#lines)" />
    <path d="M300 90h160" stroke="var(--fill)" stroke-width="3" />
  </svg>`

test('the picture of a shared link shows the mark, the name and the offer of the page', async ({ page }) => {
  const gallery = await serveGallery('page')
  await page.setViewportSize({ width: 1200, height: 630 })
  await openGallery(page, gallery.url)
  const mark = file('src', 'main', 'public', 'icon.svg').toString('base64')
  await page.evaluate(
    async ([title, offer, proof, icon, chart]) => {
      document.documentElement.dataset.theme = 'light'
      document.body.innerHTML = `
        <div style="display:flex;width:1200px;height:630px;overflow:hidden;background:var(--bg);color:var(--ink);--fill:#5570ff">
          <div style="flex:1;padding:96px 0 0 88px">
            <img src="data:image/svg+xml;base64,${icon}" width="84" height="84" alt="" style="margin-left:-8px" />
            <p style="margin:52px 0 0;font-size:92px;font-weight:600;letter-spacing:-0.03em;line-height:1.05">${title}</p>
            <p style="margin:30px 0 0;font-size:34px;line-height:1.35">${offer}</p>
            <p style="margin:10px 0 0;font-size:26px;line-height:1.4;color:var(--ink-2);max-width:560px">${proof}</p>
          </div>
          ${chart}
        </div>`
      await document.fonts.ready
    },
    [said('og:title'), `${first}.`, more.join('. '), mark, stairs] as const,
  )
  await expect(page).toHaveScreenshot('share.png', { maxDiffPixels: 40 })
  await gallery.close()
  expect(file('src', 'main', 'public', 'share.png').equals(file('tests', 'visual', 'pictures', 'share.png'))).toBe(true)
})
