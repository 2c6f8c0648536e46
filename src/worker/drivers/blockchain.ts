import type { EffectData } from '../../events/effect.ts'
import { modalSdk } from '../../events/values/modalSdk.ts'
import { Fault, toFailure } from '../../runtime/failure.ts'
import type { Drive } from '../../runtime/host/driver.ts'
import { type ApiCall, type ApiHost, answerBytes, readBody, requestOf } from '../services/blockchain/call.ts'
import { calls } from '../services/blockchain/calls.ts'
import { isRefusal, reasonsOf } from '../services/blockchain/errorEnvelope.ts'
import { answered, drive, type InputOf } from './drive.ts'
import type { Http } from './http.ts'

type Ports = Pick<ApiHost, 'apiUrl' | 'projectId'> & {
  http: Http
  /** the id of the WalletConnect client, once it has one */
  clientId?: () => Promise<string | undefined>
}

/** The status whose body tells reasons: a parameter that the service refuses. */
const refusedStatus = 400

/**
 * Calls the Blockchain API.
 *
 * @returns the driver of `service.call`. It answers `service.answered`, with a `failure` when the answer is the call's
 *   fallback; `service.refused` when the service gives reasons; else `effect.failed`
 */
export function createBlockchainDriver({ http, clientId, ...host }: Ports): { 'service.call': Drive } {
  return {
    'service.call': drive<EffectData['service.call']>(async ({ ask: { call: name, ...params } }) => {
      // Parameters and call have the same name
      const call = calls[name] as ApiCall<unknown, object>
      const { what } = call
      const kept = (answer: object, failure?: ReturnType<typeof toFailure>) => {
        const data = { answer: { call: name, ...answer }, ...(failure && { failure }) }
        return answered({ type: 'service.answered', data: data as InputOf<'service.answered'> })
      }
      const id = await clientId?.()
      try {
        const { url, body } = requestOf(call, params, {
          ...host,
          sdkVersion: modalSdk,
          ...(id !== undefined && { clientId: id }),
        })
        const text = await http.text({
          url,
          what,
          maxBytes: answerBytes,
          answers: [refusedStatus],
          ...(body !== undefined && { body }),
          ...(call.isOnce && { retries: 0 }),
        })
        if (!isRefusal(text)) return kept(readBody(call, text, params))
        const failure = toFailure(statusFault(what, new Fault('bad_input', '', { status: refusedStatus })))
        if (call.fallback) return kept(call.fallback(params), failure)
        const reasons = reasonsOf(text).map(({ description }) => description)
        return answered({ type: 'service.refused', data: { failure, reasons } })
      } catch (cause) {
        const fault = cause instanceof Fault ? statusFault(what, cause) : cause
        if (!call.fallback || !(fault instanceof Fault)) throw fault
        return kept(call.fallback(params), toFailure(fault))
      }
    }),
  }
}

/** A refusal says its status in the reference's words. */
function statusFault(what: string, fault: Fault): Fault {
  const { status } = fault.facts ?? {}
  return status === undefined ? fault : new Fault(fault.code, `${what}: HTTP status code: ${status}`, fault.facts)
}
