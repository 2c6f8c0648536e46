/** Reads the browser's own trace: tasks of the page's main thread or of its workers, with elapsed and CPU time. */
import type { Browser, Page } from 'playwright'

/** One task of a thread. `busyMs` excludes waits for a core, so a busy machine hardly matters. */
export type Task = { atMs: number; wallMs: number; busyMs: number }

type TraceEvent = {
  name: string
  ph: string
  pid: number
  tid: number
  ts: number
  dur?: number
  tdur?: number
  args?: { name?: string }
}
type Thread = 'page' | 'worker'

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
 * @returns a reader of it: the tasks that ran between two marks, of the marked page or of its workers
 * @throws Error when a mark is not in the trace
 */
export async function stopTrace(browser: Browser): Promise<(from: string, to: string, thread?: Thread) => Task[]> {
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  const markOf = (name: string) => {
    const found = traceEvents.find(event => event.name === prefix + name)
    if (!found) throw new Error(`the trace expected the mark “${name}”, it is not there`)
    return found
  }
  const workers = new Set(
    traceEvents.filter(event => event.args?.name === 'DedicatedWorker thread').map(({ pid, tid }) => `${pid} ${tid}`),
  )
  return (from, to, thread = 'page') => {
    const [begin, end] = [markOf(from), markOf(to)]
    const isOf = ({ pid, tid }: TraceEvent) =>
      pid === begin.pid && (thread === 'page' ? tid === begin.tid : workers.has(`${pid} ${tid}`))
    return traceEvents
      .filter(event => event.ph === 'X' && isOf(event))
      .filter(event => event.name === 'ThreadControllerImpl::RunTask')
      .filter(({ ts, dur = 0 }) => ts + dur > begin.ts && ts < end.ts)
      .map(({ ts, dur = 0, tdur = dur }) => ({ atMs: ts / 1000, wallMs: dur / 1000, busyMs: tdur / 1000 }))
  }
}
