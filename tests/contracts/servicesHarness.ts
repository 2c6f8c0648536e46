/** The local services beside a local chain, and how a contract test asks them. */
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type ServicesStack, startServices } from '../stack/services/services.ts'
import { type SolanaStack, startSolana } from '../stack/solana/server.ts'
import type { ServicesControl } from '../stack/services/control.ts'

export const projectId = '0123456789abcdef0123456789abcdef'
export const mainnet = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
export const project = `projectId=${projectId}&st=appkit&sv=html-solana-1.7.19`
const origin = 'http://127.0.0.1:5173'

export type Answer = { status: number; headers: Headers; text: string; body: unknown }

export type ServicesHarness = {
  readonly services: ServicesStack
  readonly solana: SolanaStack
  /** `body` is sent as JSON text, as a page of another origin does it */
  ask(path: string, options?: { body?: unknown; headers?: Record<string, string>; method?: string }): Promise<Answer>
  control(body: ServicesControl): Promise<void>
}

/** Starts both for a test file; after each test everything is restored. */
export function servicesHarness(seed: string): ServicesHarness {
  let services: ServicesStack | undefined
  let solana: SolanaStack | undefined
  beforeAll(async () => {
    solana = await startSolana({ seed, clock: 'manual' })
    services = await startServices({ solana })
  })
  afterEach(() => services?.control({ reset: true }))
  afterAll(async () => {
    await services?.close()
    await solana?.close()
  })
  const running = (): { services: ServicesStack; solana: SolanaStack } => {
    if (!services || !solana) throw new Error('the harness expected a test, got a call before its start')
    return { services, solana }
  }
  const ask: ServicesHarness['ask'] = async (path, { body, headers = {}, method } = {}) => {
    const init = { method: method ?? (body === undefined ? 'GET' : 'POST'), headers: { origin, ...headers } }
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await fetch(`${running().services.url}${path}`, {
      ...init,
      ...(body === undefined ? {} : { body: text }),
    })
    const came = await answer.text()
    const isJson = answer.headers.get('content-type')?.includes('json') && came !== ''
    return { status: answer.status, headers: answer.headers, text: came, body: isJson ? JSON.parse(came) : undefined }
  }
  return {
    get services() {
      return running().services
    },
    get solana() {
      return running().solana
    },
    ask,
    async control(body) {
      expect(await ask('/control', { body })).toMatchObject({ status: 200 })
    },
  }
}

/** The Blockchain API's error envelope. */
export const envelope = (field: string) => ({
  status: 'FAILED',
  reasons: [{ field, description: expect.any(String) as string }],
})
