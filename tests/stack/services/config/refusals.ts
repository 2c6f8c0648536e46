import type { Context } from 'hono'
import { isProjectId } from '../blockchainApi/project.ts'
import type { World } from '../world.ts'

/** @returns the refusal of a request: 400 without a project id, 403 for a malformed one or a refused origin */
export function configRefusal(c: Context, world: World): Response | undefined {
  const id = c.req.query('projectId')
  if (!id) return c.text('projectId must be 32 characters long', 400)
  if (!isProjectId(id)) return c.text('Forbidden', 403)
  return isRefusedOrigin(c, world) ? c.text('Unauthorized: origin not allowed', 403) : undefined
}

export function isRefusedOrigin(c: Context, world: World): boolean {
  const origin = c.req.header('origin')
  return origin !== undefined && world.settings().refusedOrigins.includes(origin)
}
