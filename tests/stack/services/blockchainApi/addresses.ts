import { isSolanaAddress } from '../../../../src/events/values/solana/address.ts'

/** Namespace of a plain address, by its form alone. */
export function namespaceOfAddress(address: string): 'solana' | 'eip155' | undefined {
  if (/^0x[0-9a-f]{40}$/i.test(address)) return 'eip155'
  return isSolanaAddress(address) ? 'solana' : undefined
}

/** Parts of a CAIP-10 account, or undefined. */
export function readCaip10(text: string): { chainId: string; address: string } | undefined {
  const [, chainId, address] = /^([-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}):([-.%a-zA-Z0-9]{1,128})$/.exec(text) ?? []
  return chainId !== undefined && address !== undefined ? { chainId, address } : undefined
}
