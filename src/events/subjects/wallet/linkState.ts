/** State of wallets' links, a schema from which its type follows. */
import {
  choice,
  id,
  keyed,
  list,
  openField,
  optional,
  personal,
  shape,
  type StateOf,
  text,
} from '../../../runtime/schema/registry.ts'
import { skippedFor } from './linkFacts.ts'

/**
 * `chosen` by the code's topic; `apps` are universal links of wallets that accepted messages by them; `last` is the outcome of
 * the latest request, for the page to offer the link in words.
 */
export function linkState() {
  return shape({
    chosen: keyed(personal(id), personal(text)),
    apps: optional(list(personal(text))),
    last: shape({ requestId: optional(openField(id)), skipped: optional(openField(choice(skippedFor))) }),
  })
}
type Row = Required<StateOf<typeof linkState>>
/** The model has every part, and null before the first request. */
export type LinkView = Omit<Row, 'last'> & { last: (Row['last'] & { requestId: string }) | null }
