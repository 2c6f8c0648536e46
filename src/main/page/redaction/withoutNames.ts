/** Takes what is personal out of a recording, in a worker of its own: the core's must not stand still for a long log. */
import { Fault } from '../../../runtime/failure.ts'
import type { Redacting } from './redactor.ts'
import redactorUrl from './redactor.ts?worker&url'
import { checkedWorker } from '../integrity/checkedWorker.ts'

/** The largest log there may be takes a slow machine about a minute; a worker that is silent for so long will stay so. */
const longestMs = 300_000

/**
 * @param plain a recording's text as it lies on the device
 * @returns what may leave it
 * @throws Fault when the worker cannot be had, stops, says nothing in time or refuses the text; there is nothing to save then
 */
export async function withoutNames(plain: string): Promise<string> {
  const script = await checkedWorker(redactorUrl)
  return new Promise<string>((resolve, reject) => {
    const worker = new Worker(script, { type: 'module', name: 'mai-redactor' })
    const end = (settle: () => void) => {
      clearTimeout(late)
      worker.terminate()
      settle()
    }
    const late = setTimeout(
      () => end(() => reject(new Fault('timeout', `redacting expected an end within ${longestMs} ms, got none`))),
      longestMs,
    )
    worker.addEventListener('message', ({ data: said }: MessageEvent<Redacting>) =>
      end(() =>
        said.k === 'redacted' ? resolve(said.text) : reject(new Fault(said.failure.code, said.failure.message)),
      ),
    )
    worker.addEventListener('error', event => {
      event.preventDefault()
      end(() => reject(new Fault('unknown', `the part that redacts stopped: ${event.message || 'it was not loaded'}`)))
    })
    worker.postMessage(plain)
  })
}
