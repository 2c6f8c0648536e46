import type { Context } from 'hono'

/**
 * An error of the Blockchain API in its envelope.
 *
 * @param field name of the invalid input; empty for a generic one
 */
export function refused(c: Context, status: number, field: string, description: string): Response {
  return c.json({ status: 'FAILED', reasons: [{ field, description }] }, status as 400)
}

/** A 400 for query text or a body that cannot be read, before any field is checked. */
export const unreadable = (c: Context, sentence: string): Response => c.text(sentence, 400)

/** A 422: JSON whose types or values do not match. */
export const mismatch = (c: Context): Response => c.body(null, 422)
