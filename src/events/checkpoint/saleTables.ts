/** Tables of balances, the sale, orders and purchases. */
import { failure } from '../schema/fields.ts'
import {
  define,
  flag,
  instant,
  integer,
  keyed,
  openField,
  optional,
  personal,
  shape,
  situations,
  text,
  without,
  wholly,
} from '../schema/registry.ts'
import { balanceState } from '../subjects/balance.ts'
import { orderState } from '../subjects/order.ts'
import { orderFacts } from '../subjects/orderFacts.ts'
import { purchasesState } from '../subjects/purchase.ts'
import { saleContent, saleFacts, unlistedNotices } from '../subjects/sale.ts'
import { loggedTerms } from '../sale/terms/termsShape.ts'
import { asBefore, table } from './table.ts'

/** Older builds put a wallet's changes, addresses among them, into the failure's facts: the lift drops them. */
/*#__NO_SIDE_EFFECTS__*/
function orderBefore({ order }: Record<string, any>): Record<string, unknown> {
  const { phase, failure } = order
  const isRefused = phase === 'gateRefused' || ['wallet_changed_tx', 'account_changed'].includes(failure?.code)
  if (failure?.facts === undefined || !isRefused) return { order }
  return { order: { ...order, failure: { code: failure.code, message: failure.message } } }
}

/** Made by a function, so that bundles without use for the tables drop all of them. */
/*#__NO_SIDE_EFFECTS__*/
export function saleTables() {
  const terms = situations(
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

  return define({
    'balance.restated': table(
      { account: personal(text), balance: balanceState() },
      {
        rows: model => Object.entries(model.balance).map(([account, balance]) => ({ account, balance })),
        put: (model, { account, balance }) => void (model.balance[account] = balance),
      },
      // Added: the life of the reading
      asBefore,
    ),
    'sale.restated': table(
      {
        terms,
        notices: optional(
          shape({ ...without(saleFacts['sale.noticesRead'].fields, 'unlisted'), readAt: optional(openField(instant)) }),
        ),
        reading: optional(
          shape({ ...saleFacts['sale.read'].fields, readAt: openField(instant), life: optional(openField(integer)) }),
        ),
        stale: optional(shape(saleFacts['sale.unreachable'].fields)),
        distrust: optional(failure),
        legal: optional(situations({ read: saleFacts['sale.legalRead'].fields, failed: { failure } }, {})),
        access: optional(
          keyed(personal(text), shape({ allowed: optional(openField(flag)), failure: optional(failure) })),
        ),
        content: saleContent,
        unlisted: unlistedNotices,
        accepted: optional(saleFacts['sale.changeAccepted'].fields.termsHash),
      },
      {
        rows({ sale: { terms, notices, reading, stale, distrust, legal, access, content, accepted } }) {
          const { unlisted, ...read } = notices ?? {}
          return [
            {
              terms,
              ...(notices && { notices: read as Omit<typeof notices, 'unlisted'> }),
              ...(unlisted && { unlisted }),
              ...(reading && { reading }),
              ...(stale && { stale }),
              ...(distrust && { distrust }),
              ...(legal && { legal }),
              ...(access && { access }),
              ...(content && { content }),
              ...(accepted && { accepted }),
            },
          ]
        },
        put(model, { notices: read = null, reading = null, stale = null, distrust = null, unlisted, ...known }) {
          const notices = read && unlisted ? { ...read, unlisted } : read
          model.sale = { notices, reading, stale, distrust, pins: model.sale.pins, ...known }
        },
      },
      // Added: the life of the reading, and the reach of the notices
      asBefore,
    ),
    /** Terms pinned on this device; the pin stands whatever terms are served. */
    'sale.pinRestated': table(saleFacts['sale.pinned'].fields, {
      rows: ({ sale }) => Object.values(sale.pins),
      put: ({ sale }, pin) => void (sale.pins[pin.terms.id] = pin),
    }),
    'order.restated': table(
      {
        order: orderState(),
        lying: optional(openField(integer)),
        silent: optional(orderFacts['order.unanswered'].fields.hosts),
        finalBy: optional(openField(integer)),
      },
      {
        rows: model =>
          Object.values(model.order).map(({ lying, silent, finalBy, ...order }) => ({
            order,
            ...(lying !== undefined && { lying }),
            ...(silent && { silent }),
            ...(finalBy !== undefined && { finalBy }),
          })),
        put: (model, { order, ...doubts }) => void (model.order[order.orderId] = { ...order, ...doubts }),
      },
      orderBefore,
    ),
    'purchase.restated': table(
      { account: personal(text), ...purchasesState().parts },
      {
        rows: ({ purchase }) => Object.entries(purchase).map(([account, one]) => ({ account, ...one })),
        put: ({ purchase }, { account, ...known }) => void (purchase[account] = known),
      },
      // Added: a payment's terms, and its fault
      asBefore,
    ),
  })
}
