import { later } from '../../../runtime/later.ts'

/** Reads what wallets sign; loaded before an order is drafted, with the other parts that orders need. */
export const signedReader = later('reading a signed transaction', () => import('./signed.ts'))
