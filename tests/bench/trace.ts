/** Reads the browser's own trace: which tasks the page's main thread ran, how long by the clock and how long at work. */
import type { Browser, Page } from 'playwright'

/** One task of a main thread. `busyMs` leaves out what the thread waited for a core, so a crowded machine hardly shows. */
export type Task = { atMs: number; wallMs: number; busyMs: number }

type TraceEvent = { name: string; ph: string; pid: number; tid: number; ts: number; dur?: number; tdur?: number }

const prefix = 'bench: '

/** What has to be recorded so that `tasksBetween` finds something. */
export function startTrace(browser: Browser, page: Page): Promise<void> {
  return browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] })
}

/** Puts a named moment into the trace. */
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
