/** Methods of Ethereum's family that are answered here, or that take more than one question. */
import type { CoreModel } from '../../events/app.ts'
import { type Capabilities, cacheKey, sessionCapabilities } from './capabilities.ts'
import type { Call } from './callsStatus.ts'
import { referenceOf } from './chains.ts'
import { ProviderError, thrown } from './providerError.ts'
import { addressesOn, approvedIn, sessionFor, sessionOn } from './sessions.ts'

/** What a wallet is told of a chain it does not have. @see EIP-3085 */
export type AddedChain = {
  chainName: string
  nativeCurrency: { name: string; symbol: string; decimals: number }
  rpcUrls: string[]
  blockExplorerUrls?: string[]
  iconUrls?: string[]
}

export type LocalPorts = {
  model(): CoreModel
  askWallet(call: Call, chain: string): Promise<unknown>
  /** Asks the wallet or the chain's node, whichever may be asked. */
  askAny(call: Call, chain: string): Promise<unknown>
  callsStatus(call: Call, chain: string): Promise<unknown>
  setDefault(chain: string): void
  /** by chain */
  networks: Readonly<Record<string, AddedChain>>
}

/** The wallet does not have the chain, or so it seems. */
const maybeMissing: ReadonlySet<number> = new Set([4902, 32_603, -32_603, 5000])

/**
 * @returns by method: what answers it on a chain. `eth_chainId` is in hex as EIP-1193 has it; the official provider gives a
 *   number
 */
export function createEip155(ports: LocalPorts): Record<string, (call: Call, chain: string) => Promise<unknown>> {
  const capabilities = new Map<string, Capabilities>()
  const accounts = async (_: Call, chain: string) => addressesOn(ports.model(), chain)

  async function switchChain({ params }: Call): Promise<null> {
    const reference = referenceIn(params)
    const chain = `eip155:${reference}`
    const model = ports.model()
    if (!approvedIn(model, 'eip155').includes(chain)) {
      const first = approvedIn(model, 'eip155').find(known => sessionFor(model, known, 'wallet_switchEthereumChain'))
      if (first === undefined) throw thrown.noSwitch(chain)
      await switchInWallet(chain, first)
    }
    ports.setDefault(chain)
    return null
  }

  async function switchInWallet(chain: string, first: string): Promise<void> {
    const chainId = hexOf(referenceOf(chain))
    const ask = () => ports.askWallet({ method: 'wallet_switchEthereumChain', params: [{ chainId }] }, first)
    try {
      await ask()
    } catch (cause) {
      const network = ports.networks[chain]
      const mayAdd = sessionFor(ports.model(), first, 'wallet_addEthereumChain') !== undefined
      if (!(cause instanceof ProviderError) || !maybeMissing.has(cause.code) || !network || !mayAdd) throw cause
      await ports.askWallet({ method: 'wallet_addEthereumChain', params: [{ chainId, ...network }] }, first)
      await ask()
    }
  }

  async function getCapabilities(call: Call, chain: string): Promise<unknown> {
    const [address, asked] = Array.isArray(call.params) ? (call.params as unknown[]) : []
    if (typeof address !== 'string' || address === '') throw thrown.noAddress()
    const chainIds = Array.isArray(asked) ? asked.filter(id => typeof id === 'string') : [hexOf(referenceOf(chain))]
    const session = sessionOn(ports.model(), chain)
    const told = session && sessionCapabilities(session, address, chainIds)
    if (told) return told
    const key = `${session?.sessionTopic}${cacheKey(address, chainIds)}`
    const known = capabilities.get(key)
    if (known) return known
    const said = await ports.askAny(call, chain)
    if (typeof said === 'object' && said !== null) capabilities.set(key, said as Capabilities)
    return said
  }

  return {
    eth_accounts: accounts,
    eth_requestAccounts: accounts,
    eth_chainId: async (_, chain) => hexOf(referenceOf(chain)),
    wallet_switchEthereumChain: switchChain,
    wallet_getCapabilities: getCapabilities,
    wallet_getCallsStatus: ports.callsStatus,
  }
}

/** @returns a chain's reference, as in `137`, from `[{ chainId: "0x89" }]` */
function referenceIn(params: unknown): string {
  const [first] = Array.isArray(params) ? (params as unknown[]) : []
  const given = typeof first === 'object' && first !== null && 'chainId' in first ? first.chainId : undefined
  const number = typeof given === 'string' || typeof given === 'number' ? Number(given) : Number.NaN
  if (!Number.isSafeInteger(number) || number <= 0) throw thrown.badChainId()
  return String(number)
}

/** @returns a reference in hex, as in `0x89`; one that is no number stays as it is */
export function hexOf(reference: string): string {
  return /^\d{1,15}$/.test(reference) ? `0x${Number(reference).toString(16)}` : reference
}
