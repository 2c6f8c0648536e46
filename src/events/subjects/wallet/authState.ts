/** State of one-click auth, a schema from which its type follows. */
import { failure } from '../../schema/fields.ts'
import { id, openField, optional, personal, shape, situations, type StateOf } from '../../../runtime/schema/registry.ts'
import { instant } from '../../schema/scales.ts'
import { authFacts } from './authFacts.ts'

/**
 * A request as the model has it. Done without an answer, the wallet approved the proposal beside the request instead; a failed
 * one has `sent` and `answer` as far as it had come.
 */
export function authState() {
  const { pairingTopic, responseTopic, publicKey, payloadId } = authFacts['auth.created'].fields
  const sent = shape({ pairingTopic, responseTopic, publicKey, payloadId })
  const { responderKey, peer, signed, redirect } = authFacts['auth.answered'].fields
  const answer = shape({ responderKey, peer, signed, redirect })
  return situations(
    {
      requested: {},
      created: { sent },
      delivered: { sent },
      unsupported: { sent },
      answered: { sent, answer },
      done: { sent, answer: optional(answer), sessionTopic: optional(personal(id)) },
      failed: { failure, sent: optional(sent), answer: optional(answer) },
    },
    { ...authFacts['auth.requested'].fields, requestedAt: openField(instant) },
  )
}
export type Auth = StateOf<typeof authState>
export type AuthAnswer = AuthIn<'answered'>['answer']
export type AuthIn<P extends Auth['phase']> = Extract<Auth, { phase: P }>
