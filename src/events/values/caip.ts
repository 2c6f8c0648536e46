import { Fault } from '../failure.ts'

/** A network: `namespace:reference`, as `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp` (CAIP-2). */
export type ChainId = string
/** An account on a network: `namespace:reference:address` (CAIP-10). */
export type AccountId = string

const namespacePattern = /^[-a-z0-9]{3,8}$/
const referencePattern = /^[-_a-zA-Z0-9]{1,32}$/
const addressPattern = /^[-.%a-zA-Z0-9]{1,128}$/

/** @returns the two parts, or undefined when `text` is no CAIP-2 id */
export function readChainId(text: string): { namespace: string; reference: string } | undefined {
  const [namespace = '', reference = '', ...rest] = split(text)
  if (rest.length > 0 || !namespacePattern.test(namespace) || !referencePattern.test(reference)) return undefined
  return { namespace, reference }
}

/** @returns the three parts and the network, or undefined when `text` is no CAIP-10 id */
export function readAccountId(
  text: string,
): { namespace: string; reference: string; chainId: ChainId; address: string } | undefined {
  const [namespace = '', reference = '', address = '', ...rest] = split(text)
  if (rest.length > 0 || !namespacePattern.test(namespace) || !referencePattern.test(reference)) return undefined
  if (!addressPattern.test(address)) return undefined
  return { namespace, reference, chainId: `${namespace}:${reference}`, address }
}

/**
 * @returns the two parts
 * @throws Fault `bad_input` when `text` is no CAIP-2 id
 * @see CAIP-2
 */
export function parseChainId(text: string): { namespace: string; reference: string } {
  const parts = readChainId(text)
  if (!parts) throw new Fault('bad_input', `a network id expected namespace:reference (CAIP-2), got ${quote(text)}`)
  return parts
}

/**
 * @returns the three parts and the network
 * @throws Fault `bad_input` when `text` is no CAIP-10 id
 * @see CAIP-10
 */
export function parseAccountId(text: string): {
  namespace: string
  reference: string
  chainId: ChainId
  address: string
} {
  const parts = readAccountId(text)
  if (!parts) {
    throw new Fault('bad_input', `an account id expected namespace:reference:address (CAIP-10), got ${quote(text)}`)
  }
  return parts
}

/**
 * @returns `namespace:reference`
 * @throws Fault `bad_input` when the parts do not make a CAIP-2 id
 */
export function formatChainId(namespace: string, reference: string): ChainId {
  const id = `${namespace}:${reference}`
  parseChainId(id)
  return id
}

/**
 * @returns `namespace:reference:address`
 * @throws Fault `bad_input` when the parts do not make a CAIP-10 id
 */
export function formatAccountId(chainId: ChainId, address: string): AccountId {
  const id = `${chainId}:${address}`
  parseAccountId(id)
  return id
}

// Longest id: 8 + 1 + 32 + 1 + 128. Anything longer is not worth splitting.
function split(text: string): string[] {
  return text.length > 170 ? [] : text.split(':')
}

function quote(text: string): string {
  return `"${text.slice(0, 60)}"`
}
