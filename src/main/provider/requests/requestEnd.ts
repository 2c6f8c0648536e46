/** A wallet's answer as the promise of whoever asked takes it. */
import type { Failure, FailureCode } from '../../../runtime/failure.ts'
import type { LateAnswer, RequestEnd } from '../../../events/subjects/request.ts'
import { isRejection } from '../../../worker/walletconnect/relay/errors.ts'
import { walletValue } from '../sessions/sessions.ts'
import { readPeerError } from '../../../worker/walletconnect/relay/peerErrors.ts'
import { ProviderError, thrown } from '../providerError.ts'

/** Reads a long answer that is kept beside the log. */
export type ReadKept = (resultRef: string) => Promise<string | undefined>

/** Where the wallet gave no code: what the protocol makes of a bare text. */
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
 * @throws ProviderError what the wallet said, or why it was not asked or did not answer
 */
export async function requestResult(end: RequestEnd, readKept: ReadKept): Promise<unknown> {
  if (end.how === 'refused') throw new ProviderError(end.error.code, end.error.message)
  if (end.how === 'failed') throw errorOf(end.failure, end.error)
  const text = end.resultRef === undefined ? (end.result ?? 'null') : await keptText(end.resultRef, readKept)
  if (text === undefined) throw thrown.answerGone()
  return walletValue(text)
}

/** The worker may be gone while it is asked; what it keeps stays kept. */
function keptText(resultRef: string, readKept: ReadKept): Promise<string | undefined> {
  return readKept(resultRef).catch(() => Promise.reject(thrown.closed()))
}

/** What came after its request had ended. */
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

/** @param text whatever the wallet put under `error`, as JSON; `{}` is what the official kit answers to what it finds invalid */
function walletError(text: string, otherwise: string): ProviderError {
  const given: unknown = walletValue(text)
  const { code, message } = readPeerError(given)
  const rejected = code === undefined && isRejection({ message })
  const data = typeof given === 'object' && given !== null && 'data' in given ? given.data : undefined
  return new ProviderError(code ?? (rejected ? 5000 : bareCode), message === '' ? otherwise : message, data)
}
