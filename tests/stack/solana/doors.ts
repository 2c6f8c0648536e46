import type { IncomingMessage, ServerResponse } from 'node:http'
import { toJson } from './bytes.ts'
import { type Faults, TRANSPORT_FAULTS } from './faults.ts'
import { bodyOf, reply, replyJson } from './http.ts'
import type { Listener } from './listen.ts'
import type { PublishedFile } from './publication.ts'
import { answerText, methodsNamed, type Serve } from './rpc.ts'

/** Handlers of the chain's HTTP server. */
export type Doors = {
  /** JSON text of `GET /` */
  info(): string
  /** JSON text of `GET /state` and of a control order's answer */
  state(): string
  file(path: string): PublishedFile | undefined
  /** throws a sentence when the order cannot be carried out */
  give(address: string, amounts: { sol?: string; usdc?: string; mai?: string }): string[]
  /** throws a sentence when the order cannot be read */
  control(order: unknown): void
  /** throws a sentence when the sale cannot be filled; answers how many transactions came of each kind */
  fill(order: unknown): Promise<Record<string, number>>
  serve: Serve
  faults: Faults
}

/** Listener of the chain's HTTP server; answers every request and never stops on an error. */
export function openDoors(doors: Doors): Listener {
  return (request, response) => {
    handle(doors, request, response).catch((error: Error) =>
      replyJson(response, 500, toJson({ error: `the local chain failed: ${error.message}` })),
    )
  }
}

async function handle(doors: Doors, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '/').split('?')[0] ?? '/'
  const say = (status: number, text: string) => reply(response, { status, type: 'text/plain', text })
  if (request.method === 'OPTIONS') return say(204, '')
  if (request.method === 'GET' || request.method === 'HEAD') {
    if (path === '/') return replyJson(response, 200, doors.info())
    if (path === '/state') return replyJson(response, 200, doors.state())
    const file = doors.file(path)
    return file ? reply(response, file) : say(404, `Nothing is published at ${path}.`)
  }
  if (request.method !== 'POST') return say(405, 'Use GET or POST.')
  const body = await bodyOf(request)
  if (body === undefined) return say(413, 'The body is over 4 MiB.')
  if (path === '/') return answerRpc(doors, { body, request, response })
  if (!['/faucet', '/control', '/fill'].includes(path)) return say(404, `Nothing takes a POST at ${path}.`)
  try {
    const order = parsed(body)
    if (path === '/faucet') {
      const { address, ...amounts } = (order ?? {}) as { address: string; sol?: string; usdc?: string; mai?: string }
      return replyJson(response, 200, toJson({ signatures: doors.give(address, amounts) }))
    }
    if (path === '/fill') return replyJson(response, 200, toJson({ kinds: await doors.fill(order) }))
    doors.control(order)
    return replyJson(response, 200, doors.state())
  } catch (error) {
    return replyJson(response, 400, toJson({ error: (error as Error).message }))
  }
}

type Exchange = { body: string; request: IncomingMessage; response: ServerResponse }

async function answerRpc(doors: Doors, { body, request, response }: Exchange): Promise<void> {
  for (const method of new Set(methodsNamed(body))) {
    const fault = doors.faults.take(method, TRANSPORT_FAULTS)
    if (fault?.kind === 'latency') await new Promise(resolve => setTimeout(resolve, fault.ms))
    if (fault?.kind === 'drop') return void request.socket.destroy()
    if (fault?.kind === 'html')
      return reply(response, { status: 200, type: 'text/html', text: '<!doctype html><title>Not JSON</title>' })
    if (fault?.kind !== 'status') continue
    const { status, retryAfter } = fault
    const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
    return reply(response, { status, type: 'text/plain', text: `Status ${status}`, headers })
  }
  const text = answerText(body, doors.serve, method => doors.faults.take(method, ['twice']) !== undefined)
  if (text === undefined) return reply(response, { status: 204, type: 'text/plain', text: '' })
  replyJson(response, 200, text)
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new Error(`the body expected JSON, got ${body.length} characters that are not`)
  }
}
