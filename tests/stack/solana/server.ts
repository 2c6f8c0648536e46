/**
 * The local Solana chain as a server: JSON-RPC over HTTP, subscriptions over WebSocket on the same port and on the next
 * one (where web3.js looks), the presale's published files, a faucet, and a door to drive it all.
 *
 * - `GET /` genesis hash, addresses, urls · `GET /state` slot, time, faults, calls by method, sockets
 * - `GET /terms.json`, `/checkpoint.json`, `/content.json`, `/terms.html`, `/privacy.html`
 * - `POST /faucet {"address", "sol"?, "usdc"?}` whole units, text or number; answers `{"signatures": […]}`
 * - `POST /control` takes any of these fields, in order, and answers the state:
 *   `{"advance": n}` opens n slots · `{"advanceSeconds": s}`, `{"setTime": unix}` move chain time forward ·
 *   `{"advanceOnSend": n}` opens n slots after each accepted transaction ·
 *   `{"faults": {method: fault}}` replaces all faults, `{}` clears; `*` is every method; each takes `"times"`:
 *     `{"kind":"latency","ms"}`, `{"kind":"drop"}`, `{"kind":"status","status","retryAfter"?}`, `{"kind":"html"}`,
 *     `{"kind":"null"}`, `{"kind":"lag","slots"}`, `{"kind":"wrongGenesis"}`, `{"kind":"lie","lamports"}`,
 *     on sendTransaction `{"kind":"dropTransaction"}` (answers, never lands) and `{"kind":"hold"}` (lands on release),
 *     on subscriptions `{"kind":"drop"}` (cuts the socket) and `{"kind":"silent"}` (socket stays open, says nothing more) ·
 *   `{"release": true}` runs what `hold` kept · `{"sockets": "drop"}` cuts all sockets ·
 *   `{"transactionIndex": false}` leaves the place in the block out of signature lists, as older nodes do ·
 *   `{"operator": {"checkpoint": true, "pause": true, "resume": true, "close": true, "termsFile": "normal"|"corrupt"|"changed"}}`
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { base58, sha256, toJson } from './bytes.ts'
import { type Chain, createChain, SLOT_MS } from './chain.ts'
import { control } from './control.ts'
import { createFaults, type Faults, lying, TRANSPORT_FAULTS } from './faults.ts'
import { bodyOf, reply, replyJson } from './http.ts'
import { addressBytes } from './keys.ts'
import { baseUnits } from './money.ts'
import { createOperator, type Operator } from './presale/operator.ts'
import { giveUsdc } from './presale/purchases.ts'
import { describeSale, type SaleAccounts, saleAccounts, setUpSale } from './presale/setup.ts'
import { createPublication } from './publication.ts'
import { answerText, methodsNamed, type Serve } from './rpc.ts'
import { readKept, writeKept } from './snapshot.ts'
import { createSockets } from './sockets.ts'

export type SolanaOptions = {
  /** 0 or absent takes two free neighbours */
  port?: number
  host?: string
  /** the same seed and base give the same addresses and signatures */
  seed: string
  /** `real` follows this machine's clock in 400 ms slots, `manual` moves by `advance` only */
  clock: 'real' | 'manual'
  /** Unix second the sale is dated from; absent: now with a real clock, 1 798 848 000 with a manual one */
  baseUnix?: number
  /** folder that keeps the chain from start to start; absent keeps nothing */
  stateDir?: string
}

/** What `GET /` answers. */
export type SolanaInfo = {
  genesisHash: string
  url: string
  wsUrl: string
  saleMint: string
  usdcMint: string
  treasury: string
  treasuryUsdc: string
  authority: string
  termsHash: string
  termsUrl: string
}

export type SolanaStack = {
  /** `http://host:port`, no slash at the end */
  url: string
  /** `ws://host:port`; the port above it serves the same */
  wsUrl: string
  port: number
  info: SolanaInfo
  chain: Chain
  operator: Operator
  accounts: SaleAccounts
  faults: Faults
  /** the same orders as `POST /control` */
  control(order: Record<string, unknown>): void
  /** whole units as decimal text; real transactions */
  give(address: string, amounts: { sol?: string; usdc?: string }): string[]
  close(): Promise<void>
}

