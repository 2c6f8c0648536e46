import type { EffectData } from '../../events/effect.ts'
import { modalSdk } from '../../events/values/modalSdk.ts'
import { Fault, toFailure } from '../../runtime/failure.ts'
import type { Drive } from '../../runtime/host/driver.ts'
import { type ApiCall, type ApiHost, answerBytes, readBody, requestOf } from '../services/blockchain/call.ts'
import { calls } from '../services/blockchain/calls.ts'
import { isRefusal, reasonsOf } from '../services/blockchain/errorEnvelope.ts'
import { answered, drive, type InputOf } from './drive.ts'
import { type Http, StatusFault } from './http.ts'

type Ports = Pick<ApiHost, 'apiUrl' | 'projectId'> & {
  http: Http
  /** the id of the WalletConnect client, once it has one */
  clientId?: () => Promise<string | undefined>
}

/** Longest body of a refusal, bytes. */
const refusalBytes = 8192
/** Statuses of a parameter that the service refuses. */
const refusedParameter: readonly unknown[] = [400, 422]

/**
 * Calls the Blockchain API.
 *
 * @returns the driver of `service.call`. It answers `service.answered`, with a `failure` when the answer is the call's
 *   fallback; `service.refused` when the service gives reasons, whatever the status; else `effect.failed`
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
          refusalBytes,
          ...(body !== undefined && { body }),
          ...(call.isOnce && { retries: 0 }),
        })
        if (isRefusal(text)) throw new StatusFault(new Fault('bad_response', `${what} got a refusal`), text)
        return kept(readBody(call, text, params))
      } catch (cause) {
        if (!(cause instanceof Fault)) throw cause
        const fault = statusFault(what, cause)
        if (call.fallback) return kept(call.fallback(params), toFailure(fault))
        const reasons = cause instanceof StatusFault ? reasonsOf(cause.body).map(({ description }) => description) : []
        if (reasons.length === 0) throw fault
        return answered({ type: 'service.refused', data: { failure: toFailure(fault), reasons } })
      }
    }),
  }
}

/** A refusal says its status in the reference's words. */
function statusFault(what: string, { code, message, facts }: Fault): Fault {
  const status = facts?.status
  if (status === undefined) return new Fault(code, message, facts)
  return new Fault(
    refusedParameter.includes(status) ? 'bad_input' : code,
    `${what}: HTTP status code: ${status}`,
    facts,
  )
}
