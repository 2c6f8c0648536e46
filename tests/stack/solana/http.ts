import type { IncomingMessage, ServerResponse } from 'node:http'

/** Pages of every origin may call; web3.js adds the header `solana-client`, and retry hints must be readable. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'content-type, solana-client',
  'access-control-expose-headers': 'retry-after',
  'access-control-max-age': '86400',
}

const MAX_BODY_BYTES = 4 * 1024 * 1024

/** Ends a response with a body. */
export function reply(
  response: ServerResponse,
  answer: { status: number; type: string; text: string; headers?: Record<string, string> },
): void {
  if (response.destroyed || response.headersSent) return
  const { status, type, text, headers = {} } = answer
  response.writeHead(status, { ...CORS, 'content-type': type, 'cache-control': 'no-store', ...headers })
  response.end(text)
}

/** Ends a response with JSON text. */
export const replyJson = (response: ServerResponse, status: number, text: string): void =>
  reply(response, { status, type: 'application/json', text })

/** The body as text, or undefined when it is over 4 MiB. */
export async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > MAX_BODY_BYTES) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
