/** Facts of requests to a wallet. */
import { failure } from '../../schema/fields.ts'
import {
  define,
  id,
  integer,
  jsonText,
  lifted,
  openField,
  optional,
  personal,
  shape,
  text,
  type UnionOf,
  v1,
} from '../../../runtime/schema/registry.ts'
import { chosenName, instant } from '../../schema/scales.ts'

/**
 * A wallet's result of a page's request, stored so that it outlives the requester; `resultRef` names a long result's bytes. The
 * fields are named one by one: a bundler keeps objects that are spread, and the checks with them.
 */
const result = optional(personal(jsonText))
const resultRef = optional(personal(id))
/** The wallet's error as JSON text, in its own words. */
const error = optional(personal(jsonText))
const refusal = shape({ code: openField(integer), message: openField(text) })
const asBefore = (data: Record<string, unknown>) => data

export const requestFacts = define({
  /**
   * Written before anything is published. `purpose` names what the answer is for: `order:<orderId>`, or `page:<ref>` of the
   * command that asked. `params` are a page's own; `askAt` is when it goes out, if that is not at once.
   */
  'request.sent': lifted(
    {
      requestId: openField(id),
      sessionTopic: personal(id),
      method: openField(chosenName),
      chainId: openField(chosenName),
      purpose: openField(id),
      expiresAt: openField(instant),
      params: optional(personal(jsonText)),
      askAt: optional(openField(instant)),
    },
    asBefore,
  ),
  /** A page's request that was not sent, because the wallet may not get it. */
  'request.refused': v1({
    requestId: openField(id),
    sessionTopic: personal(text),
    method: openField(chosenName),
    chainId: openField(chosenName),
    purpose: openField(id),
    error: refusal,
  }),
  /** The relay holds it; the wallet may receive it any moment. */
  'request.delivered': v1({ requestId: openField(id) }),
  'request.answered': lifted({ requestId: openField(id), result, resultRef }, asBefore),
  'request.failed': lifted({ requestId: openField(id), failure, error }, asBefore),
  /** The wallet answered after the request had ended. */
  'request.late': lifted({ requestId: openField(id), result, resultRef, error }, asBefore),
})
export type RequestFact = UnionOf<typeof requestFacts>
