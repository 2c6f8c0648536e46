/**
 * The local Solana chain as a server: JSON-RPC over HTTP, subscriptions over WebSocket on the same port and on the next
 * one (where web3.js looks), the presale's published files, a faucet, and a control endpoint.
 *
 * - `GET /` genesis hash, addresses, urls · `GET /state` slot, time, faults, calls by method, sockets
 * - `GET /terms.json`, `/checkpoint.json`, `/notices.json`, `/content.json`, `/terms.html`, `/privacy.html`, and
 *   `/allowlist.txt` when the sale has one
 * - `POST /faucet {"address", "sol"?, "usdc"?, "mai"?}` whole units, text or number; answers `{"signatures": […]}`; tokens of the
 *   sale come from this stack's own reserve
 * - `POST /fill {"terms", "orders", "when"?}` fills a sale of somebody else on this chain; answers how many came of each kind
 * - `POST /control` takes any of these fields, in order, and answers the state:
 *   `{"advance": n}` opens n slots · `{"advanceSeconds": s}`, `{"setTime": unix}` move chain time forward ·
 *   `{"advanceOnSend": n}` opens n slots after each accepted transaction ·
 *   `{"faults": {method: fault}}` replaces all faults, `{}` clears; `*` is every method; each takes `"times"`:
 *     `{"kind":"latency","ms"}`, `{"kind":"drop"}`, `{"kind":"status","status","retryAfter"?}`, `{"kind":"html"}`,
 *     `{"kind":"null"}`, `{"kind":"lag","slots"}`, `{"kind":"wrongGenesis"}`, `{"kind":"lie","lamports"}`,
 *     on sendTransaction `{"kind":"dropTransaction"}` (answers, never lands) and `{"kind":"hold"}` (lands on release),
 *     on `upgrade` `{"kind":"status","status"}` (serves no sockets),
 *     on getSignaturesForAddress `{"kind":"overlap"}` (a page begins with the last signature of the page before it),
 *     `{"kind":"twice"}` (the answer stands twice in its batch),
 *     on subscriptions `{"kind":"drop"}` (cuts the socket) and `{"kind":"silent"}` (socket stays open, sends nothing more) ·
 *   `{"release": true}` runs the transactions `hold` kept back · `{"sockets": "drop"}` cuts all sockets ·
 *   `{"transactionIndex": false}` leaves the place in the block out of signature lists and transactions, as older nodes do,
 *     `"wrong"` counts it from the block's end ·
 *   `{"callUnits": n}` is what a program's call into the system costs from now on, a memo's among them; the VM asks 100 ·
 *   `{"slotOrder": "block"|"backward"|"signature"}` orders the transactions of one slot in signature lists ·
 *   `{"fork": {"slots": n, "transactions"?: "gone"|"again"}}`: the newest slots, at most 31, vanish and others come; balances
 *     return to what they were. `gone`: a transaction lands when it is sent again; `again`: all land anew, in the newest slot.
 *     One that was built on a vanished block cannot. The operator sends its notices again ·
 *   `{"operator": {"checkpoint": true, "sellOut": true, "pause": true, "resume": true, "close": true, "announce": true,
 *     "termsFile": "normal"|"corrupt"|"changed"|"foreign"|"treasury", "noticesFile": "normal"|"old"|"absent",
 *     "replace": {"terms.html": "another text", "content.json": null}}}`; `announce` publishes a notice of the terms as
 *     currently served, `sellOut` a sale checkpoint that declares everything sold, until the next one
 */
import type { AddressInfo } from 'node:net'
import { base58, sha256, toJson } from './bytes.ts'
import { type Chain, createChain, SLOT_MS } from './chain.ts'
import { control, type Switches } from './control.ts'
import { type Doors, openDoors } from './doors.ts'
import { createFaults, type Faults, lying } from './faults.ts'
import { ended, listenOnPair } from './listen.ts'
import { addressBytes, seededKeypair } from './keys.ts'
import { baseUnits } from './money.ts'
import { buyersOf } from './presale/fill/crowd.ts'
import { type Fill, fillSale } from './presale/fill/fill.ts'
import { fillOwn } from './presale/fill/fillOwn.ts'
import type { FilledOrder } from './presale/fill/kinds.ts'
import { createOperator, type Operator } from './presale/operator.ts'
import { giveReserved, giveUsdc } from './presale/purchases.ts'
import { type SaleAccounts, saleAccounts } from './presale/saleAccounts.ts'
import { describeSale, playDay, setUpSale } from './presale/setup.ts'
import { createPublication } from './publication.ts'
import type { Serve } from './rpc.ts'
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
  /** folder that persists the chain; absent: nothing is stored */
  stateDir?: string
  /** many orders of all kinds in place of the few of a day; a stored chain has its own already */
  fill?: Fill
}

/** Answer of `GET /`. */
export type SolanaInfo = {
  genesisHash: string
  url: string
  wsUrl: string
  saleMint: string
  usdcMint: string
  treasury: string
  treasuryUsdc: string
  authority: string
  saleId: string
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
  /** the orders of `fill` in canonical order; none when the chain was stored */
  filled: readonly FilledOrder[]
  faults: Faults
  /** the same orders as `POST /control` */
  control(order: Record<string, unknown>): void
  /** whole units as decimal text; real transactions */
  give(address: string, amounts: Amounts): string[]
  close(): Promise<void>
}

