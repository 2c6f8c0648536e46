/** The modules that only orders need. */
import { signedReader } from '../walletconnect/signedReader.ts'
import type { createPrepareDriver } from './order/prepare.ts'

/** Loads the module that prepares orders, with a library larger than the rest of the worker. */
export type LoadPrepare = () => Promise<typeof createPrepareDriver>
export const loadPrepare: LoadPrepare = () => import('./order/prepare.ts').then(part => part.createPrepareDriver)
export const loadPrepareSend = () => import('./order/prepareSend.ts').then(part => part.createPrepareSendDriver)
export const loadReader = () => import('./order/preparedOrder.ts')
export const loadInsertion = () => import('./order/insertion.ts').then(part => part.createInsertion)
export const loadBuyer = () => import('./buyer.ts').then(part => part.createBuyerDriver)

/** Loads every module an order needs. @throws when one is gone, as after a deployment */
export async function loadOrderParts(): Promise<void> {
  await Promise.all([loadPrepare(), loadReader(), loadBuyer(), loadInsertion(), signedReader.get()])
}
