import { Fault } from '../../runtime/failure.ts'
import { type JsonOptions, readJson } from '../../runtime/json/readJson.ts'
import { maxRetries, retriedStatuses, waitBefore } from '../rpc/retry.ts'

/** A request. With `body` it is a POST of JSON, else a GET. */
type HttpRequest = {
  url: string
  /** names the target in errors: "the wallet directory" */
  what: string
  body?: string
  /** statuses besides 2xx whose body is an answer; a JSON-RPC node may explain an error in a 400 */
  answers?: readonly number[]
  /** retries after the first attempt, default and at most 3 */
  retries?: number
  /** how `json` reads the body; default: prototype keys refused, at most 32 levels */
  reading?: Pick<JsonOptions, 'bigIntegers' | 'prototypeKeys' | 'maxDepth'>
  /** largest body, bytes; capped by the ports' own limit */
  maxBytes?: number
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

/** Injected dependencies, for tests. */
type HttpPorts = {
  fetch?: typeof fetch
  random?: () => number
  now?: () => number
  wait?: (ms: number) => Promise<void>
  /** default 10 s an attempt */
  timeoutMs?: number
  /** default 2 MB */
  maxBytes?: number
}

type Outcome = { ok: true; bytes: Uint8Array } | { ok: false; fault: Fault; retry: boolean; wanted?: number }

/** Errors name the host only: paths and queries of these URLs contain keys. */
export function createHttp(ports: HttpPorts = {}): Http {
  const { random = Math.random, now = Date.now, timeoutMs = 10_000, maxBytes = 2_000_000 } = ports
  const pause = ports.wait ?? (ms => new Promise<void>(resolve => setTimeout(resolve, ms)))
  const ask: typeof fetch = ports.fetch ?? ((input, init) => fetch(input, init))

  const once = async (request: HttpRequest): Promise<Outcome> => {
    const place = `${request.what} at ${hostOf(request.url)}`
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
        await response.body?.cancel()
        const wanted = retryAfterMs(response.headers.get('retry-after'), now())
        const fault = statusFault(place, status, wanted)
        return { ok: false, fault, retry: retriedStatuses.has(status), ...(wanted === undefined ? {} : { wanted }) }
      }
      const most = Math.min(maxBytes, request.maxBytes ?? maxBytes)
      const bytes = await readCapped(response, most)
      if (bytes) return { ok: true, bytes }
      const fault = new Fault('bad_response', `${place} expected ${most} bytes at most, got more`)
      return { ok: false, retry: false, fault }
    } catch {
      return { ok: false, retry: true, fault: lost(place, abort.signal.aborted, timeoutMs) }
    } finally {
      clearTimeout(deadline)
      abort.abort()
    }
  }

  const bytes = async (request: HttpRequest): Promise<Uint8Array> => {
    const retries = Math.min(request.retries ?? maxRetries, maxRetries)
    for (let retry = 0; ; retry += 1) {
      const outcome = await once(request)
      if (outcome.ok) return outcome.bytes
      const wait = outcome.retry && retry < retries ? waitBefore(retry, outcome.wanted, random()) : undefined
      if (wait === undefined) throw outcome.fault
      await pause(wait)
    }
  }

  const text = async (request: HttpRequest): Promise<string> => new TextDecoder().decode(await bytes(request))

  return {
    text,
    bytes,
    async json(request) {
      const body = await text(request)
      const place = `${request.what} at ${hostOf(request.url)}`
      if (/^\s*</.test(body)) throw new Fault('bad_response', `${place} expected JSON, got HTML`)
      if (body.trim() === '') throw new Fault('bad_response', `${place} expected JSON, got an empty body`)
      // The cap on bytes bounds length and values
      const unlimited = Number.POSITIVE_INFINITY
      return readJson(body, { name: place, maxLength: unlimited, maxValues: unlimited, ...request.reading })
    },
  }
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
