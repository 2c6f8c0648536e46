import { Fault, toFailure } from '../../../runtime/failure.ts'
import type { SettledFailure } from '../../../events/effect.ts'
import type { Answer } from '../../../runtime/host/driver.ts'
import { type CallOutcome, readAnswers, requestText } from '../../rpc/batch.ts'
import type { Call } from '../../rpc/calls.ts'
import { rpcFault } from '../../rpc/errors.ts'
import { envelopeReasons } from '../../services/blockchain/errorEnvelope.ts'
import { answered } from '../drive.ts'
import { hostOf, type HttpRequest, readJsonBody, type SendPorts, sendOnce } from '../http.ts'
import { attemptInput, coreLost } from './requests.ts'

export type PoolSetting = {
  /** without spaces */
  name: string
  urls: readonly string[]
  /** the endpoints in errors: "the Solana RPC" */
  what: string
  reading?: HttpRequest['reading']
  /** ms in which calls of later turns may join a request, default 0, and how many at most, default 1000 */
  waitMs?: number
  most?: number
}

/** Most errors of one request that the log lists. */
const mostListed = 16

/** Sends calls in one request to one endpoint. @returns the outcome of each, and the input that tells the core of them */
export async function postCalls(
  { urls, what, reading }: PoolSetting,
  endpoint: number,
  calls: readonly Call[],
  ports: SendPorts,
): Promise<{ outcomes: CallOutcome[]; input: Answer }> {
  const url = urls[endpoint] ?? ''
  const wire = calls.map((call, at) => ({ ...call, id: at + 1 }))
  // A node may explain an error in the body of a 400
  const request = { url, what, body: requestText(wire), answers: [400], ...(reading && { reading }) }
  const sent = await sendOnce(request, ports)
  if (!sent.ok) return { outcomes: failed(calls, sent.fault), input: attemptInput(sent) }
  try {
    const body = readJsonBody(request, sent.bytes)
    const place = `${what} at ${hostOf(url)}`
    const outcomes = refusedBy(body, calls, place) ?? readAnswers(wire, body, place)
    return { outcomes, input: reported(sent.status, calls, outcomes, Array.isArray(body)) }
  } catch (cause) {
    const failure = toFailure(cause)
    const fault = cause instanceof Fault ? cause : new Fault('bad_response', failure.message)
    return { outcomes: failed(calls, fault), input: answered({ type: 'http.failed', data: { failure } }) }
  }
}

/** @returns an outcome for each call that the platform refuses in its own words, such as those of a chain it does not serve */
function refusedBy(body: unknown, calls: readonly Call[], place: string): CallOutcome[] | undefined {
  const reasons = envelopeReasons(body)
  if (!reasons) return undefined
  const words = reasons.map(({ description }) => description).join('; ')
  return calls.map(() => ({ fault: new Fault('unsupported', `${place} refused the call: ${words}`) }))
}

function failed(calls: readonly Call[], fault: Fault): CallOutcome[] {
  return calls.map(() => ({ fault, isOfRequest: true }))
}

/** @returns the outcomes without their content */
function reported(status: number, calls: readonly Call[], outcomes: readonly CallOutcome[], isList: boolean): Answer {
  const errors = outcomes.flatMap((outcome, call) => {
    if ('result' in outcome) return []
    if ('fault' in outcome) return [{ call, code: outcome.fault.code }]
    return [{ call, code: rpcFault(outcome.error, '', '').code, rpcCode: outcome.error.code }]
  })
  const isLimited = errors.length === calls.length && errors.every(({ code }) => code === 'rate_limited')
  const shown = outcomes[calls.findIndex(({ method }) => method === 'getGenesisHash')]
  const genesis = shown && 'result' in shown && typeof shown.result === 'string' ? shown.result : undefined
  return answered({
    type: 'http.answered',
    data: {
      status,
      ...(calls.length > 1 && !isList && !isLimited && { refused: true }),
      ...(errors.length > 0 && { failed: errors.length, errors: errors.slice(0, mostListed) }),
      ...(isLimited && { limited: true }),
      ...(genesis !== undefined && { genesis }),
    },
  })
}

/** @returns the fault of a call that ends without an attempt of its own */
export function settledFault(pool: PoolSetting | undefined, failure: SettledFailure | undefined): Fault {
  const { urls: [url = ''] = [], what = 'a node' } = pool ?? {}
  const place = `${what} at ${hostOf(url)}`
  const { code = 'core_lost', retryAfterMs } = failure ?? {}
  switch (code) {
    case 'rate_limited':
      return new Fault(code, `${place} is asked too often`, retryAfterMs === undefined ? undefined : { retryAfterMs })
    case 'rpc_lying':
      return new Fault(code, `${place} expected an endpoint on the sale's chain, all others are set aside`)
    case 'unreachable':
      return new Fault(code, `${place} could not be reached, nor any endpoint behind it`)
    default:
      return coreLost(hostOf(url))
  }
}
