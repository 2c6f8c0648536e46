/** Opens a recording in a worker of its own, so that a large one does not block the page. */
import { Fault } from '../../../runtime/failure.ts'
import type { Recorded, Recording } from '../../../runtime/recording/recording.ts'
import type { Verdict } from '../../../runtime/replay/verdict.ts'
import type { Reading } from '../../../ui/replayer/reading.ts'
import type { ReaderMessage } from '../../replayReader.ts'
import readerUrl from '../../replayReader.ts?worker&url'
import { preloadedWorker } from '../integrity/preloadedWorker.ts'

/**
 * Starts to read a file.
 *
 * @param heard called with the lines read and the share of the file, 0 to 1
 * @returns promises of the recording and of the verdict on it; after `stop` neither settles
 */
export function openRecording(file: Blob, heard: (lines: number, share: number) => void): Reading {
  let worker: Worker | undefined
  let isStopped = false
  const records: Recorded[] = []
  const recording = promised<Recording>()
  const verdict = promised<Verdict>()
  const stop = () => {
    isStopped = true
    worker?.terminate()
  }
  const fail = (fault: Fault) => {
    stop()
    recording.reject(fault)
    verdict.reject(fault)
  }
  const hear = ({ data: said }: MessageEvent<ReaderMessage>) => {
    switch (said.k) {
      case 'heard':
        heard(said.lines, said.share)
        return
      case 'records':
        for (const record of said.records) records.push(record)
        return
      case 'read':
        recording.resolve({ ...said.rest, records })
        return
      case 'verdict':
        stop()
        verdict.resolve(said.verdict)
        return
      case 'failed':
        fail(new Fault(said.failure.code, said.failure.message))
    }
  }
  const start = (script: string) => {
    if (isStopped) return
    worker = new Worker(script, { type: 'module', name: 'mai-replay-reader' })
    worker.addEventListener('message', hear)
    worker.addEventListener('error', event => {
      event.preventDefault()
      fail(new Fault('unknown', `the part that reads recordings stopped: ${event.message || 'it could not be loaded'}`))
    })
    worker.postMessage(file)
  }
  preloadedWorker(readerUrl).then(start, fail)
  return { recording: recording.promise, verdict: verdict.promise, stop }
}

function promised<T>() {
  let resolve: (value: T) => void = () => undefined
  let reject: (fault: Fault) => void = () => undefined
  const promise = new Promise<T>((done, failed) => {
    resolve = done
    reject = failed
  })
  // The verdict on a refused file has no handler
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}
