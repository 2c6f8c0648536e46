import type { Context } from 'hono'
import { refused, unreadable } from './errors.ts'

/** @returns the refusal of a request without a valid project id: 400 if it is absent, 401 if it is malformed */
export function projectRefusal(c: Context, id: string | undefined = c.req.query('projectId')): Response | undefined {
  if (id === undefined) return unreadable(c, 'Failed to deserialize query string: missing field `projectId`')
  if (isProjectId(id)) return undefined
  return refused(c, 401, 'authentication', 'We failed to authenticate your request')
}

/** A project id is 32 hex digits. */
export const isProjectId = (id: string): boolean => /^[0-9a-f]{32}$/i.test(id)

type Handler = (c: Context) => Response | Promise<Response>

/** A handler behind the check of the query's project id. */
export const forProject =
  (handler: Handler): Handler =>
  c =>
    projectRefusal(c) ?? handler(c)

/** A query value, or the 400 for its absence. */
export function required(c: Context, name: string): string | Response {
  const value = c.req.query(name)
  return value === undefined ? unreadable(c, `Failed to deserialize query string: missing field \`${name}\``) : value
}
