import { type WireError, wcError } from '../relay/errors.ts'
import { namespaceOf } from '../../../events/values/networks.ts'
import { isRecord } from '../../../runtime/json/isRecord.ts'
import {
  approvedChains,
  chainOf,
  eventsFor,
  isAccountId,
  isChainId,
  methodsFor,
  type ProposedNamespaces,
  proposedChains,
  type SessionNamespaces,
} from './namespaces.ts'

/**
 * Checks that namespaces are well-formed, and that a session gives the required ones. Each check returns the problem as
 * the official client's error, ready to be sent to the peer, or undefined.
 * Texts and codes are those of 2.25.0, tested by vectors.
 */
export type Problem = Required<WireError>

/**
 * @param context the calling function: `connect()`
 * @param type which namespaces of the proposal
 */
export function proposalProblem(
  namespaces: unknown,
  context: string,
  type: 'requiredNamespaces' | 'optionalNamespaces',
): Problem | undefined {
  if (!hasData(namespaces)) return wcError('MISSING_OR_INVALID', `${context}, ${type} should be an object with data`)
  for (const [key, value] of Object.entries(namespaces)) {
    const problem = chainsProblem(key, isRecord(value) ? value.chains : undefined, `${context} ${type}`)
    if (problem) return problem
  }
  return actionsProblem(namespaces, context)
}

/**
 * Checks a wallet's value; without a problem it may be read as `SessionNamespaces`.
 *
 * @param context `onSessionSettleRequest()`, `update()`, …
 */
export function sessionProblem(namespaces: unknown, context: string): Problem | undefined {
  if (!hasData(namespaces)) return wcError('MISSING_OR_INVALID', `${context}, namespaces should be an object with data`)
  for (const value of Object.values(namespaces)) {
    const accounts = isRecord(value) ? value.accounts : undefined
    if (!Array.isArray(accounts)) {
      const expected = 'accounts should be an array of strings conforming to "namespace:chainId:address" format'
      return wcError('UNSUPPORTED_ACCOUNTS', `${context} namespace, ${expected}`)
    }
    const wrong = accounts.findIndex(account => !isAccountId(account))
    if (wrong >= 0) {
      const expected = 'should be a string and conform to "namespace:chainId:address" format'
      return wcError('UNSUPPORTED_ACCOUNTS', `${context} namespace, account ${shown(accounts[wrong])} ${expected}`)
    }
  }
  return actionsProblem(namespaces, context)
}

/**
 * @param required a proposal's required namespaces; `{}` from current clients
 * @param session well-formed, see `sessionProblem`
 */
export function conformanceProblem(
  required: ProposedNamespaces,
  session: SessionNamespaces,
  context: string,
): Problem | undefined {
  const approved = approvedChains(session)
  const wanted = proposedChains(required)
  if (!wanted.every(chain => approved.includes(chain))) {
    return wcError(
      'NON_CONFORMING_NAMESPACES',
      `${context} namespaces chains don't satisfy required namespaces.\n      Required: ${listed(wanted)}\n      Approved: ${listed(approved)}`,
    )
  }
  const keys = namespaceKeys(session)
  const wantedKeys = namespaceKeys(required)
  if (!wantedKeys.every(key => keys.includes(key))) {
    return wcError(
      'NON_CONFORMING_NAMESPACES',
      `${context} namespaces keys don't satisfy requiredNamespaces.\n      Required: ${listed(wantedKeys)}\n      Approved: ${listed(keys)}`,
    )
  }
  return keyAccountsProblem(session, context) ?? actionsConformanceProblem(required, session, context)
}

function keyAccountsProblem(session: SessionNamespaces, context: string): Problem | undefined {
  for (const [key, { accounts }] of Object.entries(session)) {
    const chains = accounts.map(chainOf)
    if (!isChainId(key) || chains.includes(key)) continue
    return wcError(
      'NON_CONFORMING_NAMESPACES',
      `${context} namespaces accounts don't satisfy namespace accounts for ${key}\n        Required: ${key}\n        Approved: ${listed(chains)}`,
    )
  }
  return undefined
}

function actionsConformanceProblem(
  required: ProposedNamespaces,
  session: SessionNamespaces,
  context: string,
): Problem | undefined {
  for (const [key, { chains = [], methods, events }] of Object.entries(required)) {
    for (const chain of isChainId(key) ? [key, ...chains] : chains) {
      const given = { methods: methodsFor(session, chain), events: eventsFor(session, chain) }
      const missing = methods.some(method => !given.methods.includes(method))
        ? 'methods'
        : events.some(event => !given.events.includes(event))
          ? 'events'
          : undefined
      if (!missing) continue
      const text = `${context} namespaces ${missing} don't satisfy namespace ${missing} for ${chain}`
      return wcError('NON_CONFORMING_NAMESPACES', text)
    }
  }
  return undefined
}

function chainsProblem(key: string, chains: unknown, context: string): Problem | undefined {
  const given = chains === undefined ? [] : chains
  if (Array.isArray(given) && given.length === 0 && !key.includes(':')) {
    const how =
      'chains must be defined as "namespace:chainId" e.g. "eip155:1": {...} in the namespace key OR as an array of CAIP-2 chainIds e.g. eip155: { chains: ["eip155:1", "eip155:5"] }'
    return wcError('UNSUPPORTED_CHAINS', `${context}, ${how}`)
  }
  const named = [...(key.includes(':') ? [key] : []), ...(Array.isArray(given) ? given : [])]
  const isWrong = !Array.isArray(given) || !named.every(isChainId)
  if (!isWrong) return undefined
  const wrong = named.find(chain => !isChainId(chain)) ?? given
  const expected = 'should be a string and conform to "namespace:chainId" format'
  return wcError('UNSUPPORTED_CHAINS', `${context}, chain ${shown(wrong)} ${expected}`)
}

function actionsProblem(namespaces: Readonly<Record<string, unknown>>, context: string): Problem | undefined {
  for (const value of Object.values(namespaces)) {
    const { methods, events } = isRecord(value) ? value : { methods: undefined, events: undefined }
    const kind = !areNames(methods) ? 'methods' : !areNames(events) ? 'events' : undefined
    if (!kind) continue
    const expected = `${kind} should be an array of strings or empty array for no ${kind}`
    return wcError(
      kind === 'methods' ? 'UNSUPPORTED_METHODS' : 'UNSUPPORTED_EVENTS',
      `${context}, namespace, ${expected}`,
    )
  }
  return undefined
}

function areNames(value: unknown): boolean {
  return Array.isArray(value) && value.every(name => typeof name === 'string' && name.trim() !== '')
}

function hasData(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && Object.keys(value).length > 0
}

function namespaceKeys(namespaces: ProposedNamespaces): string[] {
  return [...new Set(Object.keys(namespaces).map(namespaceOf))]
}

/** The peer's value in the official text's form, but clipped, and without calling its methods. */
function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[object Array]' : '[object Object]'
  return clip(String(value))
}

function listed(names: readonly string[]): string {
  return clip(names.join(','))
}

function clip(text: string): string {
  return text.length <= 300 ? text : `${text.slice(0, 300)}…`
}
