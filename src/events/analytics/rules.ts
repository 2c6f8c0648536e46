/** Rules of sending analytics, as functions of plain data: consent, failures, and the notice about a refusal. */
import type { Failure } from '../../runtime/failure.ts'
import type { AnalyticsEventName } from './catalogue.ts'
import type { ErrorCategory } from './categories.ts'

/**
 * The gate of an event or an error report. `consent` is `given` unless the host asks for it first. `isEnabled`: for events, the
 * host and the project's configuration have analytics on; for reports, the host has not turned them off.
 */
type AnalyticsGate = { consent: 'given' | 'awaited' | 'refused'; isEnabled: boolean }

/**
 * Whether an event or a report of a category is sent. Consent comes before everything. `INITIALIZE` waits for consent and is sent
 * even with analytics off; all else before consent is dropped, as the visitor has not agreed to it. `MODAL_CREATED` is never sent.
 */
export function gateOf(
  event: AnalyticsEventName | ErrorCategory,
  { consent, isEnabled }: AnalyticsGate,
): 'send' | 'wait' | 'drop' {
  if (event === 'MODAL_CREATED' || consent === 'refused') return 'drop'
  if (consent === 'awaited') return event === 'INITIALIZE' ? 'wait' : 'drop'
  return isEnabled || event === 'INITIALIZE' ? 'send' : 'drop'
}

/**
 * The events of a batch to send again after a failure. Out of reach, all that were not sent are kept. A refusal of the project
 * (`unauthorized`) drops them. Any other failure drops the event that failed: it would fail again.
 *
 * @param failure of `pulse.send`; `facts.sent` counts the events that were sent before
 */
export function keptAfterFailure<E>(batch: readonly E[], { code, facts }: Failure): readonly E[] {
  const sent = typeof facts?.sent === 'number' ? facts.sent : 0
  switch (code) {
    case 'offline':
    case 'unreachable':
    case 'timeout':
    case 'rate_limited':
      return batch.slice(sent)
    case 'unauthorized':
      return []
    default:
      return batch.slice(sent + 1)
  }
}

/**
 * One notice for each transition from success to refusal (HTTP 403: the page's origin is not on the project's list). The first
 * answer counts as one after a success; failures of other kinds change nothing.
 *
 * @param wasRefused the last answer that counted was a refusal
 * @param failure absent after a success
 */
export function refusalAfter(wasRefused: boolean, failure?: Failure): { isRefused: boolean; notifies: boolean } {
  const isRefused = failure ? wasRefused || isRefusal(failure) : false
  return { isRefused, notifies: isRefused && !wasRefused }
}

function isRefusal({ code, facts }: Failure): boolean {
  return code === 'unauthorized' && facts?.status === 403
}