/** Whole units as decimal text. `mai`: tokens of the local sale. */
type Amounts = { sol?: string; usdc?: string; mai?: string }

const MANUAL_BASE = 1_798_848_000
const OPERATOR_MS = 60_000

/**
 * Starts the chain with its sale, and serves it.
 *
 * @throws Error with one sentence and the remedy when the native VM is missing or the stored state cannot be used; the
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
  const { fill } = options
  const sale = describeSale(chain, accounts, baseUnix, fill?.allowlist ? buyersOf(seed, fill.orders) : undefined)
  if (kept && kept.termsHash !== sale.termsHash)
    throw new Error(
      `the kept chain in ${stateDir} was set up by another version: start with --fresh to begin a new one`,
    )
  const operator = kept ? createOperator(chain, sale, kept.published) : setUpSale(chain, accounts, sale)
  const place = { chain, accounts, sale, operator, baseUnix, seed }
  const filled = fill && !kept ? await fillSale(place, fill) : []
  if (!fill && !kept) playDay(place)
  const publication = createPublication(sale, () => operator.published, {
    authority: seededKeypair(seed, 'thief authority').address,
    treasury: seededKeypair(seed, 'thief treasury').address,
  })
  sale.later = publication.later
  const faults = createFaults()
  const switches: Switches = { advanceOnSend: 0, transactionIndex: 'right', slotOrder: 'block', held: [] }
  const calls: Record<string, number> = {}
  const counted = (method: string) => {
    calls[method] = (calls[method] ?? 0) + 1
  }
  const sockets = createSockets(chain, faults, counted)
  const controlled = { chain, faults, operator, publication, switches, dropSockets: sockets.drop }

  const serve: Serve = (method, _params, run) => {
    counted(method)
    const fault = faults.take(method, ['null', 'lag', 'wrongGenesis', 'lie', 'dropTransaction', 'hold', 'overlap'])
    if (fault?.kind === 'null') return null
    if (fault?.kind === 'wrongGenesis') return base58(sha256('another cluster'))
    const result = run({
      chain,
      lag: fault?.kind === 'lag' ? fault.slots : 0,
      landing: fault?.kind === 'dropTransaction' ? 'never' : fault?.kind === 'hold' ? 'held' : 'now',
      hold: bytes => switches.held.push(bytes),
      transactionIndex: switches.transactionIndex,
      slotOrder: switches.slotOrder,
      overlap: fault?.kind === 'overlap',
    })
    if (method === 'sendTransaction' && switches.advanceOnSend > 0)
      setImmediate(() => chain.advance(switches.advanceOnSend))
    return fault?.kind === 'lie' ? lying(method, result, fault.lamports) : result
  }
  const give: SolanaStack['give'] = (address, amounts) => {
    addressBytes(address)
    const sol = baseUnits('sol', amounts.sol, 9)
    const usdc = baseUnits('usdc', amounts.usdc, 6)
    const mai = baseUnits('mai', amounts.mai, sale.terms.token.decimals)
    if (sol + usdc + mai === 0n) throw new Error('faucet expected sol, usdc or mai above zero, got none')
    return [
      ...(sol > 0n ? [chain.airdrop(address, sol)] : []),
      ...(usdc > 0n ? [giveUsdc(chain, accounts, address, usdc)] : []),
      ...(mai > 0n ? [giveReserved(chain, accounts, address, mai)] : []),
    ]
  }
  const doors: Doors = {
    info: () => toJson(info),
    state() {
      const { slot, height, time } = chain.blocks.tip()
      const held = switches.held.length
      return toJson({ slot, height, time, calls, sockets: sockets.count(), held, faults: faults.list() })
    },
    file: path => publication.file(path),
    give,
    control: order => control(controlled, order),
    async fill(order) {
      filling += 1
      try {
        return await fillOwn({ chain, accounts }, order)
      } finally {
        filling -= 1
        keepSoon()
      }
    },
    serve,
    faults,
  }

  const [http, above] = await listenOnPair(openDoors(doors), options.port ?? 0, host)
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
    saleId: sale.terms.id,
    termsHash: sale.termsHash,
    termsUrl: `${url}/terms.json`,
  }

  const timers: NodeJS.Timeout[] = []
  if (real) {
    chain.followRealTime(Date.now())
    timers.push(setInterval(() => chain.tick(Date.now()), SLOT_MS))
    timers.push(setInterval(() => spoken(() => operator.hasNews() && operator.checkpoint()), OPERATOR_MS))
  }
  const save = () => {
    if (stateDir === undefined) return
    const { published } = operator
    writeKept(stateDir, {
      format: 'local-solana/1',
      seed,
      baseUnix,
      termsHash: sale.termsHash,
      chain: chain.snapshot(),
      published,
    })
  }
  let saving: NodeJS.Timeout | undefined
  // Thousands of transactions are written once, at the end
  let filling = 0
  const keepSoon = () => {
    if (stateDir === undefined || filling > 0) return
    saving ??= setTimeout(() => {
      saving = undefined
      spoken(save)
    }, 500)
  }
  const stopSaving = chain.listen(event => event.kind !== 'slot' && keepSoon())
  save()
  return {
    url,
    wsUrl: info.wsUrl,
    port,
    info,
    chain,
    operator,
    accounts,
    filled,
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

/** Runs a timer's task; logs its failure and continues. */
function spoken(run: () => unknown): void {
  try {
    run()
  } catch (error) {
    console.error(`local Solana chain: ${(error as Error).message}`)
  }
}
