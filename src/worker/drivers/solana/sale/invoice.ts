import type { EffectData } from '../../../../events/effect.ts'
import { Fault } from '../../../../runtime/failure.ts'
import { invoiceRef } from '../../../chains/solana/references.ts'
import { readTransaction } from '../../../chains/solana/wire.ts'
import type { SignatureLine } from '../../../rpc/answers.ts'
import { isNewerKind } from '../../../rpc/errors.ts'
import { paymentIn } from '../../../services/purchases.ts'
import type { Verify } from '../../../services/signatures.ts'
import type { Drive } from '../../../../runtime/host/driver.ts'
import { answered, drive, type InputOf } from '../../drive.ts'
import { newestSignatures, recordedTransaction, timeOfSlot } from '../history.ts'
import { judgeBytes } from '../order/orderTrace.ts'
import type { Rpc } from '../rpc.ts'
import { purchaseOf } from './purchases.ts'

type Sought = EffectData['chain.watchInvoice']
type Found = Pick<InputOf<'chain.invoice'>, 'buyer' | 'payment'>

/** Most listed transactions that one look reads: anyone who has seen the code can write under its key. */
const linesRead = 20

/**
 * Looks for an invoice's payment under its reference key: the oldest transaction there that pays the treasury, whose signer is the
 * buyer. It carries the invoice's memo, or none, when the wallet left it out.
 */
export function createInvoiceDriver({ rpc, verify }: { rpc: Rpc; verify: Verify }): { 'chain.watchInvoice': Drive } {
  return {
    'chain.watchInvoice': drive<Sought>(async sought => {
      const reference = invoiceRef(sought.presaleRef, sought.orderKey)
      const { lines } = await newestSignatures(rpc, reference, linesRead)
      const landed = lines.filter(({ err }) => (err ?? null) === null).reverse()
      for (const line of landed) {
        const found = await paidBy(line, sought)
        if (found) return answered({ type: 'chain.invoice', data: { reference, ...found } })
      }
      return answered({ type: 'chain.invoice', data: { reference } })
    }),
  }

  async function paidBy(line: SignatureLine, { terms, orderKey }: Sought): Promise<Found | undefined> {
    const { signature } = line
    try {
      const landed = await recordedTransaction(rpc, signature, 'confirmed')
      if (!landed || landed.err !== null) return undefined
      const { accountKeys, header } = readTransaction(landed.bytes)
      for (const account of accountKeys.slice(0, header.signers)) {
        const judged = await judgeBytes(landed.bytes, { signature, account, verify })
        const payment = typeof judged !== 'string' && judged.decoded && paymentIn(judged.decoded, { account, terms })
        if (!payment || (payment.memo && payment.memo.id !== orderKey)) continue
        const time = landed.time ?? line.blockTime ?? (await timeOfSlot(rpc, landed.slot))
        if (time == null) return undefined
        return { buyer: account, payment: purchaseOf(line, landed, { ...payment, time }) }
      }
      return undefined
    } catch (cause) {
      if (isNewerKind(cause) || (cause instanceof Fault && cause.code === 'bad_response')) return undefined
      throw cause
    }
  }
}
