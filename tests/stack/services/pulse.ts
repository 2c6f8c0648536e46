import type { HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import { isProjectId } from './blockchainApi/project.ts'
import { isRefusedOrigin } from './config/refusals.ts'
import { safeJson } from './json.ts'
import type { World } from './world.ts'

/** Analytics events: numbers by name, and the last 200 as they came. */
export type ReceivedEvents = { events: Record<string, number>; malformedEvents: number; lastEvents: unknown[] }

const maxEvents = 200

/** The analytics service. An invalid project id is 400, a refused origin 403; any other request is taken. */
export function addPulse(app: Hono<{ Bindings: HttpBindings }>, world: World, received: ReceivedEvents): void {
  app.post('/e', async c => {
    if (!isProjectId(c.req.query('projectId') ?? '')) return c.text('Invalid project id', 400)
    if (isRefusedOrigin(c, world)) return c.text('Unauthorized: origin not allowed', 403)
    const event = safeJson(await c.req.text()) as { props?: { event?: unknown } } | undefined
    const name = event?.props?.event
    if (typeof name === 'string') {
      received.events[name] = (received.events[name] ?? 0) + 1
      received.lastEvents.push(event)
      received.lastEvents.splice(0, received.lastEvents.length - maxEvents)
    } else received.malformedEvents += 1
    return c.json({}, 202)
  })
}
