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
  open,
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
} from '../../events/schema/registry.ts'
import { inputDefinitions } from '../../events/input.ts'
import { personalAbout } from '../deciders/about.ts'

const seen = keyed(personal(id), open(flag))

const slotWatch = shape({
  suspect: optional(shape({ slot: measure(slot), readAt: open(instant) })),
  confirmed: optional(open(flag)),
})

const members = {
  random: list(open(integer)),
  asked: map(shape({ type: open(text), about: personalAfter(personalAbout, text), tab: optional(open(id)) })),
  lastPayloadId: open(stamp),
  lastCallId: open(text),
  /** of earlier builds, whose core could begin without a part */
  away: shape({ tries: open(integer) }),
  pages: map(shape({ visible: open(flag), asking: list(open(id)), answered: list(open(id)) })),
  relay: shape({
    attempt: open(integer),
    open: open(flag),
    opens: list(open(instant)),
    openedAt: open(instant),
    heardAt: open(instant),
    probedAt: open(instant),
    calls: map(
      shape({
        kind: open(choice(['subscribe', 'subscribeOne', 'unsubscribe', 'publish', 'fetch', 'fetchOne'])),
        topics: list(personal(id)),
        at: open(instant),
        first: optional(open(flag)),
      }),
    ),
    seen: shape({ newest: seen, older: seen, count: open(integer) }),
  }),
  wire: shape({
    url: open(text),
    counted: open(flag),
    linkAt: optional(open(instant)),
    openedAt: optional(open(instant)),
    attested: optional(map(open(choice(['asked', 'done'])))),
    witnessRestsUntil: optional(open(instant)),
    unsent: optional(map(open(flag))),
    dropped: optional(shape({ n: open(integer), callIds: list(open(text)) })),
    offline: open(flag),
    unloaded: optional(shape({ pressed: open(flag) })),
    listens: optional(open(integer)),
    refused: list(open(text)),
    errors: map(open(integer)),
    early: list(shape(inputDefinitions['relay.message'].fields)),
    missed: list(personal(id)),
    fetching: open(text),
    pages: open(integer),
  }),
  sealing: map(
    shape({
      kind: open(choice(['publish', 'propose'])),
      topic: personal(id),
      tag: open(integer),
      ttl: open(integer),
      prompt: open(flag),
      payloadId: open(id),
      purpose: optional(outgoingPurpose),
      universal: optional(personal(text)),
    }),
  ),
  callers: map(personal(id)),
  sale: shape({
    failures: open(integer),
    noticeRef: open(chainKey),
    polls: open(integer),
    announced: optional(open(chainKey)),
    noticesAt: optional(open(instant)),
    slots: optional(slotWatch),
  }),
  balance: keyed(personal(text), slotWatch),
  network: shape({ failures: open(integer) }),
  order: map(
    shape({
      pressedAt: open(instant),
      tab: open(text),
      checks: open(integer),
      misses: open(integer),
      searchNext: optional(open(flag)),
      builtAt: optional(open(instant)),
      asksBlockhash: optional(open(flag)),
      silentTries: optional(open(integer)),
      finalTries: optional(open(integer)),
      since: optional(open(instant)),
      judged: optional(keyed(personal(text), open(id))),
      gate: optional(
        shape({
          before: open(choice(['ask', 'send'])),
          waiting: list(open(choice(['sale', 'notices', 'height']))),
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
