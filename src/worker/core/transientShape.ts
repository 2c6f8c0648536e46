/**
 * The shape of the core's scratch memory. Types derive from it; a checkpoint that holds it is checked when it is read, and
 * redacted like any data of the log.
 */
import { outgoingPurpose } from '../../events/schema/fields.ts'
import {
  choice,
  type Field,
  flag,
  id,
  integer,
  isSo,
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
} from '../../runtime/schema/registry.ts'
import { feeUnits, instant, chainKey, height, slot, stamp } from '../../events/schema/scales.ts'
import type { EffectType } from '../../events/effect.ts'
import { inputDefinitions } from '../../events/input.ts'
import type { Schema } from '../../runtime/schema/schema.ts'
import { personalAbout } from '../deciders/about.ts'

const seen = keyed(personal(id), openField(isSo))

/** The memory of one life about one kind of reading. */
const slotWatch = shape({
  /** a reading that fits the known one not at all; the next one tells which of the two was wrong */
  suspect: optional(shape({ slot: measure(slot), readAt: openField(instant) })),
  /** a second reading has confirmed the known one */
  confirmed: optional(openField(flag)),
  /** the endpoint that answered at the latest reading; absent: the first */
  endpoint: optional(openField(integer)),
})

const relayCall = shape({
  kind: openField(choice(['subscribe', 'subscribeOne', 'unsubscribe', 'publish', 'fetch', 'fetchOne'])),
  topics: list(personal(id)),
  at: openField(instant),
  /** of a subscription made because the socket is new: what was missed is fetched after it */
  first: optional(openField(flag)),
})

const orderScratch = shape({
  /** when the person last pressed for this order; 0 after a restart */
  pressedAt: openField(instant),
  tab: openField(text),
  checks: openField(integer),
  misses: openField(integer),
  /** highest fee that the person agreed to, lamports */
  mostFee: optional(measure(feeUnits)),
  /** the next check looks the order's reference up, and asks every endpoint for a proof */
  searchNext: optional(openField(flag)),
  /** when the transaction was built; absent once the clock has jumped since, and in a later life */
  builtAt: optional(openField(instant)),
  /** the next proof is to tell of the blockhash, too: all else of it holds */
  asksBlockhash: optional(openField(flag)),
  /** looks in a row in which all agreed but the endpoints that do not answer */
  silentTries: optional(openField(integer)),
  /** least finalised height told since the wallet sent it */
  sentHeight: optional(measure(height)),
  /** looks in which not all endpoints say final what one does */
  finalTries: optional(openField(integer)),
  /** from when time is known to have passed: the build, this life's first check, or the last jump of the clock */
  since: optional(openField(instant)),
  /** verdicts on transactions under the order's reference, by signature: the order it is, or a word for none */
  judged: optional(keyed(personal(text), openField(id))),
  /** what the check before asking or sending still waits for */
  gate: optional(
    shape({
      before: openField(choice(['ask', 'send'])),
      waiting: list(openField(choice(['sale', 'notices', 'height', 'code']))),
      /** the code under the order's key whose payment is looked for */
      code: optional(openField(id)),
      height: measure(height),
    }),
  ),
})

/** An endpoint of a pool. */
const rpcEndpoint = shape({
  genesis: optional(openField(text)),
  /** it has refused a batch */
  noBatches: optional(openField(isSo)),
  /** when its budget is whole again */
  paidUntil: openField(instant),
  /** end of the pause it asked for */
  restsUntil: optional(openField(instant)),
  /** jobs that wait for its genesis hash */
  probing: optional(list(openField(id))),
})

/** Calls that travel together. */
const rpcJob = shape({
  pool: openField(id),
  calls: list(openField(integer)),
  kind: openField(choice(['single', 'together', 'once'])),
  only: optional(openField(integer)),
  most: openField(integer),
  retries: openField(integer),
  /** no retry begins later */
  until: openField(instant),
  /** endpoints that have failed it */
  tried: list(openField(integer)),
  /** retries at the present endpoint, and attempts at all of them */
  retry: openField(integer),
  attempts: openField(integer),
  /** the endpoint whose budget holds a request for it */
  paid: optional(openField(integer)),
  /** attempts that tell how it ended: the first in which all were rate limited, the first that failed */
  limited: optional(openField(integer)),
  failed: optional(openField(integer)),
})

