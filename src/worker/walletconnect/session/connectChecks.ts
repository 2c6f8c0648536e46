import { Fault } from '../../../runtime/failure.ts'
import type { UncheckedProposal } from '../../../events/schema/fields.ts'
import { namespaceOf } from '../../../events/values/networks.ts'
import { wcError } from '../relay/errors.ts'
import { type Json, readJson } from '../../../runtime/json/readJson.ts'
import { type Problem, proposalProblem } from './namespaceChecks.ts'

/** Longest value quoted in an error, characters. */
const quoted = 300

/**
 * Checks a proposal in the order and the words of the official client.
 *
 * @returns the problem, or undefined when there is none
 */
export function connectProblem(proposal: UncheckedProposal): Problem | undefined {
  const { required, optional, sessionProperties = {}, scopedProperties = {} } = proposal
  const isEmpty = (namespaces: object) => Object.keys(namespaces).length === 0
  return (
    (isEmpty(required) ? undefined : proposalProblem(required, 'connect()', 'requiredNamespaces')) ??
    (isEmpty(optional) ? undefined : proposalProblem(optional, 'connect()', 'optionalNamespaces')) ??
    valuesProblem('sessionProperties', sessionProperties) ??
    scopedProblem(scopedProperties, [...Object.keys(required), ...Object.keys(optional)])
  )
}

/** @returns the parsed values. @throws Fault `bad_response` when one is not JSON */
export function scopedValues(scoped: Readonly<Record<string, string>>): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(scoped).map(([key, text]) => [key, readJson(text, { name: 'a scoped property' }) as Json]),
  )
}

function scopedProblem(texts: Readonly<Record<string, string>>, proposed: readonly string[]): Problem | undefined {
  let values: Record<string, Json>
  try {
    values = scopedValues(texts)
  } catch (cause) {
    if (cause instanceof Fault) return wcError('MISSING_OR_INVALID', `scopedProperties: ${cause.message}`)
    throw cause
  }
  const missing = valuesProblem('scopedProperties', values)
  if (missing || Object.keys(values).every(key => proposed.includes(namespaceOf(key)))) return missing
  const received = `received: ${clip(JSON.stringify(values))}`
  return {
    code: wcError('MISSING_OR_INVALID').code,
    message: `Scoped properties must be a subset of required/optional namespaces, ${received}, required/optional namespaces: ${clip(JSON.stringify(proposed))}`,
  }
}

function valuesProblem(name: string, values: Readonly<Record<string, unknown>>): Problem | undefined {
  const empty = Object.entries(values).find(([, value]) => value === null || value === undefined)
  if (!empty) return undefined
  const [key, value] = empty
  const context = `${name} must contain an existing value for each key. Received: ${String(value)} for key ${clip(key)}`
  return wcError('MISSING_OR_INVALID', context)
}

function clip(text: string): string {
  return text.length <= quoted ? text : `${text.slice(0, quoted)}…`
}
