import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import { createSigningKey } from './signing.ts'
import { readVerifyControl, type VerifyControl, type VerifySwitches, witnessing } from './switches.ts'

/** State of the service: numbers of requests, attested origins, and framing pages. */
export type VerifyState = {
  pages: number
  keys: number
  lookups: number
  origins: string[]
  /** referrers of the attestation page, as sent by the browser */
  referrers: string[]
  switches: VerifySwitches
}

/** The running service. `url` has no slash at its end and no version. */
export type VerifyStack = {
  url: string
  port: number
  control(control: VerifyControl): void
  state(): VerifyState
  close(): Promise<void>
}

/** Lifetimes of attestations and of public keys, s. */
const attestationLife = 300
const keyLife = 3600

/**
 * Starts a verify service: `/v3/attestation` posts the attestation to its parent page; `/v3/public-key` has the key to verify
 * it;
 * `/attestation/<hash of the inner text>` serves wallets whose message carried none. Only the origin a page names may frame its
 * attestation page, which the browser enforces: that makes the attestation true. `POST /control` takes the switches of
 * `switches.ts`, `GET /state` counts.
 *
 * @param options.port 0 or absent takes any free port
 * @throws the listening error, `EADDRINUSE` when the port is taken
 */
export async function startVerify(options: { port?: number; host?: string } = {}): Promise<VerifyStack> {
  const { port = 0, host = '127.0.0.1' } = options
  const service = createService()
  const server = serve({ fetch: service.app.fetch, hostname: host, port })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.once('listening', () => resolve())
  })
  const bound = (server.address() as AddressInfo).port
  return {
    url: `http://${host}:${bound}`,
    port: bound,
    control: service.control,
    state: service.state,
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}

type Witnessed = { origin: string; isVerified: boolean; isScam: boolean }

function createService() {
  const app = new Hono()
  const counted = { pages: 0, keys: 0, lookups: 0 }
  const origins: string[] = []
  const referrers: string[] = []
  /** by hash of the envelope's inner text */
  const witnessed = new Map<string, Witnessed>()
  let switches: VerifySwitches = { ...witnessing }
  let key = createSigningKey()
  const state = (): VerifyState => ({
    ...counted,
    origins: [...origins],
    referrers: [...referrers],
    switches: { ...switches },
  })
  function control({ newKey, ...set }: VerifyControl): void {
    switches = { ...switches, ...set }
    if (newKey) key = createSigningKey()
  }

  app.use('*', cors({ origin: '*', allowMethods: ['GET', 'POST', 'OPTIONS'] }))
  app.post('/control', async c => {
    const wanted = readVerifyControl(await c.req.json().catch(() => undefined))
    if ('error' in wanted) return c.json(wanted, 400)
    control(wanted)
    return c.json(state())
  })
  app.get('/state', c => c.json(state()))

  app.get('/v3/attestation', async c => {
    counted.pages += 1
    referrers.push(c.req.header('referer') ?? '')
    const { page, delayMs, isVerified, isScam } = switches
    const [projectId, origin, id, decryptedId] = ['projectId', 'origin', 'id', 'decryptedId'].map(name =>
      c.req.query(name),
    )
    if (!projectId || !origin || !isHash(id) || !isHash(decryptedId))
      return c.text('an attestation expected projectId, origin, id and decryptedId', 400)
    if (page === 'never') return unanswered()
    if (delayMs > 0) await new Promise(resolve => setTimeout(resolve, delayMs))
    if (page === 'errorPage') return c.text('The service answers 503', 503)
    if (page === 'well' || page === 'unsaid') {
      origins.push(origin)
      witnessed.set(decryptedId, { origin, isVerified, isScam })
    }
    c.header('content-security-policy', `frame-ancestors ${page === 'refused' ? "'none'" : origin}`)
    if (page === 'elsewhere') return c.html(framing(c, id))
    const signer = page === 'wrongSignature' ? createSigningKey() : key
    const exp = Math.floor(Date.now() / 1000) + (page === 'expired' ? -60 : attestationLife)
    const about = page === 'wrongId' ? '0'.repeat(64) : id
    const attestation = signer.attest({ id: about, origin, exp, isVerified, isScam })
    return c.html(saying(wordsOf(page, attestation)))
  })
  // Page at another origin, in a nested frame
  app.get('/v3/elsewhere', c =>
    c.html(
      saying([word(key.attest({ id: c.req.query('id') ?? '', origin: '', exp: 0, isVerified: true, isScam: false }))]),
    ),
  )

  app.get('/v3/public-key', async c => {
    counted.keys += 1
    if (switches.key === 'never') return unanswered()
    if (switches.key === 'errorPage') return c.text('The service answers 503', 503)
    if (switches.key === 'garbage') return c.text('{"publicKey":')
    const publicKey = switches.key === 'noPoint' ? { ...key.publicKey, y: key.publicKey.x } : key.publicKey
    const life = switches.key === 'over' ? -60 : keyLife
    return c.json({ publicKey, expiresAt: Math.floor(Date.now() / 1000) + life })
  })
  app.get('/attestation/:hash', c => {
    counted.lookups += 1
    const found = witnessed.get(c.req.param('hash'))
    return found ? c.json({ attestationId: c.req.param('hash'), ...found }) : c.text('No such attestation', 404)
  })
  app.notFound(c => c.text(`The verify service has no ${c.req.method} ${c.req.path}`, 404))
  return { app, control, state }
}

const unanswered = () => new Promise<Response>(() => undefined)

const isHash = (text: string | undefined): text is string => /^[0-9a-f]{64}$/.test(text ?? '')

const word = (attestation: string | null) => JSON.stringify({ type: 'verify_attestation', attestation })

/** Messages of the page to its parent, in order. */
function wordsOf(page: VerifySwitches['page'], attestation: string): string[] {
  if (page === 'silent') return []
  if (page === 'garbage') return ['{', 'null', '{"type":"verify_attestation"', '{"type":"other"}']
  return [word(page === 'nothing' || page === 'unsaid' ? null : attestation)]
}

function saying(words: readonly string[]): string {
  const list = JSON.stringify(words).replaceAll('<', '\\u003c')
  return `<!doctype html><title>Verify</title><script>for (const one of ${list}) top.postMessage(one, '*')</script>`
}

/** A page that frames one of another origin: the same server under its other name. */
function framing(c: Context, id: string): string {
  const { port } = new URL(c.req.url)
  return `<!doctype html><title>Verify</title><iframe src="http://localhost:${port}/v3/elsewhere?id=${id}"></iframe>`
}
