/** Reasons of a refused call. @see reference "HTTP APIs", §2.6 */
import { Fault } from '../../../runtime/failure.ts'
import { isRecord, recordOf } from '../../../runtime/json/isRecord.ts'
import { readJson } from '../../../runtime/json/readJson.ts'
import { cleanText } from '../../../events/values/text/cleanText.ts'

/** `field` is '' when the service names none. A description may quote an address: it is for the screen, not for the log. */
type Reason = { field: string; description: string }

const mostReasons = 10

/** @returns whether a body is the envelope of a refusal; no answer of a call is one */
export function isRefusal(body: string): boolean {
  return recordOf(jsonOf(body)).status === 'FAILED'
}

/**
 * Reads the body of an answer that is not 2xx: the envelope, the `{ code, message }` of a service behind it, or plain text.
 *
 * @param body the text, whatever it is
 * @returns reasons in one line each; none for an empty body, HTML or JSON of another shape
 */
export function reasonsOf(body: string): Reason[] {
  const json = jsonOf(body)
  if (json === undefined) return /^\s*[<[{]/.test(body) ? [] : reasonOf('', body)
  if (typeof json === 'string') return reasonOf('', json)
  return envelopeReasons(json) ?? reasonOf('', recordOf(json).message)
}

/** @param json any JSON. @returns the reasons of the envelope; undefined for JSON of another shape */
export function envelopeReasons(json: unknown): Reason[] | undefined {
  const { status, reasons } = recordOf(json)
  if (status !== 'FAILED' || !Array.isArray(reasons)) return undefined
  return reasons.slice(0, mostReasons).flatMap((reason: unknown) => {
    const { field, description } = recordOf(reason)
    return isRecord(reason) ? reasonOf(field, description) : []
  })
}

function reasonOf(field: unknown, description: unknown): Reason[] {
  const text = typeof description === 'string' ? cleanText(description, 300) : ''
  return text === '' ? [] : [{ field: typeof field === 'string' ? cleanText(field, 60) : '', description: text }]
}

function jsonOf(text: string): unknown {
  try {
    return readJson(text, { name: 'the reasons', maxLength: 65_536, maxDepth: 8, maxValues: 1000 })
  } catch (cause) {
    if (cause instanceof Fault) return undefined
    throw cause
  }
}
