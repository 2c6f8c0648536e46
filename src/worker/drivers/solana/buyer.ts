/** Orders and purchases of one account on the chain: loaded once an account is connected. */
import type { BytesStore } from '../bytes.ts'
import type { OrderAges } from './order/orderAges.ts'
import { createOrdersDriver } from './order/orders.ts'
import { createInvoiceDriver } from './sale/invoice.ts'
import { createPurchasesDriver } from './sale/purchases.ts'
import type { BuyerPorts } from './sale/saleBackend.ts'

export function createBuyerDriver(
  ports: BuyerPorts & { bytes: BytesStore; ages: OrderAges },
): ReturnType<typeof createOrdersDriver> &
  ReturnType<typeof createPurchasesDriver> &
  ReturnType<typeof createInvoiceDriver> {
  return { ...createOrdersDriver(ports), ...createPurchasesDriver(ports), ...createInvoiceDriver(ports) }
}
