import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Control, readControl } from './switches.ts'

type Door = {
  control(wanted: Control): void
  state(): unknown
  /** @returns the status with which a socket of this request would be refused, or `cut` */
  refusal(request: IncomingMessage): number | 'cut' | undefined
}

/**
 * Serves `GET /state` and `POST /control`. A `GET /`, which should have been an upgrade, gets the status from `refusal`;
 * anything else a 404 with a sentence. Open to pages of every origin.
 */
export async function answerDoor(
  request: IncomingMessage,
  response: ServerResponse,
  { control, state, refusal }: Door,
): Promise<void> {
  const answer = (status: number, body: unknown): void => {
    const headers = {
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'content-type',
    }
    response.writeHead(status, headers).end(JSON.stringify(body))
  }
  const path = new URL(request.url ?? '/', 'http://relay').pathname
  if (request.method === 'OPTIONS') return answer(200, {})
  if (request.method === 'GET' && path === '/state') return answer(200, state())
  const refused = request.method === 'GET' && path === '/' ? refusal(request) : undefined
  if (refused === 'cut') return void request.destroy()
  if (refused !== undefined) return answer(refused, { error: 'the relay refuses this token' })
  if (request.method !== 'POST' || path !== '/control') {
    return answer(404, { error: 'the relay has GET /state and POST /control' })
  }
  let text = ''
  for await (const part of request) text += part
  const wanted = readControl(safeJson(text))
  if ('error' in wanted) return answer(400, wanted)
  control(wanted)
  return answer(200, state())
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
