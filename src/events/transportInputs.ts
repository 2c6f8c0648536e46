/**
 * Inputs of requests to nodes and services. Params, results, URLs and headers never enter them: the driver holds them under the
 * calls' and requests' numbers. An answer names its attempt in the record's `to`.
 */
import { failure } from './schema/fields.ts'
import { failureCodes } from './failureCodes.ts'
import {
  choice,
  define,
  id,
  integer,
  isSo,
  list,
  openField,
  optional,
  shape,
  text,
  v1,
} from '../runtime/schema/registry.ts'

/** Calls to one pool of endpoints; their numbers begin with `first`. */
const callsAsked = shape({
  pool: openField(id),
  /** how many endpoints the pool has */
  endpoints: openField(integer),
  first: openField(integer),
  /** methods in order, each with the number of calls in a row */
  calls: list(shape({ method: openField(text), count: openField(integer) })),
  /** calls equal to one under way, which may answer them, too */
  same: optional(list(shape({ call: openField(integer), as: openField(integer) }))),
  /** `single`: with others of its kind; `together`: in one request to one endpoint; `once`: alone, neither retried nor joined */
  kind: openField(choice(['single', 'together', 'once'])),
  /** the only endpoint that may answer */
  only: optional(openField(integer)),
  retries: optional(openField(integer)),
  /** ms from now, after which no retry begins */
  deadlineMs: optional(openField(integer)),
  /** ms in which more calls may join; the request has at most `most` */
  waitMs: optional(openField(integer)),
  most: optional(openField(integer)),
  /** genesis hash of the sale's chain, as the terms name it */
  wanted: optional(openField(text)),
})

export const transportInputs = define({
  /** Calls of one turn. */
  'rpc.asked': v1({ asks: list(callsAsked) }),
  'http.asked': v1({
    requestId: openField(integer),
    /** the target, as errors name it */
    what: openField(text),
    retries: optional(openField(integer)),
    deadlineMs: optional(openField(integer)),
  }),
  /** A server answered; of a JSON-RPC request the outcomes, too. */
  'http.answered': v1({
    status: openField(integer),
    /** the pause that the server asked for */
    retryAfterMs: optional(openField(integer)),
    /** one object answered a batch: the node takes none, or none so large */
    refused: optional(openField(isSo)),
    /** number of calls without a result, the first few of them by place, and whether every one was rate limited */
    failed: optional(openField(integer)),
    errors: optional(
      list(
        shape({
          call: openField(integer),
          code: openField(choice(failureCodes)),
          rpcCode: optional(openField(integer)),
        }),
      ),
    ),
    limited: optional(openField(isSo)),
    /** genesis hash that the endpoint gave */
    genesis: optional(openField(text)),
  }),
  /** No answer came, or one that cannot be read. */
  'http.failed': v1({ failure }),
  /**
   * The socket to a node: it opened, its slots go on, it told something that concerns this order, it closed; or the endpoint
   * knows no subscriptions.
   */
  'node.heard': v1({
    socket: openField(integer),
    news: openField(choice(['opened', 'alive', 'order', 'closed', 'refused'])),
    orderId: optional(openField(id)),
  }),
})
