/** Reads the browser's own trace: tasks of the page's main thread, with elapsed and CPU time. */
import type { Browser, Page } from 'playwright'

/** One task of a main thread. `busyMs` excludes waits for a core, so a busy machine hardly matters. */
export type Task = { atMs: number; wallMs: number; busyMs: number }

type TraceEvent = { name: string; ph: string; pid: number; tid: number; ts: number; dur?: number; tdur?: number }

const prefix = 'bench: '

/** Starts a trace with the categories `stopTrace` reads. */
export function startTrace(browser: Browser, page: Page): Promise<void> {
  return browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] })
}

/** Adds a named mark to the trace. */
export function mark(page: Page, name: string): Promise<void> {
  return page.evaluate(text => void performance.mark(text), prefix + name)
}

/**
 * Ends the trace.
 *
 * @returns a reader of it: the tasks of the marked page that ran between two marks
 * @throws Error when a mark is not in the trace
 */
export async function stopTrace(browser: Browser): Promise<(from: string, to: string) => Task[]> {
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  const markOf = (name: string) => {
    const found = traceEvents.find(event => event.name === prefix + name)
    if (!found) throw new Error(`the trace expected the mark “${name}”, it is not there`)
    return found
  }
  return (from, to) => {
    const [begin, end] = [markOf(from), markOf(to)]
    return traceEvents
      .filter(event => event.pid === begin.pid && event.tid === begin.tid && event.ph === 'X')
      .filter(event => event.name === 'ThreadControllerImpl::RunTask')
      .filter(({ ts, dur = 0 }) => ts + dur > begin.ts && ts < end.ts)
      .map(({ ts, dur = 0, tdur = dur }) => ({ atMs: ts / 1000, wallMs: dur / 1000, busyMs: tdur / 1000 }))
  }
}
