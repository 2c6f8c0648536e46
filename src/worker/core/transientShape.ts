/** The core's scratch memory as a checkpoint holds it: checked when it is read, and redacted like any data of the log. */
import { outgoingPurpose } from '../../events/schema/fields.ts'
import {
  choice,
  flag,
  id,
  integer,
  instant,
  keyed,
  list,
  map,
  measure,
  openField,
  optional,
  personal,
  personalAfter,
  shape,
  text,
  v1,
  chainKey,
  height,
  slot,
  stamp,
} from '../../runtime/schema/registry.ts'
import { inputDefinitions } from '../../events/input.ts'
import { personalAbout } from '../deciders/about.ts'

const seen = keyed(personal(id), openField(flag))

const slotWatch = shape({
  suspect: optional(shape({ slot: measure(slot), readAt: openField(instant) })),
  confirmed: optional(openField(flag)),
})

const members = {
  random: list(openField(integer)),
  asked: map(shape({ type: openField(text), about: personalAfter(personalAbout, text), tab: optional(openField(id)) })),
  lastPayloadId: openField(stamp),
  lastCallId: openField(text),
  /** of earlier builds, whose core could begin without a part */
  away: shape({ tries: openField(integer) }),
  pages: map(shape({ visible: openField(flag), asking: list(openField(id)), answered: list(openField(id)) })),
  relay: shape({
    attempt: openField(integer),
    open: openField(flag),
    opens: list(openField(instant)),
    openedAt: openField(instant),
    heardAt: openField(instant),
    probedAt: openField(instant),
    calls: map(
      shape({
        kind: openField(choice(['subscribe', 'subscribeOne', 'unsubscribe', 'publish', 'fetch', 'fetchOne'])),
        topics: list(personal(id)),
        at: openField(instant),
        first: optional(openField(flag)),
      }),
    ),
    seen: shape({ newest: seen, older: seen, count: openField(integer) }),
  }),
  wire: shape({
    url: openField(text),
    counted: openField(flag),
    linkAt: optional(openField(instant)),
    openedAt: optional(openField(instant)),
    attested: optional(map(openField(choice(['asked', 'done'])))),
    witnessRestsUntil: optional(openField(instant)),
    unsent: optional(map(openField(flag))),
    dropped: optional(shape({ n: openField(integer), callIds: list(openField(text)) })),
    offline: openField(flag),
    unloaded: optional(shape({ pressed: openField(flag) })),
    listens: optional(openField(integer)),
    refused: list(openField(text)),
    errors: map(openField(integer)),
    early: list(shape(inputDefinitions['relay.message'].fields)),
    missed: list(personal(id)),
    fetching: openField(text),
    pages: openField(integer),
  }),
  sealing: map(
    shape({
      kind: openField(choice(['publish', 'propose'])),
      topic: personal(id),
      tag: openField(integer),
      ttl: openField(integer),
      prompt: openField(flag),
      payloadId: openField(id),
      purpose: optional(outgoingPurpose),
      universal: optional(personal(text)),
    }),
  ),
  callers: map(personal(id)),
  sale: shape({
    failures: openField(integer),
    noticeRef: openField(chainKey),
    polls: openField(integer),
    announced: optional(openField(chainKey)),
    noticesAt: optional(openField(instant)),
    slots: optional(slotWatch),
  }),
  balance: keyed(personal(text), slotWatch),
  network: shape({ failures: openField(integer) }),
  order: map(
    shape({
      pressedAt: openField(instant),
      tab: openField(text),
      checks: openField(integer),
      misses: openField(integer),
      searchNext: optional(openField(flag)),
      builtAt: optional(openField(instant)),
      asksBlockhash: optional(openField(flag)),
      silentTries: optional(openField(integer)),
      finalTries: optional(openField(integer)),
      since: optional(openField(instant)),
      judged: optional(keyed(personal(text), openField(id))),
      gate: optional(
        shape({
          before: openField(choice(['ask', 'send'])),
          waiting: list(openField(choice(['sale', 'notices', 'height']))),
          height: measure(height),
        }),
      ),
    }),
  ),
}

/** `transient` as data: every part of it has a class. A member that an older build did not have is fresh. */
export const transientDefinition = v1(
  Object.fromEntries(Object.entries(members).map(([name, field]) => [name, optional<unknown>(field)])),
)