/** Members of the scratch memory. */
export const transientFields = {
  /** state of the generator */
  random: list(openField(integer)) as Field<[number, number, number, number], false>,
  /** effects of this life that are still to be answered: what each was about, and the page it was meant for */
  asked: map(
    shape({
      type: openField(text as Schema<EffectType>),
      about: personalAfter(personalAbout, text),
      tab: optional(openField(id)),
    }),
  ),
  /** ids made in this step's millisecond, so that payload ids never repeat */
  lastPayloadId: openField(stamp),
  lastCallId: openField(text),
  pages: map(shape({ visible: openField(flag), asking: list(openField(id)), answered: list(openField(id)) })),
  relay: shape({
    /** sockets opened since the last one that lasted */
    attempt: openField(integer),
    open: openField(flag),
    /** when sockets were opened in the last minute, and the one that is open now */
    opens: list(openField(instant)),
    openedAt: openField(instant),
    /** last frame from the relay */
    heardAt: openField(instant),
    /** a test of the socket is under way since; 0 when none is */
    probedAt: openField(instant),
    /** relay calls under way: what they were for */
    calls: map(relayCall),
    /** hashes of messages handled in this life: the newest, and those before them */
    seen: shape({ newest: seen, older: seen, count: openField(integer) }),
  }),
  /** more of the way to the relays */
  wire: shape({
    /** address of the socket that is open, opening, or was last */
    url: openField(text),
    /** whether openings of earlier lives are among `relay.opens` already */
    counted: openField(flag),
    /** when the last link that waits for its turn gets it */
    linkAt: optional(openField(instant)),
    /** when the latest link was opened */
    openedAt: optional(openField(instant)),
    /** messages that are being witnessed, and those that were, by call id */
    attested: optional(map(openField(choice(['asked', 'done'])))),
    /** until then nothing waits for the verify service, which was silent */
    witnessRestsUntil: optional(openField(instant)),
    /** messages that were never handed to a socket, by call id */
    unsent: optional(map(openField(isSo))),
    /** messages that were let go of at the newest input at which any was */
    dropped: optional(shape({ n: openField(integer), callIds: list(openField(text)) })),
    /** whether it was said that this device is offline */
    offline: openField(flag),
    /** the file of the WalletConnect client could not be fetched, and no socket was opened since; `pressed`: a retry waits */
    unloaded: optional(shape({ pressed: openField(flag) })),
    /** how often in a row a relay that refused topics was asked for them again, over this socket */
    listens: optional(openField(integer)),
    /** addresses that refused this page since somebody last asked for a new try */
    refused: list(openField(text)),
    /** how often the relay answered a message by an error, by call id */
    errors: map(openField(integer)),
    /** messages whose topic is yet to be known */
    early: list(shape(inputDefinitions['relay.message'].fields)),
    /** topics whose messages are to be fetched, the first ones under way when `fetching` is a call's id */
    missed: list(personal(id)),
    fetching: openField(text),
    /** fetched over this socket */
    pages: openField(integer),
  }),
  /** payloads being sealed, by call id */
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
  /** the session that waits for the end of a call of ours, by the call's payload id */
  callers: optional(map(personal(id))),
  sale: shape({
    failures: openField(integer),
    noticeRef: openField(chainKey),
    polls: openField(integer),
    noticesEvery: optional(openField(integer)),
    pollMs: optional(openField(integer)),
    guard: optional(openField(isSo)),
    /** the content file could not be read */
    contentUnread: optional(openField(isSo)),
    /** the list of the sale could not be read in this life */
    accessUnread: optional(openField(isSo)),
    /** hash of the terms whose notice was read in this life */
    announced: optional(openField(chainKey)),
    /** when the notices were last read whole in this life */
    noticesAt: optional(openField(instant)),
    /** when they were last read in this life, whole or in part, and how often they could not be read since */
    toldAt: optional(openField(instant)),
    untold: optional(openField(integer)),
    /** what tells whether a reading's slot is believed */
    slots: optional(slotWatch),
  }),
  /** the same of an account's balance, by account */
  balance: keyed(personal(text), slotWatch),
  /** since when a payment of an account is waited for to be final, by account */
  coming: optional(keyed(personal(text), openField(instant))),
  /** until when a press has an old code looked for, by the code's invoice id */
  pressed: optional(map(openField(instant))),
  network: shape({ failures: openField(integer) }),
  /** wallets that the pages of the whole directory leave out, since its first page was asked for */
  listingExclude: optional(list(openField(id))),
  /** the batch of events on its way, and the failures in a row: until `restsUntil` none is sent */
  analytics: optional(
    shape({ batch: list(openField(id)), failures: openField(integer), restsUntil: openField(instant) }),
  ),
  /** by order id */
  order: map(orderScratch),
  /** the socket to a node, once there was one */
  node: optional(
    shape({
      /** number and endpoint of the newest */
      socket: openField(integer),
      endpoint: openField(integer),
      phase: openField(choice(['none', 'opening', 'open', 'waiting'])),
      openedAt: openField(instant),
      heardAt: openField(instant),
      /** sockets in a row that did not last, and those of them that did not open */
      failures: openField(integer),
      unopened: openField(integer),
      /** endpoints that are left alone */
      refused: list(openField(integer)),
      /** orders with subscriptions */
      orders: list(shape({ orderId: openField(id), signature: optional(personal(text)) })),
      /** latest reading that was moved forward for an order, and how many were; `again`: one more, after that under way */
      moved: map(shape({ at: openField(instant), times: openField(integer), again: optional(openField(isSo)) })),
    }),
  ),
  /** JSON-RPC calls under way */
  rpc: shape({
    lastJob: openField(integer),
    /** number of calls in `sharers` */
    shared: openField(integer),
    pools: map(
      shape({
        genesis: optional(openField(text)),
        wanted: optional(openField(text)),
        endpoints: list(rpcEndpoint),
        /** jobs that wait for their time, or for more calls */
        waiting: list(shape({ job: openField(id), at: openField(instant), joins: optional(openField(isSo)) })),
        timerAt: optional(openField(instant)),
        /** the endpoint that last answered calls which any may answer; absent until one did */
        answering: optional(openField(integer)),
      }),
    ),
    jobs: map(rpcJob),
    /** equal calls that share the answer of one, by `c<call>` */
    sharers: map(list(openField(integer))),
  }),
  /** other requests under way, by `h<request>` */
  http: map(shape({ retry: openField(integer), retries: openField(integer), until: openField(instant) })),
}

/** Of earlier builds, whose core could begin without a part. */
const away = shape({ tries: openField(integer) })

/** The scratch memory as data: every part of it has a class. A member that an older build did not have is fresh. */
export const transientDefinition = v1(
  Object.fromEntries(
    Object.entries({ ...transientFields, away }).map(([name, field]) => [name, { ...field, optional: true as const }]),
  ),
)
