/** Origins on which a project may run. @see reference "HTTP APIs", §4.2 */
import { looseObject, string } from '../../../runtime/schema/schema.ts'
import { readAnswer } from '../../rpc/answers.ts'
import { keptEntries, rawList } from '../blockchain/fields.ts'
import { loadError, type ProjectError } from './errors.ts'

const thisDevice = ['localhost', '127.0.0.1'].flatMap(host => ['http', 'https'].map(scheme => `${scheme}://${host}:*`))
const alwaysAllowed = [
  ...thisDevice,
  'https://*.pages.dev',
  'https://*.vercel.app',
  'https://*.ngrok-free.app',
  'https://secure-mobile.walletconnect.com',
  'https://secure-mobile.walletconnect.org',
]

const pattern = string({ least: 1, most: 500, grammar: /^[\x21-\x7e]+$/ })

/**
 * @param body answer of `GET /projects/v1/origins`
 * @returns patterns of origins; a malformed one is dropped and counted
 * @throws Fault `bad_response` when there is no list
 */
export function readOrigins(body: unknown): { allowedOrigins: string[]; dropped: number } {
  const { allowedOrigins } = readAnswer(looseObject({ allowedOrigins: rawList(1000) }), body, 'the allowed origins')
  const { entries, dropped } = keptEntries(allowedOrigins, pattern, entry => entry)
  return { allowedOrigins: entries, dropped }
}

/** The service's patterns, or the HTTP status of its failure; 0 when no answer came. */
type OriginsAnswer = { allowedOrigins: readonly string[] } | { status: number }

/**
 * @param origins the page's origin, and those of pages around it
 * @returns the error to show, undefined when an origin is allowed
 */
export function originProblem(origins: readonly string[], answer: OriginsAnswer): ProjectError | undefined {
  const failed = 'status' in answer ? loadError(answer.status) : undefined
  if (failed) return failed
  const patterns = [...alwaysAllowed, ...('status' in answer ? [] : answer.allowedOrigins)]
  const isAllowed = origins.some(origin => patterns.some(one => isCovered(origin, one)))
  return isAllowed ? undefined : { code: 'APKT002' }
}

/** A star stands for any characters, none included; the whole origin must match. Without a star, its origin or text is compared. */
function isCovered(origin: string, allowed: string): boolean {
  if (!allowed.includes('*')) return allowed === origin || (URL.canParse(allowed) && new URL(allowed).origin === origin)
  const [first = '', ...rest] = allowed.split('*')
  const last = rest.pop() ?? ''
  if (!origin.startsWith(first) || !origin.endsWith(last)) return false
  let at = first.length
  for (const part of rest) {
    const found = origin.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= origin.length - last.length
}
