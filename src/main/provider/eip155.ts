/** Methods of Ethereum's family that the provider answers itself, or that take several requests. */
import type { FactRecord } from '../../runtime/log/record.ts'
import { type Capabilities, cacheKey, sessionCapabilities } from './sessions/capabilities.ts'
import type { ProviderCall } from './requests/callsStatus.ts'
import { hexOf, referenceOf } from './chains.ts'
import { ProviderError, thrown } from './providerError.ts'
import type { SessionIndex } from './sessions/sessionIndex.ts'

/** Parameters of `wallet_addEthereumChain` but the chain id. @see EIP-3085 */
export type AddedChain = {
  chainName: string
  nativeCurrency: { name: string; symbol: string; decimals: number }
  rpcUrls: string[]
  blockExplorerUrls?: string[]
  iconUrls?: string[]
}

type LocalPorts = {
  sessions: SessionIndex
  /** @param topic session to ask, if it approved the method */
  askWallet(call: ProviderCall, chain: string, topic: string): Promise<unknown>
  /** Asks a wallet or the chain's node, whichever has to answer. */
  askAny(call: ProviderCall, chain: string): Promise<unknown>
  callsStatus(call: ProviderCall, chain: string): Promise<unknown>
  setDefault(chain: string): void
  /** By CAIP-2 chain: chains that a wallet may be asked to add. */
  networks: Readonly<Record<string, AddedChain>>
}

type Asked = NonNullable<ReturnType<SessionIndex['anyFor']>>

/** Error codes by which wallets refuse to switch to a chain they lack: 4902 by EIP-3326, the others in practice. */
const maybeMissing: ReadonlySet<number> = new Set([4902, 32_603, -32_603, 5000])

type Eip155 = {
  /** Handlers by method. `eth_chainId` answers in hex as in EIP-1193; the official provider answers with a number. */
  methods: Record<string, (call: ProviderCall, chain: string) => Promise<unknown>>
  /** Drops cached capabilities of sessions that changed; all of them on an empty list. */
  look(facts: readonly FactRecord[]): void
}

export function createEip155(ports: LocalPorts): Eip155 {
  const { sessions } = ports
  /** wallets' answers, by topic and by cache key of the request */
  const capabilities = new Map<string, Map<string, Capabilities>>()
  const accounts = async (_: ProviderCall, chain: string) => [...sessions.addressesOn(chain)]

  async function switchChain({ params }: ProviderCall): Promise<null> {
    const chain = `eip155:${referenceIn(params)}`
    if (!sessions.hasChain(chain)) {
      const asked = sessions.anyFor('eip155', 'wallet_switchEthereumChain')
      if (!asked) throw thrown.noSwitch(chain)
      await switchInWallet(chain, asked)
    }
    ports.setDefault(chain)
    return null
  }

  async function switchInWallet(chain: string, { session, chain: first }: Asked): Promise<void> {
    const chainId = hexOf(referenceOf(chain))
    const { sessionTopic } = session
    const tell = (method: string, param: object) =>
      ports.askWallet({ method, params: [{ chainId, ...param }] }, first, sessionTopic)
    try {
      await tell('wallet_switchEthereumChain', {})
    } catch (cause) {
      const network = ports.networks[chain]
      const mayAdd = sessions.may(sessionTopic, first, 'wallet_addEthereumChain') !== undefined
      if (!(cause instanceof ProviderError) || !maybeMissing.has(cause.code) || !network || !mayAdd) throw cause
      await tell('wallet_addEthereumChain', network)
      await tell('wallet_switchEthereumChain', {})
    }
  }

  async function getCapabilities(call: ProviderCall, chain: string): Promise<unknown> {
    const [address, chainIds] = Array.isArray(call.params) ? (call.params as unknown[]) : []
    if (typeof address !== 'string' || address === '') throw thrown.noAddress()
    const listed = Array.isArray(chainIds) ? chainIds.filter(id => typeof id === 'string') : []
    const asked = { address, listed, otherwise: [hexOf(referenceOf(chain))] }
    const session = sessions.sessionOn(chain, address)
    const told = session && sessionCapabilities(session, asked)
    if (told) return told
    const known = session && knownOf(session.sessionTopic)
    const key = cacheKey(asked)
    const before = known?.get(key)
    if (before) return before
    const said = await ports.askAny(call, chain)
    if (typeof said === 'object' && said !== null) known?.set(key, said as Capabilities)
    return said
  }

  function knownOf(topic: string): Map<string, Capabilities> {
    const known = capabilities.get(topic) ?? new Map<string, Capabilities>()
    capabilities.set(topic, known)
    return known
  }

  return {
    methods: {
      eth_accounts: accounts,
      eth_requestAccounts: accounts,
      eth_chainId: async (_, chain) => hexOf(referenceOf(chain)),
      wallet_switchEthereumChain: switchChain,
      wallet_getCapabilities: getCapabilities,
      wallet_getCallsStatus: ports.callsStatus,
    },
    look(facts) {
      if (facts.length === 0) capabilities.clear()
      for (const { type, data } of facts)
        if (type === 'session.updated' || type === 'session.deleted') capabilities.delete(String(data.sessionTopic))
    },
  }
}

/** @returns the decimal reference, as in `137`, from `[{ chainId: "0x89" }]`. @throws ProviderError when there is none */
function referenceIn(params: unknown): string {
  const [first] = Array.isArray(params) ? (params as unknown[]) : []
  const given = typeof first === 'object' && first !== null && 'chainId' in first ? first.chainId : undefined
  const number = typeof given === 'string' || typeof given === 'number' ? Number(given) : Number.NaN
  if (!Number.isSafeInteger(number) || number <= 0) throw thrown.badChainId()
  return String(number)
}
