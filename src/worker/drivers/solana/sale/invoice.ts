import type { EffectData } from '../../../../events/effect.ts'
import type { Drive } from '../../../../runtime/host/driver.ts'
import { invoiceRef } from '../../../chains/solana/references.ts'
import { givenTo } from '../../../services/invoicePayments.ts'
import type { Verify } from '../../../services/signatures.ts'
import { answered, drive } from '../../drive.ts'
import type { Rpc } from '../rpc.ts'
import { createInvoiceTrace } from './invoiceTrace.ts'

type Sought = EffectData['chain.watchInvoice']

/**
 * Looks for the payments of codes under their reference key: transactions there that pay the treasury, whose signer is the buyer. Each
 * carries the memo of its code, or none, when the wallet left it out.
 */
export function createInvoiceDriver(ports: { rpc: Rpc; verify: Verify }): { 'chain.watchInvoice': Drive } {
  const trace = createInvoiceTrace(ports)
  return {
    'chain.watchInvoice': drive<Sought>(async ({ presaleRef, orderKey, terms, codes }) => {
      const reference = invoiceRef(presaleRef, orderKey)
      const paid = givenTo(await trace.look({ reference, orderKey, terms }), { orderKey, codes })
      const [asked, ...before] = codes
      const earlier = before.flatMap(({ invoiceId }) => {
        const found = paid.get(invoiceId)
        return found ? [{ invoiceId, ...found }] : []
      })
      const own = asked && paid.get(asked.invoiceId)
      return answered({ type: 'chain.invoice', data: { reference, ...own, ...(earlier.length > 0 && { earlier }) } })
    }),
  }
}
