/** Shared by driver tests: answers validated against the schema, and a small HTTP server for faults. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type OutsideInput, inputDefinitions } from '../../../src/events/input.ts'
import { misfit } from '../../../src/runtime/schema/registry.ts'
import type { InputOf } from '../../../src/worker/drivers/drive.ts'
import type { Drive } from '../../../src/runtime/host/driver.ts'

/**
 * Carries out one effect.
 * @returns its only answer; throws when there is none, more than one, or one that breaks the schema
 */
export async function ask(drivers: { [type: string]: Drive }, type: string, data: unknown): Promise<OutsideInput> {
  const driver = drivers[type]
  if (!driver) throw new Error(`no driver carries out ${type}`)
  const answers: { type: string; data: Record<string, unknown> }[] = []
  await driver({ id: 'e1.1.1', data }, input => answers.push(input))
  const [answer] = answers
  if (!answer || answers.length > 1) throw new Error(`${type} expected one answer, got ${answers.length}`)
  const definition = inputDefinitions[answer.type as keyof typeof inputDefinitions]
  const wrong = definition ? misfit(definition, answer.data) : 'there is no such input'
  if (wrong !== undefined) throw new Error(`${type} answered ${answer.type}: ${wrong}`)
  return answer as OutsideInput
}

/** @returns the failure of the effect; throws on any other answer */
export async function failureOf(drivers: { [type: string]: Drive }, type: string, data: unknown) {
  const answer = await ask(drivers, type, data)
  if (answer.type !== 'effect.failed' && answer.type !== 'directory.failed') {
    throw new Error(`${type} expected to fail, got ${answer.type}`)
  }
  return answer.data.failure
}

/** @returns the answer's data; throws on an answer of another type */
export async function answerOf<T extends OutsideInput['type']>(
  drivers: { [type: string]: Drive },
  type: string,
  data: unknown,
  expected: T,
): Promise<InputOf<T>> {
  const answer = await ask(drivers, type, data)
  if (answer.type !== expected) throw new Error(`expected ${expected}, got ${JSON.stringify(answer)}`)
  return answer.data as unknown as InputOf<T>
}

export type SmallServer = { url: string; requests: { path: string; body: string }[]; close(): Promise<void> }

/** Serves every request by `handle`, with the body read. */
export async function serve(
  handle: (request: IncomingMessage & { text: string }, response: ServerResponse, count: number) => void,
): Promise<SmallServer> {
  const requests: { path: string; body: string }[] = []
  const server: Server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    requests.push({ path: request.url ?? '', body })
    handle(Object.assign(request, { text: body }), response, requests.length)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
