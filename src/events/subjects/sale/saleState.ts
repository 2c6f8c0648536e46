/** State of the sale's documents: schemas from which the types follow. */
import { failure } from '../../schema/fields.ts'
import {
  openField,
  optional,
  shape,
  situations,
  type StateOf,
  wholly,
  without,
} from '../../../runtime/schema/registry.ts'
import { loggedTerms } from '../../sale/terms/termsShape.ts'
import { saleFacts } from './saleFacts.ts'

/** The terms as published; `mint` is that of their token, once it has been read. */
export function termsState() {
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
export function legalState() {
  return situations({ read: saleFacts['sale.legalRead'].fields, failed: { failure } }, {})
}
