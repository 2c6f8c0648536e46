/** The description of one call of the Blockchain API, and what follows from it: its request and the reading of its answer. */
import { exactIntegers } from '../../../runtime/json/bigIntegers.ts'
import { Fault } from '../../../runtime/failure.ts'
import { readJson } from '../../../runtime/json/readJson.ts'
import type { AnswerReader } from './fields.ts'

type Value = string | number | boolean | null | undefined | readonly Value[] | { readonly [name: string]: Value }
type Members = { readonly [name: string]: Value }

/** One call with parameters `P` and answer `A`. */
export type ApiCall<P, A> = {
  /** the answer, for errors: `the balances` */
  what: string
  method: 'GET' | 'POST'
  /** segments of the path, not yet encoded */
  path: (params: P) => readonly string[]
  query?: (params: P) => { readonly [name: string]: string | undefined }
  body?: (params: P, host: ApiHost) => Members
  /** it changes something at the service: a repetition would change it again */
  isOnce?: true
  /** project and SDK in the query, only the project there, or neither; a project in the body is a member of `body` */
  identified: 'sdk' | 'project' | 'none'
  /** in place of a failed call */
  fallback?: (params: P) => A
  /** in place of an empty body, which is otherwise a failure */
  empty?: A
  read: AnswerReader<P, A>
}

/** The asking page. `apiUrl` is absolute, `clientId` is known after a WalletConnect connection; an unknown SDK version is stated as such. */
export type ApiHost = { apiUrl: string; projectId: string; sdkVersion?: string; clientId?: string }

/** A request as a driver sends it; a body is JSON. */
type ApiRequest = { method: 'GET' | 'POST'; url: string; body?: string }

/**
 * @returns the request of a call; absent and empty values are left out, `clientId` comes last
 * @throws Fault `bad_input` when a parameter cannot be a segment of a path
 */
export function requestOf<P, A>(call: ApiCall<P, A>, params: P, host: ApiHost): ApiRequest {
  const url = new URL(host.apiUrl)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/${call.path(params).map(segment).join('/')}`
  url.search = ''
  url.hash = ''
  const query: Record<string, string | undefined> = {
    ...call.query?.(params),
    projectId: call.identified === 'none' ? undefined : host.projectId,
    ...(call.identified === 'sdk' ? { st: 'appkit', sv: host.sdkVersion || 'unknown' } : {}),
    clientId: host.clientId,
  }
  for (const [name, value] of Object.entries(query)) if (value) url.searchParams.set(name, value)
  const body = call.body?.(params, host)
  return {
    method: call.method,
    url: url.href,
    ...(body && { body: JSON.stringify(present(body)) }),
  }
}

/** A URL resolves dots and loses empty segments, so that the path would name something else. */
function segment(text: string): string {
  if (text === '' || /^\.{1,2}$/.test(text))
    throw new Fault('bad_input', `a path of the Blockchain API expected a name or an address, got "${text}"`)
  try {
    return encodeURIComponent(text)
  } catch {
    throw new Fault('bad_input', 'a path of the Blockchain API expected whole characters, got half a surrogate pair')
  }
}

function present(members: Members): Members {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  )
}

/**
 * Reads the body of a successful answer.
 *
 * @throws Fault `bad_response` naming the answer, what was expected and what came
 */
export function readBody<P, A>(call: ApiCall<P, A>, text: string, params: P): A {
  const { what, empty, read } = call
  if (text.trim() === '') {
    if (empty !== undefined) return empty
    throw new Fault('bad_response', `${what} expected JSON, got an empty body`)
  }
  if (/^\s*</.test(text)) throw new Fault('bad_response', `${what} expected JSON, got HTML`)
  return read(readJson(text, { name: what, ...limits }), what, params)
}

/**
 * Longest body of an answer, bytes. Kept, it is one line of the log, which is at most four times as long: links are escaped. The
 * longest is a list of 1,000 tokens, about 200 kB.
 */
export const answerBytes = 250_000
/** Long integers are amounts and keep their digits. */
const limits = { maxLength: answerBytes, maxDepth: 12, maxValues: 40_000, bigIntegers: exactIntegers } as const

/**
 * @returns a parameter that is whole base units
 * @throws Fault `bad_input` for any other text
 */
export function wholeText(text: string, name: string, digits = 78): string {
  if (text.length <= digits && /^(?:0|[1-9][0-9]*)$/.test(text)) return text
  throw new Fault('bad_input', `${name} expected a whole number of at most ${digits} digits, got another text`)
}
