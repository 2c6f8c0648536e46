/** Ends a process whose case never ends; far above the time of any case, ms. */
import { Worker } from 'node:worker_threads'

const endlessMs = 120_000

/** Starts a thread that names the endless case, since this thread cannot. */
export function watchForEndless(names: readonly string[]) {
  const shared = new Int32Array(new SharedArrayBuffer(8))
  const watcher = new Worker(watcherSource, { eval: true, workerData: { shared, names, endlessMs } })
  return {
    heard(name: string, at: number): void {
      Atomics.store(shared, 0, names.indexOf(name))
      Atomics.store(shared, 1, at)
    },
    end: () => watcher.terminate(),
  }
}

const watcherSource = `
const { workerData: { shared, names, endlessMs } } = require('node:worker_threads')
const { writeSync } = require('node:fs')
let seen = ''
let since = Date.now()
setInterval(() => {
  const now = names[Atomics.load(shared, 0)] + ' --case ' + Atomics.load(shared, 1)
  if (now !== seen) { seen = now; since = Date.now(); return }
  if (Date.now() - since < endlessMs) return
  writeSync(2, 'a case does not end: --reader ' + now + '\\n')
  process.kill(process.pid, 'SIGKILL')
}, 500)
`
