/**
 * The local stack: chain, relay, services, verify service and wallet page, each on its own loopback port, and the addresses a
 * page needs for them.
 */
import { join } from 'node:path'
import type { Addresses } from '../../scripts/addresses.ts'
import { freePort } from '../../scripts/ports.ts'
import { startRelay } from './relay/relay.ts'
import { startServices } from './services/services.ts'
import type { Fill } from './solana/presale/fill/fill.ts'
import { type SolanaStack, startSolana } from './solana/server.ts'
import { startVerify } from './verify/verify.ts'
import type { TokenNames } from './wallet/describe.ts'
import { startWalletPage } from './wallet/server.ts'

export type StackPorts = { wallet: number; solana: number; relay: number; services: number; verify: number }

/** Preferred ports of `npm start`; the chain's socket is one port above its HTTP. */
export const defaultPorts: StackPorts = { wallet: 5174, relay: 8870, services: 8880, verify: 8890, solana: 8899 }

const anyPorts: StackPorts = { wallet: 0, relay: 0, services: 0, verify: 0, solana: 0 }

export type StackOptions = {
  /** Preferred ports; absent or 0 takes any free one, a taken one falls back to the next free. */
  ports?: StackPorts
  /** `real` follows this machine's clock, `manual` stands still until advanced. */
  clock: 'real' | 'manual'
  /** The same seed gives the same addresses and signatures. */
  seed: string
  /** Folder that persists the chain; absent: nothing is stored. */
  stateDir?: string
  /** A sale with many orders, on a chain that is stored beside the usual one. */
  fill?: Fill
  /** Unix seconds at which a `manual` clock begins. */
  baseUnix?: number
  /** Build folder of the wallet page, so that it is built once. */
  cacheDir: string
  /** Hears of each part before it starts. */
  onPart?(name: (typeof stackParts)[number]): void
}

/** Parts in the order in which they start; the verify service is one of the services. */
export const stackParts = ['local chain', 'relay', 'services', 'wallet page'] as const

/** Name of the folder, in the state's, that persists the chain of a sale. */
export const chainFolder = (fill: Fill | undefined) => (fill ? `demo-${fill.ending ?? 'live'}` : 'solana')

export type Stack = Awaited<ReturnType<typeof startStack>>

/**
 * Starts every part. If one fails to start, those already running are stopped.
 *
 * @returns the parts by name, the addresses for a build or the development server, and `moved`: one sentence for each taken
 *   port
 */
export async function startStack(options: StackOptions) {
  const { clock, seed, stateDir, fill, baseUnix, cacheDir, onPart } = options
  const { ports, moved } = await choosePorts(options.ports ?? anyPorts)
  const host = '127.0.0.1'
  const running: { close(): Promise<void> | void }[] = []
  const close = async () => {
    for (const part of running.splice(0).reverse()) await part.close()
  }
  const started = <T extends { close(): Promise<void> | void }>(part: T): T => {
    running.push(part)
    return part
  }
  try {
    onPart?.('local chain')
    const solana = started(
      await startSolana({
        port: ports.solana,
        host,
        seed,
        clock,
        ...(baseUnix === undefined ? {} : { baseUnix }),
        ...(stateDir === undefined ? {} : { stateDir: join(stateDir, chainFolder(fill)) }),
        ...(fill === undefined ? {} : { fill }),
      }),
    )
    onPart?.('relay')
    const relay = started(await startRelay({ port: ports.relay, host }))
    onPart?.('services')
    const services = started(await startServices({ port: ports.services, host, solana }))
    const verify = started(await startVerify({ port: ports.verify, host }))
    onPart?.('wallet page')
    const wallet = started(
      await startWalletPage({
        port: ports.wallet,
        relayUrl: relay.url,
        verifyUrl: verify.url,
        projectId: localProjectId,
        rpcUrl: solana.url,
        cacheDir,
        tokens: tokenNames(solana),
      }),
    )
    const addresses: Addresses = {
      VITE_PROJECT_ID: localProjectId,
      VITE_RELAY_URL: relay.url,
      VITE_SOLANA_RPC_URL: solana.url,
      VITE_SOLANA_WS_URL: '',
      VITE_API_URL: services.url,
      VITE_CONFIG_URL: services.url,
      VITE_TERMS_URL: solana.info.termsUrl,
      VITE_SALE_AUTHORITY: solana.info.authority,
      VITE_SALE_ID: solana.info.saleId,
      VITE_SALE_GUARD: '',
      VITE_VERIFY_URL: verify.url,
      VITE_ANALYTICS_URL: '',
    }
    return { solana, relay, services, verify, wallet, addresses, moved, close }
  } catch (problem) {
    await close()
    throw problem
  }
}

/** Names of the sale's two tokens in the wallets. */
export function tokenNames({ info }: SolanaStack): TokenNames {
  return { [info.saleMint]: 'MAI', [info.usdcMint]: 'USDC' }
}

/** Accepted by the local services; public project ids have the same form. */
const localProjectId = '00000000000000000000000000000001'

async function choosePorts(wanted: StackPorts): Promise<{ ports: StackPorts; moved: string[] }> {
  const ports = { ...wanted }
  const moved: string[] = []
  const promised = new Set<number>()
  for (const name of Object.keys(wanted) as (keyof StackPorts)[]) {
    if (wanted[name] === 0) continue
    const together = name === 'solana' ? 2 : 1
    const port = await freePort(wanted[name], together, promised)
    if (port !== wanted[name]) moved.push(`Port ${wanted[name]} (${name}) is taken, using ${port}.`)
    for (let offset = 0; offset < together; offset++) promised.add(port + offset)
    ports[name] = port
  }
  return { ports, moved }
}
