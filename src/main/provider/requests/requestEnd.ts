/** Turns the end of a request into the result or the error of its promise. */
import type { Failure, FailureCode } from '../../../runtime/failure.ts'
import type { LateAnswer, RequestEnd } from '../../../events/subjects/session/requestState.ts'
import { isRejection } from '../../../worker/walletconnect/relay/errors.ts'
import { walletValue } from '../sessions/sessions.ts'
import { readPeerError } from '../../../worker/walletconnect/relay/peerErrors.ts'
import { ProviderError, thrown } from '../providerError.ts'

/** Reads a long answer, which is stored beside the log; undefined when it is gone. */
export type ReadKept = (resultRef: string) => Promise<string | undefined>

/** Code of a wallet's error without one. */
const bareCode = -32_000

const codes: Partial<Record<FailureCode, number>> = {
  user_rejected: 5000,
  account_changed: 4100,
  bad_input: -32_602,
  expired: 6,
  wallet_gone: 4900,
  storage_down: -32_002,
}

/**
 * @returns the wallet's result, parsed
 * @throws ProviderError the wallet's error, or the reason why it was not asked or did not answer
 */
export async function requestResult(end: RequestEnd, readKept: ReadKept): Promise<unknown> {
  if (end.how === 'refused') throw new ProviderError(end.error.code, end.error.message)
  if (end.how === 'failed') throw errorOf(end.failure, end.error)
  const text = end.resultRef === undefined ? (end.result ?? 'null') : await keptText(end.resultRef, readKept)
  if (text === undefined) throw thrown.answerGone()
  return walletValue(text)
}

/** @throws ProviderError 4900 when the worker was lost; the answer stays stored */
function keptText(resultRef: string, readKept: ReadKept): Promise<string | undefined> {
  return readKept(resultRef).catch(() => Promise.reject(thrown.closed()))
}

/** @returns the result or error that came after the request had ended */
export async function lateOf(
  late: LateAnswer,
  readKept: ReadKept,
): Promise<{ result: unknown } | { error: ProviderError }> {
  if (late.error !== undefined) return { error: walletError(late.error, 'the wallet answered with an error') }
  const kept = { how: 'answered', ...late } as const
  return requestResult(kept, readKept).then(
    result => ({ result }),
    (error: ProviderError) => ({ error }),
  )
}

function errorOf(failure: Failure, given: string | undefined): ProviderError {
  if (given !== undefined) return walletError(given, failure.message)
  const { code } = failure.facts ?? {}
  const known = typeof code === 'number' && code !== 0 ? code : undefined
  return new ProviderError(known ?? codes[failure.code] ?? (code === 0 ? bareCode : -32_603), failure.message)
}

/** @param text the JSON of the wallet's `error`, of any form. The official kit answers `{}` to requests it finds invalid */
function walletError(text: string, otherwise: string): ProviderError {
  const given: unknown = walletValue(text)
  const { code, message } = readPeerError(given)
  const rejected = code === undefined && isRejection({ message })
  const data = typeof given === 'object' && given !== null && 'data' in given ? given.data : undefined
  return new ProviderError(code ?? (rejected ? 5000 : bareCode), message === '' ? otherwise : message, data)
}
