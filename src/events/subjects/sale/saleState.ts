/** State of the sale: schemas from which the types follow. */
import { failure } from '../../schema/fields.ts'
import {
  flag,
  integer,
  keyed,
  openField,
  optional,
  personal,
  shape,
  situations,
  type StateOf,
  text,
  wholly,
  without,
} from '../../../runtime/schema/registry.ts'
import { instant } from '../../schema/scales.ts'
import { loggedTerms } from '../../sale/terms/termsShape.ts'
import { laterNoticeNames, laterNotices, saleContent, saleFacts, saleFeed } from './saleFacts.ts'

/** The terms as published; `mint` is that of their token, once it has been read. */
function termsState() {
  return situations(
    {
      unread: {},
      read: {
        terms: openField(wholly(loggedTerms)),
        ...without(saleFacts['sale.termsRead'].fields, 'terms'),
        mint: optional(shape(saleFacts['sale.mintRead'].fields)),
      },
      refused: { failure },
    },
    {},
  )
}
export type TermsView = StateOf<typeof termsState>

/** The document behind the statements that a person ticks. Buying is off until it is `read`. */
function legalState() {
  return situations({ read: saleFacts['sale.legalRead'].fields, failed: { failure } }, {})
}

/** The sale without its pins. */
export function saleState() {
  return shape({
    terms: termsState(),
    /** `readAt`: when they were first read in the core's `life`, ms. */
    notices: optional(
      shape({
        ...without(saleFacts['sale.noticesRead'].fields, ...laterNoticeNames),
        readAt: optional(openField(instant)),
        life: optional(openField(integer)),
      }),
    ),
    /** The latest reading of the notices failed; the known ones are those of `since`, ms. */
    noticesUnread: optional(shape(saleFacts['sale.noticesUnread'].fields)),
    /**
     * Made at `readAt` of this device's clock, ms; balances of the treasury's accounts by asset symbol. Decisions use only a reading
     * of the core's own `life`; an older one is shown with its age.
     */
    reading: optional(
      shape({ ...saleFacts['sale.read'].fields, readAt: openField(instant), life: optional(openField(integer)) }),
    ),
    /** The latest reading failed; the known one is old. */
    stale: optional(shape(saleFacts['sale.unreachable'].fields)),
    distrust: optional(failure),
    legal: optional(legalState()),
    /** Of an allowlist sale, by account. */
    access: optional(keyed(personal(text), shape({ allowed: optional(openField(flag)), failure: optional(failure) }))),
    content: saleContent,
    ...laterNotices,
    /** `readAt`: of this device's clock, ms; 0 before the first reading. `failure`: of the latest one. */
    feed: optional(shape({ ...saleFeed, readAt: openField(instant), failure: optional(failure) })),
    /** Hash of changed terms that a person confirmed, until their notice is read. */
    accepted: optional(saleFacts['sale.changeAccepted'].fields.termsHash),
  })
}
