import type { PulseEvent } from '../../events/analytics/sanitize.ts'
import { Fault } from '../../runtime/failure.ts'
import type { Drive } from '../../runtime/host/driver.ts'
import { type PulseHost, pulseRequest } from '../services/pulse.ts'
import { attemptMs } from '../rpc/retry.ts'
import { drive } from './drive.ts'
import { type SendPorts, sendOnce } from './http.ts'

/** Ports; `fetch` for tests. */
type PulsePorts = PulseHost & Pick<SendPorts, 'fetch'>

/**
 * Sends analytics events and error reports one after another, each once. The first failure ends the batch.
 *
 * @returns the driver of `pulse.send`, data `{ events }`. It answers `pulse.sent` with their count, or `effect.failed`:
 *   `failure.facts.sent` counts the events before the one that failed; a refused origin is `unauthorized` with `status` 403
 */
export function createPulseDriver({ fetch: ask = globalThis.fetch, ...host }: PulsePorts): { 'pulse.send': Drive } {
  // As plain text the request needs no preflight, which the service need not answer
  const plain: typeof fetch = (input, init) => ask(input, { ...init, headers: {} })
  return {
    'pulse.send': drive<{ events: readonly PulseEvent[] }>(async ({ events }) => {
      let sent = 0
      for (const event of events) {
        const request = { ...pulseRequest(host, event), what: 'the analytics service', maxBytes: 65_536 }
        const outcome = await sendOnce(request, { fetch: plain, timeoutMs: attemptMs })
        if (!outcome.ok) {
          const { code, message, facts } = outcome.fault
          throw new Fault(code, message, { ...facts, sent })
        }
        sent += 1
      }
      return { type: 'pulse.sent', data: { count: sent } }
    }),
  }
}
