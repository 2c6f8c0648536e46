/** Errors as peers send them. */
import { errorTable, isRejection, type WireError, sdkErrors } from './errors.ts'

/** Longest error message of a peer; the rest is cut, characters. */
const longest = 500

/**
 * Reads any `error` a peer sends: an object with code and message, with a message only, an empty one (the official
 * wallet's answer to an invalid request), a bare string. Never throws.
 *
 * @returns the code if it is an integer, and the message, `''` when there is none
 */
export function readPeerError(error: unknown): WireError {
  if (typeof error === 'string') return { message: error.slice(0, longest) }
  if (typeof error !== 'object' || error === null) return { message: '' }
  const given: { code?: unknown; message?: unknown } = error
  const message = typeof given.message === 'string' ? given.message.slice(0, longest) : ''
  const number = typeof given.code === 'string' && /^-?\d{1,9}$/.test(given.code) ? Number(given.code) : given.code
  return typeof number === 'number' && Number.isSafeInteger(number) ? { code: number, message } : { message }
}

const tableTexts = Object.values(errorTable).map(({ message }) => message)

/**
 * A peer's error in our own words, for the log: its own message may quote anything, even a one-time password.
 *
 * @returns the protocol's text that it begins with, a fixed text for a rejection or an unknown method, else `''`
 */
export function plainWords(message: string): string {
  const known = tableTexts.find(text => message.startsWith(text))
  if (known !== undefined) return known
  if (isRejection({ message })) return sdkErrors.USER_REJECTED.message
  return /method|unknown|unsupported/i.test(message) ? 'Unsupported method.' : ''
}
