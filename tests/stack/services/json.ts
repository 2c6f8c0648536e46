import type { Context } from 'hono'

/** JSON of a text, or undefined. */
export function safeJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The body as a JSON record, whatever the content type; undefined for a text that is none. */
export async function bodyRecord(c: Context): Promise<Record<string, unknown> | undefined> {
  const body = safeJson(await c.req.text())
  return body !== null && typeof body === 'object' && !Array.isArray(body)
    ? (body as Record<string, unknown>)
    : undefined
}
