import { Fault } from '../../runtime/failure.ts'
import { type JsonOptions, readJson } from '../../runtime/json/readJson.ts'

/** A request. With `body` it is a POST of JSON, else a GET. */
export type HttpRequest = {
  url: string
  /** names the target in errors: "the wallet directory" */
  what: string
  body?: string
  /** statuses besides 2xx whose body is an answer; a JSON-RPC node may explain an error in a 400 */
  answers?: readonly number[]
  /** retries after the first attempt, default and at most 3 */
  retries?: number
  /** ms from now, after which no retry begins */
  deadlineMs?: number
  /** how `json` reads the body; default: prototype keys refused, at most 32 levels */
  reading?: Pick<JsonOptions, 'bigIntegers' | 'prototypeKeys' | 'maxDepth'>
  /** largest body, bytes, default 2 MB; capped by the ports' own limit, if they have one */
  maxBytes?: number
  /** largest body of any other status that is read, bytes; absent: none is read. The fault is then a `StatusFault` */
  refusalBytes?: number
}

/** A status that is no answer. */
export class StatusFault extends Fault {
  /** text of its body, '' for one that is too long or cut off; it may quote anything and stays out of the log */
  readonly body: string

  constructor({ code, message, facts }: Fault, body: string) {
    super(code, message, facts)
    this.body = body
  }
}

/** HTTP requests with a deadline, a size limit and a few retries. */
export type Http = {
  /**
   * @returns the body's text
   * @throws Fault `unreachable`, `offline`, `timeout`, `rate_limited` (facts `retryAfterMs`), `unauthorized`, `bad_response`
   */
  text(request: HttpRequest): Promise<string>
  /** @returns the body's bytes, as received. @throws Fault as `text` */
  bytes(request: HttpRequest): Promise<Uint8Array>
  /**
   * @returns the body parsed as JSON, otherwise unchecked
   * @throws Fault as `text`, and `bad_response` when it is HTML, not JSON, nested too deep, or has a prototype key
   */
  json(request: HttpRequest): Promise<unknown>
}

/** Injected dependencies. */
export type SendPorts = {
  fetch?: typeof fetch
  now?: () => number
  /** ms */
  timeoutMs: number
  maxBytes?: number
}

/** How one attempt ended. `status` and `retryAfterMs`: the server's, when one answered. */
export type SendOutcome =
  | { ok: true; status: number; bytes: Uint8Array }
  | { ok: false; fault: Fault; status?: number; retryAfterMs?: number }

/** Largest body where neither request nor ports set a limit. */
const usualBytes = 2_000_000

/** Makes one attempt. Errors name the host only: paths and queries of these URLs contain keys. */
export async function sendOnce(request: HttpRequest, ports: SendPorts): Promise<SendOutcome> {
  const { now = Date.now, timeoutMs, maxBytes } = ports
  // A browser's `fetch` expects the global object
  const ask: typeof fetch = ports.fetch ?? ((input, init) => fetch(input, init))
  const place = placeOf(request)
  const abort = new AbortController()
  const deadline = setTimeout(() => abort.abort(), timeoutMs)
  try {
    const response = await ask(request.url, {
      ...(request.body === undefined
        ? { headers: { accept: 'application/json' } }
        : { method: 'POST', body: request.body, headers: { 'content-type': 'application/json' } }),
      signal: abort.signal,
      credentials: 'omit',
      cache: 'no-cache',
      referrerPolicy: 'strict-origin-when-cross-origin',
    })
    const { status } = response
    if (!response.ok && !request.answers?.includes(status)) {
      const wanted = retryAfterMs(response.headers.get('retry-after'), now())
      const asked = wanted === undefined ? {} : { retryAfterMs: wanted }
      const fault = statusFault(place, status, wanted)
      const { refusalBytes } = request
      if (refusalBytes === undefined) {
        await response.body?.cancel()
        return { ok: false, status, ...asked, fault }
      }
      // The status counts, also where its body is cut off
      const body = await readCapped(response, refusalBytes).catch(() => undefined)
      return { ok: false, status, ...asked, fault: new StatusFault(fault, new TextDecoder().decode(body)) }
    }
    const most = Math.min(maxBytes ?? Infinity, request.maxBytes ?? maxBytes ?? usualBytes)
    const bytes = await readCapped(response, most)
    if (bytes) return { ok: true, status, bytes }
    return { ok: false, fault: new Fault('bad_response', `${place} expected ${most} bytes at most, got more`) }
  } catch {
    return { ok: false, fault: lost(place, abort.signal.aborted, timeoutMs) }
  } finally {
    clearTimeout(deadline)
    abort.abort()
  }
}

/** @returns a body parsed as JSON. @throws Fault `bad_response` */
export function readJsonBody(request: HttpRequest, bytes: Uint8Array): unknown {
  const body = new TextDecoder().decode(bytes)
  const place = placeOf(request)
  if (/^\s*</.test(body)) throw new Fault('bad_response', `${place} expected JSON, got HTML`)
  if (body.trim() === '') throw new Fault('bad_response', `${place} expected JSON, got an empty body`)
  // The cap on bytes bounds length and values
  const unlimited = Number.POSITIVE_INFINITY
  return readJson(body, { name: place, maxLength: unlimited, maxValues: unlimited, ...request.reading })
}

/** @returns target and host, for errors */
function placeOf({ what, url }: Pick<HttpRequest, 'what' | 'url'>): string {
  return `${what} at ${hostOf(url)}`
}

/** @returns host and port of a URL, without credentials, path and query; `an unreadable address` when it is invalid */
export function hostOf(url: string): string {
  try {
    return new URL(url).host
  } catch {
    return 'an unreadable address'
  }
}

/**
 * @param value the `Retry-After` header
 * @param now ms since the Unix epoch, for the form with a date
 * @returns ms to wait, undefined when the header is absent or neither whole seconds nor a date
 * @see RFC 9110, §10.2.3
 */
export function retryAfterMs(value: string | null, now: number): number | undefined {
  if (value === null) return undefined
  const text = value.trim()
  if (/^[0-9]{1,9}$/.test(text)) return Number(text) * 1000
  if (!/^[A-Z][a-z]{2}, /.test(text)) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

function lost(place: string, timedOut: boolean, timeoutMs: number): Fault {
  if (timedOut)
    return new Fault('timeout', `${place} expected an answer within ${timeoutMs} ms, got none`, { timeoutMs })
  if (globalThis.navigator?.onLine === false) return new Fault('offline', `${place} is out of reach: no network`)
  return new Fault('unreachable', `${place} could not be reached`)
}

function statusFault(place: string, status: number, wanted: number | undefined): Fault {
  const sentence = `${place} expected HTTP 200, got ${status}`
  if (status === 429) {
    return new Fault('rate_limited', sentence, wanted === undefined ? { status } : { status, retryAfterMs: wanted })
  }
  if (status === 401 || status === 403) return new Fault('unauthorized', sentence, { status })
  if (status === 408) return new Fault('timeout', sentence, { status })
  return new Fault(status >= 500 ? 'unreachable' : 'bad_response', sentence, { status })
}

/** @returns the bytes, undefined when there are more than `maxBytes`; it stops reading there */
async function readCapped(response: Response, maxBytes: number): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = []
  let length = 0
  const reader = response.body?.getReader()
  while (reader) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.length
    if (length > maxBytes) {
      await reader.cancel()
      return undefined
    }
    pieces.push(value)
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}
