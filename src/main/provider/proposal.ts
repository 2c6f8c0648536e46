/** Turns a host's options into the proposal of the connect command. The core checks the proposal itself. */
import { isRecord } from '../../runtime/json/isRecord.ts'
import type { UncheckedProposal } from '../../events/schema/fields.ts'
import type { RpcMap } from './chains.ts'
import { thrown } from './providerError.ts'

/** The part of a family, or of one chain without `chains`. `rpcMap` and `defaultChain` stay on this device. */
type ProposedPart = {
  chains?: string[]
  methods: string[]
  events: string[]
  rpcMap?: RpcMap
  defaultChain?: string
}

/** The argument of `connect`: namespaces by family (`eip155`) or chain (`eip155:1`). */
export type ConnectOptions = {
  /** Required: a wallet that lacks any of it cannot approve. */
  namespaces?: Record<string, ProposedPart>
  /** Optional: the wallet approves any part of it. */
  optionalNamespaces?: Record<string, ProposedPart>
  sessionProperties?: Record<string, string>
  scopedProperties?: Record<string, unknown>
}

/** Checks the shape of the objects here; the core checks their fields. @throws ProviderError -32602 */
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

/** @throws ProviderError -32602 when JSON cannot represent a scoped property */
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