const MANUAL_BASE = 1_798_848_000
const OPERATOR_MS = 60_000

/**
 * Starts the chain, with the sale set up on it, and serves it.
 *
 * @throws Error with one sentence and the cure when the native VM is missing or the kept state cannot be used; the
 *   listening error when the port or the one above it is taken
 */
export async function startSolana(options: SolanaOptions): Promise<SolanaStack> {
  const { seed, host = '127.0.0.1', stateDir } = options
  const real = options.clock === 'real'
  const kept = stateDir === undefined ? undefined : readKept(stateDir, seed)
  const baseUnix = kept?.baseUnix ?? options.baseUnix ?? (real ? Math.floor(Date.now() / 1000) : MANUAL_BASE)
  const startUnix = baseUnix - 2 * 86_400
  const chain = createChain({ seed, startUnix, ...(kept ? { snapshot: kept.chain } : {}) })
  const accounts = saleAccounts(seed)
  const sale = describeSale(chain, accounts, baseUnix)
  const operator = kept ? createOperator(chain, sale, kept.published) : setUpSale(chain, accounts, sale, baseUnix)
  const publication = createPublication(sale, () => operator.published.checkpoint)
  const faults = createFaults()
  const switches = { advanceOnSend: 0, transactionIndex: true, held: [] as Uint8Array[] }
  const calls: Record<string, number> = {}
  const counted = (method: string) => {
    calls[method] = (calls[method] ?? 0) + 1
  }
  const sockets = createSockets(chain, faults, counted)
  const controlled = { chain, faults, operator, publication, switches, dropSockets: sockets.drop }

  const serve: Serve = (method, _params, run) => {
    counted(method)
    const fault = faults.take(method, ['null', 'lag', 'wrongGenesis', 'lie', 'dropTransaction', 'hold'])
    if (fault?.kind === 'null') return null
    if (fault?.kind === 'wrongGenesis') return base58(sha256('another cluster'))
    const result = run({
      chain,
      lag: fault?.kind === 'lag' ? fault.slots : 0,
      landing: fault?.kind === 'dropTransaction' ? 'never' : fault?.kind === 'hold' ? 'held' : 'now',
      hold: bytes => switches.held.push(bytes),
      transactionIndex: switches.transactionIndex,
    })
    if (method === 'sendTransaction' && switches.advanceOnSend > 0)
      setImmediate(() => chain.advance(switches.advanceOnSend))
    return fault?.kind === 'lie' ? lying(method, result, fault.lamports) : result
  }
  const give: SolanaStack['give'] = (address, amounts) => {
    addressBytes(address)
    const sol = baseUnits('sol', amounts.sol, 9)
    const usdc = baseUnits('usdc', amounts.usdc, 6)
    if (sol === 0n && usdc === 0n) throw new Error('faucet expected sol or usdc above zero, got neither')
    return [
      ...(sol > 0n ? [chain.airdrop(address, sol)] : []),
      ...(usdc > 0n ? [giveUsdc(chain, accounts, address, usdc)] : []),
    ]
  }
  const stateText = () => {
    const { slot, height, time } = chain.blocks.tip()
    const faultList = faults.list()
    return toJson({
      slot,
      height,
      time,
      calls,
      sockets: sockets.count(),
      held: switches.held.length,
      faults: faultList,
    })
  }
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    if (request.method === 'OPTIONS') return reply(response, { status: 204, type: 'text/plain', text: '' })
    if (request.method === 'GET' || request.method === 'HEAD') {
      if (path === '/') return replyJson(response, 200, toJson(info))
      if (path === '/state') return replyJson(response, 200, stateText())
      const file = publication.file(path)
      return reply(response, file ?? { status: 404, type: 'text/plain', text: `Nothing is published at ${path}.` })
    }
    if (request.method !== 'POST') return reply(response, { status: 405, type: 'text/plain', text: 'Use GET or POST.' })
    const body = await bodyOf(request)
    if (body === undefined) return reply(response, { status: 413, type: 'text/plain', text: 'The body is over 4 MiB.' })
    if (path === '/') return answerRpc(body, request, response)
    if (path === '/faucet' || path === '/control') {
      try {
        const order = JSON.parse(body)
        if (path === '/faucet')
          return replyJson(response, 200, toJson({ signatures: give(order?.address, order ?? {}) }))
        control(controlled, order)
        return replyJson(response, 200, stateText())
      } catch (error) {
        return replyJson(response, 400, toJson({ error: (error as Error).message }))
      }
    }
    return reply(response, { status: 404, type: 'text/plain', text: `Nothing takes a POST at ${path}.` })
  }
  const answerRpc = async (body: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const named = new Set(methodsNamed(body))
    for (const method of named) {
      const fault = faults.take(method, TRANSPORT_FAULTS)
      if (fault?.kind === 'latency') await new Promise(resolve => setTimeout(resolve, fault.ms))
      if (fault?.kind === 'drop') return void request.socket.destroy()
      if (fault?.kind === 'html')
        return reply(response, { status: 200, type: 'text/html', text: '<!doctype html><p>Hello' })
      if (fault?.kind !== 'status') continue
      const headers: Record<string, string> =
        fault.retryAfter === undefined ? {} : { 'retry-after': `${fault.retryAfter}` }
      return reply(response, { status: fault.status, type: 'text/plain', text: `Status ${fault.status}`, headers })
    }
    const text = answerText(body, serve)
    return text === undefined
      ? reply(response, { status: 204, type: 'text/plain', text: '' })
      : replyJson(response, 200, text)
  }
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    handle(request, response).catch((error: Error) =>
      replyJson(response, 500, toJson({ error: `the local chain failed: ${error.message}` })),
    )
  }

  const [http, above] = await listenOnPair(listener, options.port ?? 0, host)
  for (const server of [http, above]) sockets.attach(server)
  const { port } = http.address() as AddressInfo
  const url = `http://${host}:${port}`
  const info: SolanaInfo = {
    genesisHash: chain.genesisHash,
    url,
    wsUrl: `ws://${host}:${port}`,
    saleMint: accounts.saleMint.address,
    usdcMint: accounts.usdcMint.address,
    treasury: accounts.treasury.address,
    treasuryUsdc: accounts.treasuryUsdc,
    authority: accounts.authority.address,
    termsHash: sale.termsHash,
    termsUrl: `${url}/terms.json`,
  }

  const timers: NodeJS.Timeout[] = []
  if (real) {
    chain.followRealTime(Date.now())
    timers.push(setInterval(() => chain.tick(Date.now()), SLOT_MS))
    timers.push(setInterval(() => operator.hasNews() && operator.checkpoint(), OPERATOR_MS))
  }
  const save = () => {
    if (stateDir === undefined) return
    const { published } = operator
    writeKept(stateDir, { format: 'local-solana/1', seed, baseUnix, chain: chain.snapshot(), published })
  }
  let saving: NodeJS.Timeout | undefined
  const stopSaving = chain.listen(event => {
    if (event.kind !== 'transaction' || stateDir === undefined) return
    saving ??= setTimeout(() => {
      saving = undefined
      save()
    }, 500)
  })
  save()
  return {
    url,
    wsUrl: info.wsUrl,
    port,
    info,
    chain,
    operator,
    accounts,
    faults,
    control: order => control(controlled, order),
    give,
    async close() {
      stopSaving()
      clearTimeout(saving)
      for (const timer of timers) clearInterval(timer)
      save()
      await sockets.close()
      await Promise.all([http, above].map(ended))
    },
  }
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** Listens on a port and the one above it; with port 0 tries until two free neighbours are found. */
async function listenOnPair(listener: Listener, port: number, host: string): Promise<[Server, Server]> {
  for (let tries = 0; ; tries++) {
    const first = await listening(listener, port, host)
    try {
      return [first, await listening(listener, (first.address() as AddressInfo).port + 1, host)]
    } catch (error) {
      await ended(first)
      if (port !== 0 || tries > 50) throw error
    }
  }
}

function listening(listener: Listener, port: number, host: string): Promise<Server> {
  // Node's five seconds race with sockets that clients reuse after a pause.
  const server = createServer({ keepAliveTimeout: 75_000, headersTimeout: 80_000 }, listener)
  server.on('clientError', (_error, socket) => socket.destroy())
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })
}

function ended(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
