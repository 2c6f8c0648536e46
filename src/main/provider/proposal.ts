/** What a host wants of a wallet, as the command that connects carries it. Whether it may be proposed is the core's matter. */
import type { UncheckedProposal } from '../../events/fields.ts'
import type { RpcMap } from './chains.ts'

/** A family's part of a proposal, or a chain's without `chains`. `rpcMap` and `defaultChain` stay on this device. */
export type ProposedPart = {
  chains?: string[]
  methods: string[]
  events: string[]
  rpcMap?: RpcMap
  defaultChain?: string
}

export type ConnectOptions = {
  /** What the wallet must approve. */
  namespaces?: Record<string, ProposedPart>
  /** What it may approve. */
  optionalNamespaces?: Record<string, ProposedPart>
  sessionProperties?: Record<string, string>
  scopedProperties?: Record<string, unknown>
}

/** @returns the proposal; what cannot be written down as JSON is left out */
export function proposalOf(options: ConnectOptions): UncheckedProposal {
  const { namespaces = {}, optionalNamespaces = {}, sessionProperties, scopedProperties } = options
  const scoped = Object.entries(scopedProperties ?? {}).map(([key, value]) => [key, JSON.stringify(value) ?? 'null'])
  return {
    required: partsOf(namespaces),
    optional: partsOf(optionalNamespaces),
    ...(sessionProperties && { sessionProperties }),
    ...(scopedProperties && { scopedProperties: Object.fromEntries(scoped) as Record<string, string> }),
  }
}

function partsOf(namespaces: Record<string, ProposedPart>): UncheckedProposal['optional'] {
  return Object.fromEntries(
    Object.entries(namespaces).map(([key, { chains, methods, events }]) => [
      key,
      { ...(chains && { chains }), methods, events },
    ]),
  )
}
