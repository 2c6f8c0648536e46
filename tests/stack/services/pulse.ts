import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import { isProjectId } from './blockchainApi/project.ts'
import { isRefusedOrigin } from './config/refusals.ts'
import { safeJson } from './json.ts'
import type { World } from './world.ts'

/** Analytics events: numbers by name, and the last 200 as they came. */
export type ReceivedEvents = { events: Record<string, number>; malformedEvents: number; lastEvents: unknown[] }

const maxEvents = 200

/**
 * The analytics service: one event by `/e`, a list of them by `/batch`. An invalid project id is 400, a refused origin 403; any
 * other request is taken. An event that came before is counted once.
 */
export function addPulse(app: Hono<{ Bindings: HttpBindings }>, world: World, received: ReceivedEvents): void {
  const ids = new Set<string>()
  const take = (event: unknown): void => {
    const { eventId, props } = (event ?? {}) as { eventId?: unknown; props?: { event?: unknown } }
    const name = props?.event
    if (typeof name !== 'string') {
      received.malformedEvents += 1
      return
    }
    const key = `${String(eventId)} ${name}`
    if (ids.has(key)) return
    ids.add(key)
    received.events[name] = (received.events[name] ?? 0) + 1
    received.lastEvents.push(event)
    received.lastEvents.splice(0, received.lastEvents.length - maxEvents)
  }
  const refusal = (c: Context<{ Bindings: HttpBindings }>): Response | undefined => {
    if (!isProjectId(c.req.query('projectId') ?? '')) return c.text('Invalid project id', 400)
    return isRefusedOrigin(c, world) ? c.text('Unauthorized: origin not allowed', 403) : undefined
  }
  app.post('/e', async c => {
    const refused = refusal(c)
    if (refused) return refused
    take(safeJson(await c.req.text()))
    return c.json({}, 202)
  })
  app.post('/batch', async c => {
    const refused = refusal(c)
    if (refused) return refused
    const events = safeJson(await c.req.text())
    for (const event of Array.isArray(events) ? events : [events]) take(event)
    return c.json({}, 202)
  })
}
