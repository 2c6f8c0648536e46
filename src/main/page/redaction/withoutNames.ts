/** Redacts a recording in a worker of its own, so that a long log does not block the core's. */
import { Fault } from '../../../runtime/failure.ts'
import type { Redacting } from './redactor.ts'
import { workers } from '../workers.ts'

/** Deadline of a redaction, ms. The largest log takes a slow machine about a minute. */
const longestMs = 300_000

/**
 * @param plain a recording's text, not redacted
 * @returns the redacted text
 * @throws Fault when the worker cannot be loaded, stops, misses its deadline or refuses the text
 */
export async function withoutNames(plain: string): Promise<string> {
  const worker = await workers.redactor()
  return new Promise<string>((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(late)
      worker.terminate()
      settle()
    }
    const late = setTimeout(
      () => end(() => reject(new Fault('timeout', `redacting expected to end within ${longestMs} ms, it did not`))),
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
