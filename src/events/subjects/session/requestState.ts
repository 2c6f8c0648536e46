/** State of a request, a schema from which its type follows. */
import {
  openField,
  optional,
  personal,
  shape,
  situations,
  type StateOf,
  text,
  variants,
} from '../../../runtime/schema/registry.ts'
import { instant } from '../../schema/scales.ts'
import { requestFacts } from './requestFacts.ts'

/**
 * A request as the model has it: `params` and `askAt` are of a page's request, which has its result or the wallet's error as JSON
 * text. `late` is the newest answer after the end.
 */
export function requestState() {
  const { params, askAt, ...requested } = requestFacts['request.sent'].fields
  const { result, resultRef } = requestFacts['request.answered'].fields
  const { failure, error } = requestFacts['request.failed'].fields
  const { error: refusal } = requestFacts['request.refused'].fields
  const end = variants('how', {
    answered: { result, resultRef },
    failed: { failure, error },
    refused: { error: refusal },
  })
  return situations(
    {
      sent: { params, askAt },
      delivered: { params, askAt },
      ended: { end, late: optional(shape({ result, resultRef, error })) },
    },
    // A refused request has the topic that the page gave, perhaps none
    { ...requested, sessionTopic: personal(text), sentAt: openField(instant) },
  )
}
export type WalletRequest = StateOf<typeof requestState>
export type EndedRequest = Extract<WalletRequest, { phase: 'ended' }>
export type OpenRequest = Exclude<WalletRequest, EndedRequest>
export type RequestEnd = EndedRequest['end']
export type LateAnswer = NonNullable<EndedRequest['late']>
