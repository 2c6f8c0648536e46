/** What a host wants of a wallet, as the command that connects carries it. Whether it may be proposed is the core's matter. */
import { isRecord } from '../../runtime/json/isRecord.ts'
import type { UncheckedProposal } from '../../events/schema/fields.ts'
import type { RpcMap } from './chains.ts'
import { thrown } from './providerError.ts'

/** A family's part of a proposal, or a chain's without `chains`. `rpcMap` and `defaultChain` stay on this device. */
type ProposedPart = {
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

/** @throws ProviderError when a host's options are not of their form, as far as the core cannot see it */
export function checkOptions(options: unknown): asserts options is ConnectOptions {
  const { namespaces, optionalNamespaces } = record('its options', options)
  for (const [name, parts] of Object.entries({ namespaces, optionalNamespaces }))
    for (const [key, part] of Object.entries(parts === undefined ? {} : record(name, parts)))
      record(`${name}.${key.slice(0, 60)}`, part)
}

function record(name: string, value: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value
  const got = Array.isArray(value) ? 'a list' : String(value).slice(0, 60)
  throw thrown.badOptions(`expected ${name} to be an object, got ${got}`)
}

/** @throws ProviderError when a scoped property is none that JSON can hold */
export function proposalOf(options: ConnectOptions): UncheckedProposal {
  const { namespaces = {}, optionalNamespaces = {}, sessionProperties, scopedProperties } = options
  const scoped = Object.entries(scopedProperties ?? {}).map(([key, value]) => [key, jsonOf(key, value)])
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

function jsonOf(key: string, value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    throw thrown.badOptions(`expected scopedProperties.${key.slice(0, 60)} to be JSON, got what JSON cannot hold`)
  }
}
