import { solanaMethods } from './answers.ts'

/** Proposed namespaces, as received. */
export type Proposed = Record<string, { chains?: string[]; methods?: string[]; events?: string[] }>

/** Approved namespaces for Solana. */
export type Approved = {
  solana: { chains: string[]; accounts: string[]; methods: string[]; events: string[] }
}

/**
 * Approves every proposed Solana chain, and the methods and events known to both sides.
 *
 * @param options.methods methods this wallet offers; default all it knows
 * @param options.only the chains this wallet approves; default all that are proposed
 * @returns undefined when no Solana chain was proposed
 */
export function approveSolana(
  proposed: Proposed[],
  options: { address: string; methods?: string[]; only?: string[] },
): Approved | undefined {
  const asked = proposed.map(one => one['solana']).filter(one => one !== undefined)
  const chains = [...new Set(asked.flatMap(one => one.chains ?? []))].filter(
    chain => chain.startsWith('solana:') && (options.only?.includes(chain) ?? true),
  )
  if (chains.length === 0) return undefined
  const wanted = asked.flatMap(one => one.methods ?? [])
  const methods = (options.methods ?? solanaMethods).filter(method => wanted.includes(method))
  const events = [...new Set(asked.flatMap(one => one.events ?? []))]
  return { solana: { chains, accounts: chains.map(chain => `${chain}:${options.address}`), methods, events } }
}

const chainNames: Record<string, string> = {
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'Solana',
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1': 'Solana devnet',
  'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z': 'Solana testnet',
}

/** A chain's name, or that it is a local one. */
export function chainName(caip2: string): string {
  return chainNames[caip2] ?? (caip2.startsWith('solana:') ? 'a local Solana chain' : caip2)
}

const methodWords: Record<string, string> = {
  solana_signTransaction: 'ask you to sign transactions',
  solana_signAllTransactions: 'ask you to sign several transactions at once',
  solana_signAndSendTransaction: 'ask you to sign and send transactions',
  solana_signMessage: 'ask you to sign messages',
  solana_getAccounts: 'see your address',
  solana_requestAccounts: 'see your address',
}

/** Permissions these methods grant, in words, each once. */
export function methodsInWords(methods: string[]): string[] {
  return [...new Set(methods.map(method => methodWords[method] ?? `use ${method}`))]
}
