/** Errors as peers send them. */
import { errorTable, isRejection, type RpcError, sdkErrors } from './errors.ts'

/** Longest text kept of a peer's error; what is beyond says nothing to anybody. */
const longest = 500

/**
 * Reads whatever a peer put under `error`: an object with code and message, with a message only, an empty one (what
 * the official wallet answers to a request it finds invalid), a bare text. Never fails.
 *
 * @returns the code when there was a whole number, and the text, `''` when there was none
 */
export function readRpcError(error: unknown): RpcError {
  if (typeof error === 'string') return { message: error.slice(0, longest) }
  if (typeof error !== 'object' || error === null) return { message: '' }
  const given: { code?: unknown; message?: unknown } = error
  const message = typeof given.message === 'string' ? given.message.slice(0, longest) : ''
  const number = typeof given.code === 'string' && /^-?\d{1,9}$/.test(given.code) ? Number(given.code) : given.code
  return typeof number === 'number' && Number.isSafeInteger(number) ? { code: number, message } : { message }
}

const tableTexts = Object.values(errorTable).map(({ message }) => message)

/**
 * A peer's error in words of our own, for the log: its own text may quote anything, a one-time password included.
 *
 * @returns the text of the protocol's table that it begins with, a word for a refusal or an unknown method, else `''`
 */
export function plainWords(message: string): string {
  const known = tableTexts.find(text => message.startsWith(text))
  if (known !== undefined) return known
  if (isRejection({ message })) return sdkErrors.USER_REJECTED.message
  return /method|unknown|unsupported/i.test(message) ? 'Unsupported method.' : ''
}
