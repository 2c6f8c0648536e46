import type { EffectData } from '../../../../events/effect.ts'
import type { Drive } from '../../../../runtime/host/driver.ts'
import { invoiceRef } from '../../../chains/solana/references.ts'
import { givenTo } from '../../../services/invoicePayments.ts'
import type { Verify } from '../../../services/signatures.ts'
import { answered, drive } from '../../drive.ts'
import { createFinality } from '../finality.ts'
import type { Rpc } from '../rpc.ts'
import { createInvoiceTrace, type FoundPayment } from './invoiceTrace.ts'

type Sought = EffectData['chain.watchInvoice']

/** Looks in which an endpoint that does not answer holds a payment back that the others call final. */
export const looksForFinal = 30

/**
 * Looks for the payments of codes under their reference key: transactions there that pay the treasury, whose signer is the buyer. Each
 * carries the memo of its code, or none, when the wallet left it out. One endpoint lists them; a payment is final once none
 * denies it, and all agree or were asked often enough.
 */
export function createInvoiceDriver(ports: { rpc: Rpc; verify: Verify }): { 'chain.watchInvoice': Drive } {
  const trace = createInvoiceTrace(ports)
  const votesFor = createFinality(ports.rpc)

  const looks = new Map<string, number>()

  const agreedOn = async (found: FoundPayment, mayBeDropped: boolean): Promise<FoundPayment> => {
    const { payment } = found
    // Honest nodes still have a young code's payment: without a slot, which may be a lie, each absence counts as a denial
    const slot = mayBeDropped ? payment.slot : undefined
    const votes = payment.status === 'final' ? await votesFor(payment.signature, slot) : undefined
    if (!votes) return found
    const look = (looks.get(payment.signature) ?? 0) + 1
    looks.set(payment.signature, look)
    if (votes.against === 0 && look > looksForFinal) return found
    return { ...found, payment: { ...payment, status: 'confirmed' } }
  }

  return {
    'chain.watchInvoice': drive<Sought>(async ({ presaleRef, orderKey, terms, codes, mayBeDropped = false }) => {
      const reference = invoiceRef(presaleRef, orderKey)
      const given = givenTo(await trace.look({ reference, orderKey, terms }), { orderKey, codes })
      const votes = [...given].map(
        async ([invoiceId, found]) => [invoiceId, await agreedOn(found, mayBeDropped)] as const,
      )
      const paid = new Map(await Promise.all(votes))
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
