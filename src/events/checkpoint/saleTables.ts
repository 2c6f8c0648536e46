/** Tables of balances, the sale, orders and purchases. */
import { define, personal, text, without } from '../../runtime/schema/registry.ts'
import { balanceState } from '../subjects/sale/balance.ts'
import { invoiceState } from '../subjects/sale/invoice.ts'
import { ledgerState } from '../subjects/sale/ledger.ts'
import { orderState } from '../subjects/order/orderState.ts'
import { purchasesState } from '../subjects/sale/purchase.ts'
import type { Notices } from '../subjects/sale/sale.ts'
import { laterNoticeNames, saleFacts } from '../subjects/sale/saleFacts.ts'
import { saleState } from '../subjects/sale/saleState.ts'
import { inSituation, withoutChanges } from './orderLifts.ts'
import { asBefore, table } from './table.ts'

/** One table for each subject. Made by a function, so that bundles without use for the tables drop all of them. */
/*#__NO_SIDE_EFFECTS__*/
export function saleTables() {
  return define({
    'balance.restated': table(
      { account: personal(text), balance: balanceState() },
      {
        rows: model => Object.entries(model.balance).map(([account, balance]) => ({ account, balance })),
        put: (model, { account, balance }) => void (model.balance[account] = balance),
      },
      // Added: the life of the reading, then the tokens
      asBefore,
      asBefore,
    ),
    'sale.restated': table(
      saleState().parts,
      {
        rows({
          sale: { terms, notices, reading, stale, distrust, legal, access, content, feed, accepted, noticesUnread },
        }) {
          return [
            {
              terms,
              ...(notices && { notices: without(notices, ...laterNoticeNames), ...laterIn(notices) }),
              ...(reading && { reading }),
              ...(stale && { stale }),
              ...(distrust && { distrust }),
              ...(legal && { legal }),
              ...(access && { access }),
              ...(content && { content }),
              ...(feed && { feed }),
              ...(accepted && { accepted }),
              ...(noticesUnread && { noticesUnread }),
            },
          ]
        },
        put(model, { terms, notices = null, reading = null, stale = null, distrust = null, ...known }) {
          model.sale = {
            terms,
            notices: notices && { ...notices, ...laterIn(known) },
            reading,
            stale,
            distrust,
            pins: model.sale.pins,
            ...without(known, ...laterNoticeNames),
          }
        },
      },
      // Added: the life of the reading and the reach of the notices, then the life of the notices
      asBefore,
      asBefore,
    ),
    /** Terms pinned on this device; the pin stands whatever terms are served. */
    'sale.pinRestated': table(saleFacts['sale.pinned'].fields, {
      rows: ({ sale }) => Object.values(sale.pins),
      put: ({ sale }, pin) => void (sale.pins[pin.terms.id] = pin),
    }),
    'order.restated': table(
      { order: orderState() },
      {
        rows: model => Object.values(model.order).map(order => ({ order })),
        put: (model, { order }) => void (model.order[order.orderId] = order),
      },
      withoutChanges,
      inSituation,
      // Added: transfers
      asBefore,
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
    'invoice.restated': table(
      { invoices: invoiceState() },
      {
        rows: ({ invoice }) => (invoice ? [{ invoices: invoice }] : []),
        put: (model, { invoices }) => void (model.invoice = invoices),
      },
      // Added: what a press found out, then when, and when a code was refused
      asBefore,
      asBefore,
    ),
    'ledger.restated': table(
      { ledger: ledgerState() },
      {
        rows: ({ ledger }) => (ledger ? [{ ledger }] : []),
        put: (model, { ledger }) => void (model.ledger = ledger),
      },
      // Added: what left the treasury, then why nothing was compared
      asBefore,
      asBefore,
    ),
  })
}

type LaterNotices = Pick<Notices, (typeof laterNoticeNames)[number]>

function laterIn(of: LaterNotices): LaterNotices {
  return Object.fromEntries(laterNoticeNames.flatMap(name => (of[name] === undefined ? [] : [[name, of[name]]])))
}
