import type { EffectData } from '../../events/effect.ts'
import type { CoreConfig } from '../../events/wire.ts'
import { Fault } from '../../runtime/failure.ts'
import type { Drive } from '../../runtime/host/driver.ts'
import { projectUrl, readAnalyticsSwitch } from '../services/project/request.ts'
import { modalSdk } from '../../events/values/modalSdk.ts'
import { pulseBeacon, type PulseHost, pulseEventOf, pulseRequest } from '../services/pulse.ts'
import { attemptMs } from '../rpc/retry.ts'
import { answered, drive } from './drive.ts'
import { type Http, sendOnce } from './http.ts'

/** The part of the core's settings that it needs, and requests that the core decides on. */
type PulsePorts = Pick<CoreConfig, 'analytics' | 'configUrl' | 'projectId'> & { http: Http }

/**
 * Sends analytics events and error reports one after another, each once, or all in one request; the browser goes on with a request
 * though the page closes. The first failure ends the batch. Reads the project's switch as well.
 *
 * @param ask for tests
 * @returns the drivers of `pulse.send`, answered by `pulse.sent` with their count, or `effect.failed`: `failure.facts.sent` counts
 *   the events before the one that failed, `retryAfterMs` is the wait that the service asks for; a refused origin is
 *   `unauthorized` with `status` 403. And of `pulse.readSwitch`
 */
export function createPulseDriver(
  { analytics, configUrl, projectId, http }: PulsePorts,
  ask: typeof fetch = globalThis.fetch,
): { 'pulse.send': Drive; 'pulse.readSwitch': Drive } {
  const { url: pulseUrl = '', pageUrl = '', options = { networks: [] } } = analytics ?? {}
  const page: PulseHost = { pulseUrl, pageUrl, projectId, version: modalSdk }
  // As plain text the request needs no preflight, which the service need not answer
  const plain: typeof fetch = (input, init) => ask(input, { ...init, headers: {}, keepalive: true })
  return {
    'pulse.send': drive<EffectData['pulse.send']>(async ({ events, genesisHash, atOnce }) => {
      const all = events.map(event => pulseEventOf(event, genesisHash, { projectId, options }))
      const list = atOnce && pulseBeacon(page, all)
      const requests = list ? [list] : all.map(event => ({ ...pulseRequest(page, event), count: 1 }))
      let sent = 0
      for (const { url, body, count } of requests) {
        const request = { url, body, what: 'the analytics service', maxBytes: 65_536 }
        const outcome = await sendOnce(request, { fetch: plain, timeoutMs: attemptMs })
        if (!outcome.ok) {
          const { fault, retryAfterMs } = outcome
          throw new Fault(fault.code, fault.message, {
            ...fault.facts,
            ...(retryAfterMs !== undefined && { retryAfterMs }),
            sent,
          })
        }
        sent += count
      }
      return answered({ type: 'pulse.sent', data: { count: sent } })
    }),
    'pulse.readSwitch': drive<EffectData['pulse.readSwitch']>(async () => {
      const url = projectUrl('analytics', { configUrl, projectId, sdkVersion: modalSdk })
      const body = await http.json({ url, what: 'the analytics configuration', maxBytes: 65_536 })
      return answered({ type: 'pulse.switched', data: { isOn: readAnalyticsSwitch(body) } })
    }),
  }
}
