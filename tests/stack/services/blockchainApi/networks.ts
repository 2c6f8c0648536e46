import { localNetwork, networks } from '../../../../src/events/values/networks.ts'
import type { World } from '../world.ts'

const evmReferences = [
  '1 10 25 30 31 56 97 100 130 137 146 300 324 1101 1111 1112 1284 1301 1329 2810 2818 5000 5003 8217 8453 10143 17000',
  '42161 42220 43113 43114 57054 59144 80002 80069 80094 84532 421614 534351 534352 560048 1440000 1449000 7777777',
  '11155111 11155420 999999999 1313161554 1313161555',
]
  .join(' ')
  .split(' ')

const otherIds = [
  'near:mainnet',
  'sui:mainnet',
  'sui:devnet',
  'sui:testnet',
  'tron:0x2b6653dc',
  'tron:0xcd8690dc',
  'ton:-239',
  'ton:-3',
  'stacks:1',
  'stacks:2147483648',
  'bip122:000000000019d6689c085ae165831e93',
  'bip122:000000000933ea01ad0ee984209779ba',
]

/** Ids of the Solana networks: the public three, and the local chain's own. */
export function solanaIds({ solana }: Pick<World, 'solana'>): string[] {
  const own = solana ? [localNetwork(solana.chain.genesisHash).caip2] : []
  return [...networks.map(({ caip2 }) => caip2), ...own]
}

/** Ids served over HTTP. */
export const servedIds = (world: Pick<World, 'solana'>): string[] => [
  ...evmReferences.map(reference => `eip155:${reference}`),
  ...solanaIds(world),
  ...otherIds,
]

/** Ids served over a WebSocket. */
export const socketIds: readonly string[] = [
  'eip155:1',
  'eip155:7777777',
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
]
