import { isChainId } from '../session/namespaces.ts'
import { namespaceOf } from '../../../events/values/networks.ts'
import { isoMs } from '../../../events/values/isoTime.ts'

/** Fields of a one-click auth command. */
type AuthAsking = {
  readonly chains: readonly string[]
  readonly domain: string
  readonly uri: string
  readonly nonce: string
  readonly statement?: string
  readonly resources?: readonly string[]
  readonly methods: readonly string[]
  readonly exp?: string
  readonly nbf?: string
  readonly requestId?: string
  readonly expirySeconds?: number
}

/** The official client's error text. */
export const lineBreaks = 'Statement must not contain line breaks (`\\r` or `\\n`)'

/** @returns why no wallet can answer the request, without personal values; undefined when it is valid */
export function authProblem(asking: AuthAsking): string | undefined {
  const { chains, statement, exp, nbf, expirySeconds } = asking
  if (chains.length === 0) return expected('at least one chain, got none')
  for (const name of ['uri', 'domain', 'nonce'] as const)
    if (asking[name] === '') return expected(`a ${name}, got none`)
  const wrong = chains.find(chain => !isChainId(chain))
  if (wrong !== undefined) return expected(`chains as namespace:reference, got ${wrong}`)
  const namespaces = [...new Set(chains.map(namespaceOf))]
  if (namespaces.length > 1) return expected(`chains of one namespace, got ${namespaces.join(', ')}`)
  if (namespaces[0] !== 'eip155')
    return expected(`chains of eip155, got ${namespaces[0]}; connect without it for others`)
  if (statement !== undefined && /[\r\n]/.test(statement)) return lineBreaks
  const lines = [asking.domain, asking.uri, asking.nonce, asking.requestId ?? '', ...(asking.resources ?? [])]
  if (lines.some(line => /[\r\n]/.test(line))) return expected('fields of one line each, got a line break')
  for (const [name, time] of Object.entries({ exp, nbf }))
    if (time !== undefined && isoMs(time) === undefined) return expected(`${name} as a time in ISO 8601, got ${time}`)
  if (expirySeconds !== undefined && !(expirySeconds > 0 && expirySeconds <= 604_800))
    return expected(`expirySeconds of 1 to 604800, got ${expirySeconds}`)
  return undefined
}

function expected(what: string): string {
  return `one-click auth expected ${what}`
}
