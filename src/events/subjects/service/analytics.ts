/** Analytics: consent, the project's switch, and the events that wait to be sent. Without a host's choice there is none of it. */
import type { ErrorCategory } from '../../analytics/categories.ts'
import { admitReport, enqueued } from '../../analytics/limits.ts'
import { failure } from '../../schema/fields.ts'
import {
  choice,
  define,
  flag,
  id,
  integer,
  isSo,
  list,
  openField,
  optional,
  personal,
  shape,
  type StateOf,
  text,
  type UnionOf,
  v1,
} from '../../../runtime/schema/registry.ts'
import { chosenName, instant } from '../../schema/scales.ts'
import type { Schema } from '../../../runtime/schema/schema.ts'

/** Events of a page's screens. */
export type PageEvent =
  | 'INITIALIZE'
  | 'MODAL_OPEN'
  | 'MODAL_CLOSE'
  | 'CLICK_ALL_WALLETS'
  | 'CLICK_WALLET_HELP'
  | 'CLICK_GET_WALLET'
  | 'SELECT_WALLET'
  | 'SEARCH_WALLET'
  | 'CLICK_NETWORKS'
  | 'CLICK_NETWORK_HELP'
  | 'SWITCH_NETWORK'
  | 'CLICK_TRANSACTIONS'
  | 'OPEN_SEND'
/** Events that the core derives from its facts. */
type CoreEvent =
  | 'CONNECT_SUCCESS'
  | 'CONNECT_ERROR'
  | 'CONNECT_PROXY_ERROR'
  | 'DISCONNECT_SUCCESS'
  | 'SIWX_AUTH_SUCCESS'
  | 'SIWX_AUTH_ERROR'
  | 'ERROR_FETCH_TRANSACTIONS'
  | 'LOAD_MORE_TRANSACTIONS'
  | 'SEND_INITIATED'
  | 'SEND_SUCCESS'
  | 'SEND_ERROR'

/** Properties of a page's events, named as in the catalogue. Made by a function, as a bundler keeps objects that are spread. */
/*#__NO_SIDE_EFFECTS__*/
export function pageDetails() {
  return {
    connected: optional(openField(flag)),
    name: optional(openField(text)),
    platform: optional(openField(choice(['mobile', 'browser', 'qrcode']))),
    displayIndex: optional(openField(integer)),
    badge: optional(openField(text)),
    search: optional(personal(text)),
    isSmartAccount: optional(openField(flag)),
    network: optional(openField(chosenName)),
  }
}
/*#__NO_SIDE_EFFECTS__*/
function queuedFields() {
  return {
    eventId: openField(id),
    event: openField(id as Schema<PageEvent | CoreEvent | ErrorCategory>),
    ...pageDetails(),
    method: optional(openField(choice(['qrcode', 'mobile', 'browser']))),
    message: optional(openField(text)),
    mobile_link: optional(personal(text)),
    /** how a chosen wallet is reached, where the directory knows better than the page's `platform` */
    way: optional(openField(choice(['web', 'desktop', 'unsupported']))),
    namespace: optional(openField(text)),
    cursor: optional(personal(text)),
    token: optional(openField(choice(['SOL', 'SPL']))),
    errorType: optional(openField(text)),
    errorMessage: optional(openField(text)),
  }
}
const eventIds = list(openField(id))

export const analyticsFacts = define({
  /** The host told the visitor's word, which stands until the next. Refused, all that waits is dropped: `eventIds`. */
  'analytics.consented': v1({ given: openField(flag), eventIds }),
  /** The project's configuration has analytics on, or off, and these are dropped; a failure counts as off. */
  'analytics.switched': v1({ isOn: openField(flag), eventIds }),
  /** An event or a report waits to be sent. */
  'analytics.queued': v1(queuedFields()),
  /** The service has these. */
  'analytics.sent': v1({ eventIds }),
  /** Sending failed; these would fail again and are dropped. `refused`: the service begins to refuse this page's origin. */
  'analytics.failed': v1({ failure, eventIds, refused: optional(openField(isSo)) }),
})
export type AnalyticsFact = UnionOf<typeof analyticsFacts>

export function waitingEvent() {
  return shape({ ...queuedFields(), at: openField(instant) })
}
export type WaitingEvent = StateOf<typeof waitingEvent>

/** Everything but the events themselves. `reports`: when the newest were queued. */
export function analyticsState() {
  return shape({
    consent: optional(openField(choice(['given', 'refused']))),
    switched: optional(shape({ isOn: openField(flag), life: openField(integer) })),
    dropped: openField(integer),
    refused: optional(openField(isSo)),
    reports: list(openField(instant)),
  })
}
/** `waiting`: the oldest first, at most 100; `dropped` counts those for which there was no room. */
export type AnalyticsView = StateOf<typeof analyticsState> & { waiting: WaitingEvent[] }

export const noAnalytics: AnalyticsView = { waiting: [], dropped: 0, reports: [] }

/** A host's choice: `later` when it asks the visitor first. */
export type AnalyticsTerms = { consent: 'given' | 'later'; tracks?: true; reports?: true }

/** A report has a category and a type of error. */
export function isReport({ errorType }: Pick<WaitingEvent, 'errorType'>): boolean {
  return errorType !== undefined
}

type Holder = { analytics?: AnalyticsView; core: { life: number } }

export function foldAnalytics(model: Holder, { type, data, at }: AnalyticsFact & { at: number }): void {
  switch (type) {
    case 'analytics.queued': {
      const view = viewOf(model)
      if (view.waiting.some(({ eventId }) => eventId === data.eventId)) return
      if (isReport(data)) view.reports = [...admitReport(view.reports, at).admitted]
      Object.assign(view, enqueued(view, [{ ...data, at }]))
      return
    }
    case 'analytics.consented':
      viewOf(model).consent = data.given ? 'given' : 'refused'
      return drop(model, data.eventIds)
    case 'analytics.switched': {
      const { life } = model.core
      const { switched } = viewOf(model)
      if (switched?.isOn !== data.isOn || switched.life !== life) viewOf(model).switched = { isOn: data.isOn, life }
      return drop(model, data.eventIds)
    }
    case 'analytics.sent':
      if (model.analytics?.refused) delete model.analytics.refused
      return drop(model, data.eventIds)
    case 'analytics.failed':
      if (data.refused) viewOf(model).refused = true
      drop(model, data.eventIds)
  }
}

function viewOf(model: Holder): AnalyticsView {
  model.analytics ??= { ...noAnalytics }
  return model.analytics
}

function drop({ analytics }: Holder, ids: readonly string[]): void {
  const kept = analytics?.waiting.filter(({ eventId }) => !ids.includes(eventId))
  if (analytics && kept && kept.length < analytics.waiting.length) analytics.waiting = kept
}
