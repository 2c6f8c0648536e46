/** The replayer with a recording of 100,000 facts: time to open, time to paint any point, long tasks. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { readRecordingFile } from '../../src/main/page/redaction/recordingFile.ts'
import { longRecording } from './longRecording.ts'
import { mark, startTrace, stopTrace, type Task } from './trace.ts'
import { type Goal, median, type Row } from './verdict.ts'
import type { World } from './world.ts'

const facts = 100_000
/** Points of the timeline to jump to, as shares of its length: near and far, forward and back. */
const points = [0.5, 0.02, 0.98, 0.4, 0.41, 0.39, 0.75, 0.1, 0.6, 0.2]
/** Pointer moves of one scrub, one per frame. */
const scrubMoves = 120
const longMs = 50
const paintedMs = 200

/** Opens, jumps, scrubs and plays in one visit. */
export async function replayer(world: World): Promise<Row[]> {
  const text = await longRecording(facts)
  const file = join(await world.folder(), 'long.replay.jsonl')
  await writeFile(file, text)
  const began = performance.now()
  await readRecordingFile(new Blob([text]))
  const nodeMs = performance.now() - began

  const browser = await world.browser()
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    await page.goto(`${(await world.published()).url}replayer.html`)
    const chooser = page.locator('input[type=file]')
    await startTrace(browser, page)
    await mark(page, 'opening')
    const openedAt = performance.now()
    await chooser.setInputFiles(file)
    await page.getByRole('slider').waitFor()
    const openMs = performance.now() - openedAt
    await page.getByText('every byte equal').waitFor()
    await mark(page, 'open')
    const painted: number[] = []
    for (const point of points) painted.push(await jump(page, point))
    await mark(page, 'scrubbing')
    await scrub(page)
    await mark(page, 'scrubbed')
    await page.getByLabel('Pace').selectOption('64')
    await page.getByRole('button', { name: 'Play' }).click()
    await page.evaluate(() => new Promise(done => setTimeout(done, 2000)))
    await mark(page, 'played')
    const between = await stopTrace(browser)
    const longest = (from: string, to: string) =>
      between(from, to).reduce((most: number, task: Task) => Math.max(most, task.busyMs), 0)
    const goal = (atMost: number): Goal => ({ of: 'ours', atMost })
    const task = { what: 'what a browser calls long', value: longMs }
    return [
      {
        name: `replayer: ${facts.toLocaleString('en')} facts, file chosen → timeline`,
        unit: 'ms',
        ours: openMs,
        comparison: { what: 'the same file read in Node', value: nodeMs },
      },
      {
        name: 'replayer: longest task while opening',
        unit: 'ms',
        ours: longest('opening', 'open'),
        comparison: task,
        goal: goal(200),
      },
      {
        name: 'replayer: any point → screen, model and cause painted',
        unit: 'ms',
        ours: median(painted),
        comparison: { what: 'the slowest of them', value: Math.max(...painted) },
        goal: goal(paintedMs),
      },
      {
        name: 'replayer: longest task while scrubbing',
        unit: 'ms',
        ours: longest('scrubbing', 'scrubbed'),
        comparison: task,
        goal: goal(100),
      },
      {
        name: 'replayer: longest task while playing at 64×',
        unit: 'ms',
        ours: longest('scrubbed', 'played'),
        comparison: task,
        goal: goal(100),
      },
    ]
  } catch (problem) {
    // An unfinished trace would block the next one
    await browser.stopTracing().catch(() => undefined)
    throw problem
  } finally {
    await context.close()
  }
}

/** Presses at a point of the timeline. @returns ms until the panes show it, painted */
function jump(page: Page, point: number): Promise<number> {
  return page.evaluate(async part => {
    const slider = document.querySelector('[role=slider]')
    const panes = document.querySelector('.panes')
    if (!slider || !panes) throw new Error('the replayer expected a timeline and panes, got none')
    const area = slider.getBoundingClientRect()
    const at = { clientX: area.left + area.width * part, clientY: area.top + 20, bubbles: true, pointerId: 1 }
    const began = performance.now()
    // The panes follow the playhead with a delay, and carry their place
    const there = new Promise<void>(done => {
      new MutationObserver((_, changes) => {
        if (panes.getAttribute('data-place') !== slider.getAttribute('aria-valuenow')) return
        changes.disconnect()
        done()
      }).observe(document.body, { subtree: true, childList: true, attributes: true })
    })
    slider.dispatchEvent(new PointerEvent('pointerdown', at))
    slider.dispatchEvent(new PointerEvent('pointerup', at))
    await there
    await new Promise<void>(done => {
      requestAnimationFrame(() => {
        // a message posted in a frame arrives once that frame is painted
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => done()
        port2.postMessage(0)
      })
    })
    return performance.now() - began
  }, point)
}

/** Drags the playhead from end to start and back. */
async function scrub(page: Page): Promise<void> {
  const area = await page.getByRole('slider').boundingBox()
  if (!area) throw new Error('the replayer expected a timeline, got none')
  const y = area.y + 20
  await page.mouse.move(area.x + area.width - 2, y)
  await page.mouse.down()
  for (let move = 0; move <= scrubMoves; move++) {
    const share = Math.abs(1 - (2 * move) / scrubMoves)
    await page.mouse.move(area.x + 1 + (area.width - 3) * share, y)
  }
  await page.mouse.up()
}
