import { publicUrl } from './publicUrl.ts'

/** A network: `namespace:reference`, as `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp` (CAIP-2). */
type ChainId = string

/** Clusters by the names the presale terms use. */
type Cluster = 'mainnet-beta' | 'testnet' | 'devnet' | 'localnet'

/** One network with its ids and names. */
type Network = {
  caip2: ChainId
  namespace: 'solana'
  cluster: Cluster
  name: string
  asset: { symbol: string; name: string; decimals: number }
  /** base58 of the hash that `getGenesisHash` answers; it alone identifies the chain that an RPC serves */
  genesisHash: string
  /** name in Wallet Standard's list of chains */
  walletChain: `solana:${string}`
  /** ids that older wallets still use for this network */
  deprecatedIds: readonly ChainId[]
  test: boolean
}

const sol = { symbol: 'SOL', name: 'Solana', decimals: 9 }

/**
 * The public Solana networks.
 * @see reference "Networks, namespaces, wallet constants", §2; ids are the first 32 characters of the genesis hash
 */
export const networks: readonly Network[] = [
  {
    caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    namespace: 'solana',
    cluster: 'mainnet-beta',
    name: 'Solana',
    asset: sol,
    genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
    walletChain: 'solana:mainnet',
    deprecatedIds: ['solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ'],
    test: false,
  },
  {
    caip2: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
    namespace: 'solana',
    cluster: 'devnet',
    name: 'Solana Devnet',
    asset: sol,
    genesisHash: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
    walletChain: 'solana:devnet',
    deprecatedIds: ['solana:8E9rvCKLFQia2Y35HXjjpWzj8weVo44K'],
    test: true,
  },
  {
    caip2: 'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z',
    namespace: 'solana',
    cluster: 'testnet',
    name: 'Solana Testnet',
    asset: sol,
    genesisHash: '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY',
    walletChain: 'solana:testnet',
    deprecatedIds: [],
    test: true,
  },
]

/** @returns the network of a local chain, whose id comes from its own genesis hash */
export function localNetwork(genesisHash: string): Network {
  return {
    caip2: `solana:${genesisHash.slice(0, 32)}`,
    namespace: 'solana',
    cluster: 'localnet',
    name: 'Solana Localnet',
    asset: sol,
    genesisHash,
    walletChain: 'solana:localnet',
    deprecatedIds: [],
    test: true,
  }
}

/** @returns the namespace of a chain, or of a key that names one: the text before the first colon */
export function namespaceOf(key: string): string {
  return key.split(':')[0] ?? key
}

/** @returns whether a chain (CAIP-2) is one of Solana's */
export function isOfSolana(chain: string): boolean {
  return chain.startsWith('solana:')
}

/** @returns the present id of a network that an older wallet names by a former one */
export function currentId(caip2: ChainId): ChainId {
  return networks.find(({ deprecatedIds }) => deprecatedIds.includes(caip2))?.caip2 ?? caip2
}

/** @returns every id that a wallet may use for this network, the present one first */
export function idsOf(caip2: ChainId): readonly ChainId[] {
  return [caip2, ...(networks.find(network => network.caip2 === caip2)?.deprecatedIds ?? [])]
}

/** @returns whether this is a public network's present id */
export function isPublic(caip2: ChainId): boolean {
  return networks.some(network => network.caip2 === caip2)
}

/** @returns the public network with this genesis hash, else the local network it makes */
export function networkOfGenesis(genesisHash: string): Network {
  return networks.find(network => network.genesisHash === genesisHash) ?? localNetwork(genesisHash)
}

/**
 * Address of an explorer's page about an account or a transaction. Mainnet, devnet and testnet use Solscan; a local chain uses
 * the explorer that accepts any RPC.
 *
 * @param what an address or a transaction signature in base58; escaped all the same
 * @param rpcUrl the RPC address as a browser reaches it; only a local chain's explorer gets it, without a key it carries
 */
export function explorerUrl(network: Network, what: { address: string } | { tx: string }, rpcUrl: string): string {
  const id = encodeURIComponent('tx' in what ? what.tx : what.address)
  if (network.cluster === 'localnet') {
    const path = 'tx' in what ? 'tx' : 'address'
    return `https://explorer.solana.com/${path}/${id}?cluster=custom&customUrl=${encodeURIComponent(publicUrl(rpcUrl))}`
  }
  const path = 'tx' in what ? 'tx' : 'account'
  return `https://solscan.io/${path}/${id}${network.test ? `?cluster=${network.cluster}` : ''}`
}
